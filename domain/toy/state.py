"""The state of a fair, and the event that begins it."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from domain.course import Answered, Asked, Playing
from domain.values import Seat, Value, replace, reveals

from .commands import Command
from .components import Card, Edition
from .events import Drawn, Handed, Offered, Packed, RoundBegan, Scored, Staked, by_key
from .play import AgendaItem


class Player(Value):
    """What lies before a player."""

    hand: tuple[Card, ...]
    coins: int
    stake: int = 0
    points: int = 0


class State(Playing[AgendaItem, Command]):
    """Everything there is, hidden or not."""

    edition: Edition
    open_coins: bool
    players: tuple[Player, ...]
    deck: tuple[Card, ...]
    out: tuple[Card, ...]
    round: int
    first: Seat

    def player(self, seat: int) -> Player:
        """The player on a seat."""
        return self.players[seat - 1]

    def with_player(self, seat: int, **changes: Any) -> State:
        """The state with a player changed."""
        changed = replace(self.players[seat - 1], **changes)
        return replace(self, players=(*self.players[: seat - 1], changed, *self.players[seat:]))

    def gone(self, cards: tuple[Card, ...]) -> State:
        """The state with these cards out of the game."""
        return replace(self, out=by_key((*self.out, *cards)))

    def cards(self, seat: int, keys: tuple[str, ...]) -> tuple[Card, ...]:
        """The cards of a hand that these keys name."""
        named = {card.key: card for card in self.player(seat).hand}
        return tuple(named[key] for key in keys)


class Begun(Value):
    """The cards are shuffled and dealt."""

    rule: ClassVar[str] = "TOY-102"
    edition: Edition
    open_coins: bool
    first: Seat
    hands: tuple[Hands, ...]
    deck: tuple[Card, ...]

    def apply(self, state: State | None) -> State:
        """The first state."""
        players = tuple(Player(by_key(hand.cards), self.edition.coins.number) for hand in self.hands)
        return State(
            (), (), (), (0,) * len(players), self.edition, self.open_coins, players, self.deck, (), 0, self.first
        )

    def show(self, viewer: int) -> FairBegan:
        """Each sees his own hand."""
        hand = self.hands[viewer - 1].cards if viewer else ()
        return FairBegan(self.first, viewer, by_key(hand), len(self.deck))


class Hands(Value):
    """The cards dealt to one player."""

    cards: tuple[Card, ...]


class FairBegan(Value):
    """The fair begins; the viewer sees his hand."""

    first: Annotated[Seat, reveals("TOY-102")]
    viewer: Seat
    hand: Annotated[tuple[Card, ...], reveals("TOY-102", to="viewer")]
    deck: int


Event = Begun | RoundBegan | Staked | Offered | Scored | Drawn | Handed | Packed | Answered[Command] | Asked[AgendaItem]
