"""Chapter 4, third part: the supply runs out or is too small; the next round."""

from __future__ import annotations

from typing import Any

import pytest

from domain import augsburg
from domain.augsburg.auction import Auction
from domain.augsburg.cards import Buying, Dealing, Giving, Supplying
from domain.augsburg.commands import GiveCertificate
from domain.augsburg.components import Noble
from domain.augsburg.events import AuctionOpened, Drawn, Given, RoundBegan, Shuffled
from domain.augsburg.play import Close, Round
from domain.augsburg.state import State
from domain.course import Answered
from domain.values import replace
from tests.domain.augsburg.table import PRIVILEGES, cards, keys, merchant, table
from tests.scenario import Scenario, given

EIGHT = "leo-1 leo-2 leo-3 leo-4 leo-5 leo-6 leo-7 leo-8"
"""What two players on office step 1 are dealt together."""


def give(card: str) -> GiveCertificate:
    """Give this card."""
    return GiveCertificate(card)


def shuffles(scenario: Scenario) -> list[Shuffled]:
    """The shuffles that happened."""
    return [event for event in scenario.events if isinstance(event, Shuffled)]


@pytest.mark.rule("AUG-411")
def test_the_discards_are_shuffled_at_once() -> None:
    """When the last card leaves the supply in the middle of a deal, the discards become the new one."""
    state = table(merchant(), merchant(), supply="maria-1 maria-2 maria-3", discards=EIGHT, rest=False)
    scenario = given(augsburg, state, Dealing())
    first, shuffled, second, third = scenario.events
    assert first == Drawn(1, cards("maria-1 maria-2 maria-3"), False, 0, "AUG-407")
    assert isinstance(shuffled, Shuffled)
    assert sorted(keys(shuffled.supply).split()) == EIGHT.split()
    assert second == Drawn(1, shuffled.supply[:1], False, shuffled.supply[1].price, "AUG-407")
    assert third == Drawn(2, shuffled.supply[1:5], False, shuffled.supply[5].price, "AUG-407")
    assert scenario.state.supply == shuffled.supply[5:]
    assert scenario.state.discards == ()


@pytest.mark.rule("AUG-411")
def test_at_once_also_after_the_last_card_of_a_deal() -> None:
    """If the deal ends with the last card, the discards are shuffled then, not later."""
    state = table(merchant(), merchant(), supply=EIGHT, discards="maria-1 maria-2", rest=False)
    scenario = given(augsburg, state, Dealing())
    assert [type(event) for event in scenario.events] == [Drawn, Drawn, Shuffled]
    assert (len(scenario.state.supply), scenario.state.discards) == (2, ())


@pytest.mark.rule("AUG-411")
def test_later_if_there_were_no_discards() -> None:
    """If nothing lay on the discards then, they are shuffled when a card is next needed."""
    state = table(merchant(), merchant(), supply=EIGHT, rest=False)
    scenario = given(augsburg, state, Dealing(), Buying())
    assert not shuffles(scenario)
    empty = replace(scenario.state, discards=cards("maria-1 maria-2 maria-3 maria-4 maria-5"))
    later = given(augsburg, replace(empty, players=(merchant(), merchant())), Dealing())
    assert [type(event) for event in later.events] == [Shuffled, Drawn, Drawn]
    assert [len(player.dealt) for player in later.state.players] == [4, 1]


@pytest.mark.rule("AUG-411")
def test_another_shuffle_draws_anew() -> None:
    """Each shuffle of a game has its own label, so that no order comes twice."""
    state = table(merchant(), merchant(), supply="maria-1", discards=EIGHT, rest=False)
    orders = {
        shuffles(given(augsburg, replace(state, shuffles=number), Dealing()))[0].supply for number in range(6)
    }  # fmt: skip
    assert len(orders) > 1
    assert given(augsburg, replace(state, shuffles=3), Dealing()).state.shuffles == 4


