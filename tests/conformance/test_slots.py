"""The slots of every decision met accept and refuse as their algebra says."""

from __future__ import annotations

from collections.abc import Callable

from tests.conformance import algebra, walk
from tests.conformance.subjects import Subject, subject
from tests.conformance.tally import Tally

BOUNDS = {
    "an item missing", "an item doubled", "a foreign item", "one too many", "a sum exceeded", "a kind missing",
    "another command", "another seat", "a number below", "a number above", "a wrong type", "another given field",
    "a group empty",
}  # fmt: skip


def test_slots(
    subject: Subject, games: Callable[[int], int], seed: int | None, report: Callable[[str, Tally], None]
) -> None:
    """Answers that are offered are accepted, changed ones are refused by the bound that they break."""
    tally = walk.drive(subject, algebra.slots, games(6), seed=seed)
    report(f"{subject.game.meta.id}: slots", tally)
    assert set(tally.counts["answers refused"]) >= {"another command", "no command at all", "a wrong type"}


def test_the_toy_breaks_every_bound() -> None:
    """In the toy, which has every kind of slot, every way to break a bound is met and refused."""
    tally = walk.drive(subject("toy"), algebra.slots, 8)
    assert not BOUNDS - set(tally.counts["answers refused"])
