"""Watches by the thousand, opened and cancelled at every stage; memory after the second half against the first."""

from __future__ import annotations

import asyncio
import random
import re
from itertools import pairwise
from typing import Any

import grpc

from campaigns.hostile.arena import GAMES, PLAY, opened
from campaigns.hostile.crowd import Crowd
from campaigns.hostile.figures import MB, Figures
from campaigns.hostile.house import House
from campaigns.hostile.judge import faults
from campaigns.hostile.shot import HEALTH, Answer, Shot, answer_of, bearer
from kontor.v1 import Moment, WatchViewRequest

KIND = "watches"
IN_FLIGHT = 200
STAGES = ("at once", "headers", "first", "later", "nonsense", "health")
TOLERATED = (0.10, 20 * MB)  # growth in the second half: this share of all, or so many bytes, whichever is more
SETTLING = 2.0  # seconds
OPEN = re.compile(r"^kontor_watchers (\S+)$", re.MULTILINE)
LEAVING = 10.0


async def run(house: House, figures: Figures, crowd: Crowd, count: int) -> None:
    """Open and cancel so many, in two halves."""
    arena = await opened(house.replica, f"{figures.seed}-{KIND}", GAMES[0])
    memory = [house.replica.memory()]
    for half in range(2):
        numbers = iter(range(half * count // 2, (half + 1) * count // 2))

        async def open_some(numbers: Any = numbers) -> None:
            for number in numbers:
                tables = {arena.table: arena.tokens["view"], **crowd.playing}
                await _one(house, figures, tables, number)

        await asyncio.gather(*(open_some() for _ in range(IN_FLIGHT)))
        await asyncio.sleep(SETTLING)
        memory.append(house.replica.memory())
    for text in steady(*memory):
        figures.wrong(KIND, text)
    first, second = (f"{(after - before) / MB:+.1f}" for before, after in pairwise(memory))
    figures.note(f"watches: {memory[0] / MB:.0f} MB before, first {count // 2}: {first} MB, second: {second} MB")
    await _all_gone(house, figures)


def steady(before: int, halfway: int, end: int) -> list[str]:
    """What is wrong, if the second half has taken more than a little."""
    share, least = TOLERATED
    if end - halfway > max(share * halfway, least):
        return [f"memory was {before / MB:.0f} MB, {halfway / MB:.0f} MB halfway and {end / MB:.0f} MB at the end"]
    return []


async def _one(house: House, figures: Figures, tables: dict[str, str], number: int) -> None:
    chance = random.Random(f"{figures.seed} {KIND} {number}")
    table, token = chance.choice(list(tables.items()))
    stage = STAGES[number % len(STAGES)]
    request = WatchViewRequest(table_id=table)
    if stage == "nonsense":
        request.resume.CopyFrom(
            Moment(version=chance.choice((1, 7, 2**31 - 1)), tag=chance.choice(("", "x", "0" * 900)))
        )
    shot = Shot(f"{PLAY}/WatchView", request.SerializeToString(), bearer(token))
    if stage == "health":
        shot = Shot(HEALTH[1], chance.choice((b"", b"\x0a\x09readiness", b"\x0a\x01x")))
    answer = await _cancelled(house, shot, stage, chance.uniform(0, 0.1))
    figures.count(KIND, answer)
    if answer.code != "CANCELLED":
        for text in faults(shot, answer):
            figures.wrong(KIND, f"{stage}, number {number}: {text}", shot=shot)


async def _cancelled(house: House, shot: Shot, stage: str, later: float) -> Answer:
    """Open a watch, and cancel it at a stage."""
    send: Any = house.gun.channel().unary_stream(f"/{shot.method}")
    call = send(shot.body, metadata=shot.headers, timeout=shot.timeout)
    try:
        if stage == "headers":
            await call.initial_metadata()
        elif stage != "at once":
            await call.read()
        if stage == "later":
            await asyncio.sleep(later)
    except grpc.aio.AioRpcError as error:
        return answer_of(error)
    finally:
        call.cancel()
    return Answer("CANCELLED" if stage == "at once" else "OK")


async def _all_gone(house: House, figures: Figures) -> None:
    """The server must have noticed that nobody watches any more."""
    left = ""
    for _ in range(int(LEAVING * 10)):
        (left,) = OPEN.findall(await house.metrics())
        if not float(left):
            return
        await asyncio.sleep(0.1)
    figures.wrong(KIND, f"{left} watches are still open")
