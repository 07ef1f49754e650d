"""A world: replicas on one faulty store, tables played at by impatient clients, watchers; everything from one seed."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, TypeVar

from campaigns.chaos.checker import Story, Terms, Violation, check, story
from campaigns.chaos.journal import Journal
from campaigns.sim.memory import MemoryLog
from campaigns.sim.store import CALM, FOUL, Store
from service.bots import Bots
from service.host import Host
from service.index import Index
from service.metrics import REGISTRY
from service.watch import Watches

T = TypeVar("T")
LOBBY_TTL = 24 * 3600
COUNTED = ("conflicts", "repeated", "outcome_unknown", "rewinds", "bot_answers")


class Gone(Exception):
    """The replica has died under a call."""


class Replica:
    """One replica, until it crashes."""

    def __init__(self, world: World) -> None:
        self.host = Host(MemoryLog(world.store), world.games)
        self.host.random = lambda size: f"{world.chance.getrandbits(8 * size):0{2 * size}x}"
        self.watches = Watches(self.host)
        self._tasks: dict[asyncio.Task[Any], None] = {}  # in the order they came: everything here is, from one seed
        bots = Bots(self.host, Index(self.host.log, LOBBY_TTL))
        for work in (self.watches.listen(), bots.sweep()):
            self.run(work)

    def run(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run something that dies with the replica."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled():
            task.exception()  # whoever called may have gone

    async def call(self, work: Coroutine[Any, Any, T], *, tied: bool = False) -> T:
        """A call from outside: the replica's end is its end; its caller's end too, if it is tied to him."""
        task = self.run(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            caller = asyncio.current_task()
            if task.cancelled() and not (caller and caller.cancelling()):
                raise Gone from None
            raise
        finally:
            if tied:
                task.cancel()

    def crash(self) -> None:
        """Everything that runs here ends where it is; what it has sent goes on."""
        for task in list(self._tasks):
            task.cancel()


@dataclass(slots=True)
class World:
    """All there is."""

    seed: int
    games: Mapping[str, ModuleType]
    replicated: bool
    chance: random.Random = field(init=False)
    store: Store = field(init=False)
    journal: Journal = field(default_factory=Journal)
    tally: Counter[str] = field(default_factory=Counter)
    replicas: list[Replica] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    ending: bool = False
    _before: Counter[str] = field(default_factory=lambda: counted())  # noqa: PLW0108 - it is defined below

    def __post_init__(self) -> None:
        self.chance = random.Random(f"world {self.seed}")
        self.store = Store(random.Random(f"store {self.seed}"), FOUL, replicated=self.replicated)

    def any(self) -> Replica:
        """Some replica."""
        return self.chance.choice(self.replicas)

    async def play(self, party: Callable[[World, int], Coroutine[Any, Any, None]], tables: int) -> list[Violation]:
        """Let parties play at tables while replicas crash and masters change; then say what is wrong."""
        self.replicas = [Replica(self) for _ in range(self.chance.choice((1, 2, 3)))]
        nemesis = asyncio.create_task(self._torment())
        await asyncio.gather(*(party(self, number) for number in range(tables)))
        nemesis.cancel()
        with suppress(asyncio.CancelledError):
            await nemesis
        for replica in self.replicas:
            replica.crash()
        return self._verdict()

    async def _torment(self) -> None:
        while True:
            await asyncio.sleep(self.chance.uniform(0.5, 10))
            what = self.chance.random()
            if self.ending:
                self.store.weather, self.store.stalled = CALM, False
            elif what < 0.4:
                self._crash(self.chance.randrange(len(self.replicas)))
            elif self.replicated and what < 0.7:
                self.store.stalled = True
                await asyncio.sleep(self.chance.uniform(0.1, 3))
                self.store.stalled = False
            elif self.replicated:
                await self.store.fail_over()

    def _crash(self, number: int) -> None:
        self.tally["crashes"] += 1
        self.replicas[number].crash()
        self.replicas[number] = Replica(self)

    def _verdict(self) -> list[Violation]:
        stories: dict[str, Story] = {}
        for table in self.tables:
            stories[table] = story(table, tuple(self.store.master.entries(table)), self.games)
        terms = Terms(rewinds=self.replicated, stale_looks=self.replicated)
        self.tally += self.store.tally
        self.tally += counted() - self._before
        self.tally["entries"] = sum(len(one.entries) for one in stories.values())
        return check(self.journal, stories, terms)


def counted() -> Counter[str]:
    """What the hosts of this process have counted so far."""
    return Counter({name: int(REGISTRY.get_sample_value(f"kontor_{name}_total") or 0) for name in COUNTED})
