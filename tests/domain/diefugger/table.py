"""Tables in the middle of play, written down by the keys of their cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from domain import diefugger
from domain.chance import SeededChance
from domain.diefugger.components import Card, by_key, whole_deck
from domain.diefugger.events import FaceDown, Shuffled, TurnedForJakob
from domain.diefugger.state import Player, Price, State
from domain.editions import builtin
from domain.values import replace
from tests.scenario import SEED, Scenario, given

T = TypeVar("T")

EDITION = builtin(diefugger, "original")
KINDS = {card.key: card for card in diefugger.components(EDITION)}
GOODS = tuple(good.key for good in EDITION.goods)


def card(key: str) -> Card:
    """A card by its key."""
    return KINDS[key]


def cards(keys: str) -> tuple[Card, ...]:
    """Cards by their keys; `3*wine` is wine three times."""
    found: list[Card] = []
    for word in keys.split():
        number, _, key = word.rpartition("*")
        found += [KINDS[key]] * int(number or 1)
    return tuple(found)


def table(
    *hands: str,
    open: Iterable[str] = (),  # noqa: A002 - the word of the rules
    face_down: Iterable[str] = (),
    florins: Iterable[int] = (),
    jakob: str = "",
    deck: str = "",
    discard: str = "",
    prices: str = "5 5 5 5 5",
    round: int = 1,  # noqa: A002 - the same
) -> State:
    """A table with these hands; the rest is given seat by seat, a face-down card as `wine@1` with its round."""
    players = [Player(by_key(cards(hand))) for hand in hands]
    _each(players, "open", (cards(row) for row in open))
    _each(players, "face_down", (tuple(_laid(word) for word in row.split()) for row in face_down))
    _each(players, "from_goods", florins)
    return State(
        agenda=(), waiting=(), answers=(), numbers=(0,) * len(hands), edition=EDITION, players=tuple(players),
        jakob=cards(jakob), deck=cards(deck), discard=cards(discard),
        prices=tuple(Price(good, int(price)) for good, price in zip(GOODS, prices.split(), strict=True)),
        round=round, shuffles=1,
    )  # fmt: skip


def _each(players: list[Player], field: str, values: Iterable[Any]) -> None:
    for seat, value in enumerate(values):
        players[seat] = replace(players[seat], **{field: value})


def _laid(word: str) -> FaceDown:
    key, _, number = word.partition("@")
    return FaceDown(KINDS[key], int(number))


def rest(state: State) -> tuple[Card, ...]:
    """The cards of the box that lie nowhere on this table."""
    left = list(whole_deck(EDITION))
    rows = [state.deck, state.discard, state.jakob]
    for player in state.players:
        rows += [player.hand, player.open, tuple(laid.card for laid in player.face_down)]
    for row in rows:
        for lying in row:
            left.remove(lying)
    return tuple(left)


def on(state: State, *agenda: Any) -> Scenario:
    """A scenario at this table, from this item of the agenda on."""
    return given(diefugger, state, *agenda)


def renewed(discard: str, number: int = 1) -> Shuffled:
    """The event by which these cards become the new deck, in the order that the scenario's chance gives."""
    return Shuffled(SeededChance(SEED).shuffle(f"deck:{number}", cards(discard)))


def turned(key: str, rule: str) -> TurnedForJakob:
    """The event by which a card is turned over for Jakob."""
    return TurnedForJakob(rule, card(key))


def keys(row: Iterable[Card]) -> str:
    """Cards as their keys, in their order."""
    return " ".join(lying.key for lying in row)


def prices(state: State) -> str:
    """The five prices, in the order of the edition's goods."""
    return " ".join(str(price.price) for price in state.prices)


class Stacked:
    """A chance that puts these cards on top of the deck and lets this seat start; the rest stays in its order."""

    def __init__(self, top: str, first: int = 1) -> None:
        self.top = cards(top)
        self.first = first

    def shuffle(self, label: str, things: Iterable[T], /) -> tuple[T, ...]:
        """Give the things in the wanted order."""
        top: tuple[Any, ...] = (self.first,) if label == "first" else self.top
        order: list[Any] = list(things)
        for thing in top:
            order.remove(thing)
        return (*top, *order)
