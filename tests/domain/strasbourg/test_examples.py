"""The rulebook's own examples (chapter 9): Nicole is seat 1, Peter 2, Sandra 3, Thomas 4."""

import pytest

from domain import strasbourg
from domain.options import Group
from domain.strasbourg.commands import Build, BuildChapel, Draw, MakeStacks, Pass, Place, PutBack, Sell, TakeGoods, Wait
from domain.strasbourg.contest import Contest
from domain.strasbourg.council import BuildingStep, ChapelStep, Council
from domain.strasbourg.events import (
    CardPutBack,
    FigureMoved,
    FlippedLeft,
    GoodsSold,
    GoodsTaken,
    PrivilegesGranted,
    Ranked,
    Scored,
    StacksMade,
)
from domain.strasbourg.guilds import Apprentice, Journeyman, Master, Merchant
from domain.strasbourg.planning import FirstCards, Planning
from domain.strasbourg.scoring import FinalScoring
from tests.domain.strasbourg.table import board, cards, having, keys, stack, table
from tests.domain.strasbourg.test_contest import contest, flip
from tests.domain.strasbourg.test_guilds import placed
from tests.scenario import given

NICOLE, PETER, SANDRA, THOMAS = 1, 2, 3, 4


@pytest.mark.rule("STR-901")
def test_nicole_makes_four_stacks() -> None:
    """She draws 5, 2, 2, 3, 6 and makes {3,2}, {5}, {2}, {6}."""
    state = having(table(), NICOLE, deck="522361")
    for seat in (PETER, SANDRA, THOMAS):
        state = having(state, seat, deck="")
    asked = given(strasbourg, state, FirstCards(), Planning()).asks(NICOLE)
    for _ in range(4):
        asked = asked.when(NICOLE, Draw())
    command = MakeStacks(tuple(Group(keys(part)) for part in ("32", "5", "2", "6")))
    asked.when(NICOLE, command).then(StacksMade(NICOLE, (stack("2"), stack("5"), stack("6"), stack("23"))))


@pytest.mark.rule("STR-902")
def test_thomas_nicole_sandra_peter() -> None:
    """5, a stack of two worth 3, 5 and 6 rank so; Thomas becomes first player, Peter puts the 2 back."""
    state = table()
    for seat, held in zip(state.seats, ("5", "12", "5", "6"), strict=True):
        state = having(state, seat, stacks=held)
    asked = given(strasbourg, state, Contest("B", "bakers"))
    for seat, held in zip(state.seats, ("5", "12", "5", "6"), strict=True):
        asked = asked.when(seat, flip(held))
    asked.happened(Ranked((THOMAS, NICOLE, SANDRA, PETER)), FigureMoved(THOMAS))
    asked = (
        asked.when(THOMAS, Place("field-0-0")).when(NICOLE, Place("field-0-1")).when(SANDRA, TakeGoods()).asks(PETER)
    )
    after = asked.when(PETER, PutBack("influence-2")).then(CardPutBack(PETER, *cards("2")), FlippedLeft()).state
    assert after.player(PETER).deck[-1:] == cards("2")
    assert after.player(PETER).out == cards("1")
    assert after.first == THOMAS


@pytest.mark.rule("STR-903")
@pytest.mark.parametrize("journeyman", ["field-0-3", "field-1-3"])
def test_the_vintners(journeyman: str) -> None:
    """The master pays 4 for a field, the journeyman 3 or 4, the apprentice takes goods only."""
    ranks = (Master(THOMAS, "vintners"), Journeyman(NICOLE, "vintners"), Apprentice(SANDRA, "vintners"))
    asked = given(strasbourg, table(), *ranks).when(THOMAS, Place("field-0-6"))
    asked.happened(placed(THOMAS, "field-0-6"), GoodsTaken("STR-309", NICOLE, "barrel"))
    after = (
        asked.when(NICOLE, Place(journeyman)).when(SANDRA, TakeGoods()).then(GoodsTaken("STR-310", SANDRA, "barrel"))
    )
    money = [after.state.player(seat).money for seat in (THOMAS, NICOLE, SANDRA)]
    assert money == [1, 2 if journeyman == "field-0-3" else 1, 5]
    assert after.state.city.count(SANDRA) == 0


