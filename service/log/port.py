"""The port of the log: what a store of tables promises, in few words, and the errors it may raise.

LogError
├── Unavailable        nothing was written; try again later (no connection, loading, failing over)
│   ├── Busy           the lane's queue is full
│   └── Full           the store refuses writes for want of memory
├── OutcomeUnknown     written or not, nobody can tell: append the same again to learn it
├── Misconfigured      a URL, credentials or a program that an operator must mend
│   └── Locked         another process uses the data directory
└── Corrupt            the key holds no log, or its hashes do not follow from each other

A conflict is no error: `append` answers with it as a value.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, Protocol

PAGE = 500  # entries an XRANGE: longer ones hold up every other client of the server
MISSING = 64  # entries a conflict brings along at most; who is further behind reads on


class LogError(Exception):
    """Something between the service and its store went wrong."""


class Unavailable(LogError):
    """The store cannot be used now; nothing was written."""


class Busy(Unavailable):
    """More appends wait than the queue takes."""


class Full(Unavailable):
    """The store refuses writes for want of memory."""


class OutcomeUnknown(LogError):
    """The entry may be written or not; appending it to the same head again tells, and never writes it twice."""


class Misconfigured(LogError):
    """An operator must change something before this can work."""


class Locked(Misconfigured):
    """Another process uses the data directory."""


class Corrupt(LogError):
    """What is stored is not a log of ours, or was changed by hand."""


class Head(NamedTuple):
    """The last entry of a table: its version and the hash that stands for the whole history up to it."""

    version: int
    hash: bytes


EMPTY = Head(0, bytes(32))  # as long as every other hash, so that a chain cannot be read in two ways


class Entry(NamedTuple):
    """One accepted command, as bytes the log does not look into."""

    version: int
    data: bytes
    hash: bytes

    @property
    def head(self) -> Head:
        return Head(self.version, self.hash)


class Tail(NamedTuple):
    """What follows a head the reader knows; `rewound` if that head is no longer part of the history."""

    entries: tuple[Entry, ...]
    rewound: bool


class Conflict(NamedTuple):
    """The expected head is not the head: others were faster, or (`rewound`) the history is no longer the known one.

    `missing` holds the first entries after the expected head, at most MISSING; none if rewound.
    """

    head: Head
    missing: tuple[Entry, ...]
    rewound: bool


class Hint(NamedTuple):
    """A table has reached at least this version."""

    table: str
    version: int


class Signal(Enum):
    """What happens to the hints themselves."""

    LIVE = "live"  # subscribed: read once what you watch, from now on hints tell
    LOST = "lost"  # broken or overrun: until the next LIVE hints are missing


class Finding(NamedTuple):
    """Something an operator should know, as a word for machines and a sentence for a person."""

    kind: str  # unreachable, version, replica, replicas, durability, eviction; untold, failover, memory
    sentence: str


@dataclass(frozen=True, slots=True)
class Settings:
    """How patient the log is and how much it lets pile up."""

    timeout: float = 5.0  # seconds, for a connection and for a batch of appends
    wait_replicas: int = 0  # replicas that must hold an entry before it is answered: all that may be promoted
    wait_timeout_ms: int = 1000
    batch: int = 128
    queue: int = 10_000
    hints: int = 10_000  # tables with an undelivered hint, a listener
    memory: float = 0.8  # share of the memory above which `ready` speaks up


Wanted = Callable[[str], bool]
"""Whether anybody wants to hear of a table."""


def every_table(table: str) -> bool:
    """All are wanted."""
    return True


class Log(Protocol):
    """An append-only log a table."""

    async def append(self, table: str, expected: Head, entry: bytes) -> Head | Conflict:
        """Put the entry after the expected head, or say what stands there instead.

        An entry that already stands there is not written again: appending after OutcomeUnknown is safe.
        A cancelled caller does not cancel its append.
        """

    async def settle(self, table: str, known: Head) -> Tail:
        """What follows a head, at most MISSING entries, read where appends go and as safe as one.

        For answers made of entries read: these may be old, or gone, if they came from a master that has been replaced.
        """

    async def read(self, table: str, after: Head = EMPTY, limit: int | None = None) -> Tail:
        """The entries after a head, all of them or the first `limit`."""

    async def head(self, table: str) -> Head:
        """The head of a table; EMPTY if there is none."""

    def hints(self, wanted: Wanted = every_table) -> AsyncGenerator[Hint | Signal, None]:
        """What is appended at wanted tables, from now until closed; per table only the newest, lost ones told by LOST.

        Every replica hears of every append, and wants few of them: whether it does is asked first.
        """

    def tables(self) -> AsyncIterator[str]:
        """All tables, some perhaps twice; slow, for operators."""

    async def delete(self, table: str) -> None:
        """Forget a table."""

    async def index(self, *command: str | int) -> Any:
        """A command of one key on the derived index beside the logs (`kontor:index:*`), which is never believed."""

    async def ready(self) -> tuple[Finding, ...]:
        """What is wrong with the store; nothing if all is well."""

    async def close(self) -> None:
        """Write what was accepted, then let go of everything."""


def chain(previous: bytes, entry: bytes) -> bytes:
    """The hash of an entry: over the hash before it and its bytes."""
    return hashlib.sha256(previous + entry).digest()


def verify(previous: Head, entries: Iterable[Entry]) -> Head:
    """The head these entries lead to; Corrupt, with the version, where they do not follow from each other."""
    for entry in entries:
        if entry.version != previous.version + 1:
            raise Corrupt(f"Version {entry.version} follows version {previous.version}: entries are missing.")
        if entry.hash != chain(previous.hash, entry.data):
            raise Corrupt(f"The hash of version {entry.version} does not follow from its entry and the hash before it.")
        previous = entry.head
    return previous


_TABLE = re.compile(r"[0-9A-Za-z_-]{1,64}")


def key_of(table: str) -> str:
    """The stream of a table; the braces make all keys of a table live on one node of a cluster."""
    if not _TABLE.fullmatch(table):  # a brace in it would move the table to another node
        raise ValueError("A table id consists of letters, digits, '-' and '_', at most 64.")
    return f"kontor:{{{table}}}:log"
