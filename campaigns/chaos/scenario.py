"""A scenario: a log, replicas on it, clients who play, a nemesis; and at the end the checker."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from campaigns.chaos import nemesis
from campaigns.chaos.alone import ALONE, Alone
from campaigns.chaos.checker import Terms, Violation
from campaigns.chaos.crew import Crew
from campaigns.chaos.nemesis import Fault, Scene
from campaigns.chaos.party import Party
from campaigns.chaos.replica import Replica
from campaigns.chaos.stores import Single, Spread, Store, Watched
from campaigns.chaos.verdict import judge
from domain.games import GAMES

CATCH_UP = 60.0  # seconds in which watchers must have heard everything, once all is well again
LAST_CALL = 90.0  # and players must have been answered


@dataclass(frozen=True, slots=True)
class Plan:
    """What is tried, and what must have happened for it to have proven anything."""

    name: str
    store: Callable[[Path], Any]
    replicas: int
    faults: Mapping[str, Fault]
    terms: Terms
    needs: tuple[str, ...]
    share: float = 1.0  # of the whole campaign


PLANS = {
    plan.name: plan
    for plan in (
        Plan(
            "single",
            Single,
            3,
            nemesis.SINGLE,
            Terms(),
            ("conflicts", "repeated ids", "lost answers", "skip BEHIND", "skip GOING_AWAY", "unknown outcomes"),
            0.5,
        ),
        Plan(
            "embedded",
            Alone,
            1,
            ALONE,
            Terms(),
            ("conflicts", "repeated ids", "lost answers", "skip BEHIND", "skip GOING_AWAY", "unknown outcomes"),
            0.1,
        ),
        Plan(
            "sentinel",
            Watched,
            2,
            nemesis.WATCHED,
            Terms(rewinds=True, stale_looks=True),
            ("conflicts", "repeated ids", "lost answers", "failovers", "unknown outcomes"),
            0.15,
        ),
        Plan(
            "cluster",
            Spread,
            2,
            nemesis.SPREAD,
            Terms(rewinds=True, stale_looks=True),
            ("conflicts", "repeated ids", "lost answers", "failovers", "slots moved", "unknown outcomes"),
            0.25,
        ),
    )
}


@dataclass(slots=True)
class Outcome:
    """What came of a scenario."""

    name: str
    seconds: float
    acknowledged: int
    kills: int
    figures: Counter[str] = field(default_factory=Counter)
    violations: list[Violation] = field(default_factory=list)
    absent: tuple[str, ...] = ()  # what should have happened and never did

    @property
    def well(self) -> bool:
        """Whether nothing is wrong, and it proves something."""
        return not self.violations and not self.absent


class Stage:
    """A scenario under way."""

    def __init__(self, plan: Plan, store: Store, replicas: list[Replica], seed: int, tables: int) -> None:
        self.plan = plan
        self.store = store
        self.replicas = replicas
        self.crew = Crew(replicas, seed)
        self.crew.forgiving = plan.terms.rewinds
        self.parties: list[Party] = []  # all there were
        self.began = time.monotonic()
        self._at: list[Party] = []  # being played
        self._tables = tables
        self.scene = Scene(store, replicas, random.Random(f"nemesis {seed}"), self.tables)

    def tables(self) -> list[str]:
        """The tables being played at."""
        return [party.table for party in self._at if party.table]

    def play(self) -> None:
        """Let the clients begin."""
        for _ in range(self._tables):
            self.open()
        self.crew.spawn(self._count())

    def open(self) -> None:
        """One more table, and others after it."""
        self.crew.spawn(self._table_after_table())

    async def _table_after_table(self) -> None:
        while not self.crew.ending:
            game = GAMES[self.crew.chance.choice(sorted(GAMES))]
            party = Party(self.crew, game.meta.id, game.meta.least_seats)
            self.parties.append(party)
            self._at.append(party)
            await party.play()
            self._at.remove(party)

    async def _count(self) -> None:
        while True:
            await self.count()
            await asyncio.sleep(0.5)

    async def count(self) -> None:
        """Ask all replicas what they have counted."""
        await asyncio.gather(*(replica.count() for replica in self.replicas))

    @property
    def counted(self) -> Counter[str]:
        """What all replicas have counted."""
        return sum((replica.counted for replica in self.replicas), Counter())

    async def end(self) -> None:
        """Let everybody finish what he is at, and hear what there is to hear."""
        self.crew.ending = True
        async with asyncio.timeout(LAST_CALL):
            while self._at:
                await asyncio.sleep(0.1)
        await self.count()

    async def close(self) -> None:
        """End everything."""
        for task in list(self.crew.tasks):
            task.cancel()
        await asyncio.gather(*self.crew.tasks, return_exceptions=True)
        await asyncio.gather(*(replica.close() for replica in self.replicas))
        await self.store.close()


@asynccontextmanager
async def staged(plan: Plan, directory: Path, seed: int, tables: int) -> AsyncIterator[Stage]:
    """A scenario's servers and clients; gone at the end, whatever happens."""
    store = await plan.store(directory).open()
    replicas = list(await asyncio.gather(*(store.replica(number) for number in range(plan.replicas))))
    stage = Stage(plan, store, replicas, seed, tables)
    try:
        yield stage
    finally:
        await stage.close()


async def run(
    plan: Plan,
    directory: Path,
    seed: int,
    more: Callable[[Stage], bool],
    tables: int = 6,
    pause: float = 0.5,
) -> Outcome:
    """Play a scenario for as long as more is wanted, then judge it."""
    async with staged(plan, directory, seed, tables) as stage:
        stage.play()
        await asyncio.sleep(1)
        await nemesis.torment(stage.scene, dict(plan.faults), pause, lambda: more(stage))
        await stage.end()
        violations = await judge(stage, CATCH_UP)
        figures = figures_of(stage)
        return Outcome(
            plan.name,
            time.monotonic() - stage.began,
            stage.crew.journal.acknowledged,
            stage.scene.kills,
            figures,
            violations,
            tuple(need for need in plan.needs if not figures[need]),
        )


def figures_of(stage: Stage) -> Counter[str]:
    """Everything that was counted, by a name for a person."""
    counted, tally = stage.counted, stage.crew.tally
    journal = stage.crew.journal
    return Counter(
        {
            "tables": len({ask.table for ask in journal.asks if ask.table}),
            "tries that failed": sum(ask.failures for ask in journal.asks),
            "conflicts": counted["conflicts"],
            "repeated ids": counted["repeated"],
            "unknown outcomes": counted["outcome_unknown"] + tally["OUTCOME_UNKNOWN"],
            "rewinds": counted["rewinds"],
            "hints lost": counted["hints_lost"],
            "failovers": stage.store.failovers,
            "slots moved": stage.store.moves,
            "changes watched": sum(len(watch.notes) for watch in journal.watches),
            "watches resumed": sum(max(0, watch.connections - 1) for watch in journal.watches),
            "views looked at": len(journal.looks),
            **{name: number for name, number in tally.items() if name},
            **{f"fault: {name}": number for name, number in stage.scene.faults.items()},
        }
    )