@pytest.mark.rule("STR-904")
def test_weapon_barrel_and_shoe_bring_12() -> None:
    """At their printed values."""
    state = having(table(), NICOLE, goods="weapon barrel shoe")
    sold = given(strasbourg, state, Merchant(NICOLE, "C")).when(NICOLE, Sell(("weapon", "barrel", "shoe")))
    sold.then(GoodsSold(NICOLE, ("barrel", "shoe", "weapon"), 12))


@pytest.mark.rule("STR-905")
def test_thomas_and_nicole_wait() -> None:
    """Thomas waits, Nicole waits, Peter flips, Sandra passes, Thomas waits again, and Nicole decides before him."""
    asked = contest("5", "12", "5", "6", first=THOMAS, privileges=(1, 0, 0, 2)).asks(THOMAS)
    asked = asked.when(THOMAS, Wait()).asks(NICOLE).when(NICOLE, Wait()).asks(PETER)
    asked = asked.when(PETER, flip("12")).asks(SANDRA).when(SANDRA, Pass()).asks(THOMAS)
    asked = asked.when(THOMAS, Wait()).asks(NICOLE)
    asked.when(NICOLE, Wait()).refused("STR-303", "NO_PRIVILEGE")
    asked.when(NICOLE, Pass()).asks(THOMAS)


@pytest.mark.rule("STR-906")
def test_the_council_after_round_1() -> None:
    """Thomas and Nicole have two seats each and get 2 prestige and a privilege each; Peter and Sandra 1 prestige."""
    chairs = {"nobility": 4, "smiths": 4, "church": 1, "bakers": 1, "vintners": 2, "merchants": 3}
    after = given(strasbourg, board(table(), council=chairs), Council())
    after.then(Scored("STR-401", "council", (2, 1, 1, 2)), PrivilegesGranted((NICOLE, THOMAS)))


@pytest.mark.rule("STR-907")
def test_the_final_scoring() -> None:
    """Peter 2 + 1 chapel + 4 inn; Sandra 2 + 2 chapel; Thomas 3 + 8 inn + 3 fountain; Nicole 1, diagonal to the inn."""
    state = table(number=5)
    for seat in state.seats:
        state = having(state, seat, tasks="")
    members = {NICOLE: "1-3", PETER: "2-3 5-8", SANDRA: "2-2 3-2", THOMAS: "1-4 2-5 0-6"}
    built = {"inn": "2-4", "fountain": "1-6"}
    after = given(strasbourg, board(state, members=members, chapels="3-3", built=built), FinalScoring())
    after.happened(
        Scored("STR-501", "members", (1, 2, 2, 3)),
        Scored("STR-502", "chapels", (0, 1, 2, 0)),
        Scored("STR-503", "buildings", (0, 4, 0, 11)),
    )
    assert [player.prestige for player in after.state.players] == [1, 7, 4, 14]


@pytest.mark.rule("STR-908")
def test_chapel_and_building_beside_own_members() -> None:
    """A chapel at a corner of two own members; the building by the holder of the nobility seat, next to two of his."""
    state = table(number=1)
    council = {"church": PETER, "nobility": THOMAS}
    state = board(state, council=council, members={PETER: "2-0 2-1", THOMAS: "0-2 2-2"})
    asked = given(strasbourg, state, ChapelStep(), BuildingStep()).asks(PETER).when(PETER, BuildChapel("chapel-3-1"))
    after = asked.asks(THOMAS).when(THOMAS, Build("site-1-2")).state
    assert len(after.members(PETER) & after.plan.beside[after.chapels[0]]) == 2
    assert len(after.members(THOMAS) & after.plan.beside[after.built[0].site]) == 2
