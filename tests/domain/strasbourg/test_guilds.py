"""What the ranks earn (STR-306..313)."""

import pytest

from domain import strasbourg
from domain.strasbourg.commands import Decline, Pass, Place, Sell, TakeGoods
from domain.strasbourg.components import CHAIRS
from domain.strasbourg.contest import Contest
from domain.strasbourg.events import ChairTaken, Declined, GoodsSold, GoodsTaken, MemberPlaced, Ranked
from domain.strasbourg.guilds import Apprentice, Journeyman, Master, Merchant
from tests.domain.strasbourg.table import board, having, table
from tests.domain.strasbourg.test_contest import contest, flip, with_stacks
from tests.scenario import Scenario, given

FIELDS = {field.key: field for field in table().plan.fields}


def placed(seat: int, key: str) -> MemberPlaced:
    """A member placed at the printed price."""
    return MemberPlaced(seat, FIELDS[key], FIELDS[key].price)


def guild_step(players: int, guild: str = "vintners") -> Scenario:
    """All players flip in a guild's step: rank = seat."""
    state = with_stacks(*"6543211"[:players])
    asked = given(strasbourg, state, Contest("B", guild))
    for seat in state.seats:
        asked = asked.when(seat, flip("6543211"[seat - 1]))
    return asked


@pytest.mark.rule("STR-306")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_nobility_and_church(players: int) -> None:
    """Rank 1 takes the nobility chair, rank 2 the church's; a later rank gets nothing."""
    asked = contest(*"45612"[:players], step="A")
    for seat in range(1, players + 1):
        asked = asked.when(seat, flip("45612"[seat - 1]))
    asked.happened(ChairTaken(3, "nobility", 0), ChairTaken(2, "church", 0)).asks(1).offers(1, "PutBack", "Decline")
    assert asked.state.council == (3, 2, 0, 0, 0, 0, 0, 0)


@pytest.mark.rule("STR-306")
def test_one_flip_takes_the_nobility_chair_alone() -> None:
    """Without a rank 2 the church's stays as it is."""
    asked = contest("4", "5", "", step="A").when(1, Pass()).when(2, flip("5"))
    assert asked.state.council[:2] == (2, 0)


@pytest.mark.rule("STR-307")
@pytest.mark.parametrize("players", [4, 5])
def test_master_journeyman_apprentice(players: int) -> None:
    """With four and five players three ranks earn, each finishing before the next chooses."""
    asked = guild_step(players).happened(ChairTaken(1, "vintners", 0), GoodsTaken("STR-308", 1, "barrel")).asks(1)
    asked = asked.when(1, Decline()).happened(GoodsTaken("STR-309", 2, "barrel")).asks(2).offers(2, "Place", "Decline")
    asked = asked.when(2, Decline()).asks(3).offers(3, "TakeGoods", "Place")
    asked.when(3, TakeGoods()).happened(GoodsTaken("STR-310", 3, "barrel")).asks(4).offers(4, "PutBack", "Decline")


@pytest.mark.rule("STR-307")
def test_with_three_players_rank_2_is_apprentice() -> None:
    """And rank 3 gets nothing, so he may put a card back."""
    asked = guild_step(3).asks(1).when(1, Decline()).asks(2).offers(2, "TakeGoods", "Place")
    asked.when(2, TakeGoods()).asks(3).offers(3, "PutBack", "Decline")


@pytest.mark.rule("STR-308")
def test_the_master_takes_chair_and_goods_and_may_place() -> None:
    """The chair and the goods come by themselves; the member is his choice."""
    state = having(table(), 2, money=3)
    asked = given(strasbourg, state, Master(2, "shoemakers"))
    asked.then(ChairTaken(2, "shoemakers", 0), GoodsTaken("STR-308", 2, "shoe")).asks(2).offers(2, "Place", "Decline")
    after = asked.when(2, Place("field-0-7")).then(placed(2, "field-0-7")).asks().state
    assert after.player(2).money == 1
    assert after.city[after.plan.place["field-0-7"]] == 2
    assert after.player(2).goods == (0, 0, 1, 0, 0)
    asked.when(2, Decline()).then(Declined("STR-311", 2)).asks()


@pytest.mark.rule("STR-309")
def test_the_journeyman_takes_goods_and_may_place_but_no_chair() -> None:
    """The guild's chair stays as it is."""
    asked = given(strasbourg, table(), Journeyman(3, "bakers")).then(GoodsTaken("STR-309", 3, "bread"))
    asked.offers(3, "Place", "Decline").when(3, Place("field-0-0")).then(placed(3, "field-0-0"))
    assert asked.state.council == (0,) * 8


@pytest.mark.rule("STR-310")
def test_the_apprentice_chooses_exactly_one() -> None:
    """The goods or a member: not both, and not neither."""
    asked = given(strasbourg, table(), Apprentice(1, "butchers")).then().offers(1, "TakeGoods", "Place")
    goods = asked.when(1, TakeGoods()).then(GoodsTaken("STR-310", 1, "meat")).asks()
    assert goods.state.player(1).goods == (0, 0, 0, 1, 0)
    member = asked.when(1, Place("field-5-8")).then(placed(1, "field-5-8")).asks()
    assert member.state.player(1).goods == (0, 0, 0, 0, 0)
    asked.when(1, Decline()).refused("STR-310", "NOT_OFFERED")


@pytest.mark.rule("STR-310", "STR-311")
def test_an_apprentice_without_money_is_asked_all_the_same() -> None:
    """Money is hidden: the goods are his one answer, but he gives it himself."""
    asked = given(strasbourg, having(table(), 1, money=3), Apprentice(1, "smiths")).asks(1).offers(1, "TakeGoods")
    asked.when(1, Place("field-4-0")).refused("STR-311", "FIELD_TOO_DEAR")


