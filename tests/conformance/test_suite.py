"""The parts of the suite, each shown something wrong; the planted faults of `test_faults` show the whole of it."""

from __future__ import annotations

from typing import Any

import pytest

from domain import toy
from domain.chance import Stream
from domain.values import Value
from tests.conformance import subjects, twins, vocabulary, walk, worlds
from tests.conformance.claims import Broken, HandlerFailed, handling
from tests.conformance.faults import faulty, real
from tests.conformance.subjects import Start, subject
from tests.conformance.tally import Tally


class Inner(Value):
    """Something to hold."""


class WithDict(Value):
    """No dict."""

    bad: dict[str, int]


class WithFloat(Value):
    """No float."""

    bad: float


class WithAny(Value):
    """No Any."""

    bad: Any


class WithNested(Value):
    """No tuple in a tuple."""

    bad: tuple[tuple[int, ...], ...]


class WithPair(Value):
    """No tuple of a fixed length."""

    bad: tuple[int, int]


class WithOptionalTuple(Value):
    """No optional tuple."""

    bad: tuple[int, ...] | None


class WithScalarUnion(Value):
    """No union with a scalar."""

    bad: Inner | int


class Deep(Value):
    """Nothing bad itself."""

    fine: tuple[Inner | WithFloat, ...]


class Fine(Value):
    """All that is allowed."""

    number: int | None
    name: str
    inner: Inner | Deep | None
    some: tuple[Inner, ...]
    words: tuple[str, ...]


@pytest.mark.parametrize(
    "cls", [WithDict, WithFloat, WithAny, WithNested, WithPair, WithOptionalTuple, WithScalarUnion, Deep]
)
def test_foreign_types_are_found(cls: type[Value]) -> None:
    """Every kind of type outside the vocabulary is found, also inside another."""
    with pytest.raises(Broken):
        vocabulary.visit(cls, cls.__name__, {})


def test_types_of_the_vocabulary_pass() -> None:
    """What is allowed is not found."""
    vocabulary.visit(Fine, "Fine", {WithFloat: None})


def test_a_near_twin_exchanges_one_pair() -> None:
    """In one of all shuffles two unequal things change places, and nothing else moves."""
    chance = twins.Exchanging(1, (0, 2), twins.Still())
    assert chance.shuffle("a", "abc") == tuple("abc")
    assert chance.shuffle("b", "abc") == tuple("cba")
    assert chance.shuffle("c", "abc") == tuple("abc")
    pairs = twins.Pairs([("a", "a"), ("a", "b", "a")])
    picked = {pairs.pick(Stream(bytes(32), str(n))) for n in range(20)}
    assert picked == {(1, (0, 1)), (1, (1, 2))}
    assert twins.Pairs([("a", "a"), ()]).pick(Stream(bytes(32), "")) is None


def test_a_tally_complains_of_what_was_never_met() -> None:
    """Zero comparisons of something the game has is a failure, and so is a lazy resample."""
    tally = Tally()
    tally.add("events", "Met", times=3)
    tally.demand_none_missing("events")
    tally.add("events", "Unmet", times=0)
    with pytest.raises(Broken, match="never compared: events Unmet"):
        tally.demand_none_missing("events")
    with pytest.raises(Broken, match="no twin"):
        tally.demand_real_twins()
    tally.add("full twins", "where something is hidden", times=9)
    tally.add("full twins", "the state itself", times=1)
    tally.demand_real_twins()
    tally.add("full twins", "the state itself")
    with pytest.raises(Broken, match="2 of 9"):
        tally.demand_real_twins()
    tally.add("full twins", "where something is hidden", times=9)
    tally.add("hidden things changed", "hand", times=0)
    with pytest.raises(Broken, match="never changed hand"):
        tally.demand_real_twins()


def test_tallies_travel_and_merge() -> None:
    """Counts of several workers are added up."""
    tally, other = Tally(), Tally()
    tally.add("events", "Met")
    other.merge(tally.plain())
    other.merge(tally.plain())
    assert other.lines() == ["events: Met 2"]


def test_a_failing_handler_is_no_caught_fault() -> None:
    """Code that raises is told apart from a broken promise, else any typing error in a fault would count."""
    with pytest.raises(HandlerFailed), handling("decide fails"):
        raise KeyError("apple-9")


def test_a_faulty_game_is_the_game_otherwise() -> None:
    """Only the exchanged part differs."""
    other: Any = faulty(faulty(toy, view="view"), show="show")
    assert (other.view, other.show, other.decide, real(other)) == ("view", "show", toy.decide, toy)


def test_the_same_seed_plays_the_same_game() -> None:
    """A failure can be played again from what is printed."""
    start = Start(3, "first", (("coins", "hidden"),), seed=5)
    games = [list(walk.from_start(subject("toy"), toy, start, Tally()).steps()) for _ in range(2)]
    assert games[0] == games[1]


def test_every_table_is_listed() -> None:
    """Three player counts with two settings of one edition are six."""
    assert len(subjects.starts(toy)) == 6


def test_no_comparison_of_a_world_with_itself() -> None:
    """All variants of the second world differ in something."""
    assert len(set(worlds.VARIANTS)) == len(worlds.VARIANTS) == 11
