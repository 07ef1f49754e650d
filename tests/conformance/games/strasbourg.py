"""Strasbourg, as the suite needs to know it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain import strasbourg
from domain.engine import Game
from domain.options import Group
from domain.strasbourg.commands import Draw, Flip, Keep, MakeStacks, Pass, Wait
from domain.strasbourg.components import ROUNDS, by_size, in_order
from domain.strasbourg.contest import Clearing, Contest, PuttingBack, Unused
from domain.strasbourg.council import BuildingStep, ChapelStep, Council, PlacingBuilding
from domain.strasbourg.events import Drawn, FigureMoved, StacksMade
from domain.strasbourg.guilds import Apprentice, Journeyman, Master, Merchant
from domain.strasbourg.planning import ChoosingTasks, FirstCards, Planning
from domain.strasbourg.play import Round
from domain.strasbourg.scoring import FinalScoring
from domain.strasbourg.state import State
from domain.values import replace
from tests.conformance import faults
from tests.domain.strasbourg.table import TASKS, board, having, keys, table
from tests.scenario import Scenario, given

STEPS = 7  # A to G
BOUND = (
    5  # tasks
    + 5 * (24 + ROUNDS * STEPS)  # every card is drawn once, and once more for every time that one goes back
    + ROUNDS * 5  # splits
    + 2 * ROUNDS * STEPS * 5  # flips and passes, cards going back
    + ROUNDS * 5  # privileges to wait
    + ROUNDS * (9 + 3 + 2)  # members, sales, chapel and building
)


def invariants(state: State) -> None:
    """Nothing behind a screen is negative, hands and stacks lie in their order, nothing stands where it can't."""
    for player in state.players:
        assert min(player.money, player.privileges, *player.goods) >= 0
        assert 1 <= len(player.tasks) <= 5
        assert player.hand == in_order(player.hand)
        assert player.stacks == by_size(player.stacks)
        assert all(stack.cards and stack.cards == in_order(stack.cards) for stack in player.stacks)
    assert set(state.chapels) <= {site.key for site in state.plan.chapel_sites}
    assert len(set(state.chapels)) == len(state.chapels) <= state.round
    assert len({built.site for built in state.built}) == len(state.built) <= state.round
    assert len({built.building for built in state.built}) == len(state.built)
    assert all(0 <= seat <= len(state.players) for seat in (*state.city, *state.council))


# --- positions ----------------------------------------------------------------------------------------------------

CHAIRS = {"nobility": 1, "church": 2}
END = (Unused(), ChapelStep(), BuildingStep(), Council())
"""How a round ends."""


def _dealt() -> State:
    """Three players with five tasks each."""
    names = [key.removeprefix("task-") for key in TASKS]
    state = replace(table(3, number=0), council=(1, 2, *(0,) * 6))
    for seat in state.seats:
        state = having(state, seat, tasks=" ".join(names[5 * seat - 5 : 5 * seat]))
    return state


def _sealed_tasks() -> Scenario:
    """One has kept all his tasks, one a single one."""
    dealt = given(strasbourg, _dealt(), ChoosingTasks(), *_rest(1))
    first, second = (dealt.state.player(seat).tasks for seat in (1, 2))
    return dealt.when(1, Keep(tuple(task.key for task in first))).when(2, Keep((second[0].key,)))


def _rest(number: int) -> tuple[Any, ...]:
    """What comes after a round's planning or the like: enough for play to go on."""
    return (*(Round(n) for n in range(number, ROUNDS + 1)), FinalScoring())


def _planning(*, stay: bool = False) -> Scenario:
    """Round 3: one has an empty deck, one nothing at all, and two have split already."""
    state = board(table(5, number=3, stay=stay), council=CHAIRS)
    state = having(state, 1, hand="52236", deck="4")
    state = having(state, 2, hand="16", deck="")
    state = having(state, 3, deck="")
    state = having(state, 4, hand="345", deck="1122", stacks="66" if stay else "")
    state = having(state, 5, hand="4", deck="65", unused="6655")
    asked = given(strasbourg, state, Planning(), Contest("A"), *END, *_rest(4))
    asked = asked.when(4, MakeStacks((Group(keys("35")), Group(keys("4")))))
    return asked.when(2, MakeStacks((Group(keys("16")),)))


def _contest(step: str) -> State:
    """Round 2 of four players, everybody with stacks and two with privileges."""
    state = board(table(number=2, step=step), council=CHAIRS, members={1: "0-0 0-1", 2: "5-8"})
    state = having(state, 1, stacks="23 5 6", privileges=1, goods="weapon shoe")
    state = having(state, 2, stacks="1 11 5", privileges=2, money=0)
    state = having(state, 3, stacks="44 6", unused="123", money=9)
    return having(state, 4, stacks="3", goods="bread bread meat")


