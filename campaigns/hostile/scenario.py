"""Three houses under attack: one without limits for all that goes deep, two with limits for the floods."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from campaigns.hostile import floods, rude, slow, watches
from campaigns.hostile.campaign import AIMED, Attack
from campaigns.hostile.crowd import Crowd
from campaigns.hostile.figures import MB, QUIET, Figures
from campaigns.hostile.house import NO_LIMITS, House

SHARES = {  # of all requests
    "mutated": 0.32,
    "nonsense": 0.16,
    "headers": 0.04,
    "forged": 0.12,
    "tokenless": 0.02,
    "wrong": 0.12,
    "watches": 0.10,
    "floods": 0.05,
    "limited": 0.03,
    "usual": 0.03,
    "rude": 0.01,
}
KINDS = (*AIMED, watches.KIND, slow.KIND, floods.KIND, rude.KIND, floods.LIMITED, floods.USUAL)
LEAST = {floods.LIMITED: 900, rude.KIND: len(rude.ACTS)}  # else nobody is refused, or something is never done

Deed = Callable[[House, Crowd], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything."""

    requests: int = 200_000
    quiet: int = 300  # answers of honest players before and after
    tables: int = 3  # of honest players
    readers: int = 300  # who do not read
    seconds: float = 20.0  # in which they do not

    def of(self, kind: str) -> int:
        """How many requests of a kind."""
        return max(LEAST.get(kind, 1), int(self.requests * SHARES[kind]))


@asynccontextmanager
async def besieged(
    name: str, directory: Path, settings: dict[str, str], figures: Figures, size: Size, api_key: str = ""
) -> AsyncIterator[tuple[House, Crowd]]:
    """A house with honest players in it, before, during and after; in the end all of it is looked at."""
    house = await House(directory, settings).open()
    crowd = await Crowd(house.port, size.tables, figures.seed, directory, api_key).start()
    try:
        with figures.phase(name, QUIET):
            await crowd.answered(size.quiet)
        yield house, crowd
        with figures.phase(name, "after"):
            await crowd.answered(len(crowd.answers) + size.quiet)
        if failed := await crowd.end():
            figures.wrong(name, failed)
        figures.measure(name, crowd)
        figures.note(
            f"{name}: {len(crowd.over)} honest games played to their end, {house.replica.memory() / MB:.0f} MB"
        )
        for text in await house.wrong(set(crowd.opened), random.Random(figures.seed)):
            figures.wrong(name, text)
    finally:
        await crowd.stop()
        await house.close()


async def run(directory: Path, figures: Figures, size: Size, only: str = "", number: int | None = None) -> None:
    """The whole campaign, or one kind of it, or one shot."""
    if number is not None:
        await one_shot(directory, figures, only, number)
        return
    deeds: dict[str, Deed] = {kind: _aimed(figures, kind, size) for kind in AIMED}
    deeds[watches.KIND] = lambda house, crowd: watches.run(house, figures, crowd, size.of(watches.KIND))
    deeds[slow.KIND] = lambda house, crowd: slow.run(house, figures, crowd, size.readers, size.seconds)
    deeds[floods.KIND] = lambda house, _: floods.without_limits(house, figures, size.of(floods.KIND))
    deeds[rude.KIND] = lambda house, _: rude.run(house, figures, size.of(rude.KIND))
    wanted = {kind: deed for kind, deed in deeds.items() if only in ("", kind)}
    if wanted:
        async with besieged("open", directory / "open", NO_LIMITS, figures, size) as (house, crowd):
            for kind, deed in wanted.items():
                with figures.phase("open", kind):
                    await deed(house, crowd)
                figures.note(f"{kind}: done, the service holds {house.replica.memory() / MB:.0f} MB")
    if only in ("", floods.LIMITED):
        place, key = directory / floods.LIMITED, floods.KEY
        async with besieged(floods.LIMITED, place, floods.limited(place), figures, size, key) as (house, _):
            with figures.phase(floods.LIMITED, floods.KIND):
                await floods.within_limits(house, figures, size.of(floods.LIMITED))
    if only in ("", floods.USUAL):
        place = directory / floods.USUAL
        async with besieged(floods.USUAL, place, floods.BY_ITSELF, figures, size) as (house, _):
            with figures.phase(floods.USUAL, floods.KIND):
                await floods.usual(house, figures, size.of(floods.USUAL))


def _aimed(figures: Figures, kind: str, size: Size) -> Deed:
    async def deed(house: House, _: Crowd) -> None:
        await Attack(house, figures, kind).run(range(size.of(kind)))

    return deed


async def one_shot(directory: Path, figures: Figures, kind: str, number: int) -> None:
    """One shot alone, at a server of its own."""
    house = await House(directory, NO_LIMITS).open()
    try:
        await Attack(house, figures, kind).run([number])
        for text in await house.wrong(set(), random.Random(figures.seed)):
            figures.wrong(kind, text, number)
    finally:
        await house.close()
