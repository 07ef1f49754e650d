"""A step of influence: flip, pass or wait; the ranks; what becomes of the cards (STR-302..305, STR-314, STR-315)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from domain.course import Course, Question, Step, Turn
from domain.options import Option, PickOne, PickSome, Why, items
from domain.values import Fact, Seat, facts

from .commands import Decline, Flip, Pass, PutBack, Wait
from .components import BY_KEY, CHURCH, NOBILITY, ROUNDS, Influence, in_order
from .events import (
    CardPutBack,
    Declined,
    FigureMoved,
    Flipped,
    FlippedLeft,
    Passed,
    Ranked,
    StacksLapsed,
    StepBegan,
    Waited,
)
from .guilds import Apprentice, Journeyman, Master, Merchant, TakingChair

if TYPE_CHECKING:
    from .play import AgendaItem
    from .state import State

NOT_A_STACK = Why("STR-302", "STACK_NOT_HELD")
NO_PRIVILEGE = Why("STR-303", "NO_PRIVILEGE")
ALL_DECIDED = Why("STR-303", "ALL_OTHERS_DECIDED")
NOT_FLIPPED = Why("STR-314", "CARD_NOT_FLIPPED")

PASS = Option("Pass", "STR-302")
WAIT = Option("Wait", "STR-303")
LET_GO = Option("Decline", "STR-314", facts=facts(what="card"))

Role = type[Master | Journeyman | Apprentice]
THREE: tuple[Role, ...] = (Master, Apprentice)  # players; by rank (STR-307)
MORE: tuple[Role, ...] = (Master, Journeyman, Apprentice)


class Contest(Step):
    """Clockwise from the first player each flips a stack or passes; then the ranks earn (STR-302)."""

    step: str
    guild: str = ""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Who has no stack can only pass; all see it, so he is not asked."""
        course.emit(StepBegan(self.step, self.guild))
        state = course.state
        order = tuple(seat for seat in state.clockwise(state.first) if state.player(seat).stacks)
        return (Deciding(order), Ranking(self.step, self.guild)) if order else ()


class Deciding(Question):
    """Flip a stack, pass, or wait (STR-302, STR-303)? The order holds all who have not decided yet."""

    rule: ClassVar[str] = "STR-302"
    order: tuple[Seat, ...]

    def seats(self, state: State) -> tuple[int, ...]:
        """The next of them."""
        return self.order[:1]

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """One option a stack; to wait takes a privilege and somebody to wait for."""
        player = state.player(seat)
        flips = dict.fromkeys(stack.cards for stack in player.stacks)
        wait = (WAIT,) if player.privileges and len(self.order) > 1 else ()
        return (*(_flip(cards) for cards in flips), PASS, *wait)

    def facts(self, state: State, seat: int) -> tuple[Fact, ...]:
        """In which step, and of which guild if it has one."""
        return facts(step=state.step, guild=state.guild) if state.guild else facts(step=state.step)

    def close(self, course: Course[State], answers: dict[int, Flip | Pass | Wait]) -> tuple[AgendaItem, ...]:
        """Who waits goes behind all who have not decided yet, any number of times."""
        ((seat, command),) = answers.items()
        rest = self.order[1:]
        if isinstance(command, Wait):
            course.emit(Waited(seat))
            return (Deciding((*rest, seat)),)
        if isinstance(command, Flip):
            course.emit(Flipped(seat, in_order(BY_KEY[key] for key in command.cards)))
        else:
            course.emit(Passed(seat))
        return (Deciding(rest),) if rest else ()


@lru_cache(maxsize=4096)
def _flip(cards: tuple[Influence, ...]) -> Option:
    """The option to flip this stack: it names all its cards."""
    number = len(cards)
    slot = PickSome("cards", items(card.key for card in cards), number, number, NOT_A_STACK, NOT_A_STACK)
    values = " + ".join(str(card.value) for card in cards)
    return Option("Flip", "STR-302", slots=(slot,), facts=facts(worth=sum(card.value for card in cards), values=values))


class Ranking(Step):
    """The flipped stacks rank by sum; the best becomes first player; the entitled act in rank order (STR-318)."""

    step: str
    guild: str

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Ties go to the one nearer to the first player (STR-304); if all passed, nothing changes (STR-305)."""
        state = course.state
        worth = {s: stack.worth for s in state.clockwise(state.first) if (stack := state.player(s).flipped)}
        if not worth:
            return ()
        ranks = sorted(worth, key=worth.__getitem__, reverse=True)  # a stable order: what is equal stays as it was
        course.emit(Ranked(tuple(ranks)))
        if ranks[0] != state.first:
            course.emit(FigureMoved(ranks[0]))
        earned = self._earned(ranks, len(state.players))
        return (*earned, *(PuttingBack(seat) for seat in ranks[len(earned) :]), Clearing())

    def _earned(self, ranks: list[int], players: int) -> tuple[AgendaItem, ...]:
        """What the ranks earn in this step, the best first."""
        if self.step == "A":  # STR-306
            return tuple(TakingChair(seat, chair) for seat, chair in zip(ranks, (NOBILITY, CHURCH), strict=False))
        if self.guild:  # STR-307
            roles = THREE if players == 3 else MORE
            return tuple(role(seat, self.guild) for seat, role in zip(ranks, roles, strict=False))
        return (Merchant(ranks[0], self.step),)  # STR-313


class PuttingBack(Turn):
    """Which card goes back under the deck (STR-314)? Asked of those whose rank earned nothing."""

    rule: ClassVar[str] = "STR-314"

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """One card of the stack, or none."""
        flipped = state.player(seat).flipped
        keys = dict.fromkeys(card.key for card in flipped.cards) if flipped else ()
        return (Option("PutBack", self.rule, slots=(PickOne("card", tuple(keys), NOT_FLIPPED),)), LET_GO)

    def answered(self, course: Course[State], command: PutBack | Decline) -> tuple[AgendaItem, ...]:
        """Put it back openly."""
        if isinstance(command, PutBack):
            course.emit(CardPutBack(self.seat, BY_KEY[command.card]))
        else:
            course.emit(Declined(self.rule, self.seat))
        return ()


class Clearing(Step):
    """What lies flipped leaves the game (STR-314)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """The step is over."""
        course.emit(FlippedLeft())
        return ()


class Unused(Step):
    """Stacks not used by the end of step G leave the game; by the table option only after round 5 (STR-315)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Take them away unseen."""
        state = course.state
        if not state.stay or state.round == ROUNDS:
            for seat in state.clockwise(state.first):
                if stacks := state.player(seat).stacks:
                    course.emit(StacksLapsed(seat, len(stacks)))
        return ()