def _step(step: str, guild: str = "") -> Scenario:
    """That step, begun."""
    after = (Contest("G"), *END, *_rest(3))
    return given(strasbourg, _contest(step), Contest(step, guild), *after)


def _flipped(*agenda: Any, players: int = 4) -> Scenario:
    """All have flipped, and the ranks earn."""
    state = board(table(players, number=2, step="B"), council=CHAIRS)
    for seat, stack in zip(state.seats, ("6", "5", "23", "4"), strict=False):
        state = having(state, seat, flipped=stack, stacks="12 1", money=seat - 1)
    return given(strasbourg, state, *agenda, Clearing(), *END, *_rest(3))


SQUARE = "4-7 4-8 5-7 5-8"
EACH_GUILD = "0-0 0-1 0-3 0-4 0-7 0-8 3-4 4-4 4-0 5-0"


def _last() -> Scenario:
    """The last building before the end; the rare tasks are met, and others missed by one member."""
    state = table(3, number=5, step="I")
    houses = (building.key for building in state.buildings[:4])
    state = board(
        state,
        council={"nobility": 1, "church": 2, "smiths": 2, "bakers": 2, "merchants": 2},
        members={1: EACH_GUILD + " " + SQUARE, 2: "1-3 2-2 3-3 3-2", 3: "1-0 2-0 3-0"},
        chapels="1-3 3-1 3-3 5-2 5-7",
        built=dict(zip(houses, ("1-2", "2-4", "3-1", "3-7"), strict=True)),
    )
    state = having(state, 1, deck="", money=0, privileges=2, tasks="square each-guild most-members corners")
    state = having(state, 2, deck="12", money=4, goods="shoe meat bread", tasks="council goods diagonal one-building")
    state = having(state, 3, deck="6", money=4, tasks="most-money line wall")
    return given(strasbourg, state, PlacingBuilding(1), Council(), FinalScoring())


def _all_pass() -> Scenario:
    """Seat 4 alone has not decided, and nobody has flipped."""
    return _step("E").when(1, Pass()).when(2, Pass()).when(3, Pass())


def _nobody_plans() -> Scenario:
    """Round 5 with all decks empty: nobody is asked to plan, nobody has a stack."""
    state = board(table(3, number=4), council=CHAIRS)
    for seat in state.seats:
        state = having(state, seat, deck="")
    return given(strasbourg, state, PlacingBuilding(1), Council(), *_rest(5))


def _goes_back() -> Scenario:
    """Two whose rank earned nothing, one with an empty deck."""
    state = board(table(4, number=2, step="C"), council=CHAIRS)
    state = having(state, 1, flipped="6", stacks="2")
    state = having(state, 2, flipped="12", deck="")
    state = having(state, 3, flipped="33", deck="4", stacks="5")
    rest = (Clearing(), Contest("G"), *END, *_rest(3))
    return given(strasbourg, state, PuttingBack(3), PuttingBack(2), *rest)


def _last_cards() -> Scenario:
    """The first card of round 5 is the last of one deck, and another one is empty."""
    state = board(table(3, number=5), council=CHAIRS)
    state = having(state, 1, deck="6")
    state = having(state, 2, deck="")
    state = having(state, 3, deck="123456")
    after = (FirstCards(), Planning(), Contest("A"), *END)
    return given(strasbourg, state, *after, FinalScoring())


SCENARIOS: dict[str, Callable[[], Scenario]] = {
    "all but one have kept their tasks": _sealed_tasks,
    "two have split, one has an empty deck, one nothing": _planning,
    "stacks stay, and new ones lie beside them": lambda: _planning(stay=True),
    "one draws his last card": lambda: _planning().when(1, Draw()),
    "decks are empty, nobody plans": _nobody_plans,
    "waiting chains": lambda: _step("B", "bakers").when(1, Wait()).when(2, Wait()),
    "nobody is left to wait for": lambda: _step("A").when(1, Pass()).when(2, Wait()).when(3, Pass()).when(4, Pass()),
    "all have passed but the last": _all_pass,
    "flipping for a guild": lambda: _step("D", "butchers").when(1, Flip(keys("5"))).when(2, Flip(keys("11"))),
    "flipping for the nobility": lambda: _step("A").when(1, Flip(keys("5"))).when(2, Pass()).when(3, Pass()),
    "the merchants' last step": lambda: _step("G").when(1, Flip(keys("6"))).when(2, Pass()).when(3, Pass()),
    "a master without money for a field": lambda: _flipped(Master(1, "smiths"), Journeyman(2, "smiths")),
    "an apprentice without money": lambda: _flipped(Apprentice(1, "vintners"), players=3),
    "an apprentice with money": lambda: _flipped(Apprentice(4, "vintners")),
    "a merchant without goods": lambda: _flipped(Merchant(3, "G")),
    "a merchant with goods": lambda: given(strasbourg, _contest("C"), Merchant(4, "C"), *_rest(3)),
    "cards go back under an empty deck": _goes_back,
    "a round begins with a last card": _last_cards,
    "the last building, rare tasks met": _last,
}

