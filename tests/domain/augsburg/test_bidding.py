"""Chapter 2, first half: who bids what, and when bidding ends."""

from __future__ import annotations

import pytest

from domain import augsburg
from domain.augsburg.auction import Auction, Bidding
from domain.augsburg.commands import Bid, Call, Pass
from domain.augsburg.components import Noble
from domain.augsburg.events import AuctionFailed, AuctionOpened, BidMade, Called, Passed
from domain.augsburg.play import Round
from domain.augsburg.state import Player, State
from domain.chance import SeededChance
from domain.course import Course
from domain.options import PickNumber
from domain.values import replace
from tests.domain.augsburg.table import asked, merchant, offered, table
from tests.scenario import Scenario, given

LEOS = "leo-1 leo-2 leo-3 leo-4 joker"


def at_leo(*players: Player) -> State:
    """A table that bids for Leo."""
    return table(*players, noble=Noble.LEO)


def four_rich() -> Scenario:
    """Four players with many cards of the noble, the first to speak."""
    hands = ("leo-1 leo-2 leo-3 leo-4", "leo-5 leo-6 leo-7 leo-8", "leo-9 leo-10 leo-11 leo-12", "leo-13 leo-14 joker")
    return given(augsburg, at_leo(*(merchant(hand) for hand in hands)), Bidding(1))


@pytest.mark.rule("AUG-201")
@pytest.mark.parametrize("number", [1, 2, 4])
def test_order_of_the_auctions(number: int) -> None:
    """Philipp, Louise, Leo, Maria, Maximilian, in every round, the last one too."""
    state = replace(table(merchant(), merchant()), face_down=())
    state = replace(state, used=(*state.face_up,))
    items = Round(number).run(Course(state, SeededChance(bytes(32))))
    auctions = [item.noble for item in items if isinstance(item, Auction)]
    assert auctions == ["philipp", "louise", "leo", "maria", "maximilian"]
    assert [isinstance(item, Auction) for item in items[:5]] == [True] * 5


@pytest.mark.rule("AUG-202")
def test_the_opener_bids_first() -> None:
    """Who won the last auction, or the starting player, opens."""
    given(augsburg, table(merchant(), merchant(), merchant(), opener=3), Auction(Noble.LEO)).then(
        AuctionOpened(Noble.LEO, 3)
    ).asks(3)


@pytest.mark.rule("AUG-203")
def test_the_first_bid() -> None:
    """Before a first bid a player passes, or bids any number from 1; he cannot call."""
    scenario = given(augsburg, at_leo(merchant(LEOS), merchant(), merchant()), Bidding(1)).offers(1, "Pass", "Bid")
    (option,) = offered(scenario.state, 1, "Bid")
    assert [slot.least for slot in option.slots if isinstance(slot, PickNumber)] == [1]
    scenario.when(1, Call()).refused("AUG-203", "NO_BID_TO_CALL")
    scenario.when(1, Bid(0)).refused("AUG-203", "BID_TOO_LOW")
    scenario.when(1, Bid(1)).then(BidMade(1, 1)).asks(2)
    scenario.when(1, Bid(5)).then(BidMade(1, 5)).asks(2)


@pytest.mark.rule("AUG-203")
def test_call_or_raise() -> None:
    """After a bid a player passes, calls the same number, or raises to a higher one."""
    state = at_leo(merchant(bid=2), merchant(LEOS), merchant())
    scenario = given(augsburg, state, Bidding(2)).offers(2, "Pass", "Call", "Bid")
    scenario.when(2, Call()).then(Called(2, 2)).asks(3)
    scenario.when(2, Bid(3)).then(BidMade(2, 3)).asks(3)
    scenario.when(2, Bid(2)).refused("AUG-203", "BID_TOO_LOW")
    scenario.when(2, Bid(1)).refused("AUG-203", "BID_TOO_LOW")


@pytest.mark.rule("AUG-203", "AUG-206")
def test_who_can_only_call() -> None:
    """With exactly as many cards as the highest bid a player calls or passes, with fewer he passes."""
    state = at_leo(merchant(bid=2), merchant("leo-1 joker maria-1"), merchant("leo-2 maria-2"))
    given(augsburg, state, Bidding(2)).offers(2, "Pass", "Call").when(2, Bid(3)).refused("AUG-206", "BID_EXCEEDS_CARDS")
    scenario = given(augsburg, state, Bidding(3)).offers(3, "Pass")
    scenario.when(3, Call()).refused("AUG-206", "BID_EXCEEDS_CARDS")
    scenario.when(3, Bid(1)).refused("AUG-203", "BID_TOO_LOW")


@pytest.mark.rule("AUG-204")
def test_passing_is_final() -> None:
    """Who passed is not asked again, also if he bid before."""
    scenario = four_rich().when(1, Bid(1)).when(2, Bid(2)).when(3, Pass()).when(4, Call()).asks(1)
    scenario = scenario.when(1, Pass()).then(Passed(1)).asks(2, 4)
    assert not any(isinstance(item, Bidding) for item in scenario.state.agenda)
    raised = four_rich().when(1, Bid(1)).when(2, Pass()).when(3, Bid(2)).when(4, Pass()).when(1, Bid(3)).asks(3)
    raised.when(3, Bid(4)).asks(1).when(1, Pass()).asks(3)


