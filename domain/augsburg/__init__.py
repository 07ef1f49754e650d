"""Augsburg 1520, by Karsten Hartwig: loans to five nobles, paid back in privileges."""

from typing import Any

from domain import course
from domain.chance import Chance
from domain.course import decision, evolve, show, waiting
from domain.engine import Decision, Meta, Outcome
from domain.options import PickOne, Refusal, Why
from domain.values import Fact

from .commands import Command
from .components import JOKERS, Edition, certificates, check_edition, components, joker, privilege_cards
from .end import result, stand_in
from .hidden import conserved, resample
from .play import CARDS_A_ROUND, Game
from .refusals import explain
from .state import START_JOKERS, Begun, Event, State
from .views import Shown, View, view

__all__ = [
    "Command", "Edition", "Event", "Shown", "State", "View", "check_edition", "components", "conserved", "decide",
    "decision", "evolve", "meta", "resample", "result", "setup", "show", "stand_in", "view", "waiting",
]  # fmt: skip

meta = Meta(
    id="augsburg",
    title="Augsburg 1520",
    least_seats=2,
    most_seats=5,
    settings=(PickOne("hands", ("hidden", "open"), Why("AUG-606", "UNKNOWN_SETTING")),),
    editions=("original",),
    rules_version=1,
)


def setup(seats: int, settings: tuple[Fact, ...], edition: Edition, chance: Chance) -> Outcome:
    """Shuffle the cards, lay out five privilege cards, draw the starting player (AUG-103, AUG-106, AUG-108)."""
    jokers = (joker(edition),) * (JOKERS - START_JOKERS * seats)
    privileges = chance.shuffle("privileges:1", privilege_cards(edition))
    begun = Begun(
        edition=edition,
        open=Fact("hands", "open") in settings,
        players=seats,
        starter=chance.shuffle("starter", range(1, seats + 1))[0],
        supply=chance.shuffle("supply", (*certificates(edition), *jokers)),
        face_up=tuple(sorted(privileges[:CARDS_A_ROUND], key=lambda card: card.key)),
        face_down=tuple(sorted(privileges[CARDS_A_ROUND:], key=lambda card: card.key)),
    )
    return course.begin(begun.apply(None), begun, (Game(),), chance)


def decide(state: State, decision: Decision, command: Any, chance: Chance) -> Outcome:
    """Let a command take effect, or refuse it with the best reason its offender may know."""
    return course.decide(state, decision, command, chance, _why)


def _why(state: State, seat: int, command: Any) -> Refusal | None:
    return explain(state.agenda[0], view(state, seat), command)
