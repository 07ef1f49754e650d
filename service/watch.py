"""Watching: who waits for a table to go on is woken by the commit here, by a hint from elsewhere, or by a slow poll."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from enum import StrEnum
from typing import Any, NamedTuple

from service import errors
from service.entry import LogEntry
from service.host import Host
from service.life import Life
from service.log.port import Hint, Signal
from service.metrics import METRICS

BEHIND = 50  # changes in one message at most; who is further behind is told so and gets the view
POLL = 15.0  # seconds after which a watched table is read even without a hint
SIGN_OF_LIFE = 20.0  # seconds without anything else


class Reason(StrEnum):
    """Why changes were left out."""

    START = "START"
    BEHIND = "BEHIND"
    REWOUND = "REWOUND"
    GOING_AWAY = "GOING_AWAY"


class Update(NamedTuple):
    """What a watcher is told next: entries he has not seen, by version, and the life they led to."""

    life: Life | None = None  # nothing: a sign of life, or a farewell
    first: int = 0  # the version of the first entry told
    entries: tuple[LogEntry[Any, Any], ...] = ()
    skip: Reason | None = None


class Bell:
    """Wakes one watcher: when his table went on, or was rewound, or when he has not had a sign of life for long.

    One timer lasts for many messages: a thousand are woken at once, and a timer for each message is dear.
    """

    def __init__(self, silence: float) -> None:
        self.rang = False
        self.rewound = False
        self._silence = silence
        self._event = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._since = self._loop.time()
        self._timer = self._loop.call_later(silence, self._silent)

    def ring(self, *, rewound: bool = False) -> None:
        """Something happened."""
        self.rang = True
        self.rewound |= rewound
        self._event.set()

    async def wait(self) -> bool:
        """Wait until the watcher must be told something; whether anything happened. Silence begins anew."""
        await self._event.wait()
        self._event.clear()
        self._since = self._loop.time()
        rang, self.rang = self.rang, False
        return rang

    def _silent(self) -> None:
        left = self._since + self._silence - self._loop.time()
        if left <= 0:
            self._event.set()
        self._timer = self._loop.call_later(left if left > 0 else self._silence, self._silent)

    def close(self) -> None:
        """Nobody listens any more."""
        self._timer.cancel()


class Watches:
    """All open watches of this replica."""

    def __init__(self, host: Host, poll: float = POLL, sign_of_life: float = SIGN_OF_LIFE) -> None:
        self._host = host
        self._poll = poll
        self._sign_of_life = sign_of_life
        self._bells: dict[str, dict[Bell, None]] = {}  # in the order they came, and so are they woken
        self._closing = False
        host.listeners.advanced.append(lambda life: self._ring(life.id))
        host.listeners.rewound.append(lambda table_id: self._ring(table_id, rewound=True))

    async def watch(self, table_id: str, resume: tuple[int, str] | None) -> AsyncGenerator[Update, None]:
        """Everything that happens at a table from a moment on, without a silent gap."""
        bell = Bell(self._sign_of_life)
        self._bells.setdefault(table_id, {})[bell] = None
        METRICS.watchers.inc()
        try:
            life = await self._host.fresh(table_id)
            first, seen = _first(life, resume)
            yield first
            while not self._closing:
                if not await bell.wait():
                    yield Update()
                    continue
                life = self._host.cached(table_id) or await self._host.fresh(table_id)
                update, seen = _next(life, seen, rewound=bell.rewound)
                bell.rewound = False
                if update is not None:
                    METRICS.lag.observe(max(0, self._host.clock() - life.time) / 1000)
                    yield update
            yield Update(skip=Reason.GOING_AWAY)
        finally:
            METRICS.watchers.dec()
            bell.close()
            bells = self._bells[table_id]
            bells.pop(bell, None)
            if not bells:
                del self._bells[table_id]

    async def listen(self) -> None:
        """Follow the hints of all replicas, and poll what is watched: hints get lost."""
        poll = asyncio.create_task(self._poll_watched())
        try:
            while True:
                async with aclosing(self._host.log.hints(self._bells.__contains__)) as hints:
                    async for hint in hints:
                        await self._heard(hint)
                await asyncio.sleep(1)
        finally:
            poll.cancel()

    async def _heard(self, hint: Hint | Signal) -> None:
        if hint is Signal.LOST:
            METRICS.hints_lost.inc()
        elif hint is Signal.LIVE:
            await self._refresh(tuple(self._bells))
        elif hint.table in self._bells:
            life = self._host.cached(hint.table)
            if life is None or life.version < hint.version:
                await self._refresh((hint.table,))

    async def _poll_watched(self) -> None:
        while True:
            await asyncio.sleep(self._poll)
            await self._refresh(tuple(self._bells))

    async def _refresh(self, tables: tuple[str, ...]) -> None:
        for table_id in tables:
            with suppress(errors.CallError):
                await self._host.fresh(table_id)

    def close(self) -> None:
        """Tell all watchers to come back elsewhere."""
        self._closing = True
        for table_id in self._bells:
            self._ring(table_id)

    def _ring(self, table_id: str, *, rewound: bool = False) -> None:
        for bell in self._bells.get(table_id, ()):
            bell.ring(rewound=rewound)


Seen = tuple[int, str]
"""The last moment a watcher was told: version and tag."""


def _first(life: Life, resume: Seen | None) -> tuple[Update, Seen]:
    """The first message: what was missed since a known moment, or the view alone."""
    if resume is None:
        return Update(life, life.version + 1, skip=Reason.START), (life.version, life.tag)
    update, seen = _next(life, resume, rewound=False)
    return update or Update(life, life.version + 1), seen


def _next(life: Life, seen: Seen, *, rewound: bool) -> tuple[Update | None, Seen]:
    """What is new since a moment; if that moment is not in this history any more, that."""
    version, tag = seen
    now = (life.version, life.tag)
    known = 0 < version <= life.version and life.entries[version - 1].tag == tag
    if rewound or not known:
        return Update(life, life.version + 1, skip=Reason.REWOUND), now
    if version == life.version:
        return None, now
    if life.version - version > BEHIND:
        return Update(life, life.version + 1, skip=Reason.BEHIND), now
    return Update(life, version + 1, tuple(life.entries[version:])), now
