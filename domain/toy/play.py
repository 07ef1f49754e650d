"""The sequence of play, and its questions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from domain.course import Course, Question, Step, Turn
from domain.options import (
    Given,
    Item,
    Need,
    Option,
    PickNumber,
    PickOne,
    PickSome,
    Split,
    Why,
    items,
    seat_key,
    seat_number,
)

from .commands import Command, Hand, Name, Offer, Pack, Stake
from .components import APPLE, Card
from .events import Drawn, Handed, Offered, Packed, RoundBegan, Scored, Staked

if TYPE_CHECKING:
    from .state import State

ROUNDS = 2
MOST_OFFERED, HEAVIEST = 2, 6
BASKET = 5

TOO_FEW = Why("TOY-201", "STAKE_BELOW_ZERO")
TOO_MANY = Why("TOY-201", "STAKE_EXCEEDS_COINS")
NOT_HELD = Why("TOY-202", "CARD_NOT_HELD")
NOT_ONE_OR_TWO = Why("TOY-202", "OFFER_ONE_OR_TWO")
APPLE_FIRST = Why("TOY-202", "APPLE_MISSING")
TOO_HEAVY = Why("TOY-202", "OFFER_TOO_HEAVY")
NOT_TO_BE_NAMED = Why("TOY-204", "PLAYER_HAS_NO_CARD")
NOT_IN_HAND = Why("TOY-204", "CARD_NOT_HELD")
NOT_ALL_PACKED = Why("TOY-301", "CARDS_NOT_ALL_PACKED")
EMPTY_BASKET = Why("TOY-301", "EMPTY_BASKET")


class Fair(Step):
    """The whole game: two rounds, then the packing (TOY-205)."""

    first: int

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Lay it all out."""
        order = course.state.clockwise(self.first)
        return (*(Round(n + 1, order[n % len(order)]) for n in range(ROUNDS)), Packing())


class Round(Step):
    """Stakes in turn, offers at once (TOY-201..203)."""

    round: int
    first: int

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Ask everybody in turn."""
        course.emit(RoundBegan(self.round, self.first))
        return (*(Staking(seat) for seat in course.state.clockwise(self.first)), Offering(self.first))


class Staking(Turn):
    """How many coins (TOY-201)?"""

    rule: ClassVar[str] = "TOY-201"

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """From none to all."""
        return (
            Option("Stake", self.rule, slots=(PickNumber("coins", 0, state.player(seat).coins, TOO_MANY, TOO_FEW),)),
        )

    def answered(self, course: Course[State], command: Stake) -> tuple[AgendaItem, ...]:
        """Pay."""
        course.emit(Staked(self.seat, command.coins))
        return ()


class Offering(Question):
    """Which cards (TOY-202)?"""

    rule: ClassVar[str] = "TOY-202"
    first: int

    def seats(self, state: State) -> tuple[int, ...]:
        """Everybody; nobody's hand can be empty yet."""
        return tuple(state.seats)

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """One or two cards, an apple if there is one, not too heavy."""
        hand = state.player(seat).hand
        needs = (Need(APPLE, 1, APPLE_FIRST),) if any(card.good == APPLE for card in hand) else ()
        most = min(MOST_OFFERED, len(hand))
        slot = PickSome("cards", in_hand(hand), 1, most, NOT_HELD, NOT_ONE_OR_TWO, needs, HEAVIEST, TOO_HEAVY)
        return (Option("Offer", self.rule, slots=(slot,)),)

    def close(self, course: Course[State], answers: dict[int, Offer]) -> tuple[AgendaItem, ...]:
        """Show the offers; the best one wins (TOY-203)."""
        strength = {}
        for seat in course.state.clockwise(self.first):
            cards = course.state.cards(seat, answers[seat].cards)
            course.emit(Offered(seat, cards))
            strength[seat] = sum(card.value for card in cards) + course.state.player(seat).stake
        winner = max(strength, key=strength.__getitem__)
        course.emit(Scored(winner, 2))
        course.emit(Drawn(winner, course.state.deck[0]))
        return (Naming(winner),)


class Naming(Turn):
    """Who hands over a card (TOY-204)?"""

    rule: ClassVar[str] = "TOY-204"

    def seats(self, state: State) -> tuple[int, ...]:
        """The winner, if anybody else holds a card (all see who does)."""
        return (self.seat,) if self._holders(state) else ()

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Those who hold cards."""
        return (Option("Name", self.rule, slots=(PickOne("player", self._holders(state), NOT_TO_BE_NAMED),)),)

    def close(self, course: Course[State], answers: dict[int, Name]) -> tuple[AgendaItem, ...]:
        """The named one is asked at once: an interrupt."""
        return tuple(Handing(seat_number(name.player), self.seat) for name in answers.values())

    def _holders(self, state: State) -> tuple[str, ...]:
        return tuple(seat_key(s) for s in state.clockwise(self.seat)[1:] if state.player(s).hand)


class Handing(Turn):
    """Which card (TOY-204)?"""

    rule: ClassVar[str] = "TOY-204"
    to: int

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """One option a card, to show a field that is already given."""
        keys = dict.fromkeys(card.key for card in state.player(seat).hand)
        return tuple(Option("Hand", self.rule, given=(Given("card", key),)) for key in keys)

    def answered(self, course: Course[State], command: Hand) -> tuple[AgendaItem, ...]:
        """Hand it over."""
        (card,) = course.state.cards(self.seat, (command.card,))
        course.emit(Handed(self.seat, self.to, card))
        return ()


class Packing(Question):
    """Which baskets (TOY-301)?"""

    rule: ClassVar[str] = "TOY-301"

    def seats(self, state: State) -> tuple[int, ...]:
        """Everybody who has a card left (all see who does)."""
        return tuple(seat for seat in state.seats if state.player(seat).hand)

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Any way to part the cards."""
        cards = items(card.key for card in state.player(seat).hand)
        return (Option("Pack", self.rule, slots=(Split("baskets", cards, NOT_ALL_PACKED, EMPTY_BASKET),)),)

    def close(self, course: Course[State], answers: dict[int, Pack]) -> tuple[AgendaItem, ...]:
        """Show the baskets and count them."""
        for seat, pack in sorted(answers.items()):
            sums = [sum(c.value for c in course.state.cards(seat, basket.items)) for basket in pack.baskets]
            course.emit(Packed(seat, pack.baskets))
            points = sum(2 if total == BASKET else int(total > BASKET) for total in sums)
            if points:
                course.emit(Scored(seat, points))
        return ()


def in_hand(hand: Iterable[Card]) -> tuple[Item, ...]:
    """Cards to pick from, weighed by their value."""
    cards = tuple(hand)
    printed = {card.key: card for card in cards}
    return tuple(
        Item(item.key, item.count, printed[item.key].value, printed[item.key].good)
        for item in items(card.key for card in cards)
    )


AgendaItem = Fair | Round | Staking | Offering | Naming | Handing | Packing
__all__ = ["AgendaItem", "Command", "Fair"]
