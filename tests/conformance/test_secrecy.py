"""Nobody learns what the rules do not tell him: not by views, decisions, events, refusals, or who is asked."""

from __future__ import annotations

from collections.abc import Callable

from tests.conformance import walk, worlds
from tests.conformance.subjects import Subject
from tests.conformance.tally import Tally


def test_nothing_leaks(
    subject: Subject, games: Callable[[int], int], seed: int | None, report: Callable[[str, Tally], None]
) -> None:
    """Twins look the same to every viewer, and two worlds differ for him first where a rule reveals something to him.

    Every event and every command of the game must have been compared, and every kind of hidden thing changed.
    """
    tally = walk.drive(subject, worlds.hides, games(10), seed=seed, visits=4)
    report(f"{subject.game.meta.id}: secrecy", tally)
    tally.demand_none_missing("events", "commands")
    tally.demand_real_twins()
