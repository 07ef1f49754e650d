"""Die Fugger: merchants lay out goods, drive prices, and sell what lies open when five of a kind do."""

from typing import Any

from domain import course
from domain.chance import Chance
from domain.course import decision, evolve, show, waiting
from domain.engine import Decision, Meta, Outcome
from domain.values import Fact

from .absent import stand_in
from .commands import Command
from .components import Edition, check_edition, components, whole_deck
from .end import result
from .hidden import conserved, resample
from .play import Opening
from .refusals import explain
from .state import Begun, Event, State
from .views import Shown, View, view

__all__ = [
    "Command", "Edition", "Event", "Shown", "State", "View", "check_edition", "components", "conserved", "decide",
    "decision", "evolve", "meta", "resample", "result", "setup", "show", "stand_in", "view", "waiting",
]  # fmt: skip

meta = Meta(
    id="diefugger",
    title="Die Fugger",
    least_seats=2,
    most_seats=4,
    settings=(),
    editions=("original",),
    rules_version=1,
)


def setup(seats: int, settings: tuple[Fact, ...], edition: Edition, chance: Chance) -> Outcome:
    """Shuffle, draw who starts, deal (FUG-101 to FUG-104)."""
    deck = chance.shuffle("deck:0", whole_deck(edition))
    first = chance.shuffle("first", range(1, seats + 1))[0]
    begun = Begun(edition, seats, first, deck)
    return course.begin(begun.apply(None), begun, (Opening(first),), chance)


def decide(state: State, decision: Decision, command: Any, chance: Chance) -> Outcome:
    """What one command causes; a refusal names the rule that forbids it."""
    return course.decide(state, decision, command, chance, explain)
