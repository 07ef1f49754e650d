"""A table of the simulation: founded, joined, started and played by clients who repeat what they got no answer to."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

from campaigns.chaos.journal import Answer, Ask, Look, Watch
from campaigns.sim.world import Gone, Replica, World
from domain.chance import Stream
from domain.table import Bot, Join, Start
from service import calls
from service.calls import Call
from service.entry import Cause
from service.errors import CallError, NotFound
from service.life import Life
from tests.service.host.made import founded, random_answer

LIMIT = 60  # seconds after which a client gives up one try
MOST = 70  # versions after which a table has been played enough
END = 90.0  # seconds in which watchers hear everything, once all is well
SECRET = "a secret of sixteen characters"  # noqa: S105 - of nobody


class Party:
    """One table."""

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.table = f"W{world.seed}T{number}"
        self.game: Any = world.games[world.chance.choice(sorted(world.games))]
        self._answers = Stream(world.chance.randbytes(32), "answers")
        self._requests = 0
        self._reached = 0

    async def play(self) -> None:
        """From the founding to the end of the game, or as far as is wanted."""
        world, seats = self.world, self.game.meta.least_seats
        world.tables.append(self.table)
        new = founded(self.game, world.chance.randbytes(32).hex())
        await self._ask(calls.founding(self._request(), SECRET, new, ()), 0, first=True)
        bot = world.chance.random() < 0.3
        for seat in range(1, seats + 1):
            await self._ask(self._join(seat, Bot.STAND_IN if bot and seat == seats else Bot.NONE), 0)
        await self._ask(calls.at_table(self._request(), lambda _: (0, Start()), Cause.HOST), 0)
        watching = [asyncio.create_task(self._watch()) for _ in range(2)]
        people = seats - bot
        await asyncio.gather(*(self._seat(seat) for seat in range(1, people + 1)))
        await self._last(watching)

    def _join(self, seat: int, bot: Bot) -> Call:
        return calls.at_table(self._request(), lambda _: (0, Join(f"Player {seat}", bot)), Cause.HOST)

    async def _last(self, watching: list[asyncio.Task[None]]) -> None:
        """Let the watchers hear the end; the world is calm by then."""
        self.world.tally["played"] += 1
        self.world.ending = self.world.tally["played"] == len(self.world.tables)
        while not self.world.ending:
            await asyncio.sleep(1)
        await asyncio.sleep(END)
        for task in watching:
            task.cancel()
        for one in await asyncio.gather(*watching, return_exceptions=True):
            if not isinstance(one, asyncio.CancelledError) and one is not None:
                raise one

    def _request(self) -> str:
        self._requests += 1
        return f"{self.table}-{self._requests}"

    async def _seat(self, seat: int) -> None:
        """A player: look, answer what is asked, look again."""
        done = 0
        while True:
            life = await self._look()
            if life.finished or life.version >= MOST:
                return
            started = life.play is not None  # a deposed master may not know it yet
            decision = life.game.decision(life.play, seat) if started else None
            if decision is None or (decision.number <= done and not self.world.replicated):
                await asyncio.sleep(self.world.chance.uniform(0.05, 1))
                continue
            call = random_answer(life, seat, self._answers, self._request())
            if await self._ask(call, seat, basis=(life.version, life.tag), decision=decision.number):
                done = decision.number

    async def _look(self) -> Life:
        """The table as it is; a copy, since lives go on."""
        loop = asyncio.get_running_loop()
        while True:
            asked, replica = loop.time(), self.world.any()
            try:
                life = await replica.call(replica.host.fresh(self.table))
            except (CallError, Gone):
                await asyncio.sleep(0.1)
                continue
            self.world.journal.looks.append(Look(self.table, asked, life.version))
            return life

    async def _ask(
        self, call: Call, seat: int, *, first: bool = False, basis: tuple[int, str] = (0, ""), decision: int = 0
    ) -> bool:
        """Send a call until it is answered, now and then twice at once."""
        world, now = self.world, asyncio.get_running_loop().time
        ask = world.journal.ask(self.table, call.request.rpartition(":")[2], seat, now())
        ask.basis, ask.decision = basis, decision
        times = 2 if world.chance.random() < 0.15 else 1
        await asyncio.gather(*(self._until_answered(ask, call, first) for _ in range(times)))
        if ask.answers and world.chance.random() < 0.1:
            await self._until_answered(ask, call, first)
        return bool(ask.answers)

    async def _until_answered(self, ask: Ask, call: Call, first: bool) -> None:
        world, now = self.world, asyncio.get_running_loop().time
        while True:
            replica = world.any()
            commit = replica.host.found if first else replica.host.commit
            try:
                async with asyncio.timeout(world.chance.choice((0.05, 2, LIMIT, LIMIT))):
                    life, version = await replica.call(commit(self.table, call))
                    answer = Answer(version, life.entries[version - 1].tag)
            except (Gone, TimeoutError):
                ask.failures += 1
            except CallError as error:
                if error.status != "UNAVAILABLE" and not (isinstance(error, NotFound) and world.replicated):
                    ask.refused = f"{error.status} {error.reason}"
                    return
                ask.failures += 1
            else:
                ask.answer(answer, now())
                return
            await asyncio.sleep(world.chance.uniform(0.01, 0.5))

    async def _watch(self) -> None:
        """A watcher over all its connections; now and then it hangs up by itself."""
        watch, world = self.world.journal.watch(self.table, 0), self.world
        while True:
            watch.connections += 1
            replica = world.any()
            try:
                async with asyncio.timeout(world.chance.choice((1, 10, 100))):
                    await replica.call(self._connection(replica, watch), tied=True)
            except (CallError, Gone, TimeoutError):
                world.tally["watches broken"] += 1
            await asyncio.sleep(world.chance.choice((0.05, 0.05, 30)))

    async def _connection(self, replica: Replica, watch: Watch) -> None:
        resume = watch.last if watch.last[0] else None
        async with aclosing(replica.watches.watch(self.table, resume)) as updates:
            async for update in updates:
                if update.life is None:
                    continue
                entries, first = update.entries, update.first
                if update.skip == "BEHIND":
                    first, entries = watch.last[0] + 1, tuple(update.life.entries[watch.last[0] :])
                elif update.skip is not None:
                    watch.skip(update.skip, update.life.version, update.life.tag)
                self.world.tally[f"skip {update.skip}"] += update.skip is not None
                for version, entry in enumerate(entries, first):
                    watch.change(version, entry.tag, b"")


async def party(world: World, number: int) -> None:
    """Play at one table."""
    await Party(world, number).play()
