"""What clients saw, written down while they play: the only thing, beside the log, that the checker believes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

NEVER = float("inf")


def digest(message: bytes) -> bytes:
    """A message, short enough to keep a hundred thousand of them."""
    return hashlib.blake2b(message, digest_size=8).digest()


class Answer(NamedTuple):
    """What a changing call was answered with: where it stands, and what it was shown as."""

    version: int
    tag: str = ""
    change: bytes = b""  # its digest; empty where the call shows no change


@dataclass(slots=True, eq=False)
class Ask:
    """One changing call, as its client knows it."""

    table: str
    request: str  # unique in the whole campaign
    seat: int  # whose; 0: the host's, or nobody's yet
    asked: float  # when it was first sent, by a clock that never goes back
    answered: float = NEVER  # when the first answer came
    answers: list[Answer] = field(default_factory=list)  # all that were given; they must be the same
    failures: int = 0  # tries that ended without an answer
    resent: int = 0  # when it was last sent again for want of an answer, in milliseconds since 1970
    refused: str = ""  # the reason, where it was refused for good
    basis: tuple[int, str] = (0, "")  # the moment of the view it answers; who was shown what is gone may be refused
    decision: int = 0  # which it answers

    def answer(self, given: Answer, now: float) -> None:
        """An answer came."""
        self.answers.append(given)
        self.answered = min(self.answered, now)


class Note(NamedTuple):
    """One thing a watcher was told: a change, or that changes were left out."""

    version: int
    tag: str = ""
    change: bytes = b""
    skip: str = ""  # START, REWOUND; BETWEEN where a view is not the one that the changes led to


@dataclass(slots=True, eq=False)
class Watch:
    """All that one watcher of a table was told, over all its connections."""

    table: str
    seat: int
    notes: list[Note] = field(default_factory=list)
    connections: int = 0
    last: tuple[int, str] = (0, "")  # the last moment it was told, to resume from

    def skip(self, reason: str, version: int, tag: str) -> None:
        """Changes were left out up to this moment."""
        self.notes.append(Note(version, tag, skip=reason))
        self.last = (version, tag)

    def change(self, version: int, tag: str, change: bytes) -> None:
        """One change was told."""
        self.notes.append(Note(version, tag, change))
        self.last = (version, tag)


class Look(NamedTuple):
    """A view that was asked for, and the version it was of."""

    table: str
    asked: float
    version: int


@dataclass(slots=True)
class Journal:
    """Everything all clients saw."""

    asks: list[Ask] = field(default_factory=list)
    watches: list[Watch] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)

    def ask(self, table: str, request: str, seat: int, now: float) -> Ask:
        """A new call is about to be sent."""
        made = Ask(table, request, seat, now)
        self.asks.append(made)
        return made

    def watch(self, table: str, seat: int) -> Watch:
        """A new watcher."""
        made = Watch(table, seat)
        self.watches.append(made)
        return made

    @property
    def acknowledged(self) -> int:
        """How many calls were answered."""
        return sum(bool(ask.answers) for ask in self.asks)
