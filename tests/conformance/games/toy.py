"""The Little Fair, as the suite needs to know it: the example for the files of other games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain import toy
from domain.chance import SeededChance
from domain.editions import builtin
from domain.engine import Game
from domain.options import Group
from domain.toy.commands import Offer, Pack
from domain.toy.components import Card
from domain.toy.events import Drawn, Scored, by_key
from domain.toy.play import Handing, Offering, Packing, Round, Staking
from domain.toy.state import State
from domain.values import facts, replace
from tests.conformance import faults
from tests.scenario import given

BOUND = 2 * (4 + 4 + 2) + 4


def invariants(state: State) -> None:
    """Coins and points are never negative, and a hand lies in the order of its keys."""
    for player in state.players:
        assert 0 <= player.coins <= state.edition.coins.number
        assert player.stake >= 0
        assert player.points >= 0
        assert player.hand == by_key(player.hand)


# --- positions ----------------------------------------------------------------------------------------------------


def _fair(*hands: str) -> State:
    """A fair in which the players hold these cards; the rest is the deck, less those that a hand would have had."""
    edition = builtin(toy, "first")
    begun: State = toy.setup(len(hands), facts(coins="hidden"), edition, SeededChance(bytes(32))).state
    deck = list(toy.components(edition) * edition.copies.number)
    named = {card.key: card for card in deck}
    state = begun
    for seat, keys in enumerate(hands, 1):
        cards = tuple(named[key] for key in keys.split())
        for card in cards:
            deck.remove(card)
        state = state.with_player(seat, hand=by_key(cards))
    return replace(state, deck=tuple(deck[:6]), out=by_key(tuple(deck[6:])))


HANDS = ("apple-1 bread-2 cloth-3", "apple-1 apple-3 bread-4", "bread-1 cloth-1 cloth-4")

POSITIONS: dict[str, Callable[[], State]] = {
    "all but one have offered": lambda: (
        given(toy, _fair(*HANDS), Offering(1), Packing())
        .when(1, Offer(("apple-1", "bread-2")))
        .when(2, Offer(("apple-3",)))
        .state
    ),
    "the last round, staking without a coin": lambda: (
        given(toy, _fair(*HANDS).with_player(2, coins=0), Staking(2), Offering(1), Packing()).state
    ),
    "a card is handed over": lambda: given(toy, _fair(*HANDS), Handing(2, 1), Round(2, 2), Packing()).state,
    "nobody else holds a card, so nobody is named": lambda: (
        given(toy, _fair("apple-1 bread-2", "apple-2"), Offering(1), Packing()).when(1, Offer(("apple-1",))).state
    ),
    "one has packed, one has nothing to pack": lambda: (
        given(toy, _fair(HANDS[0], "", HANDS[2], "apple-4 apple-4 bread-1"), Packing())
        .when(1, Pack((Group(("apple-1", "bread-2", "cloth-3")),)))
        .state
    ),
}


# --- what is hidden -----------------------------------------------------------------------------------------------


def _hands(state: State, viewer: int) -> object:
    """The hands of the others."""
    return tuple(state.player(seat).hand for seat in state.seats if seat != viewer) or None


def _deck(state: State, viewer: int) -> object:
    """The order of the deck, for everybody."""
    return state.deck if len(set(state.deck)) > 1 else None


def _coins(state: State, viewer: int) -> object:
    """The coins of the others, unless they are open."""
    return None if state.open_coins else tuple(state.player(seat).coins for seat in state.seats if seat != viewer)


def _sealed(state: State, viewer: int) -> object:
    """What others have answered while one is still waited for."""
    return tuple(answer for answer in state.answers if answer.seat != viewer) or None


HIDDEN: dict[str, Callable[[State, int], object]] = {
    "hand": _hands,
    "deck order": _deck,
    "coins": _coins,
    "sealed answer": _sealed,
}


# --- planted faults -----------------------------------------------------------------------------------------------


def _apples_of_others(state: State, viewer: int) -> int:
    return sum(card.good == "apple" for seat in state.seats if seat != viewer for card in state.player(seat).hand)


def _card_of_another(state: State, viewer: int) -> Card | None:
    return next((p.hand[0] for seat, p in enumerate(state.players, 1) if seat != viewer and p.hand), None)


def _deck_value(state: State, viewer: int) -> int:
    return sum(card.value for card in state.deck[:2])


def _copied(event: Any) -> Any:
    """Whoever draws finds an apple, whatever was on top of the deck."""
    return replace(event, card=Card("apple-1", "apple", 1)) if isinstance(event, Drawn) else event


def _shown_to_all(event: Drawn, shown: Any, viewer: int) -> Any:
    return replace(shown, card=event.card)


def _shown_to_nobody(event: Drawn, shown: Any, viewer: int) -> Any:
    return replace(shown, card=None)


FAULTS: dict[str, Callable[[], Game]] = {
    faults.HIDDEN_COUNT: lambda: faults.leaky_view(toy, _apples_of_others),
    faults.OPTION: lambda: faults.leaky_options(toy, _card_of_another),
    faults.CARD_TOO_MANY: lambda: faults.changed_events(toy, _copied),
    faults.AUDIENCE: lambda: faults.changed_shows(toy, Drawn, _shown_to_all),
    faults.SEALED: lambda: faults.unsealed(toy),
    faults.DECK: lambda: faults.leaky_view(toy, _deck_value),
    faults.FORCED: lambda: faults.skips_forced(toy),
    faults.REFUSAL: lambda: faults.leaky_refusals(toy, _card_of_another),
    faults.FORGETS: lambda: faults.forgets(toy, Scored),
    faults.DRAWS_TWICE: lambda: faults.draws_twice(toy),
    faults.UNTOLD: lambda: faults.changed_shows(toy, Drawn, _shown_to_nobody),
    faults.LAZY: lambda: faults.resamples_nothing(toy),
}
