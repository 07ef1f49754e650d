"""Chapter 3, third part: right tiles, churches, cathedrals and the master builder."""

from __future__ import annotations

from typing import Any

import pytest

from domain import augsburg
from domain.augsburg.auction import Auction
from domain.augsburg.cards import Dealing
from domain.augsburg.commands import (
    ChooseCompensation,
    Compensation,
    Discard,
    Finish,
    Forgo,
    Use,
    UseMasterBuilder,
    UsePrivilege,
)  # fmt: skip
from domain.augsburg.components import Noble, Privilege, Tile
from domain.augsburg.events import AuctionOpened, Drawn, PrivilegeCardSetAside, TileTaken
from domain.augsburg.play import Prestige
from domain.augsburg.state import Player, State
from domain.augsburg.winner import Using
from tests.domain.augsburg.table import merchant, offered, privilege_card, privilege_uses, right_tiles, table, using
from tests.scenario import Scenario, given

CARD = "money-office-office"
CHURCH = UseMasterBuilder(Tile.CHURCH)
CATHEDRAL = UseMasterBuilder(Tile.CATHEDRAL)


def turn(*players: Player, card: str = CARD, state: State | None = None) -> Scenario:
    """The first player has just taken this card."""
    ready = using(state or table(*players), 1, card)
    return given(augsburg, ready, Using(1), Auction(Noble.MARIA))


def use(privilege: str, what: Use) -> UsePrivilege:
    """Use a privilege for something."""
    return UsePrivilege(Privilege(privilege), what)


def buildings(scenario: Scenario) -> set[str]:
    """What the master builder may build."""
    return {option.given[0].key for option in offered(scenario.state, 1, "UseMasterBuilder")}


@pytest.mark.rule("AUG-317")
@pytest.mark.parametrize(
    ("card", "what", "number"),
    [
        (CARD, Use.MINTER, 0),
        (CARD, Use.MASTER_BUILDER, 0),
        (CARD, Use.CHURCH, 700),
        (CARD, Use.CATHEDRAL, 900),
        ("nobility-nobility-draw", Use.COAT_OF_ARMS, 3),
        ("nobility-nobility-draw", Use.LETTER_OF_NOBILITY, 4),
    ],
)
def test_the_top_tile_is_taken_once(card: str, what: Use, number: int) -> None:
    """The top tile of the stack is taken; nobody owns two of a kind."""
    owner = merchant(minter=True, builder=True, coat=4, letter=5, church=800, cathedral=1000)
    scenario = turn(merchant(office=4, nobility=4, guilders=5000), owner, card=card)
    privilege, tile = card.split("-")[1], Tile(what.value)
    after = scenario.when(1, use(privilege, what))
    after.happened(TileTaken(1, tile, number))
    assert right_tiles(after.state)[tile] == 3
    after.when(1, use(privilege, what)).refused("AUG-317", "TILE_OWNED")


@pytest.mark.rule("AUG-317")
@pytest.mark.parametrize(
    ("stack", "empty", "card", "what"),
    [
        ("minters", 0, CARD, Use.MINTER),
        ("builders", 0, CARD, Use.MASTER_BUILDER),
        ("churches", (), CARD, Use.CHURCH),
        ("cathedrals", (), CARD, Use.CATHEDRAL),
        ("coats", (), "nobility-nobility-draw", Use.COAT_OF_ARMS),
        ("letters", (), "nobility-nobility-draw", Use.LETTER_OF_NOBILITY),
    ],
)
def test_an_empty_stack_gives_nothing(stack: str, empty: Any, card: str, what: Use) -> None:
    """Where no tile is left there is none to take."""
    state = table(merchant(office=4, nobility=4, guilders=5000), merchant(), **{stack: empty})
    scenario = turn(state=state, card=card)
    privilege = card.split("-")[1]
    assert f"{privilege} {what}" not in privilege_uses(scenario.state, 1)
    scenario.when(1, use(privilege, what)).refused("AUG-317", "STACK_EMPTY")


