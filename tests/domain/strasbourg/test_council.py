"""Chapels, buildings and the council at the end of a round (STR-316, STR-317, chapter 4)."""

import pytest

from domain import strasbourg
from domain.strasbourg.commands import Build, BuildChapel
from domain.strasbourg.council import BuildingStep, ChapelStep, Council
from domain.strasbourg.events import BuildingBuilt, ChapelBuilt, PrivilegesGranted, Scored, StepBegan
from domain.strasbourg.play import Round
from tests.domain.strasbourg.table import board, having, table
from tests.scenario import given

COUNCIL = {"nobility": 3, "church": 2}


@pytest.mark.rule("STR-316")
def test_the_owner_of_the_church_chair_builds_a_chapel() -> None:
    """On a free site of his choice; he must."""
    state = board(table(), council=COUNCIL, chapels="3-1 5-7")
    asked = given(strasbourg, state, ChapelStep()).then(StepBegan("H", "")).asks(2).offers(2, "BuildChapel")
    asked.when(2, BuildChapel("chapel-1-3")).then(ChapelBuilt(2, "chapel-1-3")).asks()
    decision = strasbourg.decision(asked.state, 2)
    assert decision is not None
    assert len(getattr(decision.options[0].slots[0], "keys", ())) == 10 - 2
    assert asked.when(2, BuildChapel("chapel-5-4")).state.chapels == ("chapel-3-1", "chapel-5-7", "chapel-5-4")


@pytest.mark.rule("STR-316")
def test_a_chapel_needs_a_free_chapel_site() -> None:
    """A taken site, a building site, a corner without a mark and a field are refused."""
    asked = given(strasbourg, board(table(), council=COUNCIL, chapels="3-1"), ChapelStep())
    asked.when(2, BuildChapel("chapel-3-1")).refused("STR-316", "CHAPEL_SITE_TAKEN")
    for wrong in ("site-1-2", "chapel-1-1", "field-0-0"):
        asked.when(2, BuildChapel(wrong)).refused("STR-316", "NO_SUCH_CHAPEL_SITE")


@pytest.mark.rule("STR-317")
def test_the_owner_of_the_nobility_chair_puts_up_the_building_of_the_round() -> None:
    """On a free building site of his choice."""
    state = table(number=3)
    state = board(state, council=COUNCIL, built={state.buildings[0].key: "1-2", state.buildings[1].key: "4-5"})
    asked = given(strasbourg, state, BuildingStep()).then(StepBegan("I", "")).asks(3).offers(3, "Build")
    asked.when(3, Build("site-2-4")).then(BuildingBuilt(3, state.buildings[2], "site-2-4")).asks()
    decision = strasbourg.decision(asked.state, 3)
    assert decision is not None
    assert len(getattr(decision.options[0].slots[0], "keys", ())) == 7 - 2


@pytest.mark.rule("STR-317")
def test_a_building_needs_a_free_building_site() -> None:
    """A taken site, a chapel site and a field are refused."""
    state = table(number=2)
    asked = given(strasbourg, board(state, council=COUNCIL, built={state.buildings[0].key: "1-2"}), BuildingStep())
    asked.when(3, Build("site-1-2")).refused("STR-317", "BUILDING_SITE_TAKEN")
    for wrong in ("chapel-1-3", "site-0-0", "field-0-0"):
        asked.when(3, Build(wrong)).refused("STR-317", "NO_SUCH_BUILDING_SITE")


@pytest.mark.rule("STR-401", "STR-402")
def test_prestige_for_members_and_a_privilege_for_most() -> None:
    """One prestige a member in the council; who has strictly most gets a privilege alone."""
    state = board(table(), council={"nobility": 1, "smiths": 1, "bakers": 1, "church": 2, "merchants": 4})
    after = given(strasbourg, state, Council())
    after.then(Scored("STR-401", "council", (3, 1, 0, 1)), PrivilegesGranted((1,)))
    assert [player.prestige for player in after.state.players] == [3, 1, 0, 1]
    assert [player.privileges for player in after.state.players] == [1, 0, 0, 0]


@pytest.mark.rule("STR-402")
def test_all_who_are_tied_for_most_get_a_privilege() -> None:
    """Those below get none; also after round 5."""
    state = board(table(number=5), council={"nobility": 1, "smiths": 1, "church": 2, "bakers": 4, "merchants": 4})
    given(strasbourg, having(state, 4, privileges=2), Council()).happened(PrivilegesGranted((1, 4)))
    after = given(strasbourg, having(state, 4, privileges=2), Council()).state
    assert [player.privileges for player in after.players] == [1, 0, 0, 3]


@pytest.mark.rule("STR-403")
def test_council_and_first_player_stay_for_the_next_round() -> None:
    """Nobody goes home, and the figure stays where it is."""
    state = board(table(3, first=2), council={"nobility": 1, "smiths": 3, "church": 2})
    after = given(strasbourg, state, Council(), Round(2)).state
    assert (after.council, after.first, after.round) == (state.council, 2, 2)
