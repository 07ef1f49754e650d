"""Phase one: the auctions (chapter 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from domain.course import Course, Question, Step, Turn
from domain.options import Item, Need, Option, PickNumber, PickSome, Why
from domain.values import Fact, facts

from .commands import Bid, Call, Pass, PresentCertificates
from .components import ISSUERS, JOKER, Card, Noble
from .events import AuctionFailed, AuctionOpened, AuctionWon, BidMade, Called, CardsShown, GuildersPaid, Passed
from .winner import Taking

if TYPE_CHECKING:
    from .play import AgendaItem
    from .state import State

CONSOLATION = (100, 50)
CERTIFICATE = "certificate"

TOO_LOW = Why("AUG-203", "BID_TOO_LOW")
TOO_HIGH = Why("AUG-206", "BID_EXCEEDS_CARDS")
NOT_VALID = Why("AUG-206", "CARD_NOT_VALID")
NOT_ANY = Why("AUG-207", "CARD_NOT_HELD")
NOT_THE_BID = Why("AUG-210", "NUMBER_IS_NOT_THE_BID")
ONLY_JOKERS = Why("AUG-206", "ONLY_JOKERS")

PASS = Option("Pass", "AUG-204")
CALL = Option("Call", "AUG-203")


class Auction(Step):
    """The auction of a noble; who won the last one opens it (AUG-202)."""

    noble: Noble

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Open it."""
        course.emit(AuctionOpened(self.noble, course.state.opener))
        return (Bidding(course.state.opener),)


class Bidding(Turn):
    """Pass, call or bid? Asked also of one who can only pass (AUG-216)."""

    rule: ClassVar[str] = "AUG-203"

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Pass always; call and raise as far as the valid cards reach (AUG-203, AUG-206)."""
        most, bid = most_cards(state, seat), state.bid
        if most <= bid:
            return (PASS, CALL) if bid and most == bid else (PASS,)
        raising = Option("Bid", "AUG-203", slots=(PickNumber("cards", bid + 1, most, TOO_HIGH, TOO_LOW),))
        return (PASS, CALL, raising) if bid else (PASS, raising)

    def facts(self, state: State, seat: int) -> tuple[Fact, ...]:
        """The noble and the highest bid."""
        return facts(noble=state.noble, bid=state.bid)

    def answered(self, course: Course[State], command: Pass | Call | Bid) -> tuple[AgendaItem, ...]:
        """Go on clockwise among those still in, until it comes back to the highest bidder (AUG-208)."""
        if isinstance(command, Pass):
            course.emit(Passed(self.seat))
        elif isinstance(command, Call):
            course.emit(Called(self.seat, course.state.bid))
        else:
            course.emit(BidMade(self.seat, command.cards))
        state = course.state
        following = [seat for seat in state.clockwise(self.seat)[1:] if not state.players[seat - 1].passed]
        if not state.bid and not following:
            course.emit(AuctionFailed(state.noble or Noble.PHILIPP, state.opener))
            return ()
        if state.bid and sole(state):
            return (Paying(state.leader),)
        return (Showdown(),) if following[0] == state.leader else (Bidding(following[0]),)


class Paying(Turn):
    """Which cards does the sole bidder discard (AUG-209)?"""

    rule: ClassVar[str] = "AUG-209"

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Any valid cards, as many as he bid."""
        return (presenting(state, seat, self.rule),)

    def facts(self, state: State, seat: int) -> tuple[Fact, ...]:
        """How many."""
        return facts(noble=state.noble, bid=state.bid)

    def answered(self, course: Course[State], command: PresentCertificates) -> tuple[AgendaItem, ...]:
        """He has won; there is no consolation."""
        cards = held(course.state, self.seat, command.cards)
        return win(course, self.seat, cards)


class Showdown(Question):
    """Which cards do those show who are still in (AUG-210)?"""

    rule: ClassVar[str] = "AUG-210"

    def seats(self, state: State) -> tuple[int, ...]:
        """Everybody who has not passed."""
        return tuple(seat for seat in state.seats if not state.players[seat - 1].passed)

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Any valid cards, as many as were bid; low ones too (AUG-214)."""
        return (presenting(state, seat, self.rule),)

    def facts(self, state: State, seat: int) -> tuple[Fact, ...]:
        """How many."""
        return facts(noble=state.noble, bid=state.bid)

    def close(self, course: Course[State], answers: dict[int, PresentCertificates]) -> tuple[AgendaItem, ...]:
        """All are shown together; the highest single certificate wins, the next two are consoled (AUG-212)."""
        shown = {seat: held(course.state, seat, answers[seat].cards) for seat in course.state.seats if seat in answers}
        for seat, cards in shown.items():
            course.emit(CardsShown(seat, cards))
        ranking = sorted(shown, key=lambda seat: max(map(strength, shown[seat])), reverse=True)
        for seat, guilders in zip(ranking[1:], CONSOLATION, strict=False):
            course.emit(GuildersPaid(seat, guilders, "AUG-212"))
        return win(course, ranking[0], shown[ranking[0]])


def sole(state: State) -> bool:
    """Whether everybody but one has passed."""
    return sum(not player.passed for player in state.players) == 1


def win(course: Course[State], seat: int, cards: tuple[Card, ...]) -> tuple[AgendaItem, ...]:
    """The winner discards his cards, the best on top, and takes a privilege card (AUG-211, AUG-301)."""
    assert course.state.noble is not None
    course.emit(AuctionWon(seat, course.state.noble, tuple(sorted(cards, key=strength))))
    return (Taking(seat),)


def strength(card: Card) -> tuple[int, int]:
    """By value, equal values by noble, Maria highest; jokers have none (AUG-210, AUG-213)."""
    return (card.value, ISSUERS.index(card.noble)) if card.noble else (0, 0)


def valid(state: State, seat: int) -> tuple[Card, ...]:
    """The cards of a hand that count at this noble (AUG-206, AUG-207)."""
    hand, noble = state.players[seat - 1].hand, state.noble
    return hand if noble == Noble.MAXIMILIAN else tuple(card for card in hand if card.noble in (noble, None))


def most_cards(state: State, seat: int) -> int:
    """The highest bid a hand allows: never jokers alone (AUG-206)."""
    cards = valid(state, seat)
    return len(cards) if cards and cards[0].noble else 0  # jokers come last in a hand


def held(state: State, seat: int, keys: tuple[str, ...]) -> tuple[Card, ...]:
    """The cards of a hand that these keys name, in the order of the hand."""
    wanted = list(keys)
    return tuple(card for card in state.players[seat - 1].hand if card.key in wanted and not wanted.remove(card.key))  # type: ignore[func-returns-value]


def presenting(state: State, seat: int, rule: str) -> Option:
    """Choose as many valid cards as were bid, at least one of them a certificate (AUG-206, AUG-210)."""
    cards = valid(state, seat)
    jokers = sum(card.noble is None for card in cards)
    items = tuple(Item(card.key, kind=CERTIFICATE) for card in cards if card.noble)
    if jokers:
        items = (*items, Item(JOKER, jokers))
    foreign = NOT_ANY if state.noble == Noble.MAXIMILIAN else NOT_VALID
    needs = (Need(CERTIFICATE, 1, ONLY_JOKERS),) if jokers >= state.bid else ()
    slot = PickSome("cards", items, state.bid, state.bid, foreign, NOT_THE_BID, needs)
    return Option("PresentCertificates", rule, slots=(slot,))
