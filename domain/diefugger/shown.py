"""What others see of an event whose cards are not for all eyes."""

from __future__ import annotations

from typing import Annotated

from domain.values import Seat, Value, reveals

from .components import Card


class GameBegan(Value):
    """The cards are shuffled and it is drawn who starts."""

    first: Annotated[Seat, reveals("FUG-104")]
    seats: int
    deck: int


class CardDrawn(Value):
    """Somebody drew a card; to himself, which (FUG-601)."""

    rule: str
    seat: Seat
    card: Annotated[Card | None, reveals("FUG-601", to="seat")]


class CardLaidFaceDown(Value):
    """Somebody laid a card face down; to himself, which (FUG-601, FUG-602)."""

    seat: Seat
    round: int
    card: Card | None


class DeckRenewed(Value):
    """The discard became the new deck, in an order that nobody sees (FUG-601)."""

    cards: int
