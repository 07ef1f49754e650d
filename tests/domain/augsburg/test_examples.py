"""Chapter 8: the rulebooks' own examples."""

from __future__ import annotations

import pytest

from domain import augsburg
from domain.augsburg.auction import Auction, Bidding, Showdown
from domain.augsburg.cards import Buying, Dealing, Discarding
from domain.augsburg.commands import (
    Bid,
    Call,
    ChooseCompensation,
    Compensation,
    Discard,
    Pass,
    PresentCertificates,
    Use,
    UseMasterBuilder,
    UsePrivilege,
)  # fmt: skip
from domain.augsburg.components import Category, Noble, Privilege, Tile
from domain.augsburg.events import (
    AuctionWon,
    CardsShown,
    Discarded,
    Drawn,
    Gain,
    GuildersPaid,
    PrestigeGained,
    PrivilegeUsed,
    StepTaken,
    TileTaken,
)  # fmt: skip
from domain.augsburg.play import Money, Prestige
from domain.augsburg.winner import Using
from tests.domain.augsburg.table import asked, cards, keys, merchant, privilege_uses, table, using
from tests.scenario import Scenario, given

ANNA, MATT, LARRY, SANDY = 1, 2, 3, 4
STEP = Use.STEP


def present(keys: str) -> PresentCertificates:
    """Choose these cards."""
    return PresentCertificates(tuple(keys.split()))


def use(privilege: Privilege, what: Use = Use.PLAIN, holder: str = "nobody") -> UsePrivilege:
    """Use a privilege."""
    return UsePrivilege(privilege, what, holder)


def maria() -> Scenario:
    """Anna bids 3, Matt calls, Larry passes, Sandy raises to 4, Anna passes."""
    state = table(
        merchant("maria-1 maria-2 maria-3"),
        merchant("maria-14 maria-15 joker joker maria-5"),
        merchant("leo-1"),
        merchant("maria-4 maria-8 maria-9 maria-12 joker joker joker"),
        noble=Noble.MARIA,
    )
    scenario = given(augsburg, state, Bidding(ANNA), Auction(Noble.MAXIMILIAN))
    scenario = scenario.when(ANNA, Bid(3)).asks(MATT).when(MATT, Call()).asks(LARRY).when(LARRY, Pass()).asks(SANDY)
    return scenario.when(SANDY, Bid(4)).asks(ANNA).when(ANNA, Pass()).asks(MATT)


@pytest.mark.rule("AUG-801")
def test_matt_passes() -> None:
    """Sandy wins alone and discards 4 cards, of which up to 3 jokers."""
    scenario = maria().when(MATT, Pass()).asks(SANDY)
    assert asked(scenario.state, SANDY).question == "paying"
    after = scenario.when(SANDY, present("joker joker joker maria-4"))
    after.then(AuctionWon(SANDY, Noble.MARIA, cards("joker joker joker maria-4")))
    scenario.when(SANDY, present("maria-4 maria-8 joker joker")).happened(
        AuctionWon(SANDY, Noble.MARIA, cards("joker joker maria-4 maria-8"))
    )


@pytest.mark.rule("AUG-801")
def test_matt_raises() -> None:
    """Sandy may pass, call or raise."""
    maria().when(MATT, Bid(5)).asks(SANDY).offers(SANDY, "Pass", "Call", "Bid")


@pytest.mark.rule("AUG-801")
def test_matt_calls() -> None:
    """Matt wins the showdown; Sandy takes her cards back and 100 guilders; nobody gets 50."""
    scenario = maria().when(MATT, Call()).asks(MATT, SANDY)
    scenario = scenario.when(SANDY, present("maria-4 maria-8 maria-9 maria-12"))
    scenario = scenario.when(MATT, present("maria-14 maria-15 joker joker"))
    scenario.then(
        CardsShown(MATT, cards("maria-14 maria-15 joker joker")),
        CardsShown(SANDY, cards("maria-4 maria-8 maria-9 maria-12")),
        GuildersPaid(SANDY, 100, "AUG-212"),
        AuctionWon(MATT, Noble.MARIA, cards("joker joker maria-14 maria-15")),
    ).asks(MATT)
    assert keys(scenario.state.player(SANDY).hand) == "maria-4 maria-8 maria-9 maria-12 joker joker joker"
    assert [player.guilders for player in scenario.state.players] == [1500, 1500, 1500, 1600]


