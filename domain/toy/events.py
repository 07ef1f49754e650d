"""What happens, what it does, and who sees what of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from domain.course import Public
from domain.options import Group
from domain.values import Seat, Value, replace, reveals

from .components import Card

if TYPE_CHECKING:
    from .state import State


class RoundBegan(Public):
    """A round begins."""

    rule: ClassVar[str] = "TOY-205"
    round: int
    first: Seat

    def apply(self, state: State) -> State:
        """Clear the stakes."""
        state = replace(state, round=self.round, first=self.first)
        for seat in state.seats:
            state = state.with_player(seat, stake=0)
        return state


class Staked(Public):
    """Coins go to the bank."""

    rule: ClassVar[str] = "TOY-201"
    seat: Seat
    coins: int

    def apply(self, state: State) -> State:
        """Pay."""
        coins = state.player(self.seat).coins - self.coins
        return state.with_player(self.seat, coins=coins, stake=self.coins)


class Offered(Public):
    """Cards are shown and leave the game."""

    rule: ClassVar[str] = "TOY-203"
    seat: Seat
    cards: Annotated[tuple[Card, ...], reveals("TOY-203")]

    def apply(self, state: State) -> State:
        """Take them from the hand."""
        return state.with_player(self.seat, hand=without(state.player(self.seat).hand, self.cards)).gone(self.cards)


class Scored(Public):
    """Points are earned."""

    rule: ClassVar[str] = "TOY-203"
    seat: Seat
    points: int

    def apply(self, state: State) -> State:
        """Add them up."""
        return state.with_player(self.seat, points=state.player(self.seat).points + self.points)


class Drawn(Value):
    """The top card of the deck goes to a hand."""

    rule: ClassVar[str] = "TOY-204"
    seat: Seat
    card: Card

    def apply(self, state: State) -> State:
        """Move it."""
        hand = by_key((*state.player(self.seat).hand, self.card))
        return replace(state, deck=state.deck[1:]).with_player(self.seat, hand=hand)

    def show(self, viewer: int) -> CardDrawn:
        """Only the owner sees which card."""
        return CardDrawn(self.seat, self.card if viewer == self.seat else None)


class CardDrawn(Value):
    """Somebody drew a card; to himself, which."""

    seat: Seat
    card: Annotated[Card | None, reveals("TOY-204", to="seat")]


class Handed(Value):
    """A card goes from hand to hand."""

    rule: ClassVar[str] = "TOY-204"
    seat: Seat
    to: Seat
    card: Card

    def apply(self, state: State) -> State:
        """Move it."""
        state = state.with_player(self.seat, hand=without(state.player(self.seat).hand, (self.card,)))
        return state.with_player(self.to, hand=by_key((*state.player(self.to).hand, self.card)))

    def show(self, viewer: int) -> CardHanded:
        """Only the two see which card."""
        return CardHanded(self.seat, self.to, self.card if viewer in (self.seat, self.to) else None)


class CardHanded(Value):
    """Somebody handed a card to another; to these two, which."""

    seat: Seat
    to: Seat
    card: Annotated[Card | None, reveals("TOY-204", to="to")]


class Packed(Public):
    """Baskets are shown and leave the game."""

    rule: ClassVar[str] = "TOY-301"
    seat: Seat
    baskets: Annotated[tuple[Group, ...], reveals("TOY-301")]

    def apply(self, state: State) -> State:
        """Empty the hand."""
        return state.gone(state.player(self.seat).hand).with_player(self.seat, hand=())


def by_key(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Cards in the fixed order of a hand."""
    return tuple(sorted(cards, key=lambda card: card.key))


def without(hand: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """A hand less these cards, each once."""
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return tuple(rest)
