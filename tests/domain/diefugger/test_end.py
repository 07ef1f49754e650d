"""Chapter 5: when the game ends, and who has won."""

from __future__ import annotations

import pytest

from domain import diefugger
from domain.diefugger.commands import PlayOpen
from domain.diefugger.events import FaceDownPaid, FaceDownShown, GoodsPaid, RoundBegan
from domain.diefugger.play import Ending, Evaluation, OnTurn
from domain.engine import Points
from tests.domain.diefugger.table import cards, on, table


def ended(*florins: int, face_down: tuple[str, ...] = ()) -> diefugger.State:
    """A game that ended with these florins before the face-down cards were paid."""
    over: diefugger.State = on(table(*[""] * len(florins), florins=florins, face_down=face_down), Ending()).state
    return over


@pytest.mark.rule("FUG-501")
@pytest.mark.parametrize(("before", "over"), [(90, False), (91, True), (95, True)])
def test_100_florins_after_a_payment_end_the_game(before: int, over: bool) -> None:
    """With 99 florins the game goes on, with 100 or more it ends."""
    state = table("wine", "", "", jakob="4*wine", prices="1 1 4 1 1", florins=[before], deck="9*copper")
    played = on(state, OnTurn(1)).when(1, PlayOpen("wine")).happened(GoodsPaid(1, 9))
    played.asks() if over else played.happened(RoundBegan(2, 2)).asks(2)
    assert (diefugger.result(played.state) is not None) == over


@pytest.mark.rule("FUG-501")
def test_anybody_may_reach_100() -> None:
    """The game ends for all, whoever reached it and on whose turn."""
    state = table("", "", "", open=["", "", "5*wine"], prices="1 1 4 1 1", florins=[0, 0, 60], deck="9*copper")
    on(state, Evaluation(1, "wine")).asks()


@pytest.mark.rule("FUG-502", "FUG-603")
def test_face_down_cards_are_shown_and_pay_double() -> None:
    """Each pays double the current price of its good, sealed or not, with no doubling for a rare good."""
    state = table(
        "", "", "", face_down=["wine@1 jewels-sealed@2", "", "wine@2"], prices="1 1 4 1 7", florins=[100, 50, 3]
    )
    found = on(state, Ending())
    found.then(
        FaceDownShown(1, cards("wine jewels-sealed")), FaceDownShown(3, cards("wine")),
        FaceDownPaid(1, 22), FaceDownPaid(3, 8),
    )  # fmt: skip
    assert [player.florins for player in found.state.players] == [122, 50, 11]


@pytest.mark.rule("FUG-503")
def test_most_florins_win() -> None:
    """Face-down cards count: who reached 100 first need not win."""
    result = diefugger.result(ended(100, 95, 40, face_down=("", "wine@1")))
    assert result is not None
    assert [(standing.seat, standing.place, standing.points) for standing in result.ranking] == [
        (2, 1, 105), (1, 2, 100), (3, 3, 40),
    ]  # fmt: skip
    assert result.decided_by == "FUG-503"


@pytest.mark.rule("FUG-503")
def test_a_tie_is_a_shared_victory() -> None:
    """Equal florins share the place, and the next one comes after both."""
    result = diefugger.result(ended(80, 101, 101, 7))
    assert result is not None
    assert [(standing.seat, standing.place) for standing in result.ranking] == [(2, 1), (3, 1), (1, 3), (4, 4)]


@pytest.mark.rule("FUG-503", "FUG-306")
def test_florins_are_told_by_their_source() -> None:
    """The result tells what came from open goods, from seals and from face-down cards."""
    state = table(
        "", "", open=["5*copper wine-sealed"], face_down=["wine@1"], prices="4 1 8 1 1", florins=[60], deck="9*cloth"
    )
    result = diefugger.result(on(state, Evaluation(1, "copper")).state)
    assert result is not None
    assert result.ranking[0].points == 141
    assert result.ranking[0].by_source == (Points("goods", 114), Points("seals", 9), Points("face-down", 18))
    assert diefugger.result(on(table("wine", "", ""), OnTurn(1)).state) is None
