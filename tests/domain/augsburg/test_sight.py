"""Chapter 6: who sees what, in views and in what is shown of events."""

from __future__ import annotations

from typing import Any

import pytest

from domain import augsburg
from domain.augsburg.auction import Bidding, Paying, Showdown
from domain.augsburg.cards import Buying, Discarding, Giving
from domain.augsburg.commands import Bid, BuyCertificates, Call, Discard, GiveCertificate, Pass, PresentCertificates
from domain.augsburg.components import Noble
from domain.augsburg.events import (
    AuctionWon,
    Bought,
    CardsShown,
    Discarded,
    Drawn,
    Given,
    RoundBegan,
    Shuffled,
    Unbought,
)
from domain.augsburg.play import Close
from domain.augsburg.shown import (
    CardsDrawn,
    CardsUnbought,
    CertificateGiven,
    CertificatesBought,
    GameBegan,
    SupplyShuffled,
)
from domain.augsburg.state import State
from domain.augsburg.views import View
from domain.chance import SeededChance
from domain.course import Answered, HasAnswered
from domain.values import replace, to_json
from tests.domain.augsburg.table import EDITION, cards, keys, merchant, start, table
from tests.scenario import given

VIEWERS = (0, 1, 2, 3)


def seen(state: State, viewer: int) -> View:
    """What a viewer sees."""
    return augsburg.view(state, viewer)


def same_for(state: State, other: State, *viewers: int) -> bool:
    """Whether none of these viewers can tell two states apart."""
    return all(seen(state, viewer) == seen(other, viewer) for viewer in viewers)


@pytest.mark.rule("AUG-601")
def test_a_hand_is_its_owners() -> None:
    """The owner sees his hand and what was dealt to him; nobody else sees any of it."""
    state = table(merchant("leo-1 maria-17", dealt="louise-5 joker"), merchant("leo-2"), merchant(), rest=False)
    assert keys(seen(state, 1).hand) == "leo-1 maria-17"
    assert keys(seen(state, 1).dealt) == "louise-5 joker"
    assert keys(seen(state, 2).hand) == "leo-2"
    other = table(merchant("philipp-9 leo-3", dealt="leo-5 joker"), merchant("leo-2"), merchant(), rest=False)
    assert same_for(state, other, 0, 2, 3)
    assert "leo-1" not in to_json(seen(state, 0))
    assert (seen(state, 0).hand, seen(state, 0).dealt) == ((), ())


@pytest.mark.rule("AUG-601", "AUG-602")
@pytest.mark.parametrize("to_hand", [True, False])
def test_cards_drawn(to_hand: bool) -> None:
    """Who draws sees his cards; the others see their backs, and all the price that lies on top now."""
    event = Drawn(2, cards("joker leo-10"), to_hand, 350, "AUG-407")
    assert augsburg.show(event, 2) == CardsDrawn(2, cards("joker leo-10"), (400, 300), to_hand, 350)
    for viewer in (0, 1, 3):
        assert augsburg.show(event, viewer) == CardsDrawn(2, (), (400, 300), to_hand, 350)


@pytest.mark.rule("AUG-602")
def test_backs_show_prices() -> None:
    """The price of the supply's top and of all cards dealt is public, never their noble or value."""
    state = table(merchant(dealt="louise-5 joker leo-13"), merchant(), merchant(), supply="maria-14")
    other = table(merchant(dealt="maria-1 joker philipp-10"), merchant(), merchant(), supply="leo-16")
    for viewer in VIEWERS:
        assert seen(state, viewer).top_price == 350
        assert seen(state, viewer).players[0].dealt == (200, 400, 300)
    assert same_for(replace(state, supply=other.supply), other, 0, 2, 3)
    assert seen(table(merchant(), merchant(), supply="joker"), 0).top_price == 400
    assert seen(table(merchant(), merchant(), rest=False), 0).top_price == 0


@pytest.mark.rule("AUG-412", "AUG-602")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_supply_of_nothing_has_no_price(viewer: int) -> None:
    """Where nobody had a card to give there may be none to shuffle: no cards, and no price on top."""
    assert augsburg.show(Shuffled((), "AUG-412"), viewer) == SupplyShuffled(0, 0)


@pytest.mark.rule("AUG-602", "AUG-603")
def test_of_a_purchase_the_prices_are_seen() -> None:
    """All see how many cards were bought at which prices, in no telling order; the buyer sees which."""
    event = Bought(1, cards("joker leo-1 leo-14"))
    assert augsburg.show(event, 1) == CertificatesBought(1, cards("joker leo-1 leo-14"), (200, 350, 400))
    for viewer in (0, 2, 3):
        assert augsburg.show(event, viewer) == CertificatesBought(1, (), (200, 350, 400))


