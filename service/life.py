"""A table's life, folded from its log: the one thing a replica keeps in memory, and may forget at any time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from domain.chance import SeededChance
from domain.course import waiting
from domain.table import Bot, Phase, Table
from domain.values import Malformed, from_json
from service.entry import Cause, Founded, LogEntry, Newer, Placed, unpack, unpack_first
from service.errors import Unavailable
from service.log.port import EMPTY, Corrupt, Entry, Head, chain

TABLE_EVENTS = frozenset({"Founded", "Joined", "Left", "Started", "Cancelled", "HandedOver"})


class Life:
    """All that has happened at a table, and where that has led. `fold` alone changes it."""

    def __init__(self, table_id: str, games: Mapping[str, Any]) -> None:
        self.id = table_id
        self.head: Head = EMPTY
        self.game: Any = None
        self.founded: Founded | None = None
        self.table: Table | None = None
        self.names: tuple[str, ...] = ()  # who sits there, clockwise
        self.play: Any = None  # the game's state, once it has started
        self.entries: list[LogEntry[Any, Any]] = []
        self.requests: dict[str, int] = {}  # request id -> version
        self.since: dict[int, int] = {}  # seat -> when its open decision was asked, in milliseconds
        self.absent: frozenset[int] = frozenset()  # seats for which the clock had to answer last
        self.size = 0  # bytes of the entries folded
        self.noted: tuple[int | None, bool] | None = None  # what the index was told
        self.shown: dict[Any, Any] = {}  # messages made of the present version, by viewer and language
        # What is shown of the table at any version, and what that was made from.
        self.lasting: tuple[Table | None, bool, dict[str, Any]] | None = None
        self._names: list[tuple[int, tuple[str, ...]]] = []  # who sat there, from which version on
        self._games = games

    def fold(self, stored: Entry, entry: LogEntry[Any, Any] | None = None, play: Any = None) -> None:
        """Let the next entry of the log take effect; who has just made it hands it in, and where its events lead."""
        self.step(entry or self._read(stored), play)
        self.requests[self.entries[-1].request] = stored.version
        self.head = stored.head
        self.size += len(stored.data)

    def step(self, entry: LogEntry[Any, Any], play: Any = None) -> None:
        """Let a known entry take effect, whole or not at all."""
        if not self.entries:
            self.game, self.founded = self._begun(entry)
        table = self.table
        if play is None:
            table, play = self._folded(entry)
        if table is not self.table:
            self._seat(table)
        self.play = play
        self.entries.append(entry)
        self.head = Head(len(self.entries), b"")
        self._count(entry)
        self.shown.clear()

    def _folded(self, entry: LogEntry[Any, Any]) -> tuple[Table | None, Any]:
        """Where the events of an entry lead."""
        table, play = self.table, self.play
        try:
            for event in entry.events:
                table, play = self._applied(table, play, event)
        except Exception as error:
            raise Corrupt(f"Version {len(self.entries) + 1} of table {self.id} can't be folded: {error!r}") from error
        return table, play

    def _seat(self, table: Table | None) -> None:
        """Somebody came or went, or the table's phase is another."""
        self.table = table
        self.names = tuple(sitting.name for sitting in table.sittings) if table else ()
        if not self._names or self.names != self._names[-1][1]:
            self._names.append((len(self.entries) + 1, self.names))

    def _read(self, stored: Entry) -> LogEntry[Any, Any]:
        if stored.version != self.head.version + 1 or stored.hash != chain(self.head.hash, stored.data):
            raise Corrupt(f"Version {stored.version} of table {self.id} does not follow from the one before it.")
        try:
            return unpack(stored.data, self.game) if self.game else unpack_first(stored.data, self._games)
        except Newer:
            raise newer_rules() from None
        except Malformed as error:
            raise Corrupt(f"Version {stored.version} of table {self.id} can't be read: {error}") from None

    def _begun(self, entry: LogEntry[Any, Any]) -> tuple[Any, Founded]:
        founded = entry.events[0] if entry.events else None
        if not isinstance(founded, Founded) or founded.table.game not in self._games:
            raise Corrupt(f"The log of table {self.id} does not begin with its founding.")
        return self._games[founded.table.game], founded

    def _applied(self, table: Table | None, play: Any, event: Any) -> tuple[Table | None, Any]:
        if type(event).__name__ in TABLE_EVENTS:
            return event.apply(table), play
        if isinstance(event, Placed):
            return table, event.state
        return table, self.game.evolve(play, event)

    def _count(self, entry: LogEntry[Any, Any]) -> None:
        """Note since when each seat is asked: from the entry that asked it, not from one that left it asked."""
        fresh = {seat: self.since.get(seat, entry.time) for seat in self.waiting}
        if entry.seat in fresh:
            fresh[entry.seat] = entry.time  # it answered, and is asked again
        self.since = fresh
        if entry.seat:
            self.absent = self.absent | {entry.seat} if entry.cause is Cause.CLOCK else self.absent - {entry.seat}

    @property
    def version(self) -> int:
        """How many entries there are."""
        return self.head.version

    @property
    def tag(self) -> str:
        """What tells this history from another of the same length."""
        return self.entries[-1].tag if self.entries else ""

    @property
    def time(self) -> int:
        """When the last entry was accepted."""
        return self.entries[-1].time if self.entries else 0

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that owe an answer."""
        return waiting(self.play) if self.play is not None else ()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.play is not None and not self.waiting

    def holds(self, other: Life) -> bool:
        """Whether another life of this table is an earlier part of this one."""
        known = self.entries[other.version - 1 : other.version]
        return not other.version or (len(known) == 1 and known[0].tag == other.tag)

    def names_at(self, version: int) -> tuple[str, ...]:
        """Who sat there at an earlier version: what was told then is told alike for ever."""
        return next((names for since, names in reversed(self._names) if since <= version), ())

    @property
    def finished(self) -> bool:
        """Whether nothing can happen here any more."""
        return self.over or (self.table is not None and self.table.phase is Phase.CANCELLED)

    def bots(self) -> tuple[int, ...]:
        """The bot seats that owe an answer."""
        assert self.table is not None
        return tuple(seat for seat in self.waiting if self.table.sittings[seat - 1].bot is not Bot.NONE)

    def overdue(self, now: int) -> tuple[int, ...]:
        """The seats whose time to answer is over, at this time in milliseconds."""
        assert self.founded is not None
        limit = self.founded.answer_within * 1000
        return tuple(seat for seat in self.waiting if limit and self.since[seat] + limit <= now)

    def chance(self) -> SeededChance:
        """The chance of this table."""
        assert self.founded is not None
        return SeededChance(bytes.fromhex(self.founded.seed))

    def edition(self) -> Any:
        """The edition, as it was when the table was founded."""
        assert self.founded is not None
        return _edition(self.game, self.founded.box)

    def at(self, version: int) -> Life:
        """The same life as it was at an earlier version."""
        past = Life(self.id, self._games)
        for entry in self.entries[:version]:
            past.step(entry)
        return past

    def walk(self, first: int, last: int) -> Iterator[Life]:
        """The life as it was at each of these versions, from one fold; each is changed into the next."""
        past = self.at(first - 1)
        for entry in self.entries[first - 1 : last]:
            past.step(entry)
            yield past


@lru_cache(maxsize=64)
def _edition(game: Any, box: str) -> Any:
    return from_json(game.Edition, box)


def newer_rules() -> Unavailable:
    """What a replica says of a table that a newer one plays."""
    return Unavailable("NEWER_RULES", "This table is played by newer rules than this server knows; ask again.", retry=2)
