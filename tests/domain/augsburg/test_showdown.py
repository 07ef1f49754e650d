"""Chapter 2, second half: who wins with which cards."""

from __future__ import annotations

import pytest

from domain import augsburg
from domain.augsburg.auction import Auction, Paying, Showdown
from domain.augsburg.commands import Forgo, PresentCertificates, TakePrivilegeCard
from domain.augsburg.components import Noble
from domain.augsburg.events import AuctionOpened, AuctionWon, CardsShown, GuildersPaid, PrivilegeCardTaken
from domain.augsburg.state import Player, State
from domain.course import Answered
from tests.domain.augsburg.table import asked, cards, keys, merchant, table
from tests.scenario import Scenario, given


def present(keys: str) -> PresentCertificates:
    """Choose these cards."""
    return PresentCertificates(tuple(keys.split()))


def shown_down(*players: Player, noble: Noble = Noble.MARIA, discards: str = "") -> Scenario:
    """A showdown of all who did not pass."""
    return given(augsburg, table(*players, noble=noble, discards=discards), Showdown(), Auction(Noble.PHILIPP))


def ranking(scenario: Scenario) -> tuple[list[int], list[GuildersPaid]]:
    """Who won, and what the others were paid."""
    winners = [event.seat for event in scenario.events if isinstance(event, AuctionWon)]
    return winners, [event for event in scenario.events if isinstance(event, GuildersPaid)]


@pytest.mark.rule("AUG-209")
def test_the_sole_bidder_pays() -> None:
    """He alone chooses his cards, discards them face up, and nobody is consoled."""
    state = table(merchant("leo-3 leo-9 joker", bid=2), merchant(passed=True, bid=1), noble=Noble.LEO, discards="leo-1")
    scenario = given(augsburg, state, Paying(1), Auction(Noble.MARIA)).asks(1)
    scenario = scenario.when(1, present("joker leo-3")).then(AuctionWon(1, Noble.LEO, cards("joker leo-3"))).asks(1)
    assert keys(scenario.state.discards) == "leo-1 joker leo-3"
    assert keys(scenario.state.player(1).hand) == "leo-9"
    assert [player.guilders for player in scenario.state.players] == [1500, 1500]


@pytest.mark.rule("AUG-209", "AUG-206")
@pytest.mark.parametrize("question", [Paying(1), Showdown()])
def test_as_many_as_bid_and_never_jokers_alone(question: Paying | Showdown) -> None:
    """The cards of a bid are valid ones, as many as were bid, at most all but one of them jokers."""
    state = table(merchant("leo-3 leo-9 joker joker maria-2", bid=2), merchant("leo-1 joker", bid=2), noble=Noble.LEO)
    scenario = given(augsburg, state, question)
    scenario.when(1, present("joker joker")).refused("AUG-206", "ONLY_JOKERS")
    scenario.when(1, present("leo-3")).refused("AUG-210", "NUMBER_IS_NOT_THE_BID")
    scenario.when(1, present("leo-3 leo-9 joker")).refused("AUG-210", "NUMBER_IS_NOT_THE_BID")
    scenario.when(1, present("leo-3 maria-2")).refused("AUG-206", "CARD_NOT_VALID")
    scenario.when(1, present("leo-3 leo-3")).refused("AUG-206", "CARD_NOT_VALID")
    scenario.when(1, present("leo-3 leo-4")).refused("AUG-206", "CARD_NOT_VALID")
    assert scenario.when(1, present("leo-9 joker")).refusal is None


@pytest.mark.rule("AUG-209")
def test_the_bid_is_paid_with_the_only_certificate() -> None:
    """A bid of n takes up to n - 1 jokers."""
    state = table(merchant("leo-3 joker joker joker", bid=4), merchant(passed=True), noble=Noble.LEO)
    scenario = given(augsburg, state, Paying(1)).when(1, present("joker joker joker leo-3"))
    scenario.then(AuctionWon(1, Noble.LEO, cards("joker joker joker leo-3")))


@pytest.mark.rule("AUG-210")
def test_all_choose_at_the_same_time() -> None:
    """Nothing is shown before everybody still in has chosen; then all is shown together."""
    three = (merchant("maria-1", bid=1), merchant("maria-2", bid=1), merchant(passed=True), merchant("maria-3", bid=1))
    scenario = shown_down(*three).asks(1, 2, 4)
    scenario = scenario.when(4, present("maria-3")).then(Answered(4, present("maria-3"))).asks(1, 2)
    scenario = scenario.when(1, present("maria-1")).then(Answered(1, present("maria-1"))).asks(2)
    scenario.when(2, present("maria-2")).happened(
        CardsShown(1, cards("maria-1")), CardsShown(2, cards("maria-2")), CardsShown(4, cards("maria-3"))
    )


@pytest.mark.rule("AUG-210")
@pytest.mark.parametrize(
    ("one", "other", "winner"),
    [
        ("maria-14 maria-1", "maria-12 maria-13", 1),  # not the sum
        ("joker maria-14", "maria-12 maria-13", 1),  # not the jokers
        ("joker maria-5", "maria-6 maria-2", 2),
        ("maria-1 maria-2", "maria-3 joker", 2),
    ],
)
def test_the_highest_single_certificate_wins(one: str, other: str, winner: int) -> None:
    """One certificate decides; sums and jokers do not count."""
    scenario = shown_down(merchant(one, bid=2), merchant(other, bid=2)).when(1, present(one)).when(2, present(other))
    assert ranking(scenario)[0] == [winner]