@pytest.mark.rule("AUG-205")
def test_a_bid_names_a_number_only() -> None:
    """Everybody sees the number, nobody which cards it stands for."""
    for command, event in ((Bid(2), BidMade(1, 2)), (Bid(4), BidMade(1, 4))):
        (bid,) = four_rich().when(1, command).events
        assert [augsburg.show(bid, viewer) for viewer in range(5)] == [event] * 5
    assert BidMade.__struct_fields__ == ("seat", "cards")


@pytest.mark.rule("AUG-206")
def test_valid_cards_bound_a_bid() -> None:
    """Certificates of the noble and jokers count, others do not."""
    state = at_leo(merchant("leo-3 leo-9 joker joker maria-17 louise-2"), merchant())
    scenario = given(augsburg, state, Bidding(1))
    scenario.when(1, Bid(4)).then(BidMade(1, 4))
    scenario.when(1, Bid(5)).refused("AUG-206", "BID_EXCEEDS_CARDS")


@pytest.mark.rule("AUG-206")
@pytest.mark.parametrize("hand", ["joker joker", "joker maria-17 philipp-3", "maria-1", ""])
def test_no_certificate_no_bid(hand: str) -> None:
    """Who holds no certificate of the noble can only pass, however many jokers he has."""
    scenario = given(augsburg, at_leo(merchant(hand), merchant()), Bidding(1)).offers(1, "Pass")
    scenario.when(1, Bid(1)).refused("AUG-206", "ONLY_JOKERS")
    after_a_bid = given(augsburg, at_leo(merchant(hand), merchant(bid=1)), Bidding(1)).offers(1, "Pass")
    after_a_bid.when(1, Call()).refused("AUG-206", "ONLY_JOKERS")


@pytest.mark.rule("AUG-207")
def test_maximilian_takes_all_nobles() -> None:
    """At Maximilian every certificate counts, and jokers with one, never jokers alone."""
    hands = ("philipp-1 louise-2 leo-3 maria-4 joker", "joker joker joker")
    state = table(*(merchant(hand) for hand in hands), noble=Noble.MAXIMILIAN)
    scenario = given(augsburg, state, Bidding(1))
    scenario.when(1, Bid(6)).refused("AUG-206", "BID_EXCEEDS_CARDS")
    scenario = scenario.when(1, Bid(5)).then(BidMade(1, 5)).offers(2, "Pass")
    given(augsburg, state, Bidding(2)).offers(2, "Pass").when(2, Bid(1)).refused("AUG-207", "ONLY_JOKERS")


@pytest.mark.rule("AUG-208")
def test_bidding_goes_round_as_long_as_needed() -> None:
    """Several laps, clockwise among those still in, until it comes back to the first of the highest bid."""
    scenario = four_rich().when(1, Bid(1)).asks(2).when(2, Pass()).asks(3).when(3, Bid(2)).asks(4).when(4, Call())
    scenario = scenario.asks(1).when(1, Bid(3)).asks(3).when(3, Call()).asks(4).when(4, Call())
    scenario.then(Called(4, 3)).asks(1, 3, 4)
    assert asked(scenario.state, 1).question == "showdown"


@pytest.mark.rule("AUG-208")
def test_nobody_raises_himself() -> None:
    """When all others only called, the first of the highest bid is not asked for more."""
    scenario = four_rich().when(1, Bid(2)).when(2, Call()).when(3, Call()).when(4, Pass()).asks(1, 2, 3)
    assert asked(scenario.state, 1).question == "showdown"


@pytest.mark.rule("AUG-208")
def test_a_caller_is_asked_again_after_a_raise() -> None:
    """A call does not end the bidding for him: a raise asks him anew, and the showdown waits for the raiser's turn."""
    scenario = four_rich().when(1, Bid(1)).when(2, Call()).when(3, Bid(2)).when(4, Pass()).asks(1)
    scenario.when(1, Call()).asks(2).when(2, Call()).asks(1, 2, 3)


@pytest.mark.rule("AUG-215")
def test_all_pass() -> None:
    """Nothing is taken, and who opened this auction opens the next."""
    state = table(merchant(LEOS), merchant(), merchant(), opener=2)
    scenario = given(augsburg, state, Auction(Noble.LOUISE), Auction(Noble.LEO)).when(2, Pass()).when(3, Pass())
    before = scenario.state.face_up
    scenario = scenario.when(1, Pass())
    scenario.then(Passed(1), AuctionFailed(Noble.LOUISE, 2), AuctionOpened(Noble.LEO, 2)).asks(2)
    assert scenario.state.face_up == before
    assert scenario.state.used == ()


@pytest.mark.rule("AUG-216")
@pytest.mark.parametrize("hand", ["", "joker", "leo-1"])
def test_who_can_only_pass_is_asked(hand: str) -> None:
    """A player with no legal bid is asked like everybody, and may only pass."""
    state = at_leo(merchant("leo-2 leo-3"), merchant(hand), merchant("leo-8 leo-9", bid=2))
    given(augsburg, state, Bidding(1)).when(1, Call()).asks(2).offers(2, "Pass").when(2, Pass()).asks(1, 3)


@pytest.mark.rule("AUG-216", "AUG-215")
def test_the_last_of_all_may_still_bid() -> None:
    """When all before him have passed, the last one is asked, and may open or pass."""
    state = at_leo(merchant(passed=True), merchant(passed=True), merchant("leo-2"))
    given(augsburg, state, Bidding(3)).offers(3, "Pass", "Bid").when(3, Bid(1)).then(BidMade(3, 1)).asks(3)
