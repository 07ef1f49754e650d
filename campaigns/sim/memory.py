"""The log's port on a store in memory: the exact promises of the real one, and all its ways to fail."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

from campaigns.sim.node import Node
from campaigns.sim.store import Store
from service.log.hints import Mailbox
from service.log.port import (
    EMPTY,
    MISSING,
    Conflict,
    Finding,
    Head,
    Hint,
    Log,
    OutcomeUnknown,
    Signal,
    Tail,
    Unavailable,
    Wanted,
    every_table,
    key_of,
)

T = TypeVar("T")
HINTS = 10_000


class MemoryLog(Log):
    """One service's way to the store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._closed = False
        self._under_way: set[asyncio.Task[Any]] = set()
        self._lane: Node = store.master  # whom writes go to: learnt anew when they fail
        self._reads: Node = store.master  # whom reads come from: learnt anew, some time after a failover
        self._moving = False

    async def append(self, table: str, expected: Head, entry: bytes) -> Head | Conflict:
        key_of(table)
        return await self._sent(lambda node: node.append(table, expected, entry), table)

    async def settle(self, table: str, known: Head) -> Tail:
        return await self._sent(lambda node: node.read(table, known, MISSING))

    async def _sent(self, work: Callable[[Node], T], table: str = "") -> T:
        """Send something that writes; who sent it may go away, it is done all the same."""
        if self._closed:
            raise Unavailable("The log is closed.")
        return await asyncio.shield(self._beside(self._write(work, table)))

    def _beside(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited for it has gone

    async def _write(self, work: Callable[[Node], T], table: str) -> T:
        store, node = self.store, self._lane
        await store.travel()
        if store.happens(store.weather.refused):
            raise self._failed("refused", Unavailable("before the write"))
        if store.happens(store.weather.unsent):
            raise self._failed("unsent", OutcomeUnknown("never sent"))
        if store.happens(store.weather.late):
            store.later(store.chance.uniform(0.01, 8), self._too_late, work, node)
            raise self._failed("late", OutcomeUnknown("under way for long"))
        if node is not store.master and store.happens(0.5):
            raise self._failed("readonly", Unavailable("READONLY"))
        outcome = work(node)
        if not await store.safe(node):
            raise self._failed("unsafe", OutcomeUnknown("the replica does not have it"))
        if isinstance(outcome, Head):
            store.publish(table, outcome.version)
        await store.travel()
        if store.happens(store.weather.unheard):
            raise self._failed("unheard", OutcomeUnknown("the answer is lost"))
        return outcome

    def _failed(self, name: str, error: Exception) -> Exception:
        self.store.tally[name] += 1
        self._lane = self.store.master
        return error

    def _too_late(self, work: Callable[[Node], object], node: Node) -> None:
        work(node)
        self.store.tally["written late"] += 1

    async def _read(self, work: Callable[[Node], T]) -> T:
        store = self.store
        if self._reads is not store.master and not self._moving:
            self._moving = True
            store.later(store.chance.choice((0, 0.5, 3)), self._follow)
        await store.travel()
        if store.happens(store.weather.unread):
            store.tally["unread"] += 1
            raise Unavailable("The store cannot be read.")
        if self._reads is not store.master:
            store.tally["reads from a deposed master"] += 1
        return work(self._reads)

    def _follow(self) -> None:
        self._reads, self._moving = self.store.master, False

    async def read(self, table: str, after: Head = EMPTY, limit: int | None = None) -> Tail:
        key_of(table)
        return await self._read(lambda node: node.read(table, after, limit))

    async def head(self, table: str) -> Head:
        return await self._read(lambda node: node.head(table))

    async def hints(self, wanted: Wanted = every_table) -> AsyncGenerator[Hint | Signal, None]:
        mailbox = Mailbox(HINTS)
        mailbox.live()
        self.store.mailboxes.append(mailbox)
        try:
            while True:
                hint = await mailbox.take()
                if isinstance(hint, Signal) or wanted(hint.table):
                    yield hint
        finally:
            self.store.mailboxes.remove(mailbox)

    async def tables(self) -> AsyncIterator[str]:
        for table in list(self.store.master.streams):
            yield table

    async def delete(self, table: str) -> None:
        self.store.master.streams.pop(table, None)

    async def index(self, *command: str | int) -> Any:
        verb, key, *rest = command
        return await self._read(lambda _: self.store.master.index(str(verb), str(key), *rest))

    async def ready(self) -> tuple[Finding, ...]:
        return ()

    async def close(self) -> None:
        self._closed = True
        await asyncio.gather(*self._under_way, return_exceptions=True)