@pytest.mark.rule("AUG-603")
def test_bids_are_public_to_the_end_of_the_auction() -> None:
    """The view keeps each player's last bid, also after he passed, until the auction is over."""
    hands = ("leo-1 leo-2 leo-3", "leo-4 leo-5 leo-6", "leo-7 leo-8 leo-9")
    state = table(*(merchant(hand) for hand in hands), noble=Noble.LEO)
    scenario = given(augsburg, state, Bidding(1)).when(1, Bid(1)).when(2, Bid(2)).when(3, Call()).when(1, Pass())
    for viewer in VIEWERS:
        view = seen(scenario.state, viewer)
        assert [(player.bid, player.passed) for player in view.players] == [(1, True), (2, False), (2, False)]
        assert (view.noble, view.bid, view.leader) == (Noble.LEO, 2, 2)
    ended = seen(given(augsburg, scenario.state, Close()).state, 0)
    assert [(player.bid, player.passed) for player in ended.players] == [(0, False)] * 3
    assert (ended.noble, ended.bid, ended.leader) == (None, 0, 0)


@pytest.mark.rule("AUG-603")
@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (Showdown(), PresentCertificates(("leo-1",)), PresentCertificates(("leo-2",))),
        (Buying(), BuyCertificates(("maria-1",)), BuyCertificates(())),
        (Giving(had_top=True, gifts=1), GiveCertificate("leo-1"), GiveCertificate("leo-2")),
    ],
)
def test_choices_are_sealed(question: Showdown, one: PresentCertificates, other: PresentCertificates) -> None:
    """Until all have chosen the others see only who has, and nothing of the choice shows in their views."""
    players = (merchant("leo-1 leo-2", bid=1, dealt="maria-1"), merchant("leo-3", bid=1, dealt="maria-2"))
    state = table(*players, merchant(passed=True), noble=Noble.LEO)
    first, second = (given(augsburg, state, question).when(1, command) for command in (one, other))
    assert first.events == (Answered(1, one),)
    assert augsburg.show(first.events[0], 1) == HasAnswered(1, one)
    for viewer in (0, 2, 3):
        assert augsburg.show(first.events[0], viewer) == HasAnswered(1, None)
    assert same_for(first.state, second.state, 0, 2, 3)
    assert augsburg.decision(first.state, 2) == augsburg.decision(second.state, 2)


@pytest.mark.rule("AUG-603")
def test_of_a_gift_the_price_is_seen() -> None:
    """The giver sees his card, the others its price, or that there was none."""
    event = Given(1, cards("leo-14")[0])
    assert augsburg.show(event, 1) == CertificateGiven(1, cards("leo-14")[0], 350)
    for viewer in (0, 2, 3):
        assert augsburg.show(event, viewer) == CertificateGiven(1, None, 350)
        assert augsburg.show(Given(1, None), viewer) == CertificateGiven(1, None, 0)


@pytest.mark.rule("AUG-604")
@pytest.mark.parametrize(
    "event",
    [
        CardsShown(1, cards("joker leo-3")),
        AuctionWon(1, Noble.LEO, cards("joker leo-3")),
        Discarded(1, cards("leo-3")[0]),
    ],
)
def test_what_is_opened_is_public(event: CardsShown) -> None:
    """Cards of a showdown, of a sole winner, and the discard after a draw are seen by all as they are."""
    assert [augsburg.show(event, viewer) for viewer in VIEWERS] == [event] * 4


@pytest.mark.rule("AUG-604")
def test_what_a_loser_showed_is_back_in_his_hand() -> None:
    """The history tells it; the view of others does not show it in his hand."""
    state = table(merchant("leo-1", bid=1), merchant("leo-9", bid=1), noble=Noble.LEO)
    scenario = given(augsburg, state, Showdown()).when(1, PresentCertificates(("leo-1",)))
    scenario = scenario.when(2, PresentCertificates(("leo-9",)))
    scenario.happened(CardsShown(1, cards("leo-1")), CardsShown(2, cards("leo-9")))
    assert keys(seen(scenario.state, 1).hand) == "leo-1"
    assert "leo-1" not in to_json(seen(scenario.state, 2))


@pytest.mark.rule("AUG-605")
def test_of_the_discards_the_top_is_seen() -> None:
    """The top card and the sizes of supply and discards are public, what lies below is not."""
    state = table(
        merchant(), merchant(), merchant(), discards="leo-1 leo-2 leo-3", rest=False, supply="maria-1 maria-2"
    )
    other = table(merchant(), merchant(), merchant(), discards="leo-8 leo-9 leo-3", rest=False, supply="maria-1 joker")
    assert same_for(state, other, *VIEWERS)
    view = seen(state, 0)
    assert view.top_discard == cards("leo-3")[0]
    assert (view.supply, view.discards) == (2, 3)
    assert seen(table(merchant(), merchant()), 0).top_discard is None


@pytest.mark.rule("AUG-605")
def test_of_unbought_cards_the_last_is_shown() -> None:
    """Of all that was not bought only the card that ends on top is ever shown, to anybody."""
    event = Unbought(cards("leo-1 leo-2 leo-3"))
    for viewer in VIEWERS:
        assert augsburg.show(event, viewer) == CardsUnbought(3, cards("leo-3")[0])


