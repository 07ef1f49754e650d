"""One log entry: one accepted command with all it caused, as bytes that replay for ever.

The log speaks the domain's own values, with field names, in deflated msgpack. Entry 1 founds the table: it holds the
game, the whole edition, the settings and the seed, so the log is secret material.

The first byte of an entry is the version of the rules that decided it, whose dictionary (`domain/<game>/stored/1.dict`)
deflated the rest. So a reader knows before reading whether an entry is older than its own rules, and is to be upcast,
or newer, and not its to read. It is 0 in entry 1, which alone tells of which game it is.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, ClassVar, Generic, TypeVar

from domain.table import Table, TableCommand, TableEvent
from domain.values import Malformed, Seat, Value, convert, from_bytes, to_bytes
from service.upcast import upcast

C = TypeVar("C")
E = TypeVar("E")
S = TypeVar("S")

WINDOW = -15  # raw deflate: the log has hashes of its own
LEVEL, MEMORY = 6, 5  # measured: a smaller state is copied faster, and an entry has no more to find


class Cause(StrEnum):
    """Who caused an entry."""

    PLAYER = "player"
    BOT = "bot"
    CLOCK = "clock"
    HOST = "host"


class Found(Value):
    """The command that founds a table."""

    game: str


class Founded(Value):
    """A table was founded: all that it will ever depend on, chance included."""

    table: Table
    box: str  # the whole edition, as canonical JSON
    seed: str  # 32 bytes in hex, fixed from now on
    salt: str  # what hides the seed in the commitment
    public: bool
    answer_within: int  # seconds; 0: no limit
    seed_given: bool
    position: str  # a state as canonical JSON to start from; empty: the usual setup

    def apply(self, table: Table | None) -> Table:
        """The first state of a table."""
        return self.table


class Placed(Value, Generic[S]):
    """The game starts from a given position."""

    rule: ClassVar[str] = ""
    state: S


class LogEntry(Value, Generic[C, E]):
    """One accepted command."""

    request: str  # the client's id of it, with whose it is
    seat: Seat  # whose it is; 0: the host's, or the service's own
    cause: Cause
    decision: int  # the number it answers; 0 where it answers none
    command: C
    events: tuple[E, ...]
    time: int  # milliseconds since 1970; never before that of the entry before
    rules: int  # the version of the rules that decided it
    tag: str  # 6 random bytes in hex: a moment is a version and a tag
    salt: str  # 16 random bytes in hex, so that the hashes may be published one day
    secret: str = ""  # the hash of the client's secret, where it founds or joins


First = LogEntry[Found, Founded | TableEvent]


class Newer(Malformed):
    """Bytes of a game, or of rules, that this server does not know yet."""


@cache
def entry_type(game: Any) -> Any:
    """The type of all entries of a table of this game."""
    return LogEntry[Found | TableCommand | game.Command, Founded | TableEvent | Placed[game.State] | game.Event]


def pack(entry: LogEntry[Any, Any], game: Any = None) -> bytes:
    """The bytes of an entry of this game; of the one that founds a table without it."""
    number = entry.rules if game else 0
    deflate = _deflate(game, number).copy()
    return b"%c%b%b" % (number, deflate.compress(to_bytes(entry)), deflate.flush())


def unpack(data: bytes, game: Any) -> LogEntry[Any, Any]:
    """The entry these bytes hold; `Malformed` where they hold none of this game, `Newer` where it is of newer rules."""
    version, known = data[:1], game.meta.rules_version
    if version > bytes((known,)):
        raise Newer("rules that are not known here")
    plain = _inflated(data, game)
    if version == bytes((known,)):
        entry: LogEntry[Any, Any] = from_bytes(entry_type(game), plain)
        return entry
    return _upcast(from_bytes(Any, plain), game, entry_type(game))


def unpack_first(data: bytes, games: Mapping[str, Any]) -> LogEntry[Any, Any]:
    """The entry that founds a table of one of these games."""
    plain = _inflated(data, None)
    found = from_bytes(Any, plain)
    try:
        name, rules = found["command"]["game"], int(found["rules"])
    except (KeyError, TypeError, ValueError):
        raise Malformed("it does not found a table") from None
    if name not in games or rules > games[name].meta.rules_version:
        raise Newer("a game, or rules, not known here")
    return _upcast(found, games[name], First)


def _upcast(found: Any, game: Any, wanted: Any) -> LogEntry[Any, Any]:
    entry: LogEntry[Any, Any] = convert(upcast(found, game), wanted)
    return entry


def _inflated(data: bytes, game: Any) -> bytes:
    if not data:
        raise Malformed("it is empty")
    try:
        inflate = _inflate(game, data[0]).copy()
        plain: bytes = inflate.decompress(data[1:])
    except (zlib.error, FileNotFoundError) as error:
        raise Malformed(f"not deflated: {error}") from None
    if not inflate.eof or inflate.unused_data:
        raise Malformed("it breaks off, or goes on after its end")
    return plain


@cache
def dictionary(game: Any, version: int) -> bytes:
    """What entries of a game at a version of its rules are expected to look like."""
    if game is None:
        return b""
    return resources.files(game).joinpath(f"stored/{version}.dict").read_bytes()


@cache
def _deflate(game: Any, version: int) -> Any:
    return zlib.compressobj(LEVEL, zlib.DEFLATED, WINDOW, MEMORY, zdict=dictionary(game, version))


@cache
def _inflate(game: Any, version: int) -> Any:
    return zlib.decompressobj(WINDOW, zdict=dictionary(game, version))
