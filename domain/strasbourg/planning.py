"""Choosing tasks, and planning: drawing cards and splitting them into stacks (chapter 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from domain.course import Course, Question, Step
from domain.options import Option, PickSome, Split, Why, items

from .commands import Draw, Keep, MakeStacks
from .components import BY_KEY, Stack, by_size, in_order
from .events import Drawn, StacksMade, TasksKept

if TYPE_CHECKING:
    from .play import AgendaItem
    from .state import State

NOT_DEALT = Why("STR-105", "TASK_NOT_DEALT")
NOT_ONE_TO_FIVE = Why("STR-105", "KEEP_ONE_TO_FIVE")
DECK_EMPTY = Why("STR-202", "DECK_EMPTY")
NOT_ALL_SPLIT = Why("STR-203", "CARDS_NOT_ALL_SPLIT")
EMPTY_STACK = Why("STR-203", "EMPTY_STACK")

DRAW = Option("Draw", "STR-201")


class ChoosingTasks(Question):
    """Which tasks are kept (STR-105)?"""

    rule: ClassVar[str] = "STR-105"

    def seats(self, state: State) -> tuple[int, ...]:
        """Everybody, at the same time."""
        return tuple(state.seats)

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """One at least, all at most."""
        dealt = items(task.key for task in state.player(seat).tasks)
        return (
            Option("Keep", self.rule, slots=(PickSome("tasks", dealt, 1, len(dealt), NOT_DEALT, NOT_ONE_TO_FIVE),)),
        )

    def close(self, course: Course[State], answers: dict[int, Keep]) -> tuple[AgendaItem, ...]:
        """Keep them."""
        for seat in course.state.clockwise(course.state.first):
            dealt = course.state.player(seat).tasks
            course.emit(TasksKept(seat, tuple(task for task in dealt if task.key in answers[seat].tasks)))
        return ()


class FirstCards(Step):
    """The first card of a round is taken for everybody who has one (STR-201)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Take it from the top."""
        for seat in course.state.clockwise(course.state.first):
            if deck := course.state.player(seat).deck:
                course.emit(Drawn(seat, deck[0]))
        return ()


class Planning(Question):
    """Draw one more card, or split (STR-201)?

    A drawing acts at once and is seen (STR-204); the split is sealed until all are ready.
    """

    rule: ClassVar[str] = "STR-201"

    def seats(self, state: State) -> tuple[int, ...]:
        """Everybody who has something to split; the others are ready at once (STR-205)."""
        return tuple(seat for seat in state.seats if state.player(seat).hand)

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Draw while there is a deck (STR-202); split all cards, in any way (STR-203)."""
        player = state.player(seat)
        cards = items(card.key for card in player.hand)
        split = Option("MakeStacks", "STR-203", slots=(Split("stacks", cards, NOT_ALL_SPLIT, EMPTY_STACK),))
        return (DRAW, split) if player.deck else (split,)

    def at_once(self, command: Draw | MakeStacks) -> bool:
        """Drawing is seen as it happens (STR-204)."""
        return isinstance(command, Draw)

    def act(self, course: Course[State], seat: int, command: Draw) -> None:
        """Take the top card; none goes back (STR-202)."""
        course.emit(Drawn(seat, course.state.player(seat).deck[0]))

    def close(self, course: Course[State], answers: dict[int, MakeStacks]) -> tuple[AgendaItem, ...]:
        """All are ready: lay the stacks down (STR-204, STR-205)."""
        for seat in course.state.clockwise(course.state.first):
            if seat in answers:
                groups = (in_order(BY_KEY[key] for key in group.items) for group in answers[seat].stacks)
                course.emit(StacksMade(seat, by_size(Stack(cards) for cards in groups)))
        return ()
