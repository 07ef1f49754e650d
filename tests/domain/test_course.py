"""The course of a command, tried on a game of the fewest items: a vote that is sealed, a race that acts at once."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from domain import course
from domain.chance import SeededChance
from domain.course import (
    Answered,
    Asked,
    Course,
    HasAnswered,
    NowAsked,
    Playing,
    Question,
    Step,
    Turn,
    phrase,
)
from domain.engine import Decision, Illegal, Outcome
from domain.options import Option, PickNumber, PickSome, Refusal, Why, items
from domain.values import Fact, Seat, Value, facts, replace

ABOVE, BELOW = Why("TOY-002", "ABOVE"), Why("TOY-001", "BELOW")


class Say(Value):
    """Say a number."""

    number: int


class Stop(Value):
    """Take no more."""


class Take(Value):
    """Take some letters."""

    letters: tuple[str, ...]


class Heard(Value):
    """Something was said aloud."""

    rule: ClassVar[str] = "TOY-003"
    what: str

    def apply(self, state: State) -> State:
        """Write it down."""
        return replace(state, heard=(*state.heard, self.what))


class Vote(Question):
    """All say a number at the same time."""

    rule: ClassVar[str] = "TOY-010"
    voters: tuple[Seat, ...]

    def seats(self, state: State) -> tuple[int, ...]:
        """Those who vote."""
        return self.voters

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """A number up to nine."""
        return (Option("Say", self.rule, slots=(PickNumber("number", 0, 9, ABOVE, BELOW),)),)

    def close(self, course: Course[State], answers: dict[int, Say]) -> tuple[Any, ...]:
        """All are heard; a nine puts an interrupt in front."""
        for seat, said in sorted(answers.items()):
            course.emit(Heard(f"{seat}:{said.number}"))
        return tuple(Confess(seat) for seat, said in sorted(answers.items()) if said.number == 9)


class Confess(Turn):
    """One is asked at once."""

    rule: ClassVar[str] = "TOY-020"

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Some letters."""
        slot = PickSome("letters", items("aab"), 0, 2, ABOVE, BELOW)
        return (Option("Take", self.rule, slots=(slot,)),)

    def facts(self, state: State, seat: int) -> tuple[Fact, ...]:
        """How much was heard."""
        return facts(heard=len(state.heard))

    def answered(self, course: Course[State], command: Take) -> tuple[Any, ...]:
        """It is heard."""
        course.emit(Heard("".join(command.letters)))
        return ()


