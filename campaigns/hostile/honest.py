"""Honest players, in a process of their own: `python -m campaigns.hostile.honest PORT`.

They play table after table and tell on standard output, a JSON line each: a table that was opened, with a token to
watch it; every answer, when and how long it took; a table that is over. When their input ends they finish their games.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time

from campaigns.chaos.proxy import Link
from kontor.v1 import View
from kontor_client import Client
from kontor_client.answers import random_answer
from kontor_client.viewers import Seat
from kontor_client.watching import finished

PATIENCE = 10.0  # seconds: whoever gets no answer for so long has failed
THINKING = (0.01, 0.1)  # seconds between two answers of a table
HURRYING = 0.02
GAMES = (("augsburg", 2), ("diefugger", 2), ("strasbourg", 3))


def tell(**what: object) -> None:
    """One line to whoever reads along."""
    print(json.dumps(what), flush=True)


class Table:
    """One table after the other."""

    def __init__(self, client: Client, ending: asyncio.Event, number: int, seed: int) -> None:
        self._client = client
        self._ending = ending
        self._game, self._seats = GAMES[number % len(GAMES)]
        self._chance = random.Random(f"{seed} honest {number}")

    async def play(self) -> None:
        """Play until told to end, and then to the end."""
        while not self._ending.is_set():
            await self._game_whole()

    async def _game_whole(self) -> None:
        table = await self._client.create_table(self._game, seats=self._seats)
        seats = [await table.join(f"Player {number}") for number in range(1, self._seats + 1)]
        tell(table=table.id, view=(await table.spectator()).token)
        await table.start()
        while not finished(await _looked(seats)):
            for seat in seats:
                await self._answer(seat)
        tell(over=table.id)

    async def _answer(self, seat: Seat) -> None:
        while (decision := seat.decision) is not None:
            began = time.monotonic()
            await seat.submit(random_answer(decision, self._chance))
            tell(at=began, took=time.monotonic() - began)
            await asyncio.sleep(HURRYING if self._ending.is_set() else self._chance.uniform(*THINKING))


async def _looked(seats: list[Seat]) -> View:
    views = [await seat.look() for seat in seats]
    return views[0]


async def crowd(port: int, tables: int, seed: int, api_key: str) -> None:
    """All tables at once; each comes from an address of its own, since limits count addresses."""
    ending = asyncio.Event()
    asyncio.get_running_loop().run_in_executor(None, sys.stdin.read).add_done_callback(lambda _: ending.set())

    async def one(number: int) -> None:
        link = await Link(port, f"127.0.0.{number + 2}").start()
        async with Client(f"127.0.0.1:{link.port}", patience=PATIENCE, api_key=api_key) as client:
            await Table(client, ending, number, seed).play()
        await link.stop()

    await asyncio.gather(*(one(number) for number in range(tables)))


def main() -> None:
    """Play."""
    parser = argparse.ArgumentParser(prog="python -m campaigns.hostile.honest", description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--api-key", default="")
    typed = parser.parse_args()
    asyncio.run(crowd(typed.port, typed.tables, typed.seed, typed.api_key))


if __name__ == "__main__":
    main()
