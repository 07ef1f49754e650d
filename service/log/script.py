"""The scripts by which the log is written: small, sent by EVALSHA, one per version of the code.

Every path of a script that is waited for contains a write command, for two reasons. A replica that was a master until
a moment ago refuses it (READONLY) instead of answering from a stale log; and a WAIT that follows speaks of the answer:
on Valkey 9 a connection that has only read is told of all replicas, whatever they hold. The smallest such write is
XSETID to the id that already stands; it is replicated, and changes nothing.
"""

from __future__ import annotations

import hashlib
from typing import Any

from service.log.port import EMPTY, MISSING, Conflict, Corrupt, Entry, Head, Hint, Tail

CHANNEL = "kontor:hints"


class Script:
    """A Lua script and the name by which the server remembers it."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.sha = hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()


# KEYS: the stream. ARGV: expected version, expected hash, the next version, entry, hash, hint (or ''), and how many
# entries a conflict may bring. Answers 1 when the entry stands in the log, else {version, hash, entries}, the first of
# which is the one of the expected version, so that the reader sees whether it is the one he knows.
# PUBLISH is a pcall: a refused hint must not make an error out of an entry that is already written.
APPEND = Script(
    f"""
local function entries(...) return redis.call('XRANGE', KEYS[1], ...) end
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local version, hash = '0', string.rep('\\0', 32)
if last then version, hash = string.match(last[1], '^%d+'), last[2][4] or '' end
if version == ARGV[1] and hash == ARGV[2] then
  redis.call('XADD', KEYS[1], ARGV[3] .. '-0', 'e', ARGV[4], 'h', ARGV[5])
  if ARGV[6] ~= '' then redis.pcall('PUBLISH', '{CHANNEL}', ARGV[6]) end
  return 1
end
if last then redis.call('XSETID', KEYS[1], last[1]) else redis.call('PERSIST', KEYS[1]) end
local own = entries(ARGV[3] .. '-0', ARGV[3] .. '-0')[1]
if own and own[2][4] == ARGV[5] then return 1 end
return {{version, hash, entries(ARGV[1] .. '-0', '+', 'COUNT', ARGV[7])}}
"""
)

# KEYS: the stream. ARGV: a known version, how many entries are wanted, and how many replicas will be waited for: if
# none, nothing need be written. Answers with the entries from the known version on.
SETTLE = Script("""
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if ARGV[3] ~= '0' then
  if last then redis.call('XSETID', KEYS[1], last[1]) else redis.call('PERSIST', KEYS[1]) end
end
return redis.call('XRANGE', KEYS[1], ARGV[1] .. '-0', '+', 'COUNT', ARGV[2])
""")


def append_arguments(expected: Head, entry: bytes, digest: bytes, hint: bytes) -> tuple[str | bytes | int, ...]:
    """ARGV of APPEND."""
    version, known = expected
    return version, known, version + 1, entry, digest, hint, MISSING + (version > 0)


def settle_arguments(known: Head, replicas: int) -> tuple[int, ...]:
    """ARGV of SETTLE."""
    return known.version, MISSING + (known.version > 0), replicas


def hint_of(table: str, version: int) -> bytes:
    """What is published when a table has reached a version."""
    return f"{table} {version}".encode()


def hint_from(message: bytes) -> Hint | None:
    """The hint in a message; none if somebody else speaks on our channel."""
    table, _, version = message.decode(errors="replace").rpartition(" ")
    return Hint(table, int(version)) if table and version.isdecimal() else None


def conflict_of(expected: Head, reply: Any) -> Conflict:
    """The conflict an append was answered with."""
    version, digest, raw = reply
    return Conflict(Head(int(version), digest), *tail_of(expected, raw))


def tail_of(known: Head, raw: Any) -> Tail:
    """What follows a known head, from a script's entries."""
    # Own code wrote these entries in pairs; as lists they come from a script, as dicts from redis-py's XRANGE.
    pairs = [entry_of(stamp, dict(zip(fields[::2], fields[1::2], strict=True))) for stamp, fields in raw]
    return Tail(*after(known, pairs))


def after(known: Head, tail: list[Entry]) -> tuple[tuple[Entry, ...], bool]:
    """What follows a known head in a range that starts at its version, and whether that head is gone."""
    if known == EMPTY:
        return tuple(tail), False
    if not tail or tail[0].head != known:
        return (), True
    return tuple(tail[1:]), False


def entry_of(stamp: bytes, fields: dict[bytes, bytes]) -> Entry:
    """A stream's entry as one of ours."""
    try:
        return Entry(int(stamp.partition(b"-")[0]), fields[b"e"], fields[b"h"])
    except KeyError as error:
        raise Corrupt(f"The entry {stamp.decode()} was not written by this service.") from error