@pytest.mark.rule("AUG-412")
@pytest.mark.parametrize(
    ("board", "supply", "discards", "short"),
    [
        ({}, 8, 0, False),
        ({}, 3, 5, False),
        ({}, 7, 0, True),
        ({}, 3, 4, True),
        ({"minter": True}, 8, 0, True),
        ({"office": 4}, 10, 0, True),
        ({"office": 4, "minter": True}, 12, 0, False),
    ],
)
def test_when_everybody_gives(board: dict[str, Any], supply: int, discards: int, short: bool) -> None:
    """Only if supply and discards together hold fewer cards than all receive, free ones too."""
    some = [f"maria-{value}" for value in range(1, 18)]
    state = table(
        merchant("leo-1", **board), merchant("leo-2"), rest=False,
        supply=" ".join(some[:supply]), discards=" ".join(some[supply : supply + discards]),
    )  # fmt: skip
    scenario = given(augsburg, state, Supplying(), Dealing(), Buying()).asks(1, 2)
    assert isinstance(scenario.state.agenda[0], Giving if short else Buying)
    assert not shuffles(scenario) or (not short and discards)


@pytest.mark.rule("AUG-412")
def test_gifts_go_under_the_supply() -> None:
    """All give at once; the old top card stays on top, everything else is shuffled with the discards, once."""
    state = table(
        merchant("philipp-1 philipp-2"), merchant("philipp-3"), opener=2, rest=False,
        supply="maria-1 maria-2 maria-3", discards="leo-1 leo-2 leo-3",
    )  # fmt: skip
    scenario = given(augsburg, state, Supplying(), Dealing(), Buying()).asks(1, 2)
    scenario.when(1, give("philipp-3")).refused("AUG-412", "CARD_NOT_HELD")
    scenario.when(1, give("nothing")).refused("AUG-412", "CARD_NOT_HELD")
    scenario = scenario.when(1, give("philipp-2")).then(Answered(1, give("philipp-2"))).asks(2)
    scenario = scenario.when(2, give("philipp-3"))
    scenario.happened(Given(2, cards("philipp-3")[0]), Given(1, cards("philipp-2")[0]))
    (shuffled,) = shuffles(scenario)
    assert keys(shuffled.supply[:1]) == "maria-1"
    rest = "leo-1 leo-2 leo-3 maria-2 maria-3 philipp-2 philipp-3"
    assert sorted(keys(shuffled.supply[1:]).split()) == rest.split()
    assert keys(shuffled.supply[1:]) != "maria-2 maria-3 philipp-3 philipp-2 leo-1 leo-2 leo-3"
    assert scenario.state.discards == ()
    assert keys(scenario.state.player(1).hand) == "philipp-1"
    assert [len(player.dealt) for player in scenario.state.players] == [4, 4]


@pytest.mark.rule("AUG-412")
def test_gifts_are_repeated_until_it_suffices() -> None:
    """Four short with two givers: all give twice, and one shuffle follows the last gift."""
    hands = ("leo-1 leo-2 leo-3", "leo-4 leo-5 leo-6")
    state = table(*(merchant(hand) for hand in hands), supply="maria-1 maria-2 maria-3 maria-4", rest=False)
    scenario = given(augsburg, state, Supplying(), Dealing(), Buying())
    scenario = scenario.when(1, give("leo-1")).when(2, give("leo-4")).asks(1, 2)
    assert not shuffles(scenario)
    assert keys(scenario.state.supply) == "maria-1 maria-2 maria-3 maria-4 leo-1 leo-4"
    scenario = scenario.when(1, give("leo-2")).when(2, give("leo-5"))
    assert len(shuffles(scenario)) == 1
    assert keys(shuffles(scenario)[0].supply[:1]) == "maria-1"
    assert isinstance(scenario.state.agenda[0], Buying)


