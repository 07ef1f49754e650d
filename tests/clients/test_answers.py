"""From an option to an answer: what the client lets pass is what the rules let pass."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import options as domain
from kontor.v1 import Decision, Field, Item, Need, Option, PickNumber, PickOne, PickSome, Slot, Split
from kontor_client import BadAnswer, filled_field, first_answer, option_answer, random_answer
from service.translate.asking import slot_from_message

KEYS = ("leo-15", "joker", "maria-3", "church", "seat-2")
CARDS = Slot(
    field="cards",
    pick_some=PickSome(
        items=[Item(key="joker", count=2, weight=1), Item(key="leo-15", count=1, weight=15, kind="leo")],
        least=1,
        most=3,
        needs=[Need(kind="leo", least=1)],
        limit=16,
    ),
)
BID = Option(command="Bid", slots=[Slot(field="cards", pick_number=PickNumber(least=2, most=5))])
USE = Option(
    command="Use",
    given=[Field(name="privilege", key="trade")],
    slots=[Slot(field="use", pick_one=PickOne(keys=["step", "plain"]))],
)
STACKS = Slot(field="stacks", split=Split(items=[Item(key="a", count=2), Item(key="b", count=1)]))


def test_an_option_without_slots_is_its_own_answer() -> None:
    """Its given fields go along."""
    answer = option_answer(Option(command="Pass", given=[Field(name="noble", key="leo")]))
    assert answer.command == "Pass"
    assert [(field.name, field.key) for field in answer.fields] == [("noble", "leo")]


def test_fields_fill_the_slots() -> None:
    """One a slot, behind those that are given."""
    answer = option_answer(USE, use="step")
    assert [(field.name, field.key) for field in answer.fields] == [("privilege", "trade"), ("use", "step")]
    assert option_answer(BID, cards=3).fields[0].number == 3


def test_things_and_groups_become_keys() -> None:
    """Equal ones are repeated."""
    assert filled_field(CARDS, ["leo-15", "joker"]).keys.keys == ["leo-15", "joker"]
    groups = filled_field(STACKS, [["a", "b"], ["a"]]).groups.groups
    assert [list(group.keys) for group in groups] == [["a", "b"], ["a"]]


@pytest.mark.parametrize(
    ("option", "fields", "sentence"),
    [
        (BID, {}, "Bid wants cards."),
        (BID, {"cards": 3, "noble": "leo"}, "Bid has nothing to fill in for noble."),
        (BID, {"cards": 6}, "6 is no number from 2 to 5."),
        (BID, {"cards": True}, "True is no number from 2 to 5."),
        (BID, {"cards": "3"}, "3 is no number from 2 to 5."),
        (USE, {"use": "church"}, "church is none of step, plain."),
    ],
)
def test_what_does_not_fit_is_told_in_a_sentence(option: Option, fields: dict[str, Any], sentence: str) -> None:
    """Before anything is sent."""
    with pytest.raises(BadAnswer, match=sentence):
        option_answer(option, **fields)


@pytest.mark.parametrize(
    ("slot", "value", "sentence"),
    [
        (CARDS, "leo-15", "is no list"),
        (CARDS, [3], "is no list of keys"),
        (CARDS, ["church"], "There is no church to pick"),
        (CARDS, ["leo-15", "leo-15"], "There are not 2 of leo-15, but 1"),
        (CARDS, [], "Pick 1 to 3, not 0"),
        (CARDS, ["joker"], "at least 1 of the kind leo"),
        (CARDS, ["leo-15", "joker", "joker"], "These come to 17, but 16 is the limit"),
        (STACKS, [["a", "b"]], "every thing once"),
        (STACKS, [["a", "a", "b"], []], "A group without anything"),
        (STACKS, ["aab"], "is no list"),
        (Slot(field="new"), 1, "older than the server"),
    ],
)
def test_every_bound_of_a_slot_is_kept(slot: Slot, value: Any, sentence: str) -> None:
    """As the server keeps it."""
    with pytest.raises(BadAnswer, match=sentence):
        filled_field(slot, value)


def test_the_first_answer_takes_the_first_of_everything() -> None:
    """The first option, the least number, the fewest and lightest things."""
    asked = Decision(number=1, options=[BID, USE])
    assert first_answer(asked) == option_answer(BID, cards=2)
    assert first_answer(Option(command="Show", slots=[CARDS])).fields[0].keys.keys == ["leo-15"]
    assert len(first_answer(Option(command="Stack", slots=[STACKS])).fields[0].groups.groups) == 1


# --- against the rules' own vocabulary ----------------------------------------------------------------------------


@st.composite
def somes(draw: st.DrawFn) -> PickSome:
    """A slot to pick some, which at least one pick satisfies."""
    names = draw(st.lists(st.sampled_from(KEYS), min_size=1, unique=True))
    items = [
        Item(
            key=key,
            count=draw(st.integers(1, 3)),
            weight=draw(st.integers(0, 5)),
            kind=draw(st.sampled_from(["", "red", "blue"])),
        )
        for key in names
    ]
    picked = draw(st.lists(st.sampled_from([item for item in items for _ in range(item.count)]), max_size=4))
    legal = [item for place, item in enumerate(picked) if picked[:place].count(item) < item.count]
    kinds = [kind for kind in ("red", "blue") if any(item.kind == kind for item in legal)]
    some = PickSome(
        items=items,
        least=draw(st.integers(0, len(legal))),
        most=draw(st.integers(len(legal), 12)),
        needs=[Need(kind=kind, least=draw(st.integers(0, sum(i.kind == kind for i in legal)))) for kind in kinds],
    )
    if draw(st.booleans()):
        some.limit = sum(item.weight for item in legal) + draw(st.integers(0, 3))
    return some


SPLITS = st.lists(st.builds(Item, key=st.sampled_from(KEYS), count=st.integers(1, 3)), unique_by=lambda item: item.key)
SLOTS = st.one_of(
    st.builds(lambda some: Slot(field="f", pick_some=some), somes()),
    st.builds(lambda items: Slot(field="f", split=Split(items=items)), SPLITS),
    st.builds(
        lambda least, more: Slot(field="f", pick_number=PickNumber(least=least, most=least + more)),
        st.integers(-3, 3),
        st.integers(0, 5),
    ),
    st.builds(
        lambda keys: Slot(field="f", pick_one=PickOne(keys=keys)),
        st.lists(st.sampled_from(KEYS), min_size=1, unique=True),
    ),
)


def meant(field: Field) -> Any:
    """A filled field as the rules have it."""
    kind = field.WhichOneof("value")
    if kind == "keys":
        return tuple(sorted(field.keys.keys))
    if kind == "groups":
        return tuple(domain.Group(tuple(sorted(group.keys))) for group in field.groups.groups)
    return getattr(field, kind or "")


@given(SLOTS, st.integers())
def test_what_the_client_chooses_the_rules_accept(slot: Slot, seed: int) -> None:
    """The first answer and one by chance, for any slot there can be."""
    option = Option(command="Any", slots=[slot])
    for answer in (first_answer(option), random_answer(option, random.Random(seed))):
        assert domain.refusal(slot_from_message(slot), meant(answer.fields[0])) is None


@given(st.builds(lambda some: Slot(field="f", pick_some=some), somes()), st.lists(st.sampled_from(KEYS), max_size=6))
def test_the_client_refuses_exactly_what_the_rules_refuse(slot: Slot, keys: list[str]) -> None:
    """For things to pick, where most bounds are."""
    by_rules = domain.refusal(slot_from_message(slot), tuple(sorted(keys)))
    try:
        filled_field(slot, keys)
    except BadAnswer:
        assert by_rules is not None
    else:
        assert by_rules is None