@pytest.mark.rule("AUG-318")
def test_tiles_survive_the_loss_of_a_step() -> None:
    """Who falls keeps all tiles, and they keep working."""
    loser = merchant(office=4, nobility=4, minter=True, builder=True, coat=1, letter=2, guilders=2000)
    scenario = turn(merchant(office=3, nobility=3), loser, card="trade-nobility-office")
    for privilege in ("office", "nobility"):
        scenario = scenario.when(1, UsePrivilege(Privilege(privilege), Use.STEP, "seat-2"))
        scenario = scenario.when(2, ChooseCompensation(Compensation.GUILDERS))
    left = scenario.state.player(2)
    assert (left.office, left.nobility) == (3, 3)
    assert (left.minter, left.builder, left.coat, left.letter) == (True, True, 1, 2)
    awarded = given(augsburg, scenario.state, Prestige()).state.player(2)
    assert awarded.prestige == 8 + 1 + 2
    dealt = given(augsburg, scenario.state, Dealing()).events
    assert [len(event.cards) for event in dealt if isinstance(event, Drawn) and event.seat == 2] == [1, 6]
    building = given(augsburg, using(scenario.state, 2, CARD), Using(2))
    building.when(2, CHURCH).then(TileTaken(2, Tile.CHURCH, 800, True))


@pytest.mark.rule("AUG-319")
def test_the_master_builder_builds_at_any_moment() -> None:
    """Before, between or after the two privileges, beside them, and paid as any building."""
    start = turn(merchant(builder=True, guilders=2000), merchant())
    before = start.when(1, CHURCH).then(TileTaken(1, Tile.CHURCH, 800, True))
    assert (before.state.uses, before.state.player(1).guilders) == (2, 1200)
    start.when(1, Forgo()).when(1, CATHEDRAL).then(TileTaken(1, Tile.CATHEDRAL, 1000, True)).asks(1)
    after = start.when(1, Forgo()).when(1, Forgo()).asks(1).offers(1, "UseMasterBuilder", "Finish")
    after.when(1, CHURCH).then(
        TileTaken(1, Tile.CHURCH, 800, True),
        PrivilegeCardSetAside(1, privilege_card(CARD)),
        AuctionOpened(Noble.MARIA, 1),
    )


@pytest.mark.rule("AUG-319")
def test_the_master_builder_builds_once_a_card() -> None:
    """Not both buildings by the builder in one turn; an office privilege may erect the other."""
    scenario = turn(merchant(builder=True, guilders=5000), merchant()).when(1, CHURCH)
    assert not buildings(scenario)
    scenario.when(1, CATHEDRAL).refused("AUG-319", "MASTER_BUILDER_USED")
    other = scenario.when(1, use("office", Use.CATHEDRAL))
    assert (other.state.player(1).church, other.state.player(1).cathedral) == (800, 1000)
    reverse = turn(merchant(builder=True, guilders=5000), merchant()).when(1, use("office", Use.CHURCH))
    assert buildings(reverse) == {"cathedral"}
    reverse.when(1, CHURCH).refused("AUG-317", "TILE_OWNED")


@pytest.mark.rule("AUG-319")
def test_the_master_builder_builds_in_the_turn_he_comes() -> None:
    """He builds also in the turn in which his tile is taken, though it was the second privilege."""
    scenario = turn(merchant(office=4, guilders=800), merchant()).when(1, Forgo())
    scenario.when(1, CHURCH).refused("AUG-319", "NO_MASTER_BUILDER")
    scenario = scenario.when(1, use("office", Use.MASTER_BUILDER)).asks(1).offers(1, "UseMasterBuilder", "Finish")
    scenario.when(1, CHURCH).happened(TileTaken(1, Tile.CHURCH, 800, True), AuctionOpened(Noble.MARIA, 1))


@pytest.mark.rule("AUG-319")
@pytest.mark.parametrize("guilders", [0, 799, 5000])
def test_the_turn_ends_by_his_word(guilders: int) -> None:
    """With a master builder unused he says that he ends, also when he could not pay: nobody sees his guilders."""
    scenario = turn(merchant(builder=True, guilders=guilders), merchant()).when(1, Forgo())
    scenario.when(1, Finish()).refused("AUG-302", "PRIVILEGES_LEFT")
    scenario = scenario.when(1, Forgo()).asks(1)
    scenario.when(1, Forgo()).refused("AUG-302", "PRIVILEGES_USED_UP")
    scenario.when(1, use("money", Use.PLAIN)).refused("AUG-302", "PRIVILEGES_USED_UP")
    scenario.when(1, Finish()).then(PrivilegeCardSetAside(1, privilege_card(CARD)), AuctionOpened(Noble.MARIA, 1))