@pytest.mark.rule("AUG-412")
def test_no_top_card_to_keep() -> None:
    """If the supply was empty no card is kept aside: the gifts are shuffled with the discards, all of them."""
    found = "maria-1 maria-2 maria-3 maria-4"
    state = table(merchant("leo-1 leo-2"), merchant("leo-3 leo-4"), discards=found, rest=False)
    tops = set()
    for shuffled in range(8):
        scenario = given(augsburg, replace(state, shuffles=shuffled), Supplying(), Dealing(), Buying())
        for _ in range(2):
            scenario = scenario.when(1, give(scenario.state.player(1).hand[0].key))
            scenario = scenario.when(2, give(scenario.state.player(2).hand[0].key))
        assert len(shuffles(scenario)) == 1
        tops.add(shuffles(scenario)[0].supply[0].key)
    assert len(tops) > 2


@pytest.mark.rule("AUG-412")
def test_who_has_no_card_is_asked_too() -> None:
    """He answers that he has none, sealed like the others; the others go on giving."""
    state = table(merchant(), merchant("leo-1 leo-2 leo-3"), supply=EIGHT[6 * 2 :], rest=False)
    assert len(state.supply) == 6
    scenario = given(augsburg, state, Supplying(), Dealing(), Buying()).asks(1, 2)
    scenario.when(1, give("leo-1")).refused("AUG-412", "CARD_NOT_HELD")
    scenario = scenario.when(1, give("nothing")).then(Answered(1, give("nothing"))).asks(2).when(2, give("leo-1"))
    scenario.then(Given(1, None), Given(2, cards("leo-1")[0])).asks(1, 2)


@pytest.mark.rule("AUG-412")
def test_nobody_has_a_card() -> None:
    """If nobody can give, what there is is dealt, and who gets none is not asked what he buys."""
    state = table(
        merchant(), merchant(), merchant(), supply="maria-1 maria-2", discards="leo-1 leo-2 leo-3", rest=False
    )
    scenario = given(augsburg, state, Supplying(), Dealing(), Buying())
    for seat in (1, 2, 3):
        scenario = scenario.when(seat, give("nothing"))
    scenario.happened(Given(1, None), Given(2, None), Given(3, None)).asks(1, 2)
    assert [len(player.dealt) for player in scenario.state.players] == [4, 1, 0]
    assert keys(scenario.state.player(1).dealt[:1]) == "maria-1"


@pytest.mark.rule("AUG-413")
def test_the_other_five_are_laid_out() -> None:
    """In every second round the five face-down cards are laid out, and the last winner opens Philipp."""
    state = table(merchant(), merchant(), merchant(), opener=3)
    ended = given(augsburg, state, Close()).state
    scenario = given(augsburg, ended, Round(2))
    scenario.then(RoundBegan(2, state.face_down, ()), AuctionOpened(Noble.PHILIPP, 3)).asks(3)
    assert scenario.state.face_up == state.face_down
    assert scenario.state.used == state.face_up
    assert scenario.state.round == 2


@pytest.mark.rule("AUG-413")
@pytest.mark.parametrize("number", [3, 5])
def test_all_ten_are_shuffled(number: int) -> None:
    """When all ten are used they are shuffled, and five laid out."""
    used = tuple(PRIVILEGES.values())
    state: State = table(*(merchant() for _ in range(5)), face_up=(), face_down=(), used=used)
    scenario = given(augsburg, state, Round(number))
    after = scenario.state
    assert len(after.face_up) == len(after.face_down) == 5
    assert {*after.face_up, *after.face_down} == set(used)
    assert after.used == ()
    assert {card.key for card in after.face_up} != {card.key for card in used[:5]}


@pytest.mark.rule("AUG-413", "AUG-202", "AUG-215")
def test_each_round_shuffles_anew() -> None:
    """Rounds 3, 5 and 7 lay out different cards by the same seed."""
    used = tuple(PRIVILEGES.values())
    state = table(*(merchant() for _ in range(5)), face_up=(), face_down=(), used=used, opener=4)
    laid_out = set()
    for number in (3, 5, 7):
        scenario = given(augsburg, state, Round(number)).asks(4)
        assert isinstance(scenario.state.agenda[1], Auction)
        laid_out.add(scenario.state.face_up)
    assert len(laid_out) > 1
