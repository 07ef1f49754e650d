"""The checker: do the journals of all clients and the log tell the same story?

It believes nothing of the service but the bytes of the log, and says everything that is wrong, one sentence each.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from campaigns.chaos.journal import Ask, Journal, Look, Watch
from service.cli.admin_check import Wrong, prove
from service.life import Life
from service.log.port import Entry


class Violation(NamedTuple):
    """One thing that must not be."""

    kind: str  # lost, doubled, gap, order, answers, refused, missed, repeated, foreign, rewound, stale, decide, fold
    table: str
    text: str


@dataclass(frozen=True, slots=True)
class Terms:
    """What a scenario allows."""

    rewinds: bool = False  # an older copy was restored, or unsettled entries may have been read before a failover
    stale_looks: bool = False  # a deposed master may still be read from for a moment
    silent: bool = False  # watchers need not have reached the end


@dataclass(slots=True)
class Story:
    """One table as its log tells it."""

    table: str
    entries: tuple[Entry, ...]
    life: Life | None  # nothing where the log can't be folded
    wrong: str  # why

    places: dict[str, list[int]] = field(default_factory=dict)  # where each request stands, by its client's id

    def __post_init__(self) -> None:
        for version, entry in enumerate(self.life.entries if self.life else (), 1):
            self.places.setdefault(entry.request.rpartition(":")[2], []).append(version)


def story(table: str, entries: tuple[Entry, ...], games: Mapping[str, Any]) -> Story:
    """A table's log, folded, and every command of it decided again."""
    try:
        life, _ = prove(table, games, entries)
    except Wrong as wrong:
        return Story(table, entries, _as_far_as_possible(table, entries, games), str(wrong))
    return Story(table, entries, life, "")


def _as_far_as_possible(table: str, entries: tuple[Entry, ...], games: Mapping[str, Any]) -> Life | None:
    life = Life(table, dict(games))
    try:
        for entry in entries:
            life.fold(entry)
    except Exception:  # noqa: BLE001 - what is wrong was said already
        return life if life.entries else None
    return life


def check(journal: Journal, stories: Mapping[str, Story], terms: Terms = Terms()) -> list[Violation]:
    """All that is wrong."""
    asks: dict[str, list[Ask]] = defaultdict(list)
    for ask in journal.asks:
        asks[ask.table].append(ask)
    looks: dict[str, list[Look]] = defaultdict(list)
    for look in journal.looks:
        looks[look.table].append(look)
    found: list[Violation] = []
    for one in stories.values():
        found += log_holds(one)
    for table, calls in asks.items():
        found += acknowledged_stand(calls, stories.get(table) or Story(table, (), None, ""), terms)
        found += order_holds(calls, () if terms.stale_looks else looks[table])
    for watch in journal.watches:
        if watch.table in stories:
            found += nothing_missed(watch, stories[watch.table], terms)
    return found


def log_holds(one: Story) -> Iterator[Violation]:
    """Versions dense, hashes chained, ids unique, every command decided again to the stored events."""
    versions = [entry.version for entry in one.entries]
    if versions != list(range(1, len(versions) + 1)):
        yield Violation("gap", one.table, f"its versions are {_gaps(versions)}")
    ids = Counter(entry.request for entry in one.life.entries) if one.life else Counter()
    for request, times in ids.items():
        if times > 1:
            yield Violation("doubled", one.table, f"the request {request} stands there {times} times")
    if one.wrong:
        yield Violation("decide", one.table, one.wrong)


def _gaps(versions: list[int]) -> str:
    return ", ".join(f"{a} then {b}" for a, b in zip([0, *versions], versions, strict=False) if b != a + 1)