@pytest.mark.rule("AUG-802")
def test_maximilian() -> None:
    """Leo 15, Maria 3 and a joker beat Philipp 15, Philipp 7 and Leo 2."""
    hands = ("philipp-15 philipp-7 leo-2", "leo-15 maria-3 joker")
    state = table(*(merchant(hand, bid=3) for hand in hands), noble=Noble.MAXIMILIAN)
    scenario = given(augsburg, state, Showdown()).when(1, present(hands[0])).when(2, present(hands[1]))
    scenario.happened(
        GuildersPaid(1, 100, "AUG-212"), AuctionWon(2, Noble.MAXIMILIAN, cards("joker maria-3 leo-15"))
    )  # fmt: skip


@pytest.mark.rule("AUG-803")
def test_money_cathedral_prestige() -> None:
    """With 400 guilders he takes 500, builds the cathedral for 900, then goes from 42 to 48."""
    owner = merchant(guilders=400, builder=True, church=700, prestige=42)
    state = using(table(owner, merchant(cathedral=1000)), 1, "money-prestige-6-office")
    scenario = given(augsburg, state, Using(1), Auction(Noble.MARIA))
    scenario.when(1, UseMasterBuilder(Tile.CATHEDRAL)).refused("AUG-320", "TOO_FEW_GUILDERS")
    scenario = scenario.when(1, use(Privilege.MONEY)).when(1, UseMasterBuilder(Tile.CATHEDRAL))
    scenario.then(TileTaken(1, Tile.CATHEDRAL, 900, True))
    scenario = scenario.when(1, use(Privilege.PRESTIGE_6)).happened(PrestigeGained(1, Gain.PRIVILEGE, 6, 6))
    assert (scenario.state.player(1).prestige, scenario.state.player(1).guilders) == (48, 0)


@pytest.mark.rule("AUG-804")
def test_mayor_builder_church() -> None:
    """From office step 3 with two office privileges: step 4, the master builder, and the church for 700."""
    state = using(table(merchant(office=3, guilders=700), merchant(church=800)), 1, "money-office-office")
    scenario = given(augsburg, state, Using(1), Auction(Noble.MARIA))
    scenario = scenario.when(1, use(Privilege.OFFICE, STEP)).when(1, use(Privilege.OFFICE, Use.MASTER_BUILDER)).asks(1)
    scenario = scenario.when(1, UseMasterBuilder(Tile.CHURCH)).happened(TileTaken(1, Tile.CHURCH, 700, True))
    player = scenario.state.player(1)
    assert (player.office, player.builder, player.church, player.guilders) == (4, True, 700, 0)


@pytest.mark.rule("AUG-805")
def test_prince_with_a_letter() -> None:
    """From nobility step 3 with two nobility privileges: step 4, then the letter worth 4; 16 at the round's end."""
    state = using(table(merchant(nobility=3), merchant(letter=5)), 1, "nobility-nobility-draw")
    scenario = given(augsburg, state, Using(1), Prestige())
    scenario = scenario.when(1, use(Privilege.NOBILITY, STEP)).when(1, use(Privilege.NOBILITY, Use.LETTER_OF_NOBILITY))
    scenario.happened(TileTaken(1, Tile.LETTER_OF_NOBILITY, 4), PrestigeGained(1, Gain.ROUND, 16, 16))


@pytest.mark.rule("AUG-806")
def test_short_of_a_church() -> None:
    """200 guilders short: he takes 300 with the trade privilege, then erects it with the office one."""
    state = using(table(merchant(trade=2, guilders=600), merchant()), 1, "trade-nobility-office")
    scenario = given(augsburg, state, Using(1))
    assert "office church" not in privilege_uses(scenario.state, 1)
    scenario = scenario.when(1, use(Privilege.TRADE, Use.GUILDERS)).when(1, use(Privilege.OFFICE, Use.CHURCH))
    scenario.happened(TileTaken(1, Tile.CHURCH, 800))
    assert scenario.state.player(1).guilders == 100


