"""Chapter 5: who has won."""

from __future__ import annotations

from typing import Any

import pytest

from domain import augsburg
from domain.augsburg.events import Gain, GameEnded
from domain.augsburg.play import End, Prestige
from domain.augsburg.state import Player
from domain.engine import Points, Result
from tests.domain.augsburg.table import merchant, start, table
from tests.scenario import Scenario, given


def ended(*players: Player) -> Scenario:
    """The game is over for these players."""
    return given(augsburg, table(*players), End())


def places(scenario: Scenario) -> list[tuple[int, int]]:
    """Each seat with its place, best first."""
    result = augsburg.result(scenario.state)
    assert isinstance(result, Result)
    return [(standing.seat, standing.place) for standing in result.ranking]


@pytest.mark.rule("AUG-501")
def test_the_highest_prestige_wins() -> None:
    """Prestige decides, whatever is built."""
    scenario = ended(merchant(prestige=20, church=800, cathedral=1000), merchant(prestige=21), merchant(prestige=3))
    scenario.then(GameEnded((2,), "AUG-501")).asks()
    assert places(scenario) == [(2, 1), (1, 2), (3, 3)]
    assert places(ended(merchant(prestige=3), merchant(prestige=21), merchant(prestige=9))) == [(2, 1), (3, 2), (1, 3)]


@pytest.mark.rule("AUG-501")
def test_no_result_before_the_end() -> None:
    """While somebody is asked nobody has won."""
    assert augsburg.result(start(3)) is None


@pytest.mark.rule("AUG-501", "AUG-403")
def test_points_by_source() -> None:
    """The result tells where prestige came from, and the sources sum up to it."""
    scenario = given(augsburg, table(merchant(nobility=2, coat=3), merchant()), Prestige(), End())
    result = augsburg.result(scenario.state)
    assert result is not None
    first = result.ranking[0]
    assert (first.seat, first.points) == (1, 8)
    assert Points(Gain.ROUND, 8) in first.by_source
    assert sum(part.points for part in first.by_source) == 8


@pytest.mark.rule("AUG-502")
@pytest.mark.parametrize(
    ("boards", "winners"),
    [
        (({"cathedral": 800}, {"cathedral": 1000}, {"church": 800}), (2,)),
        (({"cathedral": 600}, {"church": 800}, {}), (1,)),
        (({"church": 500}, {"church": 700}, {}), (2,)),
        (({}, {"church": 400}, {}), (2,)),
        (({}, {}, {}), (1, 2, 3)),
    ],
)
def test_ties(boards: tuple[dict[str, Any], ...], winners: tuple[int, ...]) -> None:
    """The dearest cathedral among the tied, if none has one the dearest church, else the victory is shared."""
    scenario = ended(*(merchant(prestige=20, **board) for board in boards), merchant(prestige=19, cathedral=900))
    scenario.then(GameEnded(winners, "AUG-502"))
    ranking = places(scenario)
    assert [seat for seat, place in ranking if place == 1] == list(winners)
    assert ranking[-1] == (4, 4)


@pytest.mark.rule("AUG-502")
def test_only_the_tied_count() -> None:
    """A dearer cathedral of somebody behind does not keep the tied from comparing churches."""
    scenario = ended(
        merchant(prestige=20, church=400), merchant(prestige=20, church=600), merchant(prestige=5, cathedral=1000)
    )
    scenario.then(GameEnded((2,), "AUG-502"))


@pytest.mark.rule("AUG-502")
def test_the_tie_break_decides_the_victory_alone() -> None:
    """Others with equal prestige share their place, whatever they built."""
    equal = (merchant(prestige=10, church=400), merchant(prestige=10, church=800))
    assert places(ended(*equal, merchant(prestige=11))) == [(3, 1), (1, 2), (2, 2)]
    tied = ended(merchant(prestige=10), merchant(prestige=10, church=800), merchant(prestige=10))
    assert places(tied) == [(2, 1), (1, 2), (3, 2)]


@pytest.mark.rule("AUG-503")
def test_guilders_and_certificates_are_worth_nothing() -> None:
    """The poorest with more prestige wins, and riches do not break a tie."""
    ended(merchant("maria-17 maria-16 joker", 9999, prestige=9), merchant("", 0, prestige=10)).then(
        GameEnded((2,), "AUG-501")
    )
    tie = ended(merchant("maria-17 joker", 9999, prestige=9), merchant("", 0, prestige=9))
    tie.then(GameEnded((1, 2), "AUG-502"))
    assert places(tie) == [(1, 1), (2, 1)]