@pytest.mark.rule("STR-311")
def test_a_master_without_money_is_asked_all_the_same() -> None:
    """He can only decline."""
    asked = given(strasbourg, having(table(), 1, money=1), Master(1, "vintners")).asks(1).offers(1, "Decline")
    asked.when(1, Place("field-0-3")).refused("STR-311", "FIELD_TOO_DEAR")


@pytest.mark.rule("STR-311")
def test_only_free_payable_fields_of_the_guild() -> None:
    """A field that is taken, of another guild, too dear, or none at all is refused, each by its reason."""
    state = having(board(table(), members={2: "0-3", 1: "0-4"}), 1, money=3)
    asked = given(strasbourg, state, Journeyman(1, "vintners"))
    decision = strasbourg.decision(asked.state, 1)
    assert decision is not None
    assert getattr(decision.options[0].slots[0], "keys", ()) == ("field-0-5",)
    asked.when(1, Place("field-0-3")).refused("STR-311", "FIELD_TAKEN")
    asked.when(1, Place("field-0-4")).refused("STR-311", "FIELD_TAKEN")
    asked.when(1, Place("field-0-0")).refused("STR-311", "FIELD_OF_ANOTHER_GUILD")
    asked.when(1, Place("field-0-6")).refused("STR-311", "FIELD_TOO_DEAR")
    asked.when(1, Place("site-1-2")).refused("STR-311", "NO_SUCH_FIELD")
    asked.when(1, Place("field-9-9")).refused("STR-311", "NO_SUCH_FIELD")
    asked.when(1, Place("field-0-5")).then(placed(1, "field-0-5"))


@pytest.mark.rule("STR-311")
def test_a_field_may_cost_all_he_has_and_some_are_free() -> None:
    """A price equal to his money is paid; a price of 0 needs none."""
    paid = given(strasbourg, having(table(), 1, money=4), Journeyman(1, "smiths")).when(1, Place("field-4-0"))
    assert paid.state.player(1).money == 0
    free = given(strasbourg, having(table(), 1, money=0), Journeyman(1, "bakers")).when(1, Place("field-2-0"))
    assert free.then(placed(1, "field-2-0")).state.player(1).money == 0


@pytest.mark.rule("STR-311")
def test_a_too_dear_field_tells_its_price() -> None:
    """The refusal names the price and his own money, which he knows."""
    asked = given(strasbourg, having(table(), 1, money=3), Master(1, "smiths")).when(1, Place("field-3-0"))
    assert {fact.name: fact.value for fact in asked.refusal.facts} == {
        "field": "field-3-0",
        "price": "5",
        "money": "3",
    }


@pytest.mark.rule("STR-312")
def test_a_chair_taken_sends_the_former_member_home() -> None:
    """Only one sits there; one player may hold several, also again his own."""
    state = board(table(), council={"nobility": 1, "smiths": 2, "bakers": 3})
    after = given(strasbourg, state, Master(3, "smiths")).happened(ChairTaken(3, "smiths", 2)).state
    assert dict(zip(CHAIRS, after.council, strict=True)) == {
        **dict.fromkeys(CHAIRS, 0),
        "nobility": 1,
        "smiths": 3,
        "bakers": 3,
    }
    given(strasbourg, after, Master(3, "smiths")).happened(ChairTaken(3, "smiths", 3))


@pytest.mark.rule("STR-313")
def test_the_best_sells_any_of_his_goods_at_their_value() -> None:
    """Some, all, or none; the money comes at once."""
    state = having(table(), 2, goods="weapon weapon shoe bread", money=1)
    asked = given(strasbourg, state, Merchant(2, "C")).then().asks(2)
    after = asked.when(2, Sell(("weapon", "bread"))).then(GoodsSold(2, ("bread", "weapon"), 6)).state
    assert after.player(2).goods == (1, 0, 1, 0, 0)
    assert after.player(2).money == 7
    asked.when(2, Sell(())).then(GoodsSold(2, (), 0))
    asked.when(2, Sell(("weapon", "weapon", "shoe", "bread"))).then(
        GoodsSold(2, ("bread", "shoe", "weapon", "weapon"), 14)
    )


@pytest.mark.rule("STR-313")
def test_goods_not_held_are_not_sold() -> None:
    """One too many, another kind, and no goods at all are refused."""
    asked = given(strasbourg, having(table(), 2, goods="weapon"), Merchant(2, "C"))
    for wrong in (("weapon", "weapon"), ("shoe",), ("gold",), ("influence-1",)):
        asked.when(2, Sell(wrong)).refused("STR-313", "GOODS_NOT_HELD")


@pytest.mark.rule("STR-313")
@pytest.mark.parametrize("step", ["C", "E", "G"])
def test_in_step_g_the_best_first_takes_the_merchants_chair(step: str) -> None:
    """In C and E there is no chair to take; rank 2 sells nothing in any of them."""
    asked = contest("4", "6", "5", step=step).when(1, Pass()).when(2, flip("6")).when(3, flip("5"))
    asked.happened(Ranked((2, 3))).asks(2)
    taken = [event for event in asked.events if isinstance(event, ChairTaken)]
    assert taken == ([ChairTaken(2, "merchants", 0)] if step == "G" else [])
    asked.when(2, Sell(())).asks(3).offers(3, "PutBack", "Decline")


@pytest.mark.rule("STR-313")
def test_the_best_is_asked_also_without_goods() -> None:
    """Goods are hidden, so he says himself that he sells none."""
    given(strasbourg, table(), Merchant(1, "C")).asks(1).offers(1, "Sell").when(1, Sell(())).then(GoodsSold(1, (), 0))
