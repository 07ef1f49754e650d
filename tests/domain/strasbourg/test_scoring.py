"""The final scoring and the ranking (chapter 5)."""

import pytest

from domain import strasbourg
from domain.engine import Points
from domain.strasbourg.events import PrivilegesScored, Scored, TaskScore, TasksScored
from domain.strasbourg.scoring import FinalScoring
from domain.strasbourg.state import State
from domain.values import replace
from tests.domain.strasbourg.table import TASKS, board, having, table
from tests.scenario import Scenario, given


def final(state: State) -> Scenario:
    """The final scoring of this table, and nothing after it."""
    return given(strasbourg, state, FinalScoring())


def untasked(players: int = 3) -> State:
    """A table in the last round on which nobody has a task."""
    state = table(players, number=5)
    for seat in state.seats:
        state = having(state, seat, tasks="")
    return state


def points(state: State, seat: int) -> dict[str, int]:
    """A seat's points by source, those that brought something."""
    result = strasbourg.result(state)
    assert result is not None
    (standing,) = (standing for standing in result.ranking if standing.seat == seat)
    return {part.source: part.points for part in standing.by_source if part.points}


@pytest.mark.rule("STR-501")
def test_a_prestige_for_each_member_in_the_city() -> None:
    """Wherever it stands."""
    after = final(board(untasked(), members={1: "0-0 5-8 3-4", 3: "0-8"}))
    after.happened(Scored("STR-501", "members", (3, 0, 1)))
    assert points(after.state, 1) == {"members": 3}


@pytest.mark.rule("STR-502")
def test_a_prestige_for_each_member_touching_a_chapel() -> None:
    """All four fields at its corner point touch it, the fields beyond don't; a member may touch two chapels."""
    members = {1: "0-2 0-3 1-3", 2: "0-4 0-1 2-2", 3: "1-4"}
    final(board(untasked(), members=members, chapels="1-3")).happened(Scored("STR-502", "chapels", (3, 0, 0)))
    final(board(untasked(), members=members, chapels="1-3 1-5")).happened(Scored("STR-502", "chapels", (3, 1, 1)))
    final(board(untasked(), members={1: "4-1 4-2 5-1 5-2 5-0"}, chapels="5-2")).happened(
        Scored("STR-502", "chapels", (4, 0, 0))
    )


@pytest.mark.rule("STR-503")
def test_a_buildings_number_for_each_member_next_to_it() -> None:
    """Across and down count, a diagonal never does; two members count twice, and one may count for two buildings."""
    members = {1: "0-2 2-2 1-1 1-3", 2: "0-1 0-3 2-1 2-3", 3: "1-5 0-6 2-6"}
    state = board(untasked(), members=members, built={"inn": "1-2", "fountain": "1-6"})
    final(state).happened(Scored("STR-503", "buildings", (16, 0, 9)))
    both = board(untasked(), members={1: "4-4"}, built={"inn": "4-3", "town-hall": "4-5"})
    final(both).happened(Scored("STR-503", "buildings", (10, 0, 0)))


@pytest.mark.rule("STR-504")
def test_a_prestige_for_each_privilege_not_spent() -> None:
    """However many."""
    state = having(having(untasked(), 1, privileges=3, tasks=""), 3, privileges=1, tasks="")
    final(state).happened(PrivilegesScored((3, 0, 1)))


@pytest.mark.rule("STR-505", "STR-703")
def test_a_task_brings_its_points_or_costs_three() -> None:
    """Each kept task counts once, met or not, and is shown to all."""
    state = having(board(untasked(), members={1: "0-0 0-8"}), 1, tasks="corners wall line")
    after = final(state)
    shown = (
        TaskScore(TASKS["task-corners"], True, 5),
        TaskScore(TASKS["task-wall"], False, -3),
        TaskScore(TASKS["task-line"], False, -3),
    )
    after.happened(TasksScored(1, shown), TasksScored(2, ()))
    assert TasksScored(1, shown).show(0) == TasksScored(1, shown)
    assert points(after.state, 1) == {"members": 2, "tasks": -1}
    assert strasbourg.view(after.state, 2).players[0].tasks == state.player(1).tasks


@pytest.mark.rule("STR-506")
def test_money_and_goods_give_nothing_and_prestige_may_fall_below_0() -> None:
    """A rich player without members and with a missed task ends with -3."""
    after = final(having(untasked(), 2, money=30, goods="weapon weapon barrel", tasks="square")).state
    assert points(after, 2) == {"tasks": -3}
    assert strasbourg.view(after, 1).players[1].prestige == -3


@pytest.mark.rule("STR-507")
def test_most_prestige_wins() -> None:
    """The ranking goes by prestige, with all points by source."""
    state = board(untasked(), members={1: "0-0", 2: "1-3 0-3", 3: "0-8"}, chapels="1-3")
    state = having(state.with_points("council", (2, 4, 6)), 1, privileges=1, tasks="")
    result = strasbourg.result(final(state).state)
    assert result is not None
    ranking = [(standing.seat, standing.place, standing.points) for standing in result.ranking]
    assert ranking == [(2, 1, 8), (3, 2, 7), (1, 3, 4)]
    assert result.ranking[0].by_source == (
        Points("council", 4),
        Points("members", 2),
        Points("chapels", 2),
        Points("buildings", 0),
        Points("privileges", 0),
        Points("tasks", 0),
    )
    assert result.decided_by == "STR-507"


@pytest.mark.rule("STR-507")
def test_a_tie_goes_to_more_members_and_else_the_victory_is_shared() -> None:
    """Equal prestige: more members in the city; still equal: the same place."""
    state = board(untasked(4), members={1: "0-0", 2: "0-1 0-2", 3: "0-3", 4: "0-4"})
    state = state.with_points("council", (3, 2, 3, 3))
    result = strasbourg.result(final(state).state)
    assert result is not None
    assert [(standing.seat, standing.place) for standing in result.ranking] == [(2, 1), (1, 2), (3, 2), (4, 2)]
    shared = strasbourg.result(final(board(untasked(), members={1: "0-0", 2: "0-1"})).state)
    assert shared is not None
    assert [(standing.seat, standing.place) for standing in shared.ranking] == [(1, 1), (2, 1), (3, 3)]


@pytest.mark.rule("STR-507")
def test_there_is_no_result_before_the_end() -> None:
    """While something is on the agenda the game goes on."""
    assert strasbourg.result(replace(untasked(), agenda=(FinalScoring(),))) is None
