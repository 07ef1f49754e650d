"""A command taking effect: the agenda, the sealing, the events that follow.

The sequence of play is an agenda in the state: items that either run or ask. Running an item emits events and gives
the items that come before the rest; a question stays in front until all whom it asks have answered. So a round reads
like the rulebook, and an interrupt is an item put in front.

    decide: check by the options -> sealed while others are waited for -> close the question -> run until one asks
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, ClassVar, Generic, Self, TypeVar, get_args

from domain.chance import Chance
from domain.engine import Decision, Illegal, Outcome
from domain.options import Option, Refusal, Why, canonical, check
from domain.values import Fact, Seat, Value, facts, fields, members, replace

S = TypeVar("S", bound="Playing[Any, Any]")
I = TypeVar("I")  # noqa: E741 - the items of a game's agenda
C = TypeVar("C")  # the commands of a game
T = TypeVar("T")


class Playing(Value, Generic[I, C]):
    """The part of a game's state that the engine keeps: what comes next, who is asked, what is sealed."""

    agenda: tuple[I, ...]
    waiting: tuple[Seat, ...]
    answers: tuple[Answered[C], ...]
    numbers: tuple[int, ...]  # how many decisions each seat has answered

    @property
    def seats(self) -> range:
        """All seats, clockwise."""
        return range(1, len(self.numbers) + 1)

    def clockwise(self, first: int) -> tuple[int, ...]:
        """All seats, from this one on."""
        return (*range(first, len(self.numbers) + 1), *range(1, first))


class Answered(Value, Generic[C]):
    """A seat has answered while others are still waited for: its answer is sealed."""

    seat: Seat
    command: C

    def apply(self, state: S) -> S:
        """Keep the answer."""
        return replace(
            state,
            answers=(*state.answers, self),
            waiting=tuple(seat for seat in state.waiting if seat != self.seat),
            numbers=_counted(state.numbers, self.seat),
        )

    def show(self, viewer: int) -> HasAnswered[C]:
        """Others see only who has answered."""
        return HasAnswered(self.seat, self.command if viewer == self.seat else None)


class Asked(Value, Generic[I]):
    """What came of an answer is done, and somebody is asked; or, with nobody to ask, the game is over."""

    by: Seat  # whose answer was the last; nobody at the start
    drop: int  # so many items left the front of the agenda
    put: tuple[I, ...]  # and these took their place
    waiting: tuple[Seat, ...]

    def apply(self, state: S) -> S:
        """Change the agenda and turn to those who are asked. Sealed answers go with their question."""
        agenda = (*self.put, *state.agenda[self.drop :]) if self.drop or self.put else state.agenda
        numbers = _counted(state.numbers, self.by) if self.by else state.numbers
        answers = () if self.drop else state.answers
        return replace(state, agenda=agenda, waiting=self.waiting, answers=answers, numbers=numbers)

    def show(self, viewer: int) -> NowAsked:
        """All see who is asked."""
        return NowAsked(self.waiting)


class Public(Value):
    """An event that everybody sees whole."""

    def show(self, viewer: int) -> Self:
        """The event itself."""
        return self


class HasAnswered(Value, Generic[C]):
    """A seat has answered; to itself, what."""

    seat: Seat
    command: C | None


class NowAsked(Value):
    """The table waits for these seats."""

    seats: tuple[Seat, ...]


def _counted(numbers: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*numbers[: seat - 1], numbers[seat - 1] + 1, *numbers[seat:])


class Course(Generic[S]):
    """The way from one state to the next, event by event."""

    def __init__(self, state: S, chance: Chance) -> None:
        self.state = state
        self.events: list[Any] = []
        self._chance = chance

    def emit(self, event: Any) -> None:
        """Let something happen; what follows goes on from the new state."""
        self.events.append(event)
        self.state = event.apply(self.state)

    def shuffle(self, label: str, things: Iterable[T]) -> tuple[T, ...]:
        """Draw by chance. The label must never come again at this table: build it from a counter in the state."""
        return self._chance.shuffle(label, things)


class Step(Value):
    """An item of the agenda that runs."""

    def run(self, course: Course[Any]) -> tuple[Any, ...]:
        """Emit what happens; give the items that come before the rest."""
        raise NotImplementedError


class Question(Value):
    """An item of the agenda that asks seats, all at the same time, and keeps each answer sealed from the others."""

    rule: ClassVar[str]

    def seats(self, state: Any) -> tuple[int, ...]:
        """Who is asked: from public facts alone."""
        raise NotImplementedError

    def options(self, state: Any, seat: int) -> tuple[Option, ...]:
        """What a seat may answer: from what it knows itself."""
        raise NotImplementedError

    def facts(self, state: Any, seat: int) -> tuple[Fact, ...]:
        """What the question's sentence names."""
        return ()

    def at_once(self, command: Any) -> bool:
        """Whether this answer acts before the others have answered."""
        return False

    def act(self, course: Course[Any], seat: int, command: Any) -> None:
        """Emit what an answer that acts at once does."""
        raise NotImplementedError

    def close(self, course: Course[Any], answers: dict[int, Any]) -> tuple[Any, ...]:
        """Emit what the answers cause; give the items that follow."""
        raise NotImplementedError