@pytest.mark.rule("AUG-319")
@pytest.mark.parametrize("board", [{"church": 800}, {"cathedral": 1000}, {}])
def test_he_waits_while_a_building_is_missing(board: dict[str, Any]) -> None:
    """Who lacks a church or a cathedral is asked for his word, who has both is not."""
    turn(merchant(builder=True, guilders=0, **board), merchant()).when(1, Forgo()).when(1, Forgo()).offers(1, "Finish")
    both = turn(merchant(builder=True, church=800, cathedral=1000), merchant()).when(1, Forgo()).when(1, Forgo())
    both.happened(PrivilegeCardSetAside(1, privilege_card(CARD)), AuctionOpened(Noble.MARIA, 1))


@pytest.mark.rule("AUG-319")
def test_without_a_master_builder_the_turn_ends_by_itself() -> None:
    """Who owns none is not asked; another's builder does not count."""
    scenario = turn(merchant(), merchant(builder=True)).when(1, Forgo())
    scenario.when(1, CHURCH).refused("AUG-319", "NO_MASTER_BUILDER")
    scenario.when(1, Forgo()).happened(PrivilegeCardSetAside(1, privilege_card(CARD)), AuctionOpened(Noble.MARIA, 1))


@pytest.mark.rule("AUG-319")
def test_the_builder_waits_for_a_discard_and_a_compensation() -> None:
    """He does not build between a draw and its discard, nor while another chooses his compensation."""
    builder = merchant(builder=True, office=3, guilders=3000)
    scenario = turn(builder, merchant(office=4), card="trade-office-draw")
    drawing = scenario.when(1, use("draw", Use.PLAIN)).offers(1, "Discard")
    drawing.when(1, CHURCH).refused("AUG-307", "NOT_OFFERED")
    card = drawing.state.player(1).hand[0].key
    assert buildings(drawing.when(1, Discard(card))) == {"church", "cathedral"}
    robbed = scenario.when(1, UsePrivilege(Privilege.OFFICE, Use.STEP, "seat-2")).asks(2)
    robbed.when(1, CHURCH).refused("", "NOT_ASKED")


@pytest.mark.rule("AUG-319")
def test_the_builder_builds_again_with_the_next_card() -> None:
    """Once per won privilege card: with a new card he may build again."""
    scenario = turn(merchant(builder=True, guilders=5000), merchant()).when(1, CHURCH).when(1, Forgo()).when(1, Forgo())
    again = turn(state=scenario.state, card="trade-trade-prestige-7")
    again.when(1, CATHEDRAL).then(TileTaken(1, Tile.CATHEDRAL, 1000, True))


@pytest.mark.rule("AUG-320")
@pytest.mark.parametrize(
    ("guilders", "church", "cathedral"), [(799, False, False), (800, True, False), (1000, True, True)]
)
def test_a_building_is_paid(guilders: int, church: bool, cathedral: bool) -> None:
    """It costs what its top tile says, to the bank; without the money it is not possible."""
    scenario = turn(merchant(builder=True, guilders=guilders), merchant())
    for tile, possible, cost in ((Tile.CHURCH, church, 800), (Tile.CATHEDRAL, cathedral, 1000)):
        for command in (UseMasterBuilder(tile), use("office", Use(tile.value))):
            after = scenario.when(1, command)
            if possible:
                assert after.state.player(1).guilders == guilders - cost
                assert after.state.player(2).guilders == 1500
            else:
                after.refused("AUG-320", "TOO_FEW_GUILDERS")


@pytest.mark.rule("AUG-321", "AUG-404")
def test_a_cathedral_without_a_church() -> None:
    """A cathedral may stand alone; the limit of prestige stays where it was."""
    after = turn(merchant(guilders=1000), merchant()).when(1, use("office", Use.CATHEDRAL))
    after.happened(TileTaken(1, Tile.CATHEDRAL, 1000))
    player = after.state.player(1)
    assert (player.church, player.cathedral, player.limit) == (0, 1000, 25)
