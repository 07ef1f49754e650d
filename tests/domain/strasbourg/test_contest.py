"""The steps A to G: flipping, waiting, ranks, cards going back (STR-301..305, STR-314, STR-315, STR-318)."""

import pytest

from domain import strasbourg
from domain.strasbourg.commands import Decline, Flip, Pass, PutBack, Sell, Wait
from domain.strasbourg.components import Influence
from domain.strasbourg.contest import Clearing, Contest, PuttingBack, Unused
from domain.strasbourg.council import Council
from domain.strasbourg.events import (
    CardPutBack,
    ChairTaken,
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
from domain.strasbourg.planning import Planning
from domain.strasbourg.play import Round
from domain.strasbourg.state import State
from tests.domain.strasbourg.table import cards, having, keys, stack, table
from tests.scenario import Scenario, given


def flip(digits: str) -> Flip:
    """The command that flips a stack of these cards."""
    return Flip(keys(digits))


def with_stacks(*stacks: str, first: int = 1, privileges: tuple[int, ...] = ()) -> State:
    """One player for each of these: "23 5" is a stack of 2 and 3, and one of 5."""
    state = table(len(stacks), first=first)
    for seat, held in enumerate(stacks, 1):
        state = having(state, seat, stacks=held, privileges=(*privileges, *(0,) * 5)[seat - 1])
    return state


def contest(*stacks: str, step: str = "C", first: int = 1, privileges: tuple[int, ...] = ()) -> Scenario:
    """A step in which these stacks can be flipped; a merchants' step unless another is named."""
    return given(strasbourg, with_stacks(*stacks, first=first, privileges=privileges), Contest(step))


@pytest.mark.rule("STR-301")
def test_the_steps_of_a_round_follow_the_card() -> None:
    """A to I in order, with the guilds of the card in B, D and F."""
    state = table(3)
    for seat in state.seats:
        state = having(state, seat, deck="")
    began = [event for event in given(strasbourg, state, Round(1)).events if isinstance(event, StepBegan)]
    guilds = state.cards[0].guilds
    named = [
        ("A", ""),
        ("B", guilds[0]),
        ("C", ""),
        ("D", guilds[1]),
        ("E", ""),
        ("F", guilds[2]),
        ("G", ""),
        ("H", ""),
    ]
    assert [(event.step, event.guild) for event in began] == named
    second = [event for event in given(strasbourg, state, Round(2)).events if isinstance(event, StepBegan)]
    assert [event.guild for event in second if event.guild] == list(state.cards[1].guilds)


@pytest.mark.rule("STR-302")
def test_each_flips_or_passes_clockwise_from_the_first_player() -> None:
    """Later players see earlier flips; who has no stack is not asked."""
    asked = contest("5", "", "23", "6", first=3).asks(3).offers(3, "Flip", "Pass")
    flipped = asked.when(3, flip("23")).then(Flipped(3, cards("23"))).asks(4)
    assert strasbourg.view(flipped.state, 4).players[2].flipped == cards("23")
    flipped.when(4, Pass()).then(Passed(4)).asks(1)


@pytest.mark.rule("STR-302")
def test_nobody_is_asked_in_a_step_without_stacks() -> None:
    """With no stack at the table the step is over at once."""
    contest("", "", "").then(StepBegan("C", "")).asks()


@pytest.mark.rule("STR-302")
def test_only_a_whole_own_stack_is_flipped() -> None:
    """A part of a stack, another's stack, two stacks at once and a wrong card are refused."""
    asked = contest("23 5", "6", "4")
    for wrong in ("2", "6", "235", "223", "", "33"):
        asked.when(1, flip(wrong)).refused("STR-302", "STACK_NOT_HELD")
    asked.when(1, Flip(("weapon",))).refused("STR-302", "STACK_NOT_HELD")
    after = asked.when(1, flip("32")).then(Flipped(1, cards("23")))
    assert after.state.player(1).stacks == (stack("5"),)


@pytest.mark.rule("STR-302")
def test_equal_stacks_are_one_option_and_one_is_flipped() -> None:
    """Of two stacks alike one goes."""
    asked = contest("5 5", "", "1")
    decision = strasbourg.decision(asked.state, 1)
    assert decision is not None
    assert [option.command for option in decision.options] == ["Flip", "Pass"]
    assert asked.when(1, flip("5")).state.player(1).stacks == (stack("5"),)


@pytest.mark.rule("STR-303")
def test_a_privilege_lets_him_wait_behind_all_who_have_not_decided() -> None:
    """It is spent at once, and may be done any number of times."""
    asked = (
        contest("5", "4", "3", privileges=(2, 0, 0)).offers(1, "Flip", "Pass", "Wait").offers(1, "Flip", "Pass", "Wait")
    )
    waited = asked.when(1, Wait()).then(Waited(1)).asks(2).offers(2, "Flip", "Pass")
    assert waited.state.player(1).privileges == 1
    assert strasbourg.view(waited.state, 0).order == (2, 3, 1)
    again = waited.when(2, Pass()).when(3, Pass()).asks(1)
    assert again.state.player(1).privileges == 1


@pytest.mark.rule("STR-303")
def test_waiting_again_in_the_same_step() -> None:
    """Two who wait in turn change places until the privileges are gone."""
    asked = contest("5", "4", "", privileges=(2, 1)).when(1, Wait()).asks(2).when(2, Wait()).asks(1)
    asked.when(1, Wait()).asks(2).when(2, Wait()).refused("STR-303", "NO_PRIVILEGE")


@pytest.mark.rule("STR-303")
def test_a_wait_needs_somebody_to_wait_for() -> None:
    """When all others have decided, players without a stack among them, a wait is refused."""
    asked = contest("5", "", "4", privileges=(1, 1, 1))
    asked.when(1, Pass()).asks(3).offers(3, "Flip", "Pass").when(3, Wait()).refused("STR-303", "ALL_OTHERS_DECIDED")
    contest("5", "", "", privileges=(1,)).when(1, Wait()).refused("STR-303", "ALL_OTHERS_DECIDED")


@pytest.mark.rule("STR-303")
def test_a_wait_needs_a_privilege() -> None:
    """Without one it is refused, whoever has still to decide."""
    contest("5", "4", "3").when(1, Wait()).refused("STR-303", "NO_PRIVILEGE")


@pytest.mark.rule("STR-304")
def test_stacks_rank_by_sum() -> None:
    """The size of a stack says nothing."""
    asked = contest("111", "6", "22", "5").when(1, flip("111")).when(2, flip("6")).when(3, flip("22"))
    asked.when(4, flip("5")).happened(Ranked((2, 4, 3, 1)))


@pytest.mark.rule("STR-304")
@pytest.mark.parametrize(("first", "order"), [(1, (1, 2, 3)), (2, (2, 3, 1)), (3, (3, 1, 2))])
def test_ties_go_to_the_one_nearer_to_the_first_player(first: int, order: tuple[int, ...]) -> None:
    """By place at the table, the first player before all."""
    asked = contest("5", "5", "5", first=first)
    for seat in order:
        asked = asked.when(seat, flip("5"))
    asked.happened(Ranked(order))


@pytest.mark.rule("STR-304", "STR-303")
def test_waiting_does_not_change_who_is_nearer() -> None:
    """The place at the table decides, not the order of flipping."""
    asked = contest("5", "5", "", privileges=(1,)).when(1, Wait()).when(2, flip("5")).when(1, flip("5"))
    asked.happened(Ranked((1, 2)))


@pytest.mark.rule("STR-305")
def test_rank_1_becomes_first_player_at_once() -> None:
    """Also when all others passed; he begins the next step."""
    state = with_stacks("", "1 4", "6 1")
    asked = given(strasbourg, state, Contest("C"), Contest("E")).when(2, Pass()).when(3, flip("6"))
    asked.happened(Ranked((3,)), FigureMoved(3))
    asked.when(3, Sell(())).asks(3)
    assert asked.state.first == 3


@pytest.mark.rule("STR-305")
def test_if_all_pass_nothing_changes() -> None:
    """No ranks, no first player, no card that leaves."""
    asked = contest("5", "4", "3").when(1, Pass()).when(2, Pass()).when(3, Pass())
    asked.then(Passed(3)).asks()
    assert asked.state.first == 1
    assert [len(player.stacks) for player in asked.state.players] == [1, 1, 1]


@pytest.mark.rule("STR-318", "STR-314")
def test_the_entitled_act_first_then_cards_go_back_then_the_step_ends() -> None:
    """In a merchants' step rank 1 sells before rank 2 and 3 are asked, one by one, and then all cards leave."""
    asked = contest("6", "45", "13").when(1, flip("6")).when(2, flip("45")).when(3, flip("13")).asks(2)
    asked = asked.when(2, Sell(())).asks(1).when(1, PutBack("influence-6")).then(CardPutBack(1, *cards("6"))).asks(3)
    asked.when(3, Decline()).then(Declined("STR-314", 3), FlippedLeft()).asks()


@pytest.mark.rule("STR-314")
def test_one_card_of_the_stack_goes_under_the_deck_and_the_rest_leave() -> None:
    """It lies at the bottom, openly; what is not put back has left the game."""
    asked = contest("6", "113", "", step="C").when(1, flip("6")).when(2, flip("113")).when(1, Sell(()))
    before = asked.state.player(2).deck
    after = asked.when(2, PutBack("influence-3")).then(CardPutBack(2, *cards("3")), FlippedLeft())
    player = after.state.player(2)
    assert (player.deck, player.out, player.flipped) == ((*before, *cards("3")), cards("11"), None)
    assert after.state.player(1).out == cards("6")
    assert after.events[0].show(3) == CardPutBack(2, *cards("3"))


@pytest.mark.rule("STR-314")
def test_only_a_card_of_the_flipped_stack_goes_back() -> None:
    """A card of another stack, or of the deck, is refused."""
    asked = contest("6", "11 5", "").when(1, flip("6")).when(2, flip("11")).when(1, Sell(()))
    asked.offers(2, "PutBack", "Decline")
    asked.when(2, PutBack("influence-5")).refused("STR-314", "CARD_NOT_FLIPPED")
    asked.when(2, PutBack("influence-2")).refused("STR-314", "CARD_NOT_FLIPPED")


@pytest.mark.rule("STR-314")
def test_a_rank_that_earns_brings_no_card_back() -> None:
    """The merchants' winner without goods is not asked for a card; nor are nobility and church."""
    asked = contest("6", "5", "").when(1, flip("6")).when(2, Pass()).asks(1).offers(1, "Sell")
    asked.when(1, Sell(())).happened(FlippedLeft()).asks()
    noble = contest("6", "5", "4", step="A").when(1, flip("6")).when(2, flip("5")).when(3, flip("4"))
    noble.happened(ChairTaken(1, "nobility", 0), ChairTaken(2, "church", 0)).asks(3).offers(3, "PutBack", "Decline")


@pytest.mark.rule("STR-314", "STR-202")
def test_a_card_put_back_under_an_empty_deck_is_that_deck() -> None:
    """It can be drawn in the next round."""
    state = having(table(3), 2, flipped="12", deck="")
    after = given(strasbourg, state, PuttingBack(2), Clearing(), Planning()).when(2, PutBack("influence-2")).state
    assert after.player(2).deck == cards("2")
    drawn = [event for event in given(strasbourg, after, Round(2)).events if getattr(event, "seat", 0) == 2]
    assert drawn[0].card == Influence("influence-2", 2)


@pytest.mark.rule("STR-315")
def test_unused_stacks_leave_the_game_unseen() -> None:
    """After step G they go; others see how many, their owner remembers which."""
    after = given(strasbourg, with_stacks("23 5", "", "6"), Unused())
    after.then(StacksLapsed(1, 2), StacksLapsed(3, 1))
    assert after.state.player(1).unused == cards("235")
    assert after.state.player(1).stacks == ()
    assert strasbourg.view(after.state, 2).players[0].unused == 3
    own = strasbourg.view(after.state, 1).own
    assert own is not None
    assert own.unused == cards("235")


@pytest.mark.rule("STR-315")
@pytest.mark.parametrize("number", [1, 4, 5])
def test_by_the_table_option_stacks_stay_until_round_5(number: int) -> None:
    """They stay as they are, and leave after round 5."""
    state = having(table(3, number=number, stay=True), 1, stacks="23 5")
    after = given(strasbourg, state, Unused(), Council()).state
    assert after.player(1).stacks == ((stack("5"), stack("23")) if number < 5 else ())


@pytest.mark.rule("STR-315")
def test_the_table_option_is_a_setting() -> None:
    """Stacks leave unless the table was opened otherwise."""
    (slot,) = strasbourg.meta.settings
    assert slot.field == "stacks"
    assert getattr(slot, "keys", ()) == ("leave", "stay")
    assert not table().stay
    assert table(stay=True).stay