POSITIONS: dict[str, Callable[[], State]] = {
    name: lambda make=make: make().state  # type: ignore[misc]  # mypy can't infer a default
    for name, make in SCENARIOS.items()
}


# --- what is hidden -----------------------------------------------------------------------------------------------


def _of_others(what: Callable[[Any], object]) -> Callable[[State, int], object]:
    """What of every other player, if he has any of it."""

    def hidden(state: State, viewer: int) -> object:
        found = tuple(what(state.player(seat)) for seat in state.seats if seat != viewer)
        return found if any(found) else None

    return hidden


def _vary(cards: tuple[Any, ...]) -> bool:
    return len(set(cards)) > 1


def _unseen(player: Any) -> tuple[Any, ...]:
    return (*player.deck, *player.hand, *player.unused, *(card for stack in player.stacks for card in stack.cards))


def _deck(state: State, viewer: int) -> object:
    """The order of a deck, for its owner too."""
    return tuple(player.deck for player in state.players) if any(_vary(p.deck) for p in state.players) else None


def _tasks(state: State, viewer: int) -> object:
    """The tasks of the others, until the end."""
    return tuple(state.player(s).tasks for s in state.seats if s != viewer) if state.agenda else None


def _number_of_tasks(state: State, viewer: int) -> object:
    """How many the others have kept."""
    kept = tuple(len(state.player(seat).tasks) for seat in state.seats if seat != viewer)
    return kept if state.agenda and state.round else None


def _screens(what: str, *, until_end: bool) -> Callable[[State, int], object]:
    """What stands behind the screens of the others."""

    def hidden(state: State, viewer: int) -> object:
        if until_end and (not state.agenda or state.round < 2):
            return None
        return tuple(getattr(state.player(seat), what) for seat in state.seats if seat != viewer)

    return hidden


def _sealed(state: State, viewer: int) -> object:
    """What others have answered while one is still waited for."""
    return tuple(answer for answer in state.answers if answer.seat != viewer) or None


HIDDEN: dict[str, Callable[[State, int], object]] = {
    "hand": _of_others(lambda player: player.hand if _vary(_unseen(player)) else ()),
    "stacks": _of_others(lambda player: player.stacks if _vary(_unseen(player)) else ()),
    "unused": _of_others(lambda player: player.unused if _vary(_unseen(player)) else ()),
    "deck order": _deck,
    "tasks": _tasks,
    "number of tasks": _number_of_tasks,
    "money": _screens("money", until_end=False),
    "goods": _screens("goods", until_end=False),
    "privileges": _screens("privileges", until_end=True),
    "sealed answer": _sealed,
}


# --- planted faults -----------------------------------------------------------------------------------------------


def _sixes_of_others(state: State, viewer: int) -> int:
    cards = (
        card for seat in state.seats if seat != viewer for stack in state.player(seat).stacks for card in stack.cards
    )
    return sum(card.value == 6 for card in cards)


def _money_of_another(state: State, viewer: int) -> int:
    return state.player(viewer % len(state.players) + 1).money


def _next_cards(state: State, viewer: int) -> int:
    return sum(player.deck[0].value for player in state.players if player.deck)


def _stack_doubled(event: Any) -> Any:
    """A stack is laid down twice."""
    return replace(event, stacks=(*event.stacks, event.stacks[0])) if isinstance(event, StacksMade) else event


def _shown_to_all(event: Drawn, shown: Any, viewer: int) -> Any:
    return replace(shown, card=event.card)


def _shown_to_nobody(event: Drawn, shown: Any, viewer: int) -> Any:
    return replace(shown, card=None)


FAULTS: dict[str, Callable[[], Game]] = {
    faults.HIDDEN_COUNT: lambda: faults.leaky_view(strasbourg, _sixes_of_others),
    faults.OPTION: lambda: faults.leaky_options(strasbourg, _money_of_another),
    faults.CARD_TOO_MANY: lambda: faults.changed_events(strasbourg, _stack_doubled),
    faults.AUDIENCE: lambda: faults.changed_shows(strasbourg, Drawn, _shown_to_all),
    faults.SEALED: lambda: faults.unsealed(strasbourg),
    faults.DECK: lambda: faults.leaky_view(strasbourg, _next_cards),
    faults.FORCED: lambda: faults.skips_forced(strasbourg),
    faults.REFUSAL: lambda: faults.leaky_refusals(strasbourg, _money_of_another),
    faults.FORGETS: lambda: faults.forgets(strasbourg, FigureMoved),
    faults.DRAWS_TWICE: lambda: faults.draws_twice(strasbourg),
    faults.UNTOLD: lambda: faults.changed_shows(strasbourg, Drawn, _shown_to_nobody),
    faults.LAZY: lambda: faults.resamples_nothing(strasbourg),
}
