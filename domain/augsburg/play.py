"""The sequence of play, as the rulebook tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.course import Course, Step

from .auction import Auction, Bidding, Paying, Showdown
from .cards import Buying, Dealing, Discarding, FirstDeal, Giving, Supplying
from .components import Noble
from .events import Gain, GameEnded, GuildersPaid, RoundBegan, RoundEnded
from .winner import Compensating, Taking, Using, award

if TYPE_CHECKING:
    from .state import State

INCOME = (600, 900, 1200, 1600)
RANK = (3, 5, 8, 12)
CARDS_A_ROUND = 5


class Game(Step):
    """Seven cards to choose from, then as many rounds as players and two more (AUG-101, AUG-110)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Lay it all out."""
        rounds = range(1, course.state.rounds + 1)
        return (FirstDeal(), Buying(), *(Round(number) for number in rounds), End())


class Round(Step):
    """Five auctions; then money, prestige and certificates, in the last round prestige only (AUG-201, AUG-401)."""

    round: int

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Lay out the privilege cards; who won the last auction opens the first (AUG-413)."""
        if self.round > 1:
            lay_out(course, self.round)
        auctions = tuple(Auction(noble) for noble in Noble)
        if self.round == course.state.rounds:
            return (*auctions, Close(), Prestige())
        return (*auctions, Close(), Money(), Prestige(), Supplying(), Dealing(), Buying())


class Close(Step):
    """Privilege cards left over by all-pass auctions are set aside (AUG-322)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """The auctions of this round are over."""
        course.emit(RoundEnded(course.state.face_up))
        return ()


class Money(Step):
    """Income by trade step (AUG-402)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Pay everybody."""
        for seat in course.state.clockwise(course.state.opener):
            course.emit(GuildersPaid(seat, INCOME[course.state.player(seat).trade - 1], "AUG-402"))
        return ()


class Prestige(Step):
    """Prestige by nobility step, coat of arms and letter of nobility, as one sum (AUG-403)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Award everybody."""
        for seat in course.state.clockwise(course.state.opener):
            player = course.state.player(seat)
            award(course, seat, Gain.ROUND, RANK[player.nobility - 1] + player.coat + player.letter)
        return ()


class End(Step):
    """The highest prestige wins (AUG-501)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Say who won, and by which rule."""
        winners, rule = victory(course.state)
        course.emit(GameEnded(winners, rule))
        return ()


def lay_out(course: Course[State], number: int) -> None:
    """The other five cards; when all ten are used they are shuffled first (AUG-413)."""
    state = course.state
    if state.face_down:
        course.emit(RoundBegan(number, state.face_down, ()))
        return
    cards = course.shuffle(f"privileges:{number}", sorted(state.used, key=lambda card: card.key))
    up, down = (
        tuple(sorted(half, key=lambda card: card.key)) for half in (cards[:CARDS_A_ROUND], cards[CARDS_A_ROUND:])
    )
    course.emit(RoundBegan(number, up, down))


def victory(state: State) -> tuple[tuple[int, ...], str]:
    """Who wins, and the rule that decided: prestige, then the dearest cathedral, or the dearest church (AUG-502)."""
    best = max(player.prestige for player in state.players)
    tied = [seat for seat in state.seats if state.player(seat).prestige == best]
    if len(tied) == 1:
        return tuple(tied), "AUG-501"
    building = "cathedral" if any(state.player(seat).cathedral for seat in tied) else "church"
    dearest = max(getattr(state.player(seat), building) for seat in tied)
    return tuple(seat for seat in tied if getattr(state.player(seat), building) == dearest), "AUG-502"


AgendaItem = (
    Game | FirstDeal | Buying | Round | Auction | Bidding | Paying | Showdown | Taking | Using | Discarding
    | Compensating | Close | Money | Prestige | Supplying | Giving | Dealing | End
)  # fmt: skip
