"""Chapter 3, second part: the ladders of trade, nobility and office."""

from __future__ import annotations

import pytest

from domain import augsburg
from domain.augsburg.auction import Auction
from domain.augsburg.commands import ChooseCompensation, Compensation, Use, UsePrivilege
from domain.augsburg.components import Category, Noble, Privilege
from domain.augsburg.events import AuctionOpened, Gain, GuildersPaid, PrestigeGained, PrivilegeUsed, StepTaken
from domain.augsburg.state import Player, State
from domain.augsburg.winner import Compensating, Using
from domain.options import PickOne
from domain.values import replace
from tests.domain.augsburg.table import asked, merchant, offered, privilege_uses, table, using
from tests.scenario import Scenario, given

ALL_THREE = "trade-nobility-office"
CATEGORIES = tuple(Category)


def step(category: str, holder: str = "nobody") -> UsePrivilege:
    """Take the next step of a category."""
    return UsePrivilege(Privilege(category), Use.STEP, holder)


def on_step(category: Category, number: int) -> Player:
    """A player on this step of a category, and on step 1 of the others."""
    return replace(merchant(), **{category: number})  # type: ignore[arg-type]


def turn(state: State, card: str = ALL_THREE) -> Scenario:
    """The first player has just taken this card."""
    return given(augsburg, using(state, 1, card), Using(1), Auction(Noble.MARIA))


def tiles(state: State, category: Category) -> tuple[int, ...]:
    """The tiles of steps 2, 3 and 4 in the supply."""
    return tuple(state.step_tiles_left(category, number) for number in (2, 3, 4))


@pytest.mark.rule("AUG-308")
@pytest.mark.parametrize("trade", [1, 2, 3, 4])
def test_trade(trade: int) -> None:
    """Trade is the next step, or 300 guilders from step 2 on."""
    scenario = turn(table(merchant(trade=trade), merchant()))
    wanted = {"trade step"} if trade < 4 else set()
    wanted |= {"trade guilders"} if trade > 1 else set()
    assert {use for use in privilege_uses(scenario.state, 1) if use.startswith("trade")} == wanted
    guilders = UsePrivilege(Privilege.TRADE, Use.GUILDERS)
    if trade > 1:
        after = scenario.when(1, guilders)
        after.then(PrivilegeUsed(1, Privilege.TRADE, Use.GUILDERS), GuildersPaid(1, 300, "AUG-308"))
        assert after.state.player(1).guilders == 1800
    else:
        scenario.when(1, guilders).refused("AUG-308", "STEP_TOO_LOW")


@pytest.mark.rule("AUG-308")
def test_trade_counts_the_step_of_the_moment() -> None:
    """Who has just taken trade step 2 may use the second trade privilege for 300 guilders."""
    scenario = turn(table(merchant(), merchant()), "trade-trade-prestige-7").when(1, step("trade"))
    scenario.when(1, UsePrivilege(Privilege.TRADE, Use.GUILDERS)).happened(GuildersPaid(1, 300, "AUG-308"))


@pytest.mark.rule("AUG-309")
@pytest.mark.parametrize(
    ("nobility", "uses"),
    [
        (1, {"nobility step"}),
        (2, {"nobility step"}),
        (3, {"nobility step", "nobility coat-of-arms"}),
        (4, {"nobility coat-of-arms", "nobility letter-of-nobility"}),
    ],
)
def test_nobility(nobility: int, uses: set[str]) -> None:
    """Nobility is the next step, a coat of arms from step 3 on, or a letter of nobility on step 4."""
    scenario = turn(table(merchant(nobility=nobility), merchant()))
    assert {use for use in privilege_uses(scenario.state, 1) if use.startswith("nobility")} == uses
    for use, least in ((Use.COAT_OF_ARMS, 3), (Use.LETTER_OF_NOBILITY, 4)):
        if nobility < least:
            scenario.when(1, UsePrivilege(Privilege.NOBILITY, use)).refused("AUG-309", "STEP_TOO_LOW")


