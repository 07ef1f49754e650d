"""Random games of every kind end, fold, and ask as they must."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.conformance import asking, folding, keeping, subjects, vocabulary, walk
from tests.conformance.subjects import Subject
from tests.conformance.tally import Tally
from tests.conformance.walk import Property

Games = Callable[[int], int]
Report = Callable[[str, Tally], None]


def test_every_table_can_be_played_to_its_end(subject: Subject) -> None:
    """Games end within the bound for every player count with every edition and every combination of settings."""
    for number, start in enumerate(subjects.starts(subject.game)):
        passage = walk.from_start(subject, subject.game, replace(start, seed=number), Tally())
        keeping.ends(passage)


@pytest.mark.parametrize("prop", [keeping.ends, keeping.keeps, folding.folds, asking.asks], ids=lambda p: p.__name__)
def test_what_holds_in_random_games(
    subject: Subject, prop: Property, games: Games, seed: int | None, report: Report
) -> None:
    """A property of play holds in named positions and random games."""
    tally = walk.drive(subject, prop, games(6), seed=seed)
    report(f"{subject.game.meta.id}: {prop.__name__}", tally)


def test_types_are_of_the_vocabulary(subject: Subject) -> None:
    """All that a game says is made of types that have exact bytes and an exact message."""
    assert vocabulary.speaks(subject.game)


def test_components_have_keys(subject: Subject) -> None:
    """Every component of every edition has a key of its own."""
    for name in subject.game.meta.editions:
        edition = subjects.edition(subject.game, name)
        assert vocabulary.named_well(subject.game, edition)
        assert folding.comes_back("an edition", subject.game.Edition, edition) == edition


def test_marks_name_an_audience(subject: Subject) -> None:
    """A game with hidden things marks what is secret and what is revealed, and to whom."""
    assert vocabulary.marks_hold(subject.game)


def test_positions_ask_somebody(subject: Subject) -> None:
    """There are named positions, and in each of them somebody is asked."""
    assert subject.positions
    for name, make in subject.positions.items():
        assert subject.game.waiting(make()), name
