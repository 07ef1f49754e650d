"""The host: any replica serves any table.

    load by folding the log -> decide -> append -> show

The append is the commit point: nothing is answered, shown or cached before the log has it. A cached life is only a
baseline: if it is stale the append answers with what is missing, which is folded, and the call is decided again. There
is no lock and no leader.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import structlog

from service import errors
from service.calls import Call, Decided
from service.entry import LogEntry, pack
from service.life import Life
from service.log.port import Conflict, Entry, Head, Log, LogError, OutcomeUnknown, Tail
from service.metrics import METRICS
from service.troubles import log_errors, reused, unavailable, unknown_outcome

CACHE_BYTES = 64 * 1024 * 1024
PATIENCE = 5.0  # seconds in which an append whose outcome is unknown is tried again
SOON = 0.05  # seconds until the log is asked again
CURRENT = Tail((), rewound=False)  # nothing follows what is known

log = structlog.get_logger()


def now() -> int:
    """The time in milliseconds."""
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class Listeners:
    """Who wants to know that a table went on, or that its history is no longer the one that was known."""

    advanced: list[Callable[[Life], None]] = field(default_factory=list)
    rewound: list[Callable[[str], None]] = field(default_factory=list)


class Host:
    """The tables of this replica."""

    def __init__(self, log: Log, games: Mapping[str, ModuleType], cache_bytes: int = CACHE_BYTES) -> None:
        self.log = log
        self.games = dict(games)
        self.listeners = Listeners()
        self.clock: Callable[[], int] = now
        self.random: Callable[[int], str] = secrets.token_hex  # so many bytes, in hex: seeds, salts and tags
        self._lives: OrderedDict[str, Life] = OrderedDict()
        self._sizes: dict[str, int] = {}  # of the lives, as they were counted
        self._cache_bytes = cache_bytes
        self._cached = 0

    # --- the command path ---------------------------------------------------------------------------------------

    async def commit(self, table_id: str, call: Call, new: Life | None = None) -> tuple[Life, int]:
        """Let a call take effect once, whatever happens on the way: its life and the version it is in."""
        life = new or self.cached(table_id) or await self.fresh(table_id)
        while True:
            version = life.requests.get(call.request)
            if version is not None:
                if await self._again(life, version, call):
                    return life, version
                life = await self._anew(life)
                continue
            try:
                decided = call.decide(life)
            except errors.CallError:  # nobody is refused by a life that may be stale, or of another history
                tail = await self._settled(life)
                if tail == CURRENT:
                    raise
                life = await self._anew(life) if tail.rewound else life
                continue
            entry = self._entry(life, call, decided)
            expected, data = life.head, pack(entry, life.game)
            outcome = await self._append(table_id, expected, data)
            if isinstance(outcome, Head):
                METRICS.commits.inc()
                life = self._fold(life, (Entry(outcome.version, data, outcome.hash),), entry, decided.play)
                if life.entries[outcome.version - 1].tag == entry.tag:
                    return life, outcome.version
                life = await self._anew(life)  # another call has read meanwhile what is not in the log
                continue
            METRICS.conflicts.inc()
            life = await self._catch_up(life, expected, outcome)

    async def _again(self, life: Life, version: int, call: Call) -> bool:
        """The same call once more: whether what we have read of it stands, as safe as what we write."""
        if not call.same(life.entries[version - 1], lambda: life.at(version - 1)):
            raise reused()
        METRICS.repeated.inc()
        return not (await self._settled(life)).rewound

    async def _settled(self, life: Life) -> Tail:
        """What the log that we write to holds beyond a life: folded, and as safe as what we write."""
        known = life.head
        with log_errors():
            tail = await self.log.settle(life.id, known)
        if life.head == known:
            self._fold(life, tail.entries)
        return tail

    async def _anew(self, life: Life) -> Life:
        """The life of a table whose history is not the one we knew."""
        self._rewound(life)
        await asyncio.sleep(SOON)  # reads may come from a deposed master for a moment: not as fast as we can
        return await self.fresh(life.id)

    def _entry(self, life: Life, call: Call, decided: Decided) -> LogEntry[Any, Any]:
        game = life.game or self.games[decided.command.game]
        return LogEntry(
            request=call.request,
            seat=decided.seat,
            cause=call.cause,
            decision=decided.decision,
            command=decided.command,
            events=decided.events,
            time=max(self.clock(), life.time),
            rules=game.meta.rules_version,
            tag=self.random(6),
            salt=self.random(16),
            secret=decided.secret,
        )

    async def _append(self, table_id: str, expected: Head, data: bytes) -> Head | Conflict:
        """Append; where nobody can tell whether it happened, append the same again, which never writes it twice."""
        end, unknown = time.monotonic() + PATIENCE, False
        while True:
            try:
                return await self.log.append(table_id, expected, data)
            except OutcomeUnknown:
                METRICS.unknown.inc()
                unknown = True
            except LogError as error:
                if not unknown:  # else the first try may have been written all the same
                    raise unavailable(error) from error
            if time.monotonic() > end:
                raise unknown_outcome()
            await asyncio.sleep(SOON)

    async def _catch_up(self, life: Life, expected: Head, conflict: Conflict) -> Life:
        """Fold what others have appended meanwhile; where history was rewound, begin anew."""
        if conflict.rewound:
            return await self._anew(life)
        if life.head == expected:  # else another call has gone on from there, perhaps by another history
            life = self._fold(life, conflict.missing)
        return life if life.version >= conflict.head.version else await self.fresh(life.id)

    # --- lives --------------------------------------------------------------------------------------------------

    def cached(self, table_id: str) -> Life | None:
        """The life of a table as far as this replica knows it."""
        life = self._lives.get(table_id)
        if life is not None:
            self._lives.move_to_end(table_id)
        return life

    async def fresh(self, table_id: str) -> Life:
        """The life of a table up to now."""
        life = self.cached(table_id) or Life(table_id, self.games)
        known = life.head
        with log_errors():
            tail = await self.log.read(table_id, known)
        if life.head != known and (tail.rewound or tail.entries[len(life.entries) - known.version :]):
            return await self.fresh(table_id)  # another call has gone on meanwhile: what was read need not follow
        if tail.rewound:
            self._rewound(life)
            life = Life(table_id, self.games)
            with log_errors():
                tail = await self.log.read(table_id)
        life = self._fold(life, tail.entries)
        if not life.version:
            raise errors.no_table()
        return life

    async def found(self, table_id: str, call: Call) -> tuple[Life, int]:
        """Commit the first entry of a table; one that is there already is the caller's own, or refused."""
        return await self.commit(table_id, call, self.cached(table_id) or Life(table_id, self.games))

    def _fold(
        self, life: Life, stored: Iterable[Entry], entry: LogEntry[Any, Any] | None = None, play: Any = None
    ) -> Life:
        """Fold what a call that waited meanwhile has not folded yet: the longest life that is known then."""
        before = life.version
        with log_errors():
            for one in stored:
                if one.version > life.version:
                    life.fold(one, entry, play)
        METRICS.folded.inc(life.version - before)
        other = self._lives.get(life.id, life)
        if other is not life and other.holds(life):
            return other
        if not life.holds(other):
            self._rewound(other)  # it is of another history than what was just read or written
        if life.version:
            self._keep(life)
        if life.version > before:
            for listener in self.listeners.advanced:
                listener(life)
        return life

    def _keep(self, life: Life) -> None:
        """Cache a life, in the place of those that nobody has asked for longest."""
        self._lives[life.id] = life
        self._lives.move_to_end(life.id)
        self._cached += life.size - self._sizes.get(life.id, 0)
        self._sizes[life.id] = life.size
        while self._cached > self._cache_bytes and len(self._lives) > 1:
            self._forget(next(iter(self._lives)))
        METRICS.cached.set(len(self._lives))

    def _rewound(self, life: Life) -> None:
        """The log is not the one we knew: forget what we knew, and tell everybody."""
        if self._lives.get(life.id, life) is not life:
            return  # another call has noticed it before
        METRICS.rewinds.inc()
        log.error("rewound", table=life.id, version=life.version)
        self._forget(life.id)
        for listener in self.listeners.rewound:
            listener(life.id)

    def _forget(self, table_id: str) -> None:
        self._lives.pop(table_id, None)
        self._cached -= self._sizes.pop(table_id, 0)