def acknowledged_stand(asks: Iterable[Ask], one: Story, terms: Terms) -> Iterator[Violation]:
    """Every acknowledged call stands in the log once, at its version, and was always answered the same."""
    for ask in asks:
        versions = one.places.get(ask.request, [])
        if ask.refused and not fairly_refused(ask, one, terms):
            yield Violation("refused", ask.table, f"{ask.request} was refused: {ask.refused}")
        if not ask.answers:
            continue
        first = ask.answers[0]
        if any(other != first for other in ask.answers):
            yield Violation("answers", ask.table, f"{ask.request} was answered differently: {ask.answers}")
        if not versions:
            yield Violation("lost", ask.table, f"{ask.request}, acknowledged at {first.version}, is not in the log")
        elif len(versions) > 1:
            yield Violation("doubled", ask.table, f"{ask.request} stands in the log at {versions}")
        elif first.version and versions != [first.version]:
            yield Violation("lost", ask.table, f"{ask.request} was told {first.version} and stands at {versions[0]}")
        elif first.tag and one.life and one.life.entries[first.version - 1].tag != first.tag:
            yield Violation("lost", ask.table, f"{ask.request} at {first.version} is not the entry it was told of")


def fairly_refused(ask: Ask, one: Story, terms: Terms) -> bool:
    """Whether a call answers a view of a history that was lost, or an old one, whose decision had its answer since."""
    version, tag = ask.basis
    entries = one.life.entries if one.life else []
    lost = not entries or [entry.tag for entry in entries[version - 1 : version]] != [tag]
    answered = any((entry.seat, entry.decision) == (ask.seat, ask.decision) for entry in entries[version:])
    return (terms.rewinds and lost) or (terms.stale_looks and answered)


def order_holds(asks: Iterable[Ask], looks: Iterable[Look]) -> Iterator[Violation]:
    """An answer given before another was asked for has the lower version; a view is no older than what was answered."""
    given = [ask for ask in asks if ask.answers and ask.answers[0].version]
    answers = sorted(given, key=lambda ask: ask.answered)
    later: list[tuple[float, Ask | Look]] = [(ask.asked, ask) for ask in given]
    later += [(look.asked, look) for look in looks]
    newest, place = None, 0
    for asked, one in sorted(later, key=lambda pair: pair[0]):
        while place < len(answers) and answers[place].answered < asked:
            if newest is None or answers[place].answers[0].version > newest.answers[0].version:
                newest = answers[place]
            place += 1
        if newest is None:
            continue
        known = newest.answers[0].version
        if isinstance(one, Look) and one.version < known:
            yield Violation("stale", one.table, f"a view of {one.version} after {newest.request} at {known}")
        elif isinstance(one, Ask) and one.answers[0].version <= known:
            text = f"{one.request} at {one.answers[0].version} was asked after {newest.request} got {known}"
            yield Violation("order", one.table, text)


def nothing_missed(watch: Watch, one: Story, terms: Terms) -> Iterator[Violation]:
    """No change was missed or told twice, and each told was the one that stands in the log."""
    tags = [entry.tag for entry in one.life.entries] if one.life else []
    who = f"the watcher of seat {watch.seat}"
    rewinds = [place for place, note in enumerate(watch.notes) if note.skip == "REWOUND"]
    if rewinds and not terms.rewinds:
        yield Violation("rewound", watch.table, f"{who} was told of a rewind that never was")
    last: int | None = None
    for place, note in enumerate(watch.notes):
        known = place >= (rewinds[-1] if rewinds else 0)  # what came before a rewind may never have happened
        if known and note.version and tags[note.version - 1 : note.version] != [note.tag]:
            yield Violation("foreign", watch.table, f"{who} was told of a {note.version} that is not in the log")
        if note.skip == "BETWEEN":
            yield Violation("missed", watch.table, f"{who} was told {last} and shown the view of {note.version}")
        if note.skip:
            pass
        elif last is not None and note.version <= last:
            yield Violation("repeated", watch.table, f"{who} was told {note.version} after {last}")
        elif last is None or note.version > last + 1:
            yield Violation("missed", watch.table, f"{who} was told {note.version} after {last}")
        last = note.version
    if not terms.silent and watch.notes and last != len(one.entries):
        yield Violation("missed", watch.table, f"{who} has heard up to {last} of {len(one.entries)}")
