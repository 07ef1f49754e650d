"""The Little Fair: the example to copy for a new game, and the test bed of the engine."""

from domain import course
from domain.chance import Chance
from domain.course import decide, decision, evolve, show, waiting
from domain.engine import Meta, Outcome
from domain.options import PickOne, Why
from domain.values import Fact

from .commands import Command
from .components import Edition, check_edition, components
from .play import Fair
from .state import Begun, Event, Hands, State
from .views import Shown, View, conserved, resample, result, stand_in, view

__all__ = [
    "Command", "Edition", "Event", "Shown", "State", "View", "check_edition", "components", "conserved", "decide",
    "decision", "evolve", "meta", "resample", "result", "setup", "show", "stand_in", "view", "waiting",
]  # fmt: skip

meta = Meta(
    id="toy",
    title="The Little Fair",
    least_seats=2,
    most_seats=4,
    settings=(PickOne("coins", ("hidden", "open"), Why("TOY-403", "UNKNOWN_SETTING")),),
    editions=("first",),
    rules_version=1,
)


def setup(seats: int, settings: tuple[Fact, ...], edition: Edition, chance: Chance) -> Outcome:
    """Shuffle, deal, draw who begins (TOY-101, TOY-102)."""
    cards = chance.shuffle("deck", components(edition) * edition.copies.number)
    size = edition.hand.number
    hands = tuple(Hands(cards[n * size : (n + 1) * size]) for n in range(seats))
    first = chance.shuffle("first", range(1, seats + 1))[0]
    begun = Begun(edition, Fact("coins", "open") in settings, first, hands, cards[seats * size :])
    return course.begin(begun.apply(None), begun, (Fair(first),), chance)
