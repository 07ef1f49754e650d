"""One server of a store in memory: streams and sorted sets, with the exact answers of the log's scripts."""

from __future__ import annotations

import copy
from typing import Any

from service.log.port import EMPTY, MISSING, Conflict, Corrupt, Entry, Head, Tail, chain
from service.log.script import after


class Node:
    """What one server holds."""

    def __init__(self) -> None:
        self.streams: dict[str, list[Entry]] = {}
        self.sets: dict[str, dict[str, float]] = {}
        self.foreign: set[str] = set()  # tables whose key holds something else

    def copy(self) -> Node:
        """Another server that holds the same."""
        other = Node()
        other.streams = {table: list(entries) for table, entries in self.streams.items()}
        other.sets = copy.deepcopy(self.sets)
        other.foreign = set(self.foreign)
        return other

    def entries(self, table: str) -> list[Entry]:
        """A table's entries."""
        if table in self.foreign:
            raise Corrupt(f"{table} holds no log")
        return self.streams.get(table, [])

    def head(self, table: str) -> Head:
        """The head of a table."""
        entries = self.entries(table)
        return entries[-1].head if entries else EMPTY

    def append(self, table: str, expected: Head, data: bytes) -> Head | Conflict:
        """As the script APPEND does."""
        entries, head, digest = self.entries(table), self.head(table), chain(expected.hash, data)
        new = Entry(expected.version + 1, data, digest)
        if head == expected:
            self.streams.setdefault(table, []).append(new)
            return new.head
        if entries[expected.version : expected.version + 1] == [new]:
            return new.head
        first = max(0, expected.version - 1)
        missing, rewound = after(expected, entries[first : first + MISSING + (expected.version > 0)])
        return Conflict(head, missing, rewound)

    def read(self, table: str, known: Head, limit: int | None) -> Tail:
        """As XRANGE from a known version on."""
        found, rewound = after(known, self.entries(table)[max(0, known.version - 1) :])
        return Tail(found[:limit], rewound)

    def index(self, verb: str, key: str, *rest: Any) -> Any:
        """The few commands of the index."""
        members = self.sets.setdefault(key, {})
        if verb == "DEL":
            return len(self.sets.pop(key))
        if verb == "ZADD":
            *flags, score, member = rest
            if "XX" not in flags or member in members:
                members[str(member)] = float(score)
            return 1
        if verb == "ZREM":
            return int(members.pop(str(rest[0]), None) is not None)
        return self._range(members, *rest)

    def _range(self, members: dict[str, float], first: Any, last: Any, *words: Any) -> list[bytes]:
        ranked = sorted(members.items(), key=lambda pair: (pair[1], pair[0]), reverse="REV" in words)
        if "BYSCORE" in words:
            low, high = sorted((float(first), float(last)))
            ranked = [pair for pair in ranked if low <= pair[1] <= high]
        if "LIMIT" in words:
            start, most = (int(word) for word in words[words.index("LIMIT") + 1 :][:2])
            ranked = ranked[start : start + most]
        scored = "WITHSCORES" in words
        return [part for name, score in ranked for part in (name.encode(), *([b"%d" % score] if scored else []))]
