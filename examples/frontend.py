"""A frontend loop in 60 lines: one task holds the view and draws it, another reads what the player wants.

It is what every frontend does, with `print` in place of a canvas: draw each change, then the view; show the options of
the open decision; turn a click into an answer. Here a click is a line: the number of an option, then a value a slot.

    python examples/frontend.py GAME < clicks
"""

import asyncio
import os
import sys

from kontor.v1 import Answer, Option
from kontor_client import BadAnswer, Client, Refused, Seat, first_answer, option_answer


def draw(seat: Seat, sentences: tuple[str, ...]) -> None:
    """Animate what happened, then show how things stand and what may be done."""
    for sentence in sentences:
        print(f"* {sentence}")
    if seat.decision:
        print(f"? {seat.decision.question.text}")
        for number, option in enumerate(seat.decision.options, 1):
            print(f"  {number} {option.sentence.text}  [{option.rule}]")


def meant(options: list[Option], click: str) -> Answer:
    """The answer that a click means; without values, or for slots that need more than a word, the first legal one."""
    number, *values = click.split()
    option = options[int(number) - 1]
    if not values or any(slot.WhichOneof("ask") in ("pick_some", "split") for slot in option.slots):
        return first_answer(option)
    fields = {slot.field: value for slot, value in zip(option.slots, values, strict=True)}
    numbers = {slot.field for slot in option.slots if slot.WhichOneof("ask") == "pick_number"}
    return option_answer(option, **{name: int(v) if name in numbers else v for name, v in fields.items()})


async def clicked(seat: Seat) -> None:
    """Wait for a click, and submit what it means; the server has the last word."""
    while seat.decision:
        click = await asyncio.to_thread(sys.stdin.readline)
        try:
            await seat.submit(meant(list(seat.decision.options), click or "1"), seat.decision.number)
        except (BadAnswer, Refused, ValueError, IndexError) as error:
            print(f"! {error}")
        else:
            return


async def main(game: str) -> None:
    """Play to the end."""
    async with Client(os.environ.get("KONTOR_SERVER", "127.0.0.1:50051")) as client:
        table = await client.create_table(game, bots=["stand-in", "stand-in"])
        seat = await table.join("Ada")
        await table.start()
        async for update in seat.updates():
            draw(seat, update.sentences)
            await clicked(seat)


asyncio.run(main(sys.argv[1]))
