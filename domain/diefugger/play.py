"""The sequence of play.

    Opening -> OnTurn -> EndOfTurn -> OnTurn of the next player -> ... until five open cards of a good lie there
            -> Evaluation -> NewRound -> OnTurn ... or, with 100 florins, Ending

Jakob's cards come at the end of a turn, so an evaluation they cause belongs to the player on turn (FUG-405).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from domain.course import Course, Step, Turn
from domain.options import Option, PickOne, Why

from .commands import Command, Draw, PlayFaceDown, PlayOpen
from .components import MERCHANT, Card
from .deck import draw, turn_for_jakob
from .evaluation import complete_good, move_prices, open_goods, pay_face_down, pay_goods
from .events import GoodsDiscarded, MerchantsDiscarded, PlayedFaceDown, PlayedOpen, RoundBegan, RoundEnded, Skipped

if TYPE_CHECKING:
    from .state import State

DEALT = 4  # FUG-103
JAKOBS = 2  # FUG-103, FUG-404
MOST_TO_DRAW = 4  # FUG-201
MOST_MERCHANTS = 2  # FUG-202
FACE_DOWN_ROUNDS = (1, 2)  # FUG-203
NEW_CARDS = 2  # FUG-402
FOR_MERCHANTS = (0, 2, 3)  # FUG-402: by the number of merchants before a player
ENOUGH = 100  # FUG-501

# The reason that `refusals.explain` finds better words for.
NOT_OPEN = Why("FUG-202", "NOT_OFFERED")
NOT_FACE_DOWN = Why("FUG-203", "NOT_OFFERED")
DRAW = Option("Draw", "FUG-201")
SKIP = Option("Skip", "FUG-206")


class Opening(Step):
    """Four cards for each player in turn, then two goods for Jakob (FUG-103)."""

    first: int

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        for seat in course.state.clockwise(self.first):
            for _ in range(DEALT):
                draw(course, seat, "FUG-103")
        turn_for_jakob(course, JAKOBS, "FUG-103")
        return (OnTurn(self.first),)


class OnTurn(Turn):
    """A turn: draw, play open or play face down; who can do none of it skips."""

    rule: ClassVar[str] = "FUG-201"
    second: bool = False  # of a pair of turns, which only two players have (FUG-205)

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        player = state.player(seat)
        cards = tuple(dict.fromkeys([card.key for card in player.hand]))
        goods = tuple([key for key in cards if key != MERCHANT])
        playable = cards if player.merchants < MOST_MERCHANTS else goods
        offered = []
        if len(player.hand) <= MOST_TO_DRAW and (state.deck or state.discard):  # FUG-201
            offered.append(DRAW)
        if playable:  # FUG-202
            offered.append(Option("PlayOpen", "FUG-202", slots=(PickOne("card", playable, NOT_OPEN),)))
        laid = any(card.round == state.round for card in player.face_down)
        if goods and state.round in FACE_DOWN_ROUNDS and not laid:  # FUG-203
            offered.append(Option("PlayFaceDown", "FUG-203", slots=(PickOne("card", goods, NOT_FACE_DOWN),)))
        return tuple(offered) or (SKIP,)  # FUG-206

    def answered(self, course: Course[State], command: Command) -> tuple[AgendaItem, ...]:
        if isinstance(command, Draw):
            draw(course, self.seat, "FUG-201")
        elif isinstance(command, PlayOpen):
            course.emit(PlayedOpen(self.seat, self._held(course.state, command.card)))
        elif isinstance(command, PlayFaceDown):
            card = self._held(course.state, command.card)
            course.emit(PlayedFaceDown(self.seat, course.state.round, card))
            return (EndOfTurn(self.seat, self.second, face_down=True),)
        else:
            course.emit(Skipped(self.seat))
        return (EndOfTurn(self.seat, self.second),)

    def _held(self, state: State, key: str) -> Card:
        return next(card for card in state.player(self.seat).hand if card.key == key)


class EndOfTurn(Step):
    """Jakob gets what is due to him, until five open cards of a good lie there (FUG-204, FUG-205, FUG-301)."""

    seat: int
    second: bool
    face_down: bool = False

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        players = len(course.state.players)
        due = ["FUG-204"] if self.face_down and players < 4 else []
        due += ["FUG-205"] if self.second else []
        good = complete_good(course.state)
        while due and not good:
            turn_for_jakob(course, 1, due.pop(0))
            good = complete_good(course.state)
        if good:
            return (Evaluation(self.seat, good),)
        return (OnTurn(course.state.next_seat(self.seat), second=players == 2 and not self.second),)


class Evaluation(Step):
    """The round ends at once: prices move, open goods are paid; 100 florins end the game (FUG-301, FUG-501)."""

    seat: int
    good: str

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        course.emit(RoundEnded(self.seat, self.good))
        lying = open_goods(course.state)
        move_prices(course, lying)
        pay_goods(course, lying)
        over = any(player.florins >= ENOUGH for player in course.state.players)
        return (Ending(),) if over else (NewRound(course.state.next_seat(self.seat)),)


class NewRound(Step):
    """Goods are cleared away, cards drawn, merchants cleared away, and the next player continues (FUG-401 to 404)."""

    first: int

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        course.emit(GoodsDiscarded())
        order = course.state.clockwise(self.first)
        more = [FOR_MERCHANTS[course.state.player(seat).merchants] for seat in order]
        for numbers in ([NEW_CARDS] * len(order), more):
            for seat, number in zip(order, numbers, strict=True):
                for _ in range(number):
                    draw(course, seat, "FUG-402")
        if any(more):
            course.emit(MerchantsDiscarded())
        turn_for_jakob(course, JAKOBS, "FUG-404")
        course.emit(RoundBegan(course.state.round + 1, self.first))
        return (OnTurn(self.first),)


class Ending(Step):
    """Face-down cards are shown and paid; nobody is asked any more (FUG-502, FUG-603)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        pay_face_down(course)
        return ()


AgendaItem = Opening | OnTurn | EndOfTurn | Evaluation | NewRound | Ending
