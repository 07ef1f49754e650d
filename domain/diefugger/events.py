"""What happens at the table: what each event changes, and who sees what of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from domain.course import Public
from domain.values import Seat, Value, replace, reveals

from .components import Card, by_key
from .shown import CardDrawn, CardLaidFaceDown, DeckRenewed

if TYPE_CHECKING:
    from .state import State


class Told(Public):
    """Something that all are told, and that moves nothing."""

    def apply(self, state: State) -> State:
        return state


class Drawn(Value):
    """The top card of the deck goes to a hand: in the deal, by choice, or for a new round."""

    rule: str
    seat: Seat
    card: Card

    def apply(self, state: State) -> State:
        hand = by_key((*state.player(self.seat).hand, self.card))
        return state.changed(self.seat, hand=hand, deck=state.deck[1:])

    def show(self, viewer: int) -> CardDrawn:
        """Only the owner sees which card (FUG-601)."""
        return CardDrawn(self.rule, self.seat, self.card if viewer == self.seat else None)


class DrawLapsed(Told):
    """There is no card left for a draw."""

    rule: ClassVar[str] = "FUG-207"
    seat: Seat


class Shuffled(Value):
    """The discard is shuffled into a new deck."""

    rule: ClassVar[str] = "FUG-207"
    deck: tuple[Card, ...]

    def apply(self, state: State) -> State:
        return replace(state, deck=self.deck, discard=(), shuffles=state.shuffles + 1)

    def show(self, viewer: int) -> DeckRenewed:
        """Nobody sees the order (FUG-601)."""
        return DeckRenewed(len(self.deck))


class TurnedForJakob(Public):
    """The top card of the deck is turned over: a good stays with Jakob, a merchant goes to the discard."""

    rule: str
    card: Annotated[Card, reveals("FUG-602")]

    def apply(self, state: State) -> State:
        if self.card.good:
            return replace(state, deck=state.deck[1:], jakob=(*state.jakob, self.card))
        return replace(state, deck=state.deck[1:], discard=(*state.discard, self.card))


class JakobWentWithout(Told):
    """No goods were left for Jakob."""

    rule: ClassVar[str] = "FUG-207"
    cards: int  # so many he did not get


class PlayedOpen(Public):
    """A hand card is laid open."""

    rule: ClassVar[str] = "FUG-202"
    seat: Seat
    card: Annotated[Card, reveals("FUG-602")]

    def apply(self, state: State) -> State:
        player = state.player(self.seat)
        return state.changed(self.seat, hand=without(player.hand, self.card), open=(*player.open, self.card))


class PlayedFaceDown(Value):
    """A hand card is laid face down; how it lies tells the round."""

    rule: ClassVar[str] = "FUG-203"
    seat: Seat
    round: int
    card: Card

    def apply(self, state: State) -> State:
        player = state.player(self.seat)
        face_down = (*player.face_down, FaceDown(self.card, self.round))
        return state.changed(self.seat, hand=without(player.hand, self.card), face_down=face_down)

    def show(self, viewer: int) -> CardLaidFaceDown:
        """Only the owner sees which card (FUG-601)."""
        return CardLaidFaceDown(self.seat, self.round, self.card if viewer == self.seat else None)


class FaceDown(Value):
    """A card that lies face down until it is shown at the end."""

    card: Card
    round: int
    shown: bool = False


class Skipped(Told):
    """A player could do nothing."""

    rule: ClassVar[str] = "FUG-206"
    seat: Seat


class RoundEnded(Told):
    """Five open cards of a good lie on the table, on this player's turn."""

    rule: ClassVar[str] = "FUG-301"
    seat: Seat
    good: str


class PriceMoved(Public):
    """The price of a good rises (FUG-302), falls from beyond 9 to 1 (FUG-303), or falls by 1 (FUG-304)."""

    rule: str
    good: str
    price: int

    def apply(self, state: State) -> State:
        prices = (replace(p, price=self.price) if p.good == self.good else p for p in state.prices)
        return replace(state, prices=tuple(prices))


class GoodsPaid(Public):
    """A player is paid for his open goods."""

    rule: ClassVar[str] = "FUG-305"
    seat: Seat
    florins: int

    def apply(self, state: State) -> State:
        return state.changed(self.seat, from_goods=state.player(self.seat).from_goods + self.florins)


class SealsPaid(Public):
    """A player is paid once more for sealed cards of rare goods."""

    rule: ClassVar[str] = "FUG-306"
    seat: Seat
    florins: int

    def apply(self, state: State) -> State:
        return state.changed(self.seat, from_seals=state.player(self.seat).from_seals + self.florins)


class GoodsDiscarded(Public):
    """All open goods, Jakob's too, go to the discard."""

    rule: ClassVar[str] = "FUG-401"

    def apply(self, state: State) -> State:
        goods = (card for player in state.players for card in player.open if card.good)
        players = tuple(replace(p, open=tuple(card for card in p.open if not card.good)) for p in state.players)
        return replace(state, players=players, discard=(*state.discard, *goods, *state.jakob), jakob=())


class MerchantsDiscarded(Public):
    """The merchants that lay open, alone since the goods went, go to the discard."""

    rule: ClassVar[str] = "FUG-403"

    def apply(self, state: State) -> State:
        merchants = (card for player in state.players for card in player.open)
        players = tuple(replace(player, open=()) for player in state.players)
        return replace(state, players=players, discard=(*state.discard, *merchants))


class RoundBegan(Public):
    """A new round begins with this player."""

    rule: ClassVar[str] = "FUG-404"
    round: int
    seat: Seat

    def apply(self, state: State) -> State:
        return replace(state, round=self.round)


class FaceDownShown(Public):
    """A player's face-down cards are shown to all."""

    rule: ClassVar[str] = "FUG-603"
    seat: Seat
    cards: Annotated[tuple[Card, ...], reveals("FUG-603")]

    def apply(self, state: State) -> State:
        face_down = state.player(self.seat).face_down
        return state.changed(self.seat, face_down=tuple(replace(laid, shown=True) for laid in face_down))


class FaceDownPaid(Public):
    """A player is paid for his face-down cards."""

    rule: ClassVar[str] = "FUG-502"
    seat: Seat
    florins: int

    def apply(self, state: State) -> State:
        return state.changed(self.seat, from_face_down=self.florins)


def without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """A hand less this card, once."""
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


Seen = (
    DrawLapsed | TurnedForJakob | JakobWentWithout | PlayedOpen | Skipped | RoundEnded | PriceMoved | GoodsPaid
    | SealsPaid | GoodsDiscarded | MerchantsDiscarded | RoundBegan | FaceDownShown | FaceDownPaid
)  # fmt: skip
Movement = Drawn | Shuffled | PlayedFaceDown | Seen
