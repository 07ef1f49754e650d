"""Strasbourg: influence the council, the guilds and the merchants of a city, and place your family in it."""

from typing import Any

from domain import course
from domain.chance import Chance
from domain.course import decision, evolve, show, waiting
from domain.engine import Decision, Meta, Outcome
from domain.options import PickOne, Why
from domain.values import Fact

from .absent import stand_in
from .commands import Command
from .components import DECK, Edition, buildings, check_edition, components, round_cards, tasks
from .end import result
from .hidden import conserved, resample
from .play import Game
from .refusals import explain
from .state import Begun, Dealt, Event, State
from .views import Shown, View, view

__all__ = [
    "Command", "Edition", "Event", "Shown", "State", "View", "check_edition", "components", "conserved", "decide",
    "decision", "evolve", "meta", "resample", "result", "setup", "show", "stand_in", "view", "waiting",
]  # fmt: skip

meta = Meta(
    id="strasbourg",
    title="Strasbourg",
    least_seats=3,
    most_seats=5,
    settings=(PickOne("stacks", ("leave", "stay"), Why("STR-315", "UNKNOWN_SETTING")),),
    editions=("original",),
    rules_version=1,
)

TASKS_DEALT = 5


def setup(seats: int, settings: tuple[Fact, ...], edition: Edition, chance: Chance) -> Outcome:
    """Lay out cards and buildings, draw the first player, shuffle the decks, deal the tasks (STR-102..105)."""
    order = range(1, seats + 1)
    first = chance.shuffle("first", order)[0]
    cards, houses = chance.shuffle("round cards", round_cards(edition)), chance.shuffle("buildings", buildings(edition))
    shuffled = chance.shuffle("tasks", tasks(edition))
    # In turn, from the first player: the seat that is n-th in turn gets the n-th five.
    turn = {seat: (seat - first) % seats * TASKS_DEALT for seat in order}
    dealt = tuple(
        Dealt(chance.shuffle(f"deck:{seat}", DECK), shuffled[turn[seat] : turn[seat] + TASKS_DEALT]) for seat in order
    )
    spare = tuple(sorted(shuffled[seats * TASKS_DEALT :], key=lambda task: task.key))
    begun = Begun(edition, Fact("stacks", "stay") in settings, first, cards, houses, dealt, spare)
    return course.begin(begun.apply(None), begun, (Game(),), chance)


def decide(state: State, decision: Decision, command: Any, chance: Chance) -> Outcome:
    """What one command causes, or `Illegal`."""
    return course.decide(state, decision, command, chance, explain)
