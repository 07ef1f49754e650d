"""Chapter 4, first part: money and prestige."""

from __future__ import annotations

from typing import Any

import pytest

from domain import augsburg
from domain.augsburg.auction import Auction
from domain.augsburg.cards import Buying, Dealing, Supplying
from domain.augsburg.commands import Pass, UsePrivilege
from domain.augsburg.components import Noble, Privilege
from domain.augsburg.events import Drawn, Gain, GameEnded, GuildersPaid, PrestigeGained, RoundEnded
from domain.augsburg.play import Close, End, Money, Prestige, Round
from domain.augsburg.state import State
from domain.augsburg.winner import Using
from domain.chance import SeededChance
from domain.course import Course
from tests.domain.augsburg.table import merchant, table, using
from tests.scenario import given


def phases(number: int, players: int) -> list[str]:
    """What follows the fifth auction of a round."""
    state: State = table(*(merchant() for _ in range(players)))
    items = Round(number).run(Course(state, SeededChance(bytes(32))))
    return [type(item).__name__ for item in items[5:]]


@pytest.mark.rule("AUG-401")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_order_of_phase_two(players: int) -> None:
    """Money, prestige, certificates; after the last round prestige only."""
    parts = [Close, Money, Prestige, Supplying, Dealing, Buying]
    assert phases(2, players) == [part.__name__ for part in parts]
    assert phases(players + 2, players) == ["Close", "Prestige"]


@pytest.mark.rule("AUG-401")
def test_phase_two_as_it_happens() -> None:
    """When all have passed at Maximilian, everybody is paid, then awarded, then dealt cards."""
    state = table(merchant(), merchant(), opener=2)
    agenda = (Auction(Noble.MAXIMILIAN), Close(), Money(), Prestige(), Supplying(), Dealing(), Buying())
    scenario = given(augsburg, state, *agenda).when(2, Pass()).when(1, Pass()).asks(1, 2)
    kinds = [type(event) for event in scenario.events if not isinstance(event, RoundEnded)][2:]
    assert kinds == [GuildersPaid] * 2 + [PrestigeGained] * 2 + [Drawn] * 2


@pytest.mark.rule("AUG-401")
def test_the_last_round_pays_nothing() -> None:
    """After the last auction of the last round there is prestige and the end, no money and no cards."""
    state = table(merchant(nobility=2), merchant())
    scenario = given(augsburg, state, Auction(Noble.MAXIMILIAN), Close(), Prestige(), End())
    scenario = scenario.when(1, Pass()).when(2, Pass()).asks()
    kinds = {type(event) for event in scenario.events}
    assert not kinds & {GuildersPaid, Drawn}
    assert PrestigeGained in kinds
    assert scenario.events[-1] == GameEnded((1,), "AUG-501")


@pytest.mark.rule("AUG-402")
def test_money() -> None:
    """600, 900, 1,200 or 1,600 guilders by trade step, to everybody."""
    state = table(*(merchant(trade=step) for step in (1, 2, 3, 4)), opener=3)
    scenario = given(augsburg, state, Money())
    assert [player.guilders for player in scenario.state.players] == [2100, 2400, 2700, 3100]
    assert [event.seat for event in scenario.events] == [3, 4, 1, 2]


@pytest.mark.rule("AUG-403")
@pytest.mark.parametrize(
    ("board", "points"),
    [
        ({"nobility": 1}, 3),
        ({"nobility": 2}, 5),
        ({"nobility": 3}, 8),
        ({"nobility": 4}, 12),
        ({"nobility": 3, "coat": 2}, 10),
        ({"nobility": 4, "coat": 3, "letter": 4}, 19),
        ({"nobility": 1, "letter": 5}, 8),
    ],
)
def test_prestige(board: dict[str, Any], points: int) -> None:
    """3, 5, 8 or 12 by nobility step, the coat of arms and the letter, in one sum."""
    scenario = given(augsburg, table(merchant(**board), merchant()), Prestige())
    scenario.then(PrestigeGained(1, Gain.ROUND, points, points), PrestigeGained(2, Gain.ROUND, 3, 3))


@pytest.mark.rule("AUG-404")
@pytest.mark.parametrize(
    ("board", "before", "after"),
    [
        ({}, 24, 25),
        ({}, 25, 25),
        ({"cathedral": 1000}, 24, 25),
        ({"church": 800}, 24, 27),
        ({"church": 800}, 44, 45),
        ({"church": 800}, 45, 45),
        ({"church": 800, "cathedral": 1000}, 44, 47),
        ({"church": 800, "cathedral": 1000}, 200, 203),
    ],
)
def test_the_limit(board: dict[str, Any], before: int, after: int) -> None:
    """25 without a church, 45 with one and no cathedral, none with both; a cathedral alone changes nothing."""
    scenario = given(augsburg, table(merchant(prestige=before, **board), merchant()), Prestige())
    assert scenario.state.player(1).prestige == after
    assert scenario.events[0] == PrestigeGained(1, Gain.ROUND, 3, after - before)


@pytest.mark.rule("AUG-404")
def test_every_award_stops_at_the_limit() -> None:
    """What a privilege brings beyond the limit is lost, and it may be chosen all the same."""
    state = using(table(merchant(prestige=22), merchant()), 1, "trade-prestige-7-draw")
    scenario = given(augsburg, state, Using(1)).when(1, UsePrivilege(Privilege.PRESTIGE_7))
    scenario.happened(PrestigeGained(1, Gain.PRIVILEGE, 7, 3))
    assert scenario.state.player(1).prestige == 25
    full = using(table(merchant(prestige=25), merchant()), 1, "trade-prestige-7-draw")
    given(augsburg, full, Using(1)).when(1, UsePrivilege(Privilege.PRESTIGE_7)).happened(
        PrestigeGained(1, Gain.PRIVILEGE, 7, 0)
    )