@pytest.mark.rule("AUG-807")
def test_the_limit_without_a_church() -> None:
    """21 prestige, no church, 14 earned: he stands at 25."""
    state = table(merchant(prestige=21, nobility=4, coat=2), merchant())
    scenario = given(augsburg, state, Prestige())
    assert scenario.events[0] == PrestigeGained(1, Gain.ROUND, 14, 4)
    assert scenario.state.player(1).prestige == 25


@pytest.mark.rule("AUG-808")
def test_a_whole_phase_two() -> None:
    """Trade 2, nobility 3 with coat 1 and letter 4, office 4 with minter: 900, 13, 2 free and 6 to buy."""
    player = merchant(guilders=0, trade=2, nobility=3, coat=1, letter=4, office=4, minter=True)
    scenario = given(augsburg, table(player, merchant()), Money(), Prestige(), Dealing(), Buying())
    after = scenario.state.player(1)
    assert (after.guilders, after.prestige, len(after.hand), len(after.dealt)) == (900, 13, 2, 6)


@pytest.mark.rule("AUG-809")
@pytest.mark.parametrize(
    ("wanted", "event"),
    [
        (Compensation.GUILDERS, GuildersPaid(2, 100, "AUG-315")),
        (Compensation.PRESTIGE, PrestigeGained(2, Gain.COMPENSATION, 1, 1)),
    ],
)
def test_a_mayor_is_replaced(wanted: Compensation, event: object) -> None:
    """She gets the taker's step 3 and a compensation, keeps her master builder, and draws 6 instead of 6 + 1."""
    state = using(table(merchant(office=3), merchant(office=4, builder=True)), 1, "trade-nobility-office")
    scenario = given(augsburg, state, Using(1)).when(1, use(Privilege.OFFICE, STEP, "seat-2")).asks(2)
    scenario.then(PrivilegeUsed(1, Privilege.OFFICE, STEP), StepTaken(1, Category.OFFICE, 4, 2))
    scenario = scenario.when(2, ChooseCompensation(wanted)).then(event).asks(1)
    assert [player.office for player in scenario.state.players] == [4, 3]
    assert scenario.state.player(2).builder
    for before, free in ((state, [1, 6]), (scenario.state, [6])):
        dealt = [event for event in given(augsburg, before, Dealing()).events if isinstance(event, Drawn)]
        assert [len(event.cards) for event in dealt if event.seat == 2] == free


@pytest.mark.rule("AUG-810")
def test_draw() -> None:
    """She gets a joker and Louise 10, then discards Philipp 3 from her hand, face up."""
    state = using(table(merchant("philipp-3 leo-7"), merchant(), supply="joker louise-10"), 1, "trade-office-draw")
    scenario = given(augsburg, state, Using(1)).when(1, use(Privilege.DRAW))
    assert isinstance(scenario.state.agenda[0], Discarding)
    scenario = scenario.when(1, Discard("philipp-3")).then(Discarded(1, cards("philipp-3")[0]))
    assert keys(scenario.state.player(1).hand) == "louise-10 leo-7 joker"
    assert augsburg.view(scenario.state, 2).top_discard == cards("philipp-3")[0]


@pytest.mark.rule("AUG-811")
@pytest.mark.parametrize("tile", [Use.MASTER_BUILDER, Use.MINTER])
def test_a_mayors_choice(tile: Use) -> None:
    """A mayor may take the master builder or the minter."""
    state = using(table(merchant(office=4), merchant()), 1, "trade-nobility-office")
    scenario = given(augsburg, state, Using(1))
    assert {"office master-builder", "office minter"} <= privilege_uses(scenario.state, 1)
    scenario.when(1, use(Privilege.OFFICE, tile)).happened(TileTaken(1, Tile(tile.value), 0))
