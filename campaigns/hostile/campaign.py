"""Shots by the thousand: each kind from its seed, every answer judged, every table looked at afterwards."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from campaigns.hostile import forged, heads, mutated, nonsense, wrong
from campaigns.hostile.arena import GAMES, Arena, opened
from campaigns.hostile.ended import over, resigned
from campaigns.hostile.figures import Figures
from campaigns.hostile.house import House
from campaigns.hostile.judge import differ, faults, grown
from campaigns.hostile.shot import CHANGES, Answer, Shot

IN_FLIGHT = 24
BLOCK = 1000  # shots at one arena: what is accepted wears it out

Aim = Callable[[Arena, Arena, random.Random, int], Shot]
AIMED: dict[str, Aim] = {
    "mutated": mutated.shot,
    "nonsense": nonsense.shot,
    "headers": heads.shot,
    "forged": forged.shot,
    "tokenless": forged.shot_without,
    "wrong": wrong.shot,
}


class Attack:
    """Shots of one kind at one house."""

    def __init__(self, house: House, figures: Figures, kind: str) -> None:
        self.house = house
        self.figures = figures
        self.kind = kind

    async def run(self, numbers: Iterable[int]) -> None:
        """Send the shots of these numbers, block by block."""
        foreign = await self._arena("f", GAMES[0])
        if self.kind == "wrong":
            foreign.over = await over(self.house.replica, f"{self.figures.seed}-{self.kind}-over", GAMES[0])
            foreign.left = await self._arena("left", GAMES[0])
            await resigned(self.house.replica, foreign.left)
        before = await self._said(foreign)
        for block, those in groupby(numbers, lambda number: number // BLOCK):
            await self._block(await self._arena(str(block), GAMES[block % len(GAMES)]), foreign, those)
        for text in grown(before, await self._said(foreign), 0):
            self.figures.wrong(self.kind, f"the table of others, {foreign.table}: {text}")

    async def _arena(self, name: str, game: str) -> Arena:
        arena = await opened(self.house.replica, f"{self.figures.seed}-{self.kind}-{name}", game)
        arena.signing = self.house.signing
        self.house.secrets |= {arena.secret(what) for what in ("table", "lobby", "guest", "seat1", "seat2")}
        return arena

    async def _said(self, arena: Arena) -> int:
        return await self.house.said_by_people(arena.table) + await self.house.said_by_people(arena.lobby)

    async def _block(self, arena: Arena, foreign: Arena, numbers: Iterator[int]) -> None:
        before, accepted = await self._said(arena), 0

        async def shoot() -> None:
            nonlocal accepted
            for number in numbers:
                changed = await self._one(arena, foreign, number)
                accepted += changed

        await asyncio.gather(*(shoot() for _ in range(IN_FLIGHT)))
        for text in grown(before, await self._said(arena), accepted):
            self.figures.wrong(self.kind, f"tables {arena.table} and {arena.lobby}: {text}")

    async def _one(self, arena: Arena, foreign: Arena, number: int) -> bool:
        """Send one; whether it may have changed a table."""
        shot = AIMED[self.kind](arena, foreign, random.Random(f"{self.figures.seed} {self.kind} {number}"), number)
        answer = await self._judged(shot, number)
        if shot.twin is not None:
            other = await self._judged(shot.twin, number)
            for text in differ(answer, other):
                self.figures.wrong(self.kind, text, number, shot)
        changed = answer.code == "OK" or (shot.hasty and answer.code == "DEADLINE_EXCEEDED")
        return changed and shot.method in CHANGES

    async def _judged(self, shot: Shot, number: int) -> Answer:
        answer = await self.house.gun.fire(shot)
        self.figures.count(self.kind, answer)
        for text in faults(shot, answer):
            self.figures.wrong(self.kind, text, number, shot)
        return answer