@pytest.mark.rule("AUG-606")
def test_hand_sizes_and_guilders_are_hidden() -> None:
    """Only the owner is shown how many cards and guilders he has; a table option opens both."""
    state = table(merchant("leo-1", 700), merchant("leo-2 leo-3", 900), merchant(), rest=False)
    amounts = [(1, 700), (2, 900), (0, 1500)]
    for viewer in VIEWERS:
        found = [(player.cards, player.guilders) for player in seen(state, viewer).players]
        assert found == [own if seat == viewer else (None, None) for seat, own in enumerate(amounts, 1)]
    assert same_for(state, replace(state, players=(state.players[0], merchant("leo-2", 50), state.players[2])), 0, 1, 3)
    shown = [(player.cards, player.guilders) for player in seen(replace(state, open=True), 0).players]
    assert shown == amounts


@pytest.mark.rule("AUG-606")
@pytest.mark.parametrize(("hands", "seen_by_all"), [("hidden", False), ("open", True)])
def test_the_table_option(hands: str, seen_by_all: bool) -> None:
    """Whoever opens the table chooses whether hand sizes and guilders lie open; hands stay closed either way."""
    view = seen(start(2, hands), 0)
    assert (view.players[0].cards is not None) == seen_by_all
    assert (view.players[0].guilders is not None) == seen_by_all
    assert view.hand == ()
    assert augsburg.meta.settings[0].keys == ("hidden", "open")  # type: ignore[union-attr]


@pytest.mark.rule("AUG-607")
def test_boards_and_privilege_cards_are_public() -> None:
    """Steps, tiles, prestige, face-up, face-down and used privilege cards are the same for all."""
    board = merchant(prestige=7, trade=2, nobility=3, office=4, minter=True, builder=True, coat=4, letter=5, church=800)
    state = table(board, merchant(cathedral=1000), merchant())
    state = replace(state, used=state.face_up[:1], face_up=state.face_up[1:])
    for viewer in VIEWERS:
        view = seen(state, viewer)
        mine = view.players[0]
        assert (mine.prestige, mine.limit, mine.trade, mine.nobility, mine.office) == (7, 45, 2, 3, 4)
        assert (mine.minter, mine.builder, mine.coat, mine.letter, mine.church) == (True, True, 4, 5, 800)
        assert view.players[1].cathedral == 1000
        assert (view.face_up, view.face_down, view.used) == (state.face_up, state.face_down, state.used)
        assert (view.churches, view.coats, view.minters, view.builders) == ((700, 600, 500, 400), (3, 2, 2, 1), 4, 4)
        assert view.step_tiles == state.step_tiles


@pytest.mark.rule("AUG-607")
def test_the_order_of_privilege_cards_tells_nothing() -> None:
    """They are named in a fixed order, not in that of the shuffle."""
    begun: Any = None
    for seed in range(4):
        begun = augsburg.setup(3, (), EDITION, SeededChance(bytes([seed] * 32))).events[0]
        for cards_laid_out in (begun.face_up, begun.face_down):
            assert [card.key for card in cards_laid_out] == sorted(card.key for card in cards_laid_out)
    event = RoundBegan(3, begun.face_up, begun.face_down)
    assert [augsburg.show(event, viewer) for viewer in VIEWERS] == [event] * 4


@pytest.mark.rule("AUG-608")
def test_the_order_of_the_supply_is_nobodys() -> None:
    """Neither the setup nor a shuffle tells more than the number of cards and the price on top."""
    supply = cards("leo-1 leo-14 joker")
    begun = augsburg.setup(2, (), EDITION, SeededChance(bytes(32))).events[0]
    for viewer in VIEWERS:
        shown = augsburg.show(Shuffled(supply, "AUG-411"), viewer)
        assert (shown.supply, shown.top) == (3, 200)
        first = augsburg.show(begun, viewer)
        assert isinstance(first, GameBegan)
        assert (first.supply, first.top) == (76, begun.supply[0].price)
        assert "leo" not in to_json(first)
    state = table(merchant(), merchant(), supply="leo-1 leo-14 joker", rest=False)
    assert same_for(state, replace(state, supply=cards("maria-3 joker leo-14")), 0, 1, 2)


@pytest.mark.rule("AUG-601")
def test_a_discard_is_chosen_from_the_own_hand() -> None:
    """What he might discard is asked of him alone."""
    state = table(merchant("leo-1 leo-2"), merchant(), noble=Noble.LEO)
    scenario = given(augsburg, state, Discarding(1)).asks(1)
    assert augsburg.decision(scenario.state, 2) is None
    scenario.when(2, Discard("leo-1")).refused("", "NOT_ASKED")
    paying = given(augsburg, replace(state, bid=1, leader=1), Paying(1))
    assert augsburg.decision(paying.state, 2) is None