@pytest.mark.rule("AUG-211")
def test_the_best_lies_on_top() -> None:
    """The winner discards jokers first, then by value, equal values by noble; the others keep their cards."""
    mine = "maria-9 joker leo-9 philipp-9 louise-2 joker louise-9"
    other = "maria-8 maria-1 maria-2 maria-3 maria-4 maria-5 maria-6"
    players = (merchant(mine, bid=7), merchant(other, bid=7))
    scenario = shown_down(*players, noble=Noble.MAXIMILIAN, discards="leo-1")
    scenario = scenario.when(2, present(other)).when(1, present(mine))
    state: State = scenario.state
    assert keys(state.discards) == "leo-1 joker joker louise-2 philipp-9 louise-9 leo-9 maria-9"
    assert state.player(1).hand == ()
    assert state.player(2).hand == players[1].hand


@pytest.mark.rule("AUG-211", "AUG-202")
def test_the_winner_opens_the_next_auction() -> None:
    """After his privileges the winner opens; the loser of the showdown does not."""
    state = table(merchant("maria-5", bid=1), merchant("maria-6", bid=1), noble=Noble.MARIA)
    scenario = given(augsburg, state, Showdown(), Auction(Noble.MAXIMILIAN))
    scenario = scenario.when(1, present("maria-5")).when(2, present("maria-6"))
    scenario = scenario.when(2, TakePrivilegeCard(state.face_up[0].key)).when(2, Forgo()).when(2, Forgo())
    scenario.happened(AuctionOpened(Noble.MAXIMILIAN, 2)).asks(2)


@pytest.mark.rule("AUG-212")
def test_consolation() -> None:
    """The second gets 100 guilders, the third 50, the fourth nothing, before a privilege card is taken."""
    hands = ("maria-7", "maria-9", "maria-8", "maria-10", "maria-1")
    scenario = shown_down(*(merchant(hand, bid=1) for hand in hands))
    for seat, hand in enumerate(hands, 1):
        scenario = scenario.when(seat, present(hand))
    scenario.then(
        *(CardsShown(seat, cards(hand)) for seat, hand in enumerate(hands, 1)),
        GuildersPaid(2, 100, "AUG-212"),
        GuildersPaid(3, 50, "AUG-212"),
        AuctionWon(4, Noble.MARIA, cards("maria-10")),
    ).asks(4)
    assert [player.guilders for player in scenario.state.players] == [1500, 1600, 1550, 1500, 1500]
    assert asked(scenario.state, 4).question == "taking"


@pytest.mark.rule("AUG-212")
def test_consolation_with_two() -> None:
    """Also with only two in the showdown the loser gets 100 guilders."""
    scenario = shown_down(merchant("maria-7", bid=1), merchant("maria-3", bid=1), merchant(passed=True))
    scenario = scenario.when(1, present("maria-7")).when(2, present("maria-3"))
    assert ranking(scenario) == ([1], [GuildersPaid(2, 100, "AUG-212")])


@pytest.mark.rule("AUG-213")
def test_equal_values_at_maximilian() -> None:
    """Maria beats Leo beats Louise beats Philipp, also for second and third."""
    hands = ("philipp-9", "leo-9", "maria-9", "louise-9")
    scenario = shown_down(*(merchant(hand, bid=1) for hand in hands), noble=Noble.MAXIMILIAN)
    for seat, hand in enumerate(hands, 1):
        scenario = scenario.when(seat, present(hand))
    assert ranking(scenario) == ([3], [GuildersPaid(2, 100, "AUG-212"), GuildersPaid(4, 50, "AUG-212")])


@pytest.mark.rule("AUG-213", "AUG-210")
def test_value_comes_before_noble() -> None:
    """A higher value of a lesser noble wins."""
    scenario = shown_down(merchant("philipp-10", bid=1), merchant("maria-9", bid=1), noble=Noble.MAXIMILIAN)
    assert ranking(scenario.when(1, present("philipp-10")).when(2, present("maria-9")))[0] == [1]


@pytest.mark.rule("AUG-214")
def test_playing_low() -> None:
    """Who holds the highest may show a low one, and lose."""
    scenario = shown_down(merchant("maria-17 maria-1", bid=1), merchant("maria-2", bid=1))
    scenario = scenario.when(1, present("maria-1")).when(2, present("maria-2"))
    assert ranking(scenario)[0] == [2]
    assert keys(scenario.state.player(1).hand) == "maria-1 maria-17"


@pytest.mark.rule("AUG-210")
@pytest.mark.parametrize("foreign", ["maria-18", "leo-3", "nothing"])
def test_foreign_cards_at_maximilian(foreign: str) -> None:
    """Only cards of the own hand can be shown."""
    scenario = shown_down(merchant("maria-17", bid=1), merchant("maria-2", bid=1), noble=Noble.MAXIMILIAN)
    scenario.when(1, present(foreign)).refused("AUG-207", "CARD_NOT_HELD")


@pytest.mark.rule("AUG-216", "AUG-301")
def test_the_last_card_is_taken_for_the_winner() -> None:
    """With one face-up privilege card left the winner is not asked which; with two he is."""
    state = table(merchant("maria-5", bid=1), merchant(passed=True), noble=Noble.MARIA)
    up = state.face_up
    one = given(augsburg, table(*state.players, noble=Noble.MARIA, face_up=up[:1]), Paying(1))
    scenario = one.when(1, present("maria-5"))
    scenario.then(AuctionWon(1, Noble.MARIA, cards("maria-5")), PrivilegeCardTaken(1, up[0]))
    assert asked(scenario.state, 1).question == "using"
    two = given(augsburg, table(*state.players, noble=Noble.MARIA, face_up=up[:2]), Paying(1))
    assert asked(two.when(1, present("maria-5")).state, 1).question == "taking"
