"""Die Fugger, as the suite needs to know it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain import diefugger
from domain.diefugger.components import Card, by_key, whole_deck
from domain.diefugger.evaluation import COMPLETE, open_goods
from domain.diefugger.events import Drawn, GoodsPaid
from domain.diefugger.play import FACE_DOWN_ROUNDS, MOST_MERCHANTS, OnTurn
from domain.diefugger.state import State
from domain.engine import Game
from domain.values import replace
from tests.conformance import faults
from tests.domain.diefugger.table import EDITION, card, on, rest, table

# The 21st open goods card ends a round at the latest, and 100 florins take a handful of rounds. The longest of 4,500
# random games took 180 commands.
BOUND = 1000


def invariants(state: State) -> None:
    """Prices and florins are in range, hands in order, and cards lie only where they may."""
    assert all(price.price in EDITION.board for price in state.prices)
    assert by_key(tuple(_all_cards(state))) == by_key(whole_deck(EDITION))
    assert all(lying.good for lying in state.jakob)
    assert not state.agenda or max(open_goods(state).values()) < COMPLETE
    for player in state.players:
        assert player.florins >= 0
        assert player.hand == by_key(player.hand)
        assert player.merchants <= MOST_MERCHANTS
        rounds = [laid.round for laid in player.face_down]
        assert len(set(rounds)) == len(rounds)
        assert set(rounds) <= set(FACE_DOWN_ROUNDS)
        assert all(laid.card.good for laid in player.face_down)


def _all_cards(state: State) -> list[Card]:
    lying = [*state.deck, *state.discard, *state.jakob]
    for player in state.players:
        lying += [*player.hand, *player.open, *(laid.card for laid in player.face_down)]
    return lying


# --- positions ----------------------------------------------------------------------------------------------------


def _asked(state: State, seat: int = 1, *, second: bool = False) -> State:
    """The state with this seat asked."""
    asked: State = on(state, OnTurn(seat, second)).state
    return asked


def _in_deck(state: State) -> State:
    """All cards that lie nowhere come under the deck, mixed a little."""
    left = rest(state)
    return replace(state, deck=(*state.deck, *left[::3], *left[1::3], *left[2::3]))


def _in_hand(seat: int, state: State) -> State:
    """All cards that lie nowhere are in this hand, so that the deck can run out."""
    return state.changed(seat, hand=by_key((*state.player(seat).hand, *rest(state))))


def _stuck() -> State:
    """Seat 1 holds two merchants that it can't play, and there is nothing to draw."""
    return _in_hand(
        3, table("2*merchant", "copper wine", "", open=["2*merchant wine", "cloth"], jakob="2*spices", round=3)
    )


def _before_the_end() -> State:
    """Everybody has something face down and nearly 100 florins, and seat 1 can play a fifth wine."""
    return table(
        "wine", "copper 2*cloth", "merchant spices",
        open=["2*spices-sealed", "jewels", "merchant"], face_down=["jewels@1 wine@2", "copper-sealed@1", "cloth@2"],
        jakob="4*wine", florins=[90, 99, 70], round=4,
    )  # fmt: skip


def _draws_lapse() -> State:
    """Seat 1 can only play a fifth wine; there are five cards for ten draws, and then two merchants for Jakob."""
    return _in_hand(3, table("wine", "copper", "", open=["", "merchant", "merchant"], jakob="4*wine", round=3))


def _short_deck() -> State:
    """Seat 1 can play a fifth wine; the deck has three cards for eight draws."""
    hands = ("wine jewels", "copper", "", "")
    return _in_hand(4, table(*hands, jakob="4*wine", deck="cloth 2*jewels", discard="6*spices", round=2))


HANDS = ("wine copper", "jewels 2*cloth")