class Turn(Question):
    """A question to one seat."""

    seat: Seat

    def seats(self, state: Any) -> tuple[int, ...]:
        """The one who is asked."""
        return (self.seat,)

    def answered(self, course: Course[Any], command: Any) -> tuple[Any, ...]:
        """Emit what the answer causes; give the items that follow."""
        raise NotImplementedError

    def close(self, course: Course[Any], answers: dict[int, Any]) -> tuple[Any, ...]:
        """Take the only answer."""
        return self.answered(course, answers[self.seat])


@cache
@cache
def phrase(name: str) -> str:
    """A class or reason name as the key of its sentence: `BidMade` and `BID_MADE` are `bid-made`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).replace("_", "-").lower()


def begin(state: S, first: Any, agenda: tuple[Any, ...], chance: Chance) -> Outcome:
    """Set a game going: the first event and the state it made, then the agenda until somebody is asked."""
    course = Course(state, chance)
    course.events.append(first)
    return _go_on(course, 0, agenda, kept=0)


def decision(state: Any, seat: int) -> Decision | None:
    """What this seat is asked now."""
    if seat not in state.waiting:
        return None
    question = state.agenda[0]
    return Decision(
        seat=seat,
        number=state.numbers[seat - 1] + 1,
        question=phrase(type(question).__name__),
        rule=question.rule,
        options=question.options(state, seat),
        facts=question.facts(state, seat),
    )


def waiting(state: Any) -> tuple[int, ...]:
    """The seats that owe an answer."""
    return tuple(state.waiting)


def evolve(state: Any, event: Any) -> Any:
    """Apply one event."""
    return event.apply(state)


def show(event: Any, viewer: int) -> Any:
    """The event as this viewer sees it."""
    return event.show(viewer)


Explain = Callable[[Any, int, Any], Refusal | None]
"""Why a refused command was refused, told better than by the options: from the offender's own view."""


def decide(state: Any, decision: Decision, command: Any, chance: Chance, explain: Explain | None = None) -> Outcome:
    """Check the command by the options, then let it take effect."""
    command = canonical(command)
    if type(command) not in _commands(state.__class__):
        raise Illegal(Refusal(decision.rule, "NOT_OFFERED", facts(command=type(command).__name__)))
    refused = check(decision.options, command, Why(decision.rule, "NOT_OFFERED"))
    if refused is not None:
        better = explain(state, decision.seat, command) if explain and refused.reason == "NOT_OFFERED" else None
        raise Illegal(better or refused)
    seat, question, course = decision.seat, state.agenda[0], Course(state, chance)
    others = tuple(other for other in state.waiting if other != seat)
    answers = {answer.seat: answer.command for answer in state.answers}
    if question.at_once(command):
        question.act(course, seat, command)
        # Whoever else was asked stays asked: one seat's answer never closes another's decision.
        again = tuple(sorted((*others, seat))) if seat in question.seats(course.state) else others
        if again:
            course.emit(Asked(seat, 0, (), again))
            return Outcome(tuple(course.events), course.state)
    elif others:
        course.emit(Answered(seat, command))
        return Outcome(tuple(course.events), course.state)
    else:
        answers[seat] = command
    agenda = (*question.close(course, answers), *state.agenda[1:])
    return _go_on(course, seat, agenda, kept=len(state.agenda) - 1)


@cache
def _commands(state: Any) -> frozenset[type]:
    """The commands of the game that a class of states belongs to: another game's may have the same names."""
    answered = next(get_args(field.type)[0] for field in fields(state) if field.name == "answers")
    return frozenset(members(get_args(answered)[0]).values())


def _go_on(course: Course[Any], by: int, agenda: tuple[Any, ...], kept: int) -> Outcome:
    """Run the agenda until an item asks somebody, and say what changed on it; at most `kept` items stay."""
    before = course.state.agenda
    asked: tuple[int, ...] = ()
    while agenda:
        item, rest = agenda[0], agenda[1:]
        if isinstance(item, Question):
            asked = item.seats(course.state)
            if asked:
                break
            agenda = (*item.close(course, {}), *rest)
        else:
            agenda = (*item.run(course), *rest)
    same = 0
    while same < min(kept, len(agenda)) and before[-1 - same] == agenda[-1 - same]:
        same += 1
    course.emit(Asked(by, len(before) - same, agenda[: len(agenda) - same], asked))
    return Outcome(tuple(course.events), course.state)
