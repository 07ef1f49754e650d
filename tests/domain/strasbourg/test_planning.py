"""Planning (chapter 2)."""

import pytest

from domain import strasbourg
from domain.course import Answered
from domain.options import Group
from domain.strasbourg.commands import Draw, MakeStacks, Pass
from domain.strasbourg.components import Stack, in_order
from domain.strasbourg.contest import Contest
from domain.strasbourg.events import Drawn, RoundBegan, StacksMade
from domain.strasbourg.planning import FirstCards, Planning
from domain.strasbourg.play import Round
from domain.strasbourg.shown import CardDrawn, StacksLaid
from tests.domain.strasbourg.table import cards, having, keys, stack, table
from tests.scenario import Scenario, given


def split(*stacks: str) -> MakeStacks:
    """The command that makes these stacks."""
    return MakeStacks(tuple(Group(keys(part)) for part in stacks))


def planning(**hands: str) -> Scenario:
    """Seats 1 to 3 plan with these hands; their decks are 6, then 1."""
    state = table(3)
    for seat in state.seats:
        hand = hands.get(f"seat_{seat}", "")
        state = having(state, seat, hand=hand, deck="61")
    return given(strasbourg, state, Planning(), Contest("A"))


@pytest.mark.rule("STR-201")
def test_the_first_card_is_taken_for_everybody() -> None:
    """A round begins with a card from the top of each deck, clockwise from the first player."""
    state = having(having(having(table(3, first=2), 1, deck="54"), 2, deck="6"), 3, deck="")
    given(strasbourg, state, Round(2)).then(RoundBegan(2), Drawn(2, *cards("6")), Drawn(1, *cards("5"))).asks(1, 2)


@pytest.mark.rule("STR-201", "STR-205")
def test_whose_deck_is_empty_is_asked_only_with_something_to_split() -> None:
    """An empty deck without a hand is ready at once; with a hand it can only be split."""
    state = having(having(having(table(3), 1, hand="4", deck=""), 2, deck=""), 3, hand="5", deck="1")
    asked = given(strasbourg, state, Planning(), Contest("A")).asks(1, 3)
    asked.offers(1, "MakeStacks").offers(3, "Draw", "MakeStacks")
    asked.when(1, Draw()).refused("STR-202", "DECK_EMPTY")


@pytest.mark.rule("STR-201")
def test_drawing_goes_card_by_card() -> None:
    """Each drawing takes the top card and asks the same seat again, under a new number."""
    asked = planning(seat_1="3", seat_2="4", seat_3="5")
    before = strasbourg.decision(asked.state, 1)
    drawn = asked.when(1, Draw()).then(Drawn(1, *cards("6"))).asks(1, 2, 3)
    after = strasbourg.decision(drawn.state, 1)
    assert before is not None
    assert after is not None
    assert after.number == before.number + 1
    assert drawn.state.player(1).hand == in_order(cards("36"))
    drawn.when(1, Draw()).then(Drawn(1, *cards("1"))).offers(1, "MakeStacks")


@pytest.mark.rule("STR-202")
def test_no_drawn_card_goes_back_and_the_deck_is_never_refilled() -> None:
    """Every drawn card must be split, and an empty deck offers no more."""
    asked = planning(seat_1="3", seat_2="4", seat_3="5").when(1, Draw()).when(1, Draw())
    asked.when(1, Draw()).refused("STR-202", "DECK_EMPTY")
    asked.when(1, split("6", "3")).refused("STR-203", "CARDS_NOT_ALL_SPLIT")
    assert asked.state.player(1).deck == ()


@pytest.mark.rule("STR-203")
@pytest.mark.parametrize("stacks", [("2235",), ("22", "35"), ("2", "2", "3", "5"), ("3", "522")])
def test_all_drawn_cards_are_split_in_any_way(stacks: tuple[str, ...]) -> None:
    """One stack of all, one a card, and everything between is allowed."""
    after = planning(seat_1="5223").when(1, split(*stacks))
    assert sorted(after.state.player(1).stacks, key=str) == sorted((stack(part) for part in stacks), key=str)
    assert after.state.player(1).hand == ()


