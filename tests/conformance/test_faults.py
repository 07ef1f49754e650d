"""The suite can fail: every planted fault of every game is caught, by the property that is there for it."""

from __future__ import annotations

import pytest

from domain.course import Answered
from tests.conformance import asking, faults, folding, keeping, subjects, walk, worlds
from tests.conformance.claims import Broken
from tests.conformance.subjects import Subject
from tests.conformance.tally import Tally
from tests.conformance.walk import Property

GAMES = 16
"""So many random games a fault may take to be met, after all named positions."""

CATCHES: dict[str, tuple[Property, str]] = {
    faults.HIDDEN_COUNT: (worlds.hides, "the view of"),
    faults.OPTION: (worlds.hides, "is asked"),
    faults.CARD_TOO_MANY: (keeping.keeps, "nothing is lost or gained"),
    faults.AUDIENCE: (worlds.hides, "may not differ for viewer"),
    faults.SEALED: (worlds.hides, "may not differ for viewer"),
    faults.DECK: (worlds.hides, "the view of"),
    faults.FORCED: (worlds.hides, ""),
    faults.REFUSAL: (worlds.hides, "refuses the same in the same words"),
    faults.FORGETS: (folding.folds, "gives the"),
    faults.DRAWS_TWICE: (asking.asks, "no chance label is used twice"),
    faults.UNTOLD: (worlds.hides, "the view tells nothing that no event told"),
    faults.LAZY: (worlds.hides, "resample"),
}
"""The property that must catch a fault, and what it says then."""


def test_every_kind_is_planted(subject: Subject) -> None:
    """Each game's file has a fault of every kind, under the fixed names."""
    assert set(subject.faults) == set(faults.KINDS) == set(CATCHES)
    assert {kind for kind, plant in subject.faults.items() if plant is faults.ABSENT} <= {faults.SEALED}


@pytest.mark.parametrize("kind", faults.KINDS)
def test_a_planted_fault_is_caught(subject: Subject, kind: str) -> None:
    """The property that is there for it notices the fault."""
    prop, words = CATCHES[kind]
    plant = subject.faults[kind]
    if plant is faults.ABSENT:
        assert not _ever_seals(subject)
        return
    with pytest.raises(Broken) as caught:
        walk.drive(subject, prop, GAMES, game=plant()).demand_real_twins()
    assert words in str(caught.value)


def _ever_seals(subject: Subject) -> bool:
    """Whether an answer is ever sealed in a random game."""
    for start in subjects.starts(subject.game):
        for step in walk.from_start(subject, subject.game, start, Tally()).steps():
            if any(isinstance(event, Answered) for event in step.events):
                return True
    return False
