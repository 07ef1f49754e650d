"""Events as somebody sees them who may not see all of them."""

from __future__ import annotations

from typing import Annotated

from domain.values import Seat, Value, reveals

from .components import Card, PrivilegeCard


class GameBegan(Value):
    """The table is set up."""

    seat: Annotated[Seat, reveals("AUG-108")]  # who begins
    round: int
    face_up: Annotated[tuple[PrivilegeCard, ...], reveals("AUG-106")]
    face_down: Annotated[tuple[PrivilegeCard, ...], reveals("AUG-607")]
    supply: int
    top: Annotated[int, reveals("AUG-602")]


class CardsDrawn(Value):
    """Somebody draws, or is dealt, cards; to others only their backs."""

    seat: Seat
    cards: Annotated[tuple[Card, ...], reveals("AUG-601", to="seat")]
    prices: Annotated[tuple[int, ...], reveals("AUG-602")]
    to_hand: bool
    top: Annotated[int, reveals("AUG-602")]


class SupplyShuffled(Value):
    """The discards are shuffled into the supply."""

    supply: int
    top: Annotated[int, reveals("AUG-602")]


class CertificateGiven(Value):
    """Somebody puts a card under the supply; to others only its back. A price of 0: he had none."""

    seat: Seat
    card: Card | None
    price: Annotated[int, reveals("AUG-603")]


class CertificatesBought(Value):
    """Somebody buys cards; to others only their backs, in no order."""

    seat: Seat
    cards: tuple[Card, ...]
    prices: Annotated[tuple[int, ...], reveals("AUG-603")]


class CardsUnbought(Value):
    """What nobody bought is discarded; the last card lies on top."""

    cards: Annotated[int, reveals("AUG-603")]
    top: Annotated[Card | None, reveals("AUG-605")]