class Race(Question):
    """Numbers act at once, as long as one likes; stopping is sealed until all have stopped."""

    rule: ClassVar[str] = "TOY-030"

    def seats(self, state: State) -> tuple[int, ...]:
        """All, until five were said."""
        return tuple(state.seats) if len(state.heard) < 5 else ()

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Say or stop."""
        return (Option("Say", self.rule, slots=(PickNumber("number", 0, 9, ABOVE, BELOW),)), Option("Stop", self.rule))

    def at_once(self, command: Any) -> bool:
        """Only numbers act."""
        return isinstance(command, Say)

    def act(self, course: Course[State], seat: int, command: Say) -> None:
        """It is heard."""
        course.emit(Heard(f"{seat}:{command.number}"))

    def close(self, course: Course[State], answers: dict[int, Stop]) -> tuple[Any, ...]:
        """Who stopped is told."""
        course.emit(Heard(f"stopped {sorted(answers)}"))
        return ()


class Deal(Step):
    """A shuffle, and a vote of those it names."""

    label: str

    def run(self, course: Course[State]) -> tuple[Any, ...]:
        """Draw an order."""
        course.emit(Heard("".join(course.shuffle(self.label, "abc"))))
        return (Vote((1,)),)


Command = Say | Stop | Take


class State(Playing[Any, Command]):
    """What was heard."""

    heard: tuple[str, ...] = ()


def begun(*agenda: Any, seats: int = 3) -> State:
    """A state in which this agenda has come to its first question."""
    outcome = course.begin(State((), (), (), (0,) * seats), None, agenda, SeededChance(bytes(32)))
    state: State = outcome.state
    return state


def says(state: State, seat: int, command: Any) -> Outcome:
    """Let a seat answer."""
    decision = course.decision(state, seat)
    assert decision is not None
    return course.decide(state, decision, command, SeededChance(bytes(32)))


def test_a_game_begins_with_somebody_asked() -> None:
    """The first event, what the agenda runs, and who is asked then."""
    first = Heard("once upon a time")
    outcome = course.begin(State((), (), (), (0, 0)), first, (Deal("deck"), Vote((2,))), SeededChance(bytes(32)))
    order = outcome.state.heard[0]
    assert sorted(order) == ["a", "b", "c"]
    assert outcome.events == (first, Heard(order), Asked(0, 0, (Vote((1,)), Vote((2,))), (1,)))
    assert course.waiting(outcome.state) == (1,)


def test_a_decision_tells_what_is_asked() -> None:
    """Number, question, rule, options and facts; nothing for those who are not asked."""
    state = begun(Confess(2))
    slot = PickSome("letters", items("aab"), 0, 2, ABOVE, BELOW)
    options = (Option("Take", "TOY-020", slots=(slot,)),)
    assert course.decision(state, 2) == Decision(2, 1, "confess", "TOY-020", options, facts(heard=0))
    assert course.decision(state, 1) is None
    assert course.decision(state, 0) is None


def test_answers_are_sealed_until_the_last() -> None:
    """Who has answered is told, what is not; the last answer closes the question and is in no event of its own."""
    state = begun(Vote((1, 3)))
    outcome = says(state, 3, Say(7))
    assert outcome.events == (Answered(3, Say(7)),)
    assert (outcome.state.waiting, outcome.state.answers, outcome.state.heard) == ((1,), (Answered(3, Say(7)),), ())
    assert course.decision(outcome.state, 3) is None
    outcome = says(outcome.state, 1, Say(4))
    assert outcome.events == (Heard("1:4"), Heard("3:7"), Asked(1, 1, (), ()))
    assert (outcome.state.answers, outcome.state.agenda, outcome.state.numbers) == ((), (), (1, 0, 1))


def test_a_sealed_answer_is_shown_to_its_seat_alone() -> None:
    """Others, and spectators, see only that somebody has answered; who is asked all see."""
    sealed = Answered(3, Say(7))
    assert course.show(sealed, 3) == HasAnswered(3, Say(7))
    assert course.show(sealed, 1) == course.show(sealed, 0) == HasAnswered(3, None)
    assert course.show(Asked(1, 2, (Vote((1,)),), (1, 2)), 2) == NowAsked((1, 2))


def test_another_answer_never_changes_an_open_decision() -> None:
    """Its number and options stay while others answer."""
    state = begun(Vote((1, 2, 3)))
    assert course.decision(says(state, 1, Say(9)).state, 2) == course.decision(state, 2)


def test_an_interrupt_comes_before_the_rest() -> None:
    """Items that an answer puts in front are asked first, and the rest of the agenda stays where it was."""
    state = begun(Vote((2,)), Vote((3,)), Deal("later"))
    outcome = says(state, 2, Say(9))
    assert outcome.events[-1] == Asked(2, 1, (Confess(2),), (2,))
    assert outcome.state.agenda == (Confess(2), Vote((3,)), Deal("later"))
    outcome = says(outcome.state, 2, Take(("b", "a")))
    assert outcome.events == (Heard("ab"), Asked(2, 1, (), (3,)))
    assert outcome.state.numbers == (0, 2, 0)


def test_answers_that_act_at_once() -> None:
    """They take effect before others have answered, and the seat is asked again with a new number."""
    state = begun(Race(), Vote((1,)))
    outcome = says(state, 2, Say(5))
    assert outcome.events == (Heard("2:5"), Asked(2, 0, (), (1, 2, 3)))
    assert outcome.state.numbers == (0, 1, 0)
    decision = course.decision(outcome.state, 2)
    assert decision is not None
    assert decision.number == 2


def test_who_has_stopped_is_not_asked_again() -> None:
    """A sealed answer stays sealed while others act at once, and is handed over when the question closes."""
    state = says(begun(Race(), Vote((1,)), seats=2), 1, Stop()).state
    outcome = says(state, 2, Say(5))
    assert outcome.events[-1] == Asked(2, 0, (), (2,))
    assert outcome.state.answers == (Answered(1, Stop()),)
    outcome = says(outcome.state, 2, Stop())
    assert outcome.events == (Heard("stopped [1, 2]"), Asked(2, 1, (), (1,)))
    assert outcome.state.answers == ()


def test_an_answer_at_once_may_end_the_question() -> None:
    """When its question asks nobody any more, it closes, and sealed answers go with it."""
    state = begun(Race(), Vote((1,)), seats=2)
    for number in range(4):
        state = says(state, 1, Say(number)).state
    state = says(state, 2, Stop()).state
    outcome = says(state, 1, Say(9))
    assert outcome.events == (Heard("1:9"), Heard("stopped [2]"), Asked(1, 1, (), (1,)))
    assert (outcome.state.answers, outcome.state.waiting) == ((), (1,))


def test_a_question_to_nobody_closes_by_itself() -> None:
    """Nobody is asked, and the agenda goes on."""
    state = begun(Vote(()), Vote((2,)))
    assert state.agenda == (Vote((2,)),)


def test_the_agenda_stores_what_changed() -> None:
    """Equal items at its end are kept, not written again; folding gives the live state."""
    state = begun(Vote((1,)), Vote((2,)), Vote((3,)))
    outcome = says(state, 1, Say(9))
    assert outcome.events[-1] == Asked(1, 1, (Confess(1),), (1,))
    folded = state
    for event in outcome.events:
        folded = course.evolve(folded, event)
    assert folded == outcome.state


def test_a_question_that_comes_again_is_put_again() -> None:
    """An item that asks for itself a second time is a new item of the agenda, and a new decision."""

    class Again(Turn):
        """Asked until a nine is said."""

        rule: ClassVar[str] = "TOY-040"

        def options(self, state: State, seat: int) -> tuple[Option, ...]:
            """A number up to nine."""
            return (Option("Say", self.rule, slots=(PickNumber("number", 0, 9, ABOVE, BELOW),)),)

        def answered(self, course: Course[State], command: Say) -> tuple[Any, ...]:
            """Once more, unless it is a nine."""
            return () if command.number == 9 else (self,)

    state = begun(Again(1), Again(1))
    outcome = says(state, 1, Say(1))
    assert outcome.state.agenda == (Again(1), Again(1))
    assert outcome.state.numbers == (1, 0, 0)
    assert says(outcome.state, 1, Say(9)).state.agenda == (Again(1),)


def test_the_order_of_a_multiset_says_nothing() -> None:
    """A command is sorted before it is looked at."""
    assert says(begun(Confess(1)), 1, Take(("b", "a"))) == says(begun(Confess(1)), 1, Take(("a", "b")))


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (Say(10), Refusal("TOY-002", "ABOVE", facts(field="number", least=0, most=9))),
        (Stop(), Refusal("TOY-010", "NOT_OFFERED", facts(command="Stop"))),
        (None, Refusal("TOY-010", "NOT_OFFERED", facts(command="NoneType"))),
    ],
)
def test_options_alone_refuse(command: Any, refusal: Refusal) -> None:
    """What they do not take is refused, by their bound or by the rule of the question."""
    with pytest.raises(Illegal) as illegal:
        says(begun(Vote((1,))), 1, command)
    assert illegal.value.refusal == refusal
    assert str(illegal.value) == f"{refusal.rule} {refusal.reason}"


def test_a_game_may_explain_what_is_not_offered() -> None:
    """It is asked only where the options have no bound to name, and may leave it at that."""
    state = begun(Vote((1,)))
    decision = course.decision(state, 1)
    assert decision is not None
    asked: list[Any] = []

    def explain(state: State, seat: int, command: Any) -> Refusal | None:
        asked.append(command)
        return Refusal("TOY-099", "NOT_IN_A_VOTE") if isinstance(command, Stop) else None

    for command, reason in ((Stop(), "NOT_IN_A_VOTE"), (Take(()), "NOT_OFFERED"), (Say(10), "ABOVE")):
        with pytest.raises(Illegal) as illegal:
            course.decide(state, decision, command, SeededChance(bytes(32)), explain)
        assert illegal.value.refusal.reason == reason
    assert asked == [Stop(), Take(())]


def test_seats_are_counted_clockwise() -> None:
    """From any seat on, all around."""
    state = begun(Vote((1,)), seats=4)
    assert list(state.seats) == [1, 2, 3, 4]
    assert state.clockwise(3) == (3, 4, 1, 2)


def test_names_become_keys_of_sentences() -> None:
    """Classes and reasons alike."""
    assert [phrase("BidMade"), phrase("BID_EXCEEDS_CARDS"), phrase("Pass")] == ["bid-made", "bid-exceeds-cards", "pass"]


@pytest.mark.parametrize(
    "call",
    [
        lambda: Step().run(Course(begun(Vote((1,))), SeededChance(bytes(32)))),
        lambda: Question().seats(None),
        lambda: Question().options(None, 1),
        lambda: Question().act(Course(begun(Vote((1,))), SeededChance(bytes(32))), 1, None),
        lambda: Question().close(Course(begun(Vote((1,))), SeededChance(bytes(32))), {}),
        lambda: Turn(1).answered(Course(begun(Vote((1,))), SeededChance(bytes(32))), None),
    ],
)
def test_an_item_that_says_nothing_fails_loudly(call: Any) -> None:
    """What an item must say for itself has no silent meaning."""
    with pytest.raises(NotImplementedError):
        call()


def test_another_games_command_of_the_same_name_is_refused() -> None:
    """Two games may have a command of the same name; only the own one is taken."""
    foreign = type("Say", (Value,), {"__annotations__": {"number": "int"}})(number=3)
    with pytest.raises(Illegal) as refused:
        says(begun(Vote((1,))), 1, foreign)
    assert refused.value.refusal == Refusal("TOY-010", "NOT_OFFERED", facts(command="Say"))