@pytest.mark.rule("AUG-310")
@pytest.mark.parametrize(
    ("office", "uses"),
    [
        (1, {"step", "church", "cathedral"}),
        (2, {"step", "church", "cathedral"}),
        (3, {"step", "church", "cathedral", "minter"}),
        (4, {"church", "cathedral", "minter", "master-builder"}),
    ],
)
def test_office(office: int, uses: set[str]) -> None:
    """Office is the next step, a minter from 3 on, a master builder on 4, or at any step a building."""
    scenario = turn(table(merchant(office=office), merchant()))
    found = {use.removeprefix("office ") for use in privilege_uses(scenario.state, 1) if use.startswith("office")}
    assert found == uses
    for use, least in ((Use.MINTER, 3), (Use.MASTER_BUILDER, 4)):
        if office < least:
            scenario.when(1, UsePrivilege(Privilege.OFFICE, use)).refused("AUG-310", "STEP_TOO_LOW")


@pytest.mark.rule("AUG-308", "AUG-309", "AUG-310")
@pytest.mark.parametrize(
    ("privilege", "use", "rule"),
    [
        (Privilege.TRADE, Use.CHURCH, "AUG-308"),
        (Privilege.NOBILITY, Use.CHURCH, "AUG-309"),
        (Privilege.NOBILITY, Use.GUILDERS, "AUG-309"),
        (Privilege.OFFICE, Use.COAT_OF_ARMS, "AUG-310"),
        (Privilege.OFFICE, Use.GUILDERS, "AUG-310"),
    ],
)
def test_each_category_has_its_own_uses(privilege: Privilege, use: Use, rule: str) -> None:
    """No category stands for another's tiles or money."""
    rich = table(merchant(trade=4, nobility=4, office=4, guilders=3000), merchant())
    turn(rich).when(1, UsePrivilege(privilege, use)).refused(rule, "USE_NOT_OF_THIS_PRIVILEGE")


@pytest.mark.rule("AUG-311")
@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_one_step_at_a_time(category: Category, number: int) -> None:
    """The next step and no other, in that category and no other."""
    state = table(on_step(category, number), merchant(), merchant())
    after = turn(state).when(1, step(category))
    after.then(
        PrivilegeUsed(1, Privilege(category.value), Use.STEP), StepTaken(1, category, number + 1, 0)
    ).asks(1)  # fmt: skip
    assert [getattr(after.state.player(1), c) for c in CATEGORIES] == [
        number + 1 if c == category else 1 for c in CATEGORIES
    ]


@pytest.mark.rule("AUG-311")
@pytest.mark.parametrize("category", CATEGORIES)
def test_step_four_is_the_last(category: Category) -> None:
    """On step 4 there is no further step."""
    scenario = turn(table(on_step(category, 4), merchant()))
    assert f"{category} step" not in privilege_uses(scenario.state, 1)
    scenario.when(1, step(category)).refused("AUG-311", "LAST_STEP_REACHED")


@pytest.mark.rule("AUG-312")
@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize(
    ("number", "after"),
    [(1, (3, 2, 1)), (2, (3, 1, 1)), (3, (3, 2, 0))],
)
def test_tiles_leave_the_supply(category: Category, number: int, after: tuple[int, ...]) -> None:
    """A step's tile leaves the supply; with the step-4 tile the own step-3 tile goes back, step 2 stays."""
    state = table(on_step(category, number), merchant(), merchant(), merchant())
    taken = turn(state).when(1, step(category)).state
    assert tiles(taken, category) == after
    assert all(tiles(taken, other) == (4, 2, 1) for other in CATEGORIES if other != category)


@pytest.mark.rule("AUG-313")
def test_only_when_the_supply_has_none() -> None:
    """As long as a tile lies in the supply nobody is robbed of it."""
    state = table(merchant(office=2), merchant(office=3), merchant(), merchant())
    scenario = turn(state)
    scenario.when(1, step("office", "seat-2")).refused("AUG-313", "TILE_IN_SUPPLY")
    after = scenario.when(1, step("office")).asks(1)
    assert after.state.player(2).office == 3


