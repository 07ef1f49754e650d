"""The checker finds what it is for: each kind of violation, planted in a story that is otherwise true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from campaigns.chaos.checker import Story, check, story
from campaigns.chaos.journal import Answer, Ask, Journal, Look, Note, Watch
from domain import toy
from domain.values import replace
from service.entry import LogEntry, pack
from service.log.port import EMPTY, Entry, Head, chain
from tests.service.host.made import whole_table

TABLE = "0123456789AB"
GAMES: dict[str, Any] = {"toy": toy}


@dataclass
class Tale:
    """A table's true entries, and the journals of those who were there."""

    entries: list[LogEntry[Any, Any]]
    journal: Journal
    stored: list[Entry] | None = None  # where the log is not simply these entries

    def violations(self) -> set[str]:
        """The kinds of all that the checker finds."""
        stored = tuple(self.stored if self.stored is not None else written(self.entries))
        return {violation.kind for violation in check(self.journal, {TABLE: story(TABLE, stored, GAMES)})}

    @property
    def watch(self) -> Watch:
        return self.journal.watches[0]

    def asked(self, version: int) -> Ask:
        return self.journal.asks[version - 1]


def written(entries: list[LogEntry[Any, Any]]) -> list[Entry]:
    """The log of these entries, its hashes as they should be."""
    head, stored = EMPTY, []
    for entry in entries:
        data = pack(entry, toy if head.version else None)
        head = Head(head.version + 1, chain(head.hash, data))
        stored.append(Entry(head.version, data, head.hash))
    return stored


@pytest.fixture
def tale() -> Tale:
    """A whole table: one call after the other, all answered, all watched."""
    entries = list(whole_table(toy, toy.meta.least_seats, "a tale"))
    journal = Journal()
    watch = journal.watch(TABLE, 0)
    watch.skip("START", 1, entries[0].tag)
    for version, entry in enumerate(entries, 1):
        ask = journal.ask(TABLE, entry.request.rpartition(":")[2] or entry.request, entry.seat, 2.0 * version)
        ask.request = f"r{version}"
        entries[version - 1] = replace(entry, request=f"{entry.seat}:r{version}")
        ask.answer(Answer(version, entry.tag), 2.0 * version + 1)
        journal.looks.append(Look(TABLE, 2.0 * version + 1.5, version))
        if version > 1:
            watch.change(version, entry.tag, b"")
    return Tale(entries, journal)


def test_a_true_tale_has_no_violations(tale: Tale) -> None:
    """Nothing is found where nothing is wrong."""
    assert tale.violations() == set()


def _lost(tale: Tale) -> None:
    tale.entries.pop()
    tale.watch.notes.pop()
    tale.journal.looks.pop()


def _lost_and_replaced(tale: Tale) -> None:
    """The same command stands there, but it is not the entry that was acknowledged."""
    tale.entries[-1] = replace(tale.entries[-1], tag="ab" * 6)
    tale.watch.notes[-1] = tale.watch.notes[-1]._replace(tag="ab" * 6)


def _moved(tale: Tale) -> None:
    tale.asked(6).answers = [Answer(5, tale.entries[4].tag)]


def _doubled(tale: Tale) -> None:
    tale.entries[7] = replace(tale.entries[7], request=tale.entries[6].request)


def _gap(tale: Tale) -> None:
    tale.stored = written(tale.entries)
    del tale.stored[4]


def _broken_hash(tale: Tale) -> None:
    tale.stored = written(tale.entries)
    tale.stored[4] = tale.stored[4]._replace(hash=bytes(32))


def _order(tale: Tale) -> None:
    tale.asked(8).answered = tale.asked(7).asked - 1


def _other_answer(tale: Tale) -> None:
    tale.asked(5).answers.append(Answer(5, "another tag"))


def _refused(tale: Tale) -> None:
    tale.journal.ask(TABLE, "refused", 1, 1.0).refused = "DECISION_GONE"


def _missed(tale: Tale) -> None:
    del tale.watch.notes[5]


def _missed_the_last(tale: Tale) -> None:
    tale.watch.notes.pop()


def _never_told(tale: Tale) -> None:
    tale.watch.notes[0] = Note(3, tale.entries[2].tag, skip="START")


def _repeated(tale: Tale) -> None:
    tale.watch.notes.insert(5, tale.watch.notes[5])


def _foreign(tale: Tale) -> None:
    tale.watch.notes[5] = tale.watch.notes[5]._replace(tag="another tag")


def _rewound(tale: Tale) -> None:
    last = len(tale.entries)
    tale.watch.skip("REWOUND", last, tale.entries[-1].tag)


def _between(tale: Tale) -> None:
    tale.watch.skip("BETWEEN", len(tale.entries), tale.entries[-1].tag)


def _stale(tale: Tale) -> None:
    tale.journal.looks.append(Look(TABLE, 1000.0, 3))


def _other_events(tale: Tale) -> None:
    """An entry holds events that its command does not cause: those of the entry before."""
    place = next(n for n, entry in enumerate(tale.entries) if entry.decision and len(entry.events) > 1)
    tale.entries[place] = replace(tale.entries[place], events=tale.entries[place].events[:-1])


PLANTED: dict[str, tuple[Callable[[Tale], None], str]] = {
    "a lost acknowledgement": (_lost, "lost"),
    "another entry in its place": (_lost_and_replaced, "lost"),
    "another version": (_moved, "lost"),
    "a doubled id": (_doubled, "doubled"),
    "a gap": (_gap, "gap"),
    "a hash that does not follow": (_broken_hash, "decide"),
    "a later answer with a lower version": (_order, "order"),
    "two answers to one call": (_other_answer, "answers"),
    "a refusal for nothing": (_refused, "refused"),
    "a missed change": (_missed, "missed"),
    "the last change missed": (_missed_the_last, "missed"),
    "a change told twice": (_repeated, "repeated"),
    "a watch that starts in the future": (_never_told, "repeated"),
    "a change that never was": (_foreign, "foreign"),
    "a rewind that never was": (_rewound, "rewound"),
    "a view that no change led to": (_between, "missed"),
    "a view older than an answer": (_stale, "stale"),
    "events that the command does not cause": (_other_events, "decide"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted_is_found(tale: Tale, name: str) -> None:
    """Each kind of violation is told by its name."""
    plant, kind = PLANTED[name]
    plant(tale)
    assert kind in tale.violations()


def test_a_table_that_is_gone(tale: Tale) -> None:
    """A table of which the log knows nothing has lost everything that was acknowledged."""
    found = check(tale.journal, {TABLE: Story(TABLE, (), None, "")})
    assert [violation.kind for violation in found].count("lost") == len(tale.entries)
