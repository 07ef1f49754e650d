"""The supply: drawing, dealing, buying, and what happens when it runs short (chapter 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from domain.course import Course, Question, Step, Turn
from domain.options import Given as Filled
from domain.options import Item, Option, PickOne, PickSome, Why
from domain.values import Fact, facts

from .commands import NOTHING, BuyCertificates, Discard, GiveCertificate
from .components import Card, without
from .events import Bought, Discarded, Drawn, Given, Shuffled, Unbought

if TYPE_CHECKING:
    from .play import AgendaItem
    from .state import Player, State

FIRST_DEAL = 7
DEAL = (4, 5, 6, 6)

NOT_HELD = Why("AUG-307", "CARD_NOT_HELD")
NOT_DEALT = Why("AUG-408", "CARD_NOT_DEALT")
TOO_DEAR = Why("AUG-408", "PRICES_EXCEED_GUILDERS")
NOT_TO_GIVE = Why("AUG-412", "CARD_NOT_HELD")


def can_draw(state: State) -> bool:
    """Whether a card can be had at all; the sizes are public (AUG-307)."""
    return bool(state.supply or state.discards)


def draw(course: Course[State], seat: int, count: int, *, to_hand: bool, rule: str) -> None:
    """Draw so many cards, or what there is; the supply is renewed at once when its last card leaves (AUG-411)."""
    while count and can_draw(course.state):
        if not course.state.supply:
            shuffle(course, "AUG-411", (), course.state.discards)
        supply = course.state.supply
        cards, below = supply[:count], supply[count : count + 1]
        course.emit(Drawn(seat, cards, to_hand, below[0].price if below else 0, rule))
        count -= len(cards)
        if not below and course.state.discards:
            shuffle(course, "AUG-411", (), course.state.discards)


def shuffle(course: Course[State], rule: str, on_top: tuple[Card, ...], cards: tuple[Card, ...]) -> None:
    """Make a new supply."""
    shuffled = course.shuffle(f"supply:{course.state.shuffles}", cards)
    course.emit(Shuffled((*on_top, *shuffled), rule))


class Discarding(Turn):
    """Which card goes after a draw? A new one too (AUG-307)."""

    rule: ClassVar[str] = "AUG-307"

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Any card of the hand."""
        keys = tuple(dict.fromkeys(card.key for card in state.player(seat).hand))
        return (Option("Discard", self.rule, slots=(PickOne("card", keys, NOT_HELD),)),)

    def answered(self, course: Course[State], command: Discard) -> tuple[AgendaItem, ...]:
        """Face up, on top."""
        hand = course.state.player(self.seat).hand
        course.emit(Discarded(self.seat, next(card for card in hand if card.key == command.card)))
        return ()


class FirstDeal(Step):
    """Seven cards each, one at a time, clockwise from the starting player (AUG-109)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Deal them."""
        for _ in range(FIRST_DEAL):
            for seat in course.state.clockwise(course.state.opener):
                draw(course, seat, 1, to_hand=False, rule="AUG-109")
        return ()


def free_cards(player: Player) -> int:
    """One for office step 4, one for a minter (AUG-406)."""
    return (player.office == 4) + player.minter


class Supplying(Step):
    """If all the cards there are do not suffice, everybody gives, until they do or nobody can (AUG-412)."""

    had_top: bool = False  # whether there was a top card to keep, before the first gift
    gifts: int = 0  # how often all have given
    in_vain: bool = False  # whether the last time nobody had a card

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Ask for another gift, or end with one shuffle under the card that was on top."""
        state = course.state
        needed = sum(free_cards(player) + DEAL[player.office - 1] for player in state.players)
        if len(state.supply) + len(state.discards) < needed and not self.in_vain:
            return (Giving(self.had_top if self.gifts else bool(state.supply), self.gifts + 1),)
        if self.gifts:
            kept = 1 if self.had_top else 0
            shuffle(course, "AUG-412", state.supply[:kept], (*state.supply[kept:], *state.discards))
        return ()


class Giving(Question):
    """Which card goes under the supply? Who has none answers so, sealed like the others (AUG-412)."""

    rule: ClassVar[str] = "AUG-412"
    had_top: bool
    gifts: int

    def seats(self, state: State) -> tuple[int, ...]:
        """Everybody."""
        return tuple(state.seats)

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Any card of the hand."""
        keys = tuple(dict.fromkeys(card.key for card in state.player(seat).hand))
        if not keys:
            return (Option("GiveCertificate", self.rule, given=(Filled("card", NOTHING),)),)
        return (Option("GiveCertificate", self.rule, slots=(PickOne("card", keys, NOT_TO_GIVE),)),)

    def close(self, course: Course[State], answers: dict[int, GiveCertificate]) -> tuple[AgendaItem, ...]:
        """They lie there in the order of the deal (AUG-405)."""
        given = 0
        for seat in course.state.clockwise(course.state.opener):
            hand = course.state.player(seat).hand
            card = next((card for card in hand if card.key == answers[seat].card), None)
            given += card is not None
            course.emit(Given(seat, card))
        return (Supplying(self.had_top, self.gifts, in_vain=not given),)


class Dealing(Step):
    """The last auction's winner first, then clockwise: free cards to the hand, then those to be bought (AUG-405)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Deal them (AUG-406, AUG-407)."""
        for seat in course.state.clockwise(course.state.opener):
            player = course.state.player(seat)
            draw(course, seat, free_cards(player), to_hand=True, rule="AUG-406")
            draw(course, seat, DEAL[player.office - 1], to_hand=False, rule="AUG-407")
        return ()


class Buying(Question):
    """Which of the cards dealt? All choose at the same time (AUG-408)."""

    rule: ClassVar[str] = "AUG-408"

    def seats(self, state: State) -> tuple[int, ...]:
        """Who was dealt something; that is public."""
        return tuple(seat for seat in state.seats if state.players[seat - 1].dealt)

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Any of them that his guilders pay for."""
        player = state.players[seat - 1]
        counted: dict[str, int] = {}
        for card in player.dealt:
            counted[card.key] = counted.get(card.key, 0) + 1
        prices = {card.key: card.price for card in player.dealt}
        items = tuple(Item(key, count, prices[key]) for key, count in counted.items())
        slot = PickSome("cards", items, 0, len(player.dealt), NOT_DEALT, NOT_DEALT, (), player.guilders, TOO_DEAR)
        return (Option("BuyCertificates", self.rule, slots=(slot,)),)

    def facts(self, state: State, seat: int) -> tuple[Fact, ...]:
        """What he can spend."""
        return facts(guilders=state.player(seat).guilders)

    def close(self, course: Course[State], answers: dict[int, BuyCertificates]) -> tuple[AgendaItem, ...]:
        """Everyone pays and takes; then the rest is discarded, in deal order, player by player (AUG-409)."""
        unbought: list[Card] = []
        for seat in course.state.clockwise(course.state.opener):
            if seat in answers:
                dealt, wanted = course.state.player(seat).dealt, list(answers[seat].cards)
                cards = tuple(card for card in dealt if card.key in wanted and not wanted.remove(card.key))  # type: ignore[func-returns-value]
                course.emit(Bought(seat, cards))
                unbought.extend(without(dealt, cards))
        if unbought:
            course.emit(Unbought(tuple(unbought)))
        return ()