@pytest.mark.rule("AUG-313", "AUG-314")
def test_a_step_three_tile_is_taken_from_a_holder() -> None:
    """With none in the supply the taker chooses a holder, who falls to step 2."""
    state = table(merchant(office=2), merchant(office=3), merchant(office=4), merchant(office=3))
    scenario = turn(state)
    (option,) = [o for o in offered(state=scenario.state, seat=1, command="UsePrivilege") if o.slots]
    assert [slot.keys for slot in option.slots if isinstance(slot, PickOne)] == [("seat-2", "seat-4")]
    for wrong in ("nobody", "seat-3", "seat-1", "seat-9"):
        scenario.when(1, step("office", wrong)).refused("AUG-313", "NOT_A_HOLDER")
    after = scenario.when(1, step("office", "seat-4"))
    after.then(PrivilegeUsed(1, Privilege.OFFICE, Use.STEP), StepTaken(1, Category.OFFICE, 3, 4)).asks(4)
    assert [player.office for player in after.state.players] == [3, 3, 4, 2]
    assert tiles(after.state, Category.OFFICE) == (0, 0, 0)


@pytest.mark.rule("AUG-314")
def test_the_loser_of_step_four_gets_step_three() -> None:
    """Who loses the step-4 tile receives the taker's step-3 tile; the supply does not change."""
    state = table(merchant(trade=3), merchant(), merchant(trade=4), merchant(trade=3))
    before = tiles(state, Category.TRADE)
    after = turn(state).when(1, step("trade", "seat-3")).asks(3).state
    assert [player.trade for player in after.players] == [4, 1, 3, 3]
    assert tiles(after, Category.TRADE) == before


@pytest.mark.rule("AUG-313")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_step_two_is_never_short(players: int) -> None:
    """The last player on step 1 finds a tile of step 2 in the supply, whatever the others hold."""
    steps = [1, 4, *[2] * (players - 2)]
    state = table(*(merchant(trade=number) for number in steps))
    turn(state).when(1, step("trade")).happened(StepTaken(1, Category.TRADE, 2, 0))


@pytest.mark.rule("AUG-315")
@pytest.mark.parametrize(
    ("wanted", "event"),
    [
        (Compensation.GUILDERS, GuildersPaid(2, 100, "AUG-315")),
        (Compensation.PRESTIGE, PrestigeGained(2, Gain.COMPENSATION, 1, 1)),
    ],
)
def test_compensation(wanted: Compensation, event: object) -> None:
    """The loser chooses at once, before the taker goes on."""
    state = table(merchant(office=3), merchant(office=4))
    scenario = turn(state).when(1, step("office", "seat-2")).asks(2).offers(2, "ChooseCompensation")
    assert asked(scenario.state, 2).question == "compensating"
    scenario.when(2, ChooseCompensation(wanted)).then(event).asks(1)


@pytest.mark.rule("AUG-315", "AUG-404")
def test_compensation_at_the_limit() -> None:
    """Prestige may be chosen at the limit too, where it is lost."""
    state = table(merchant(office=3), merchant(office=4, prestige=25))
    scenario = given(augsburg, using(state, 1, ALL_THREE), Compensating(2), Using(1))
    after = scenario.when(2, ChooseCompensation(Compensation.PRESTIGE))
    after.then(PrestigeGained(2, Gain.COMPENSATION, 1, 0))
    assert after.state.player(2).prestige == 25


@pytest.mark.rule("AUG-316")
def test_two_tiles_from_one_player() -> None:
    """One card may take two tiles from the same player in two categories, each loss compensated."""
    state = table(merchant(trade=3, office=3), merchant(trade=4, office=4))
    scenario = turn(state).when(1, step("trade", "seat-2")).when(2, ChooseCompensation(Compensation.GUILDERS))
    scenario = scenario.when(1, step("office", "seat-2")).asks(2)
    scenario = scenario.when(2, ChooseCompensation(Compensation.GUILDERS)).happened(AuctionOpened(Noble.MARIA, 1))
    assert scenario.state.player(2).guilders == 1700
    assert (scenario.state.player(2).trade, scenario.state.player(2).office) == (3, 3)


@pytest.mark.rule("AUG-316")
def test_two_tiles_of_one_category() -> None:
    """In one category the second tile comes from another player: the first one has none of it any more."""
    state = table(merchant(office=2), merchant(office=3), merchant(office=4), merchant(office=3))
    scenario = turn(state, "money-office-office").when(1, step("office", "seat-2"))
    scenario = scenario.when(2, ChooseCompensation(Compensation.PRESTIGE))
    scenario.when(1, step("office", "seat-2")).refused("AUG-313", "NOT_A_HOLDER")
    scenario = scenario.when(1, step("office", "seat-3")).asks(3)
    assert [player.office for player in scenario.state.players] == [4, 2, 3, 3]
