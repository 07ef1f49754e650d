"""What happens at the table: what each event changes, and who sees what of it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, ClassVar

from domain.course import Public
from domain.values import Seat, Value, replace, reveals

from .commands import Use
from .components import Card, Category, Noble, Privilege, PrivilegeCard, Tile, in_order, without
from .shown import CardsDrawn, CardsUnbought, CertificateGiven, CertificatesBought, SupplyShuffled

if TYPE_CHECKING:
    from .state import State


class Gain(StrEnum):
    """Where prestige comes from."""

    PRIVILEGE = "privilege"
    FORGONE = "forgone"
    COMPENSATION = "compensation"
    ROUND = "round"


GAINS = tuple(Gain)
GAIN_RULES = {
    Gain.PRIVILEGE: "AUG-306",
    Gain.FORGONE: "AUG-303",
    Gain.COMPENSATION: "AUG-315",
    Gain.ROUND: "AUG-403",
}


class RoundBegan(Public):
    """The privilege cards of a round are laid out."""

    rule: ClassVar[str] = "AUG-413"
    round: int
    face_up: Annotated[tuple[PrivilegeCard, ...], reveals("AUG-607")]
    face_down: Annotated[tuple[PrivilegeCard, ...], reveals("AUG-607")]  # by elimination; their order is nobody's

    def apply(self, state: State) -> State:
        used = () if self.face_down else state.used
        return replace(state, round=self.round, face_up=self.face_up, face_down=self.face_down, used=used)


class RoundEnded(Public):
    """Privilege cards that nobody won are set aside."""

    rule: ClassVar[str] = "AUG-322"
    left_over: tuple[PrivilegeCard, ...]

    def apply(self, state: State) -> State:
        """No auction is left whose bids were to be seen (AUG-603)."""
        players = tuple(replace(player, bid=0, passed=False) for player in state.players)
        used = (*state.used, *self.left_over)
        return replace(state, face_up=(), used=used, noble=None, players=players, bid=0, leader=0)


class AuctionOpened(Public):
    """The auction of a noble begins."""

    rule: ClassVar[str] = "AUG-202"
    noble: Noble
    seat: Seat

    def apply(self, state: State) -> State:
        players = tuple(replace(player, bid=0, passed=False) for player in state.players)
        return replace(state, noble=self.noble, players=players, bid=0, leader=0)


class BidMade(Public):
    """Somebody bids a higher number of cards than anybody before."""

    rule: ClassVar[str] = "AUG-203"
    seat: Seat
    cards: int

    def apply(self, state: State) -> State:
        return replace(state.with_player(self.seat, bid=self.cards), bid=self.cards, leader=self.seat)


class Called(Public):
    """Somebody bids the same number of cards."""

    rule: ClassVar[str] = "AUG-203"
    seat: Seat
    cards: int

    def apply(self, state: State) -> State:
        return state.with_player(self.seat, bid=self.cards)


class Passed(Public):
    """Somebody leaves the auction."""

    rule: ClassVar[str] = "AUG-204"
    seat: Seat

    def apply(self, state: State) -> State:
        """His last bid stays to be seen (AUG-603)."""
        return state.with_player(self.seat, passed=True)


class AuctionFailed(Public):
    """Nobody wants anything of this noble."""

    rule: ClassVar[str] = "AUG-215"
    noble: Noble
    seat: Seat

    def apply(self, state: State) -> State:
        return state


class CardsShown(Public):
    """The cards of a bid are opened."""

    rule: ClassVar[str] = "AUG-210"
    seat: Seat
    cards: Annotated[tuple[Card, ...], reveals("AUG-603")]

    def apply(self, state: State) -> State:
        """They stay in the hand unless they win (AUG-211)."""
        return state


class AuctionWon(Public):
    """Somebody wins an auction and discards the cards of his bid, the best on top."""

    rule: ClassVar[str] = "AUG-211"
    seat: Seat
    noble: Noble
    cards: Annotated[tuple[Card, ...], reveals("AUG-604")]

    def apply(self, state: State) -> State:
        """He opens the next auction (AUG-202)."""
        hand = without(state.players[self.seat - 1].hand, self.cards)
        return replace(
            state.with_player(self.seat, hand=hand), discards=(*state.discards, *self.cards), opener=self.seat
        )


class GuildersPaid(Public):
    """The bank pays somebody."""

    seat: Seat
    guilders: int
    rule: str

    def apply(self, state: State) -> State:
        return state.with_player(self.seat, guilders=state.players[self.seat - 1].guilders + self.guilders)


class PrestigeGained(Public):
    """Somebody is awarded prestige, of which he keeps what his limit allows (AUG-404)."""

    seat: Seat
    gain: Gain
    points: int
    kept: int

    @property
    def rule(self) -> str:
        """The rule that awards it."""
        return GAIN_RULES[self.gain]

    def apply(self, state: State) -> State:
        player = state.players[self.seat - 1]
        place = GAINS.index(self.gain)
        earned = (*player.earned[:place], player.earned[place] + self.kept, *player.earned[place + 1 :])
        return state.with_player(self.seat, prestige=player.prestige + self.kept, earned=earned)


class PrivilegeCardTaken(Public):
    """The winner takes a privilege card."""

    rule: ClassVar[str] = "AUG-301"
    seat: Seat
    card: PrivilegeCard

    def apply(self, state: State) -> State:
        return replace(
            state,
            face_up=tuple(card for card in state.face_up if card.key != self.card.key),
            winner=self.seat,
            card=self.card,
            privileges=self.card.privileges,
            uses=2,
            built=False,
        )


class PrivilegeUsed(Public):
    """The winner uses one of his privileges."""

    rule: ClassVar[str] = "AUG-302"
    seat: Seat
    privilege: Privilege
    use: Use

    def apply(self, state: State) -> State:
        place = state.privileges.index(self.privilege)
        left = (*state.privileges[:place], *state.privileges[place + 1 :])
        return replace(state, privileges=left, uses=state.uses - 1)


class PrivilegeForgone(Public):
    """The winner forgoes one of his privileges."""

    rule: ClassVar[str] = "AUG-303"
    seat: Seat

    def apply(self, state: State) -> State:
        return replace(state, uses=state.uses - 1)


class PrivilegeCardSetAside(Public):
    """The winner is done with his card."""

    rule: ClassVar[str] = "AUG-322"
    seat: Seat
    card: PrivilegeCard

    def apply(self, state: State) -> State:
        return replace(state, used=(*state.used, self.card), winner=0, card=None, privileges=(), uses=0, built=False)


class StepTaken(Public):
    """Somebody takes the next step of a category, its tile from the supply or from another player."""

    seat: Seat
    category: Category
    step: int
    holder: Seat

    @property
    def rule(self) -> str:
        """From the supply, or from a holder."""
        return "AUG-313" if self.holder else "AUG-311"

    def apply(self, state: State) -> State:
        """Move the tile; a step-3 tile goes back, or to the loser (AUG-312, AUG-314)."""
        state = state.with_player(self.seat, **{self.category: self.step})
        if self.holder:
            return state.with_player(self.holder, **{self.category: self.step - 1})
        returned = (self.step - 1,) if self.step == 4 else ()
        return state.with_step_tiles(self.category, taken=self.step, returned=returned)


class TileTaken(Public):
    """Somebody takes the top tile of a stack; a church or cathedral costs its price."""

    seat: Seat
    tile: Tile
    number: int  # cost, or prestige a round; 0 for a minter or a master builder
    by_builder: bool = False

    @property
    def rule(self) -> str:
        """What it is taken by."""
        if self.by_builder:
            return "AUG-319"
        return "AUG-320" if self.tile in (Tile.CHURCH, Tile.CATHEDRAL) else "AUG-317"

    def apply(self, state: State) -> State:
        player = state.players[self.seat - 1]
        if self.tile == Tile.MINTER:
            return replace(state.with_player(self.seat, minter=True), minters=state.minters - 1)
        if self.tile == Tile.MASTER_BUILDER:
            return replace(state.with_player(self.seat, builder=True), builders=state.builders - 1)
        if self.tile == Tile.COAT_OF_ARMS:
            return replace(state.with_player(self.seat, coat=self.number), coats=state.coats[1:])
        if self.tile == Tile.LETTER_OF_NOBILITY:
            return replace(state.with_player(self.seat, letter=self.number), letters=state.letters[1:])
        guilders, built = player.guilders - self.number, state.built or self.by_builder
        if self.tile == Tile.CHURCH:
            state = state.with_player(self.seat, church=self.number, guilders=guilders)
            return replace(state, churches=state.churches[1:], built=built)
        state = state.with_player(self.seat, cathedral=self.number, guilders=guilders)
        return replace(state, cathedrals=state.cathedrals[1:], built=built)


class Drawn(Value):
    """Cards leave the supply for a hand, or to be bought; what they uncover shows its price (AUG-602)."""

    seat: Seat
    cards: tuple[Card, ...]
    to_hand: bool
    top: int  # the price of the new top card, 0 if there is none
    rule: str

    def apply(self, state: State) -> State:
        player = state.players[self.seat - 1]
        if self.to_hand:
            state = state.with_player(self.seat, hand=in_order((*player.hand, *self.cards)))
        else:
            state = state.with_player(self.seat, dealt=(*player.dealt, *self.cards))
        return replace(state, supply=state.supply[len(self.cards) :])

    def show(self, viewer: int) -> CardsDrawn:
        """Only the owner sees more than the backs (AUG-601, AUG-602)."""
        cards = self.cards if viewer == self.seat else ()
        return CardsDrawn(self.seat, cards, tuple(card.price for card in self.cards), self.to_hand, self.top)


class Shuffled(Value):
    """The discards become the supply, or join it (AUG-411, AUG-412)."""

    supply: tuple[Card, ...]
    rule: str

    def apply(self, state: State) -> State:
        return replace(state, supply=self.supply, discards=(), shuffles=state.shuffles + 1)

    def show(self, viewer: int) -> SupplyShuffled:
        return SupplyShuffled(len(self.supply), self.supply[0].price if self.supply else 0)


class Discarded(Public):
    """Somebody discards a card after a draw."""

    rule: ClassVar[str] = "AUG-307"
    seat: Seat
    card: Annotated[Card, reveals("AUG-604")]

    def apply(self, state: State) -> State:
        hand = without(state.players[self.seat - 1].hand, (self.card,))
        return replace(state.with_player(self.seat, hand=hand), discards=(*state.discards, self.card))


class Given(Value):
    """Somebody puts a card under the supply, or has none to put."""

    rule: ClassVar[str] = "AUG-412"
    seat: Seat
    card: Card | None

    def apply(self, state: State) -> State:
        if self.card is None:
            return state
        hand = without(state.players[self.seat - 1].hand, (self.card,))
        return replace(state.with_player(self.seat, hand=hand), supply=(*state.supply, self.card))

    def show(self, viewer: int) -> CertificateGiven:
        """All see its price, or that there was none (AUG-603)."""
        return CertificateGiven(
            self.seat, self.card if viewer == self.seat else None, self.card.price if self.card else 0
        )


class Bought(Value):
    """Somebody pays for cards dealt to him; they join his hand."""

    rule: ClassVar[str] = "AUG-409"
    seat: Seat
    cards: tuple[Card, ...]

    def apply(self, state: State) -> State:
        player = state.players[self.seat - 1]
        return state.with_player(
            self.seat,
            hand=in_order((*player.hand, *self.cards)),
            dealt=without(player.dealt, self.cards),
            guilders=player.guilders - sum(card.price for card in self.cards),
        )

    def show(self, viewer: int) -> CertificatesBought:
        """All see the number and the prices (AUG-603)."""
        cards = self.cards if viewer == self.seat else ()
        return CertificatesBought(self.seat, cards, tuple(sorted(card.price for card in self.cards)))


class Unbought(Value):
    """What nobody bought is discarded, all of it at once; the last one lies on top."""

    rule: ClassVar[str] = "AUG-409"
    cards: tuple[Card, ...]

    def apply(self, state: State) -> State:
        players = tuple(replace(player, dealt=()) if player.dealt else player for player in state.players)
        return replace(state, players=players, discards=(*state.discards, *self.cards))

    def show(self, viewer: int) -> CardsUnbought:
        """Only the one that ends on top is ever shown (AUG-605)."""
        return CardsUnbought(len(self.cards), self.cards[-1] if self.cards else None)


class GameEnded(Public):
    """The last prestige is counted."""

    seats: tuple[Seat, ...]  # who won
    rule: str  # what decided it

    def apply(self, state: State) -> State:
        return state