POSITIONS: dict[str, Callable[[], State]] = {
    "a skip is all that can be done": lambda: _asked(_stuck()),
    "who comes next can only skip": lambda: _asked(_stuck(), 3),
    "draws lapse, and Jakob finds only merchants": lambda: _asked(_draws_lapse()),
    "the deck runs out in the deal": lambda: _asked(_short_deck()),
    "a deck without goods": lambda: _asked(_in_hand(3, table(*HANDS, "", deck="2*merchant", discard="merchant"))),
    "the last card of the deck": lambda: _asked(
        _in_hand(3, table(*HANDS, "", deck="wine", discard="4*spices merchant"))
    ),
    "a face-down play ends a pair": lambda: _asked(_in_deck(table(*HANDS, deck="cloth jewels")), second=True),
    "Jakob's card for a face-down play ends the round": lambda: _asked(
        _in_deck(table(*HANDS, jakob="4*jewels", deck="jewels spices")), second=True
    ),
    "the last evaluation": lambda: _asked(_in_deck(_before_the_end())),
}


# --- what is hidden -----------------------------------------------------------------------------------------------


def _unseen(state: State, viewer: int) -> list[Card]:
    """All cards that the viewer does not see."""
    others = [player for seat, player in enumerate(state.players, 1) if seat != viewer]
    hands = [lying for player in others for lying in player.hand]
    laid = [laid.card for player in others for laid in player.face_down if not laid.shown]
    return [*hands, *laid, *state.deck]


def _hands(state: State, viewer: int) -> object:
    """The hands of the others, where they could be other hands."""
    hands = tuple(player.hand for seat, player in enumerate(state.players, 1) if seat != viewer)
    return hands if any(hands) and len(set(_unseen(state, viewer))) > 1 else None


def _deck(state: State, viewer: int) -> object:
    """The deck, where it could be another."""
    return state.deck if state.deck and len(set(_unseen(state, viewer))) > 1 else None


def _face_down(state: State, viewer: int) -> object:
    """The face-down cards of the others until they are shown, where they could be other goods."""
    others = [player for seat, player in enumerate(state.players, 1) if seat != viewer]
    laid = tuple(laid.card for player in others for laid in player.face_down if not laid.shown)
    return laid if laid and len({lying for lying in _unseen(state, viewer) if lying.good}) > 1 else None


HIDDEN: dict[str, Callable[[State, int], object]] = {"hand": _hands, "deck order": _deck, "face-down cards": _face_down}


# --- planted faults -----------------------------------------------------------------------------------------------


def _merchants_of_others(state: State, viewer: int) -> int:
    hands = [player.hand for seat, player in enumerate(state.players, 1) if seat != viewer]
    return sum(not lying.good for hand in hands for lying in hand)


def _card_of_another(state: State, viewer: int) -> str:
    held = (p.hand[0].key for seat, p in enumerate(state.players, 1) if seat != viewer and p.hand)
    return next(held, "")


def _goods_on_top(state: State, viewer: int) -> int:
    return sum(bool(lying.good) for lying in state.deck[:3])


def _always_wine(event: Any) -> Any:
    """Whoever draws finds wine, whatever was on top of the deck."""
    return replace(event, card=card("wine")) if isinstance(event, Drawn) else event


def _shown_to_all(event: Drawn, shown: Any, viewer: int) -> Any:
    return replace(shown, card=event.card)


def _shown_to_nobody(event: Drawn, shown: Any, viewer: int) -> Any:
    return replace(shown, card=None)


FAULTS: dict[str, Callable[[], Game]] = {
    faults.HIDDEN_COUNT: lambda: faults.leaky_view(diefugger, _merchants_of_others),
    faults.OPTION: lambda: faults.leaky_options(diefugger, _card_of_another),
    faults.CARD_TOO_MANY: lambda: faults.changed_events(diefugger, _always_wine),
    faults.AUDIENCE: lambda: faults.changed_shows(diefugger, Drawn, _shown_to_all),
    faults.SEALED: faults.ABSENT,
    faults.DECK: lambda: faults.leaky_view(diefugger, _goods_on_top),
    faults.FORCED: lambda: faults.skips_forced(diefugger),
    faults.REFUSAL: lambda: faults.leaky_refusals(diefugger, _card_of_another),
    faults.FORGETS: lambda: faults.forgets(diefugger, GoodsPaid),
    faults.DRAWS_TWICE: lambda: faults.draws_twice(diefugger),
    faults.UNTOLD: lambda: faults.changed_shows(diefugger, Drawn, _shown_to_nobody),
    faults.LAZY: lambda: faults.resamples_nothing(diefugger),
}
