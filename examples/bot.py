"""A bot in 40 lines: it sits down at a table and answers by chance what it is asked.

python examples/bot.py TABLE INVITE        at a friend's table
python examples/bot.py augsburg            at a table of its own, against bots of the server
"""

import asyncio
import os
import sys
from contextlib import suppress

from kontor_client import Client, DecisionGone, Seat, random_answer

SERVER = os.environ.get("KONTOR_SERVER", "127.0.0.1:50051")


async def sit_down(client: Client, words: list[str]) -> Seat:
    """Join the table of an invite, or open one and begin."""
    if len(words) == 2:
        return await client.join(words[0], "Robot", words[1])
    table = await client.create_table(words[0], bots=["stand-in", "stand-in"])
    seat = await table.join("Robot")
    await table.start()
    return seat


async def main(words: list[str]) -> None:
    """Play to the end."""
    async with Client(SERVER) as client:
        seat = await sit_down(client, words)
        async for update in seat.updates():
            for sentence in update.sentences:
                print(sentence)
            if seat.decision:
                with suppress(DecisionGone):  # the clock may have been faster
                    await seat.submit(random_answer(seat.decision))


asyncio.run(main(sys.argv[1:]))
