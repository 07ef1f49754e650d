"""Options: what is offered is accepted, everything else is refused by the bound that it breaks."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.chance import Stream
from domain.engine import Decision
from domain.options import (
    Count,
    Given,
    Group,
    Item,
    Need,
    Option,
    PickNumber,
    PickOne,
    PickSome,
    Refusal,
    Slot,
    Split,
    Why,
    answers,
    canonical,
    check,
    count,
    items,
    refusal,
    sample,
    seat_key,
    seat_number,
)
from domain.values import Value, facts
from domain.ways import bell
from tests.conformance import oracle

SEED = bytes(range(32))
FOREIGN = Why("TOY-001", "FOREIGN")
SIZE = Why("TOY-002", "SIZE")
KIND = Why("TOY-003", "KIND")
HEAVY = Why("TOY-004", "HEAVY")
EMPTY = Why("TOY-005", "EMPTY")
ABOVE = Why("TOY-006", "ABOVE")
BELOW = Why("TOY-007", "BELOW")
OTHERWISE = Why("TOY-000", "NOT_OFFERED")


class Say(Value):
    """A command with a single field."""

    what: Any


class Deal(Value):
    """A command with three."""

    card: str
    price: int
    gifts: tuple[str, ...]


class Pass(Value):
    """A command without any."""


COMMANDS = {"Say": Say, "Deal": Deal, "Pass": Pass}


def says(slot: Slot) -> Option:
    """An option with this slot alone."""
    return Option("Say", "TOY-000", slots=(slot,))


def some(stock: tuple[Item, ...], least: int = 0, most: int = 9, **more: Any) -> PickSome:
    """A pick of some, with its reasons."""
    return PickSome("what", stock, least, most, FOREIGN, SIZE, heavy=HEAVY, **more)


def split(*stock: Item) -> Split:
    """A split, with its reasons."""
    return Split("what", stock, FOREIGN, EMPTY)


STOCK = (Item("a", 2, weight=3, kind="red"), Item("b", 1, weight=1, kind="blue"), Item("c", 3, weight=2, kind="red"))


# --- what each slot takes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slot", "value", "why"),
    [
        (PickOne("what", ("a", "b"), FOREIGN), "a", None),
        (PickOne("what", ("a", "b"), FOREIGN), "c", FOREIGN),
        (PickOne("what", ("a", "b"), FOREIGN), None, FOREIGN),
        (PickOne("what", ("a", "b"), FOREIGN), ["a"], FOREIGN),
        (PickNumber("what", 1, 3, ABOVE, BELOW), 1, None),
        (PickNumber("what", 1, 3, ABOVE, BELOW), 3, None),
        (PickNumber("what", 1, 3, ABOVE, BELOW), 0, BELOW),
        (PickNumber("what", 1, 3, ABOVE, BELOW), 4, ABOVE),
        (PickNumber("what", 1, 3, ABOVE, BELOW), True, BELOW),
        (PickNumber("what", 1, 3, ABOVE, BELOW), 2.0, BELOW),
        (PickNumber("what", 1, 3, ABOVE, BELOW), "2", BELOW),
        (some(STOCK), (), None),
        (some(STOCK), ("a", "a", "b"), None),
        (some(STOCK), ("a", "a", "a"), FOREIGN),
        (some(STOCK), ("d",), FOREIGN),
        (some(STOCK), ("a", 1), FOREIGN),
        (some(STOCK), ["a"], FOREIGN),
        (some(STOCK), "a", FOREIGN),
        (some(STOCK, 1, 2), (), SIZE),
        (some(STOCK, 1, 2), ("a", "b", "c"), SIZE),
        (some(STOCK, needs=(Need("blue", 1, KIND),)), ("a",), KIND),
        (some(STOCK, needs=(Need("blue", 1, KIND),)), ("a", "b"), None),
        (some(STOCK, needs=(Need("red", 2, KIND),)), ("a", "c"), None),
        (some(STOCK, needs=(Need("red", 2, KIND),)), ("a", "b"), KIND),
        (some(STOCK, limit=6), ("a", "a"), None),
        (some(STOCK, limit=6), ("a", "a", "b"), HEAVY),
        (split(*STOCK), (Group(("a", "b")), Group(("a", "c", "c", "c"))), None),
        (split(*STOCK), (Group(("a", "b")), Group(("a", "c", "c"))), FOREIGN),
        (split(*STOCK), (Group(("a", "b")), Group(("a", "c", "c", "c", "d"))), FOREIGN),
        (split(*STOCK), (Group(("a", "b", "a", "c", "c", "c")), Group(())), EMPTY),
        (split(*STOCK), (("a", "b", "a", "c", "c", "c"),), FOREIGN),
        (split(*STOCK), (), FOREIGN),
        (split(), (), None),
    ],
)
def test_a_slot_refuses_by_the_bound_that_is_broken(slot: Slot, value: object, why: Why | None) -> None:
    """Each bound names its own rule and reason; what breaks none is taken."""
    refused = refusal(slot, value)
    assert (None if refused is None else Why(refused.rule, refused.reason)) == why
    assert refused is None or refused.facts[0] == facts(field="what")[0]


def test_refusals_name_what_a_sentence_needs() -> None:
    """Limits and sums stand in the facts."""
    number = PickNumber("what", 1, 3, ABOVE, BELOW)
    assert refusal(number, 9) == Refusal("TOY-006", "ABOVE", facts(field="what", least=1, most=3))
    assert refusal(some(STOCK, limit=6), ("a", "a", "b")) == Refusal(
        "TOY-004", "HEAVY", facts(field="what", sum=7, limit=6)
    )
    assert refusal(some(STOCK), ("b", "b")) == Refusal("TOY-001", "FOREIGN", facts(field="what", thing="b"))
    needs = some(STOCK, needs=(Need("blue", 1, KIND),))
    assert refusal(needs, ("a",)) == Refusal("TOY-003", "KIND", facts(field="what", kind="blue", least=1))


def test_a_limit_without_a_reason_of_its_own_refuses_by_the_slots() -> None:
    """`heavy` may be left out."""
    slot = PickSome("what", STOCK, 0, 9, FOREIGN, SIZE, limit=2)
    assert refusal(slot, ("a",)) == Refusal("TOY-001", "FOREIGN", facts(field="what", sum=3, limit=2))


# --- what a decision takes ----------------------------------------------------------------------------------------

DEAL = Option(
    "Deal",
    "TOY-100",
    given=(Given("card", "leo"),),
    slots=(PickNumber("price", 1, 3, ABOVE, BELOW), PickSome("gifts", items("aab"), 0, 2, FOREIGN, SIZE)),
)
OTHER_DEAL = Option("Deal", "TOY-101", given=(Given("card", "virgo"),), slots=DEAL.slots)


def test_a_decision_takes_what_one_of_its_options_takes() -> None:
    """Any of them will do."""
    assert check((DEAL, OTHER_DEAL), Deal("virgo", 2, ("a", "b")), OTHERWISE) is None
    assert check((DEAL, Option("Pass", "TOY-102")), Pass(), OTHERWISE) is None


def test_the_nearest_option_refuses() -> None:
    """The refusal is that of the option which fits furthest; the first of several."""
    refused = check((DEAL, OTHER_DEAL), Deal("virgo", 2, ("c",)), OTHERWISE)
    assert refused == Refusal("TOY-001", "FOREIGN", facts(field="gifts"))
    refused = check((DEAL, OTHER_DEAL), Deal("libra", 2, ()), OTHERWISE)
    assert refused == Refusal("TOY-100", "NOT_OFFERED", facts(field="card"))


@pytest.mark.parametrize("command", [Pass(), None, 3, "Deal", Deal])
def test_what_is_not_offered_is_refused_by_the_question(command: object) -> None:
    """Another command, or none at all, is refused by the rule of the question."""
    name = type(command).__name__
    assert check((DEAL,), command, OTHERWISE) == Refusal("TOY-000", "NOT_OFFERED", facts(command=name))


def test_multisets_are_sorted() -> None:
    """The order of a tuple says nothing; what is no multiset of keys is left for the options to refuse."""
    assert canonical(Say(("b", "a"))) == Say(("a", "b"))
    assert canonical(Say((Group(("d", "c")), Group(("b", "a"))))) == Say((Group(("a", "b")), Group(("c", "d"))))
    for left in (Say(("b", 1)), Say(["b", "a"]), Say((Group((2, 1)),)), Say(()), Pass(), None, "ba"):  # type: ignore[arg-type]
        assert canonical(left) == left


def test_seats_have_keys() -> None:
    """A seat is named by a key, nobody by his own."""
    assert [seat_key(3), seat_number("seat-3"), seat_number("nobody")] == ["seat-3", 3, 0]


def test_equal_things_are_one_item() -> None:
    """Items stand in the order in which they first come."""
    assert items("bab") == (Item("b", 2), Item("a", 1))


# --- the algebra, on slots of all sorts ---------------------------------------------------------------------------

stocks = st.lists(
    st.builds(Item, st.sampled_from("abcde"), st.integers(1, 3), st.integers(0, 4), st.sampled_from(("red", "blue"))),
    max_size=4,
    unique_by=lambda item: item.key,
).map(tuple)
needed = st.lists(st.builds(Need, st.sampled_from(("red", "blue")), st.integers(0, 2), st.just(KIND)), max_size=2)
picks = st.builds(
    lambda stock, least, more, needs, limit: some(stock, least, least + more, needs=tuple(needs), limit=limit),
    stocks,
    st.integers(0, 3),
    st.integers(0, 4),
    needed,
    st.none() | st.integers(0, 12),
)
numbers = st.builds(
    lambda least, more: PickNumber("what", least, least + more, ABOVE, BELOW), st.integers(-3, 3), st.integers(0, 5)
)
ones = st.builds(
    lambda keys: PickOne("what", tuple(keys), FOREIGN), st.lists(st.sampled_from("abcde"), min_size=1, unique=True)
)
splits = stocks.map(lambda stock: split(*(Item(item.key, min(item.count, 2)) for item in stock[:3])))
slots = picks | numbers | ones | splits


@given(slots)
def test_count_equals_enumeration(slot: Slot) -> None:
    """There are as many answers as are counted, all different, all taken, and none else is sampled."""
    option = says(slot)
    counted, found = count(option), answers(option, COMMANDS)
    assert counted == Count(len(found), exact=True)
    assert len({repr(answer) for answer in found}) == len(found)
    for answer in found:
        assert check((option,), answer, OTHERWISE) is None
        assert canonical(answer) == answer
    if found:
        assert sample(option, COMMANDS, Stream(SEED, "any")) in found


@given(picks)
def test_a_pick_is_every_multiset_within_its_bounds(slot: PickSome) -> None:
    """Enumeration gives exactly the multisets of the stock that the bounds allow, by brute force."""
    all_ways = product(*(range(item.count + 1) for item in slot.items))
    chosen = (tuple(k for item, n in zip(slot.items, ways, strict=True) for k in [item.key] * n) for ways in all_ways)
    allowed = {tuple(sorted(keys)) for keys in chosen if not oracle.broken_by(slot, keys)}
    assert {answer.what for answer in answers(says(slot), COMMANDS)} == allowed


@given(slots, st.lists(st.sampled_from("abcdef"), max_size=5), st.integers(-5, 12))
def test_slots_mean_what_the_oracle_says(slot: Slot, keys: list[str], number: int) -> None:
    """Whatever is answered, the engine and a second, simpler reading of the slot agree on whether and why not."""
    parts = (Group(tuple(keys[:2])), Group(tuple(keys[2:])))
    decision = Decision(1, 1, "say", "TOY-000", (says(slot),))
    for value in (number, tuple(keys), "".join(keys[:1]), parts, None, keys):
        refused = check(decision.options, Say(value), OTHERWISE)
        expected = oracle.reasons(decision, Say(value))
        assert (refused is None) == (not expected)
        assert refused is None or Why(refused.rule, refused.reason) in expected


def test_slots_of_an_option_are_independent() -> None:
    """Every combination is an answer."""
    assert count(DEAL) == Count(3 * 5, exact=True)
    assert len(answers(DEAL, COMMANDS)) == 15
    assert len(answers(DEAL, COMMANDS, 4)) == 4
    assert count(Option("Pass", "TOY-102")) == Count(1, exact=True)
    assert answers(Option("Pass", "TOY-102"), COMMANDS) == (Pass(),)


def test_counting_splits_stops_at_its_bound() -> None:
    """Splits explode: the count says where it stopped."""
    many = says(split(*(Item(key) for key in "abcdefgh")))
    assert count(many, 100) == Count(100, exact=False)
    assert count(says(split(*(Item(key) for key in "abcd"))), 15) == Count(15, exact=True)
    assert len(answers(many, COMMANDS, 100)) == 100


def test_partitions_are_counted() -> None:
    """So many ways there are to part 0, 1, 2 ... things."""
    assert bell(5) == [1, 1, 2, 5, 15, 52]


# --- sampling -----------------------------------------------------------------------------------------------------


def even(counts: Counter[str], shares: dict[str, int]) -> bool:
    """Whether things came as often as their shares say (chi-square within four standard deviations)."""
    total, parts = sum(counts.values()), sum(shares.values())
    statistic = sum(
        (counts[name] - total * share / parts) ** 2 / (total * share / parts) for name, share in shares.items()
    )
    return set(counts) <= set(shares) and statistic < len(shares) - 1 + 4 * (2 * (len(shares) - 1)) ** 0.5


@pytest.mark.parametrize(
    "slot",
    [
        PickOne("what", tuple("abcde"), FOREIGN),
        PickNumber("what", 3, 9, ABOVE, BELOW),
        some(STOCK),
        some(STOCK, 0, 2),
        some(STOCK, 2, 4),
        some(STOCK, limit=6),
        some(STOCK, 1, 5, limit=7),
        some(STOCK, needs=(Need("blue", 1, KIND),), limit=8),
        some(STOCK, 2, 4, needs=(Need("blue", 1, KIND), Need("red", 2, KIND))),
        some(tuple(Item(key, 1, 9) for key in "abcdef"), limit=9),
        split(*(Item(key) for key in "abcd")),
    ],
    ids=range(11),
)
def test_sampling_is_uniform(slot: Slot) -> None:
    """Every answer comes as often as any other."""
    option, source = says(slot), Stream(SEED, "uniform")
    shares = {repr(answer): 1 for answer in answers(option, COMMANDS)}
    assert len(shares) > 4
    assert even(Counter(repr(sample(option, COMMANDS, source)) for _ in range(80 * len(shares))), shares)


def test_splits_are_uniform_over_distinguishable_things() -> None:
    """Two equal cards are two cards: parting them and a third together with one of them is twice as likely."""
    option, source = says(split(Item("a", 2), Item("b"))), Stream(SEED, "split")
    shares = {
        repr(Say((Group(("a", "a", "b")),))): 1,
        repr(Say((Group(("a", "a")), Group(("b",))))): 1,
        repr(Say((Group(("a",)), Group(("a", "b"))))): 2,
        repr(Say((Group(("a",)), Group(("a",)), Group(("b",))))): 1,
    }
    assert even(Counter(repr(sample(option, COMMANDS, source)) for _ in range(2000)), shares)


def test_an_option_samples_all_its_slots() -> None:
    """All combinations come equally often, and given fields are as given."""
    source = Stream(SEED, "deal")
    shares = {repr(answer): 1 for answer in answers(DEAL, COMMANDS)}
    assert even(Counter(repr(sample(DEAL, COMMANDS, source)) for _ in range(1500)), shares)


def test_an_option_without_an_answer_can_not_be_sampled() -> None:
    """There is nothing to choose: an error, not a search without end."""
    with pytest.raises(ValueError, match="no number"):
        sample(says(some(STOCK, 7, 9)), COMMANDS, Stream(SEED, "none"))
