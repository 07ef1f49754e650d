"""Everything on the table and in the hands, and the event that sets it up."""

from __future__ import annotations

from typing import Any, ClassVar

from domain.course import Asked, Playing
from domain.values import Seat, Value, replace

from .commands import Command
from .components import Card, Edition
from .events import FaceDown, Movement
from .play import AgendaItem
from .shown import GameBegan

FIRST_PRICE = 5  # FUG-102


class Price(Value):
    """What a card of a good is worth now."""

    good: str
    price: int


class Player(Value):
    """What a player holds, what lies before him, and the florins he was paid, by their source."""

    hand: tuple[Card, ...] = ()
    open: tuple[Card, ...] = ()
    face_down: tuple[FaceDown, ...] = ()
    from_goods: int = 0
    from_seals: int = 0
    from_face_down: int = 0

    @property
    def florins(self) -> int:
        """All he has."""
        return self.from_goods + self.from_seals + self.from_face_down

    @property
    def merchants(self) -> int:
        """How many merchants lie open before him."""
        return sum(1 for card in self.open if not card.good)


class State(Playing[AgendaItem, Command]):
    """Everything there is, hidden or not."""

    edition: Edition
    players: tuple[Player, ...]
    jakob: tuple[Card, ...]
    deck: tuple[Card, ...]  # the top card first
    discard: tuple[Card, ...]
    prices: tuple[Price, ...]
    round: int
    shuffles: int

    def player(self, seat: int) -> Player:
        """The player on a seat."""
        return self.players[seat - 1]

    def next_seat(self, seat: int) -> int:
        """The left neighbour: play goes clockwise (FUG-104)."""
        return seat % len(self.players) + 1

    def changed(self, seat: int, deck: tuple[Card, ...] | None = None, **changes: Any) -> State:
        """The state with a player changed, and with another deck if one is given."""
        players = (*self.players[: seat - 1], replace(self.players[seat - 1], **changes), *self.players[seat:])
        return replace(self, players=players, deck=self.deck if deck is None else deck)


class Begun(Value):
    """The cards are shuffled, all prices stand at 5, nobody has a florin."""

    rule: ClassVar[str] = "FUG-102"
    edition: Edition
    seats: int
    first: Seat
    deck: tuple[Card, ...]

    def apply(self, state: State | None) -> State:
        """The first state: nothing is dealt yet."""
        return State(
            agenda=(), waiting=(), answers=(), numbers=(0,) * self.seats,
            edition=self.edition, players=(Player(),) * self.seats, jakob=(), deck=self.deck, discard=(),
            prices=tuple(Price(good.key, FIRST_PRICE) for good in self.edition.goods), round=1, shuffles=1,
        )  # fmt: skip

    def show(self, viewer: int) -> GameBegan:
        """Nobody sees the order of the deck (FUG-601)."""
        return GameBegan(self.first, self.seats, len(self.deck))


Event = Begun | Movement | Asked[AgendaItem]