@pytest.mark.rule("STR-203")
@pytest.mark.parametrize("stacks", [("22", "3"), ("22", "355"), ("22", "36"), ("2235", "2"), ("22", "34")])
def test_a_split_with_a_card_missing_doubled_or_foreign_is_refused(stacks: tuple[str, ...]) -> None:
    """Exactly the drawn cards are split, and nothing changes otherwise."""
    planning(seat_1="5223", seat_2="1").when(1, split(*stacks)).refused("STR-203", "CARDS_NOT_ALL_SPLIT")


@pytest.mark.rule("STR-203")
def test_a_stack_has_at_least_one_card() -> None:
    """An empty stack, a foreign key and nothing at all are refused."""
    asked = planning(seat_1="52", seat_2="1")
    asked.when(1, split("52", "")).refused("STR-203", "EMPTY_STACK")
    asked.when(1, MakeStacks(())).refused("STR-203", "CARDS_NOT_ALL_SPLIT")
    asked.when(1, MakeStacks((Group(("weapon", "influence-2")),))).refused("STR-203", "CARDS_NOT_ALL_SPLIT")


@pytest.mark.rule("STR-204")
def test_drawing_is_seen_and_the_card_only_by_its_owner() -> None:
    """Others see the deck shrink, not the card."""
    drawn = planning(seat_1="3", seat_2="4", seat_3="5").when(2, Draw())
    (event,) = drawn.events
    assert event.show(2) == CardDrawn(2, *cards("6"))
    assert event.show(1) == event.show(0) == CardDrawn(2, None)
    seen = strasbourg.view(drawn.state, 1).players[1]
    assert (seen.deck, seen.hand) == (1, 2)


@pytest.mark.rule("STR-204", "STR-205")
def test_a_split_is_sealed_until_all_are_ready() -> None:
    """Until the last is ready others see only who is; then the sizes of all stacks, in no order but that."""
    asked = planning(seat_1="52", seat_2="344", seat_3="6")
    sealed = asked.when(2, split("44", "3"))
    (event,) = sealed.events
    assert isinstance(event, Answered)
    assert event.show(2).command == split("3", "44")
    assert event.show(1).command is None
    assert strasbourg.view(sealed.state, 1) == strasbourg.view(asked.state, 1)
    sealed.asks(1, 3)
    ready = sealed.when(3, split("6")).when(1, split("52"))
    ready.happened(
        StacksMade(1, (stack("25"),)), StacksMade(2, (stack("3"), stack("44"))), StacksMade(3, (stack("6"),))
    ).asks(1)
    made = next(event for event in ready.events if isinstance(event, StacksMade) and event.seat == 2)
    assert made.show(1) == made.show(0) == StacksLaid(2, (1, 2), ())
    assert made.show(2) == StacksLaid(2, (1, 2), (stack("3"), stack("44")))
    assert [player.stacks for player in strasbourg.view(ready.state, 1).players] == [(2,), (1, 2), (1,)]


@pytest.mark.rule("STR-204")
def test_the_owner_looks_at_his_stacks_but_never_changes_them() -> None:
    """His view shows them, and no further split is offered."""
    ready = planning(seat_1="52").when(1, split("5", "2"))
    own = strasbourg.view(ready.state, 1).own
    assert own is not None
    assert own.stacks == (stack("2"), stack("5"))
    ready.offers(1, "Flip", "Pass").when(1, split("52")).refused("STR-302", "NOT_OFFERED")


@pytest.mark.rule("STR-205")
def test_nobody_plans_when_nobody_has_cards() -> None:
    """With all decks empty the round goes on to its steps, and there nobody has a stack."""
    state = table(3)
    for seat in state.seats:
        state = having(state, seat, deck="")
    given(strasbourg, state, FirstCards(), Planning(), Contest("A")).asks()


@pytest.mark.rule("STR-315", "STR-204")
def test_stacks_that_stayed_lie_among_the_new_ones() -> None:
    """Others see the sizes of all together; old ones of the same size can't be told from new ones."""
    state = table(3, stay=True)
    state = having(state, 1, hand="52", deck="6", stacks="3 66")
    state = having(having(state, 2, deck="1"), 3, deck="1")
    ready = given(strasbourg, state, Planning(), Contest("A")).when(1, split("5", "2"))
    assert ready.state.player(1).stacks == (stack("2"), stack("3"), stack("5"), Stack(cards("66")))
    assert strasbourg.view(ready.state, 2).players[0].stacks == (1, 1, 1, 2)
    ready.when(1, Pass()).asks()
