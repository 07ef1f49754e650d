"""Tables founded as fast as the server takes them: without limits, within limits, and without a key to the door."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

from campaigns.hostile.arena import GAMES, TABLES
from campaigns.hostile.figures import Figures
from campaigns.hostile.house import House
from campaigns.hostile.judge import faults
from campaigns.hostile.shot import Shot
from kontor.v1 import CreateTableRequest

KIND, LIMITED, USUAL = "floods", "limited", "usual"  # without limits, with tight ones, with those of every server
IN_FLIGHT = 64
RATE, BURST = 100, 300  # calls a second of one address, and at once
KEY = "the-right-key-of-this-campaign"
FREE, REFUSED = frozenset({"OK", "RESOURCE_EXHAUSTED"}), frozenset({"UNAUTHENTICATED", "RESOURCE_EXHAUSTED"})


def limited(directory: Any) -> dict[str, str]:
    """Settings with limits so tight that any machine reaches them, and a key to the door."""
    directory.mkdir(parents=True, exist_ok=True)
    keys = directory / "api-keys"
    keys.write_text(f"another\n{KEY}\n")
    return {"KONTOR_PEER_RATE": str(RATE), "KONTOR_PEER_BURST": str(BURST), "KONTOR_API_KEYS_FILE": str(keys)}


BY_ITSELF = {"KONTOR_PEER_RATE": "1000", "KONTOR_TOKEN_RATE": "200"}  # what a server has that was told nothing


async def without_limits(house: House, figures: Figures, count: int) -> None:
    """All are founded, and what they cost is stated."""
    memory, log = house.replica.memory(), await house.log_memory()
    took = await _flood(house, figures, KIND, count, (), frozenset({"OK"}))
    held, stored = house.replica.memory() - memory, await house.log_memory() - log
    figures.note(
        f"floods: {count} tables without limits in {took:.0f} s; "
        f"{held / count / 1000:.1f} kB of the service and {stored / count / 1000:.1f} kB of the log each"
    )


async def usual(house: House, figures: Figures, count: int) -> None:
    """With the limits that a server has by itself: refused or not, nothing else."""
    took = await _flood(house, figures, USUAL, count, (), FREE)
    refused = figures.statuses[USUAL]["RESOURCE_EXHAUSTED"]
    figures.note(f"floods: {count} tables with the usual limits in {took:.0f} s, {refused} refused")


async def within_limits(house: House, figures: Figures, count: int) -> None:
    """By one address with no key, a wrong one, and the right one: no more than the limit lets in."""
    keys = ((), (("x-kontor-api-key", "wrong"),), (("x-kontor-api-key", KEY),))
    counted, began = figures.statuses[LIMITED], time.monotonic()
    for place, headers in enumerate(keys):
        await _flood(house, figures, LIMITED, count // len(keys), headers, FREE if place == 2 else REFUSED)
    seconds = time.monotonic() - began
    admitted = counted.total() - counted["RESOURCE_EXHAUSTED"]
    figures.note(f"floods: of {count} calls at {RATE} a second {admitted} were let in within {seconds:.1f} s")
    for text in held_to(admitted, count, seconds):
        figures.wrong(LIMITED, text)


def held_to(admitted: int, count: int, seconds: float) -> list[str]:
    """What is wrong, if more were let in than the limit allows, or nobody was refused at all."""
    most = BURST + RATE * seconds + 1
    wrong = [f"{admitted} calls were let in, and {most:.0f} should have been at most"] if admitted > most else []
    if admitted == count:
        wrong.append("nobody was refused")
    return wrong


async def _flood(house: House, figures: Figures, kind: str, count: int, headers: Any, allowed: frozenset[str]) -> float:
    began = time.monotonic()
    offset = figures.statuses[kind].total()
    numbers = iter(range(offset, offset + count))

    async def found() -> None:
        for number in numbers:
            shot = founding(figures.seed, number, headers, allowed)
            answer = await house.gun.fire(shot)
            figures.count(kind, answer)
            for text in faults(shot, answer):
                figures.wrong(kind, text, shot=shot)

    await asyncio.gather(*(found() for _ in range(IN_FLIGHT)))
    return time.monotonic() - began


def founding(seed: int, number: int, headers: Any, allowed: frozenset[str]) -> Shot:
    """One more table."""
    chance = random.Random(f"{seed} {KIND} {number}")
    request = CreateTableRequest(
        request_id=f"{seed}-{KIND}-{number}",
        client_secret=f"{chance.getrandbits(128):032x}",
        game=chance.choice(GAMES),
        public=chance.random() < 0.5,
        bots=["random"] * chance.choice((0, 0, 1)),
    )
    return Shot(f"{TABLES}/CreateTable", request.SerializeToString(), headers, allowed)
