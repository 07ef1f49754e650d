"""Chapter 6: who sees what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest

from domain import diefugger
from domain.diefugger.commands import Draw, PlayFaceDown, PlayOpen
from domain.diefugger.events import PlayedFaceDown, Shuffled
from domain.diefugger.play import Ending, OnTurn
from domain.diefugger.shown import CardDrawn, CardLaidFaceDown, DeckRenewed
from domain.diefugger.state import Price
from domain.diefugger.views import FaceDownView, PlayerView, View
from tests.domain.diefugger.table import card, cards, on, table

T = TypeVar("T")

STATE = table(
    "copper wine", "cloth 2*jewels", "merchant", open=["spices", "merchant wine-sealed"],
    face_down=["jewels@1", "wine@1 cloth@2"], florins=[12, 30], jakob="copper cloth-sealed", deck="3*spices 2*wine",
    discard="jewels merchant", prices="1 9 3 4 5", round=2,
)  # fmt: skip


@pytest.mark.rule("FUG-601", "FUG-602")
def test_a_player_sees_his_own_cards_and_what_is_public() -> None:
    """His hand, his face-down cards, all that lies open, and of everything else how many there are."""
    assert diefugger.view(on(STATE, OnTurn(3)).state, 1) == View(
        seat=1,
        hand=cards("copper wine"),
        players=(
            PlayerView(2, cards("spices"), (FaceDownView(1, card("jewels")),), 12),
            PlayerView(3, cards("merchant wine-sealed"), (FaceDownView(1, None), FaceDownView(2, None)), 30),
            PlayerView(1, (), (), 0),
        ),
        jakob=cards("copper cloth-sealed"),
        prices=(Price("copper", 1), Price("cloth", 9), Price("wine", 3), Price("spices", 4), Price("jewels", 5)),
        deck=5,
        discard=cards("jewels merchant"),
        round=2,
        ends_pair=False,
    )


@pytest.mark.rule("FUG-601", "FUG-602")
def test_a_spectator_sees_no_hidden_card() -> None:
    """He sees the numbers of cards and the rounds of face-down ones."""
    seen = diefugger.view(on(STATE, OnTurn(3)).state, 0)
    assert seen.hand == ()
    assert [player.hand for player in seen.players] == [2, 3, 1]
    assert [laid for player in seen.players for laid in player.face_down] == [
        FaceDownView(1, None), FaceDownView(1, None), FaceDownView(2, None),
    ]  # fmt: skip


@pytest.mark.rule("FUG-601")
def test_only_the_drawer_sees_the_card_drawn() -> None:
    """The others see who drew and by which rule."""
    (drawn,) = on(STATE, OnTurn(3)).when(3, Draw()).events
    assert [diefugger.show(drawn, viewer) for viewer in (0, 1, 2)] == [CardDrawn("FUG-201", 3, None)] * 3
    assert diefugger.show(drawn, 3) == CardDrawn("FUG-201", 3, card("spices"))


@pytest.mark.rule("FUG-601", "FUG-602")
def test_only_the_owner_sees_a_card_laid_face_down() -> None:
    """The others see who laid one, and the round."""
    laid = on(table("wine", "", "", "", round=2), OnTurn(1)).when(1, PlayFaceDown("wine"))
    (event,) = laid.then(PlayedFaceDown(1, 2, card("wine"))).events
    assert [diefugger.show(event, viewer) for viewer in (0, 2, 3)] == [CardLaidFaceDown(1, 2, None)] * 3
    assert diefugger.show(event, 1) == CardLaidFaceDown(1, 2, card("wine"))


@pytest.mark.rule("FUG-601")
def test_nobody_sees_the_order_of_a_new_deck() -> None:
    """All see how many cards were shuffled, and that the start of the game is no exception."""
    assert {diefugger.show(Shuffled(cards("wine copper")), viewer) for viewer in range(5)} == {DeckRenewed(2)}


@pytest.mark.rule("FUG-603")
def test_face_down_cards_are_shown_at_the_end() -> None:
    """After the end everybody sees them, also a spectator; hands stay hidden."""
    over = on(STATE, Ending()).state
    for viewer in range(4):
        seen = diefugger.view(over, viewer)
        assert [laid.card for player in seen.players for laid in player.face_down] == list(cards("jewels wine cloth"))
        assert seen.hand == (over.player(viewer).hand if viewer else ())


@pytest.mark.rule("FUG-205", "FUG-602")
def test_all_see_whether_a_turn_ends_a_pair() -> None:
    """With two players, and only then, the view tells that Jakob gets a card after this turn."""
    for players, ends in ((2, True), (3, False), (4, False)):
        first = on(table(*["wine"] * players), OnTurn(1))
        second = first.when(1, PlayOpen("wine"))
        for viewer in range(players + 1):
            assert diefugger.view(first.state, viewer).ends_pair is False
            assert diefugger.view(second.state, viewer).ends_pair is ends


class Reversing:
    """A chance that turns every order round."""

    def shuffle(self, label: str, things: Iterable[T], /) -> tuple[T, ...]:
        """Give the things backwards."""
        return tuple(things)[::-1]


@pytest.mark.rule("FUG-601", "FUG-203")
def test_what_is_hidden_could_be_otherwise_but_no_merchant_lies_face_down() -> None:
    """Other hands, face-down cards and the deck exchange their cards; where only a merchant could come, none does."""
    state = table("wine", "copper", face_down=["jewels@1", "cloth@1"], deck="merchant spices jewels")
    twin = table("wine", "jewels", face_down=["jewels@1", "spices@1"], deck="merchant cloth copper")
    assert diefugger.resample(state, 1, Reversing()) == twin
    stuck = table("wine", "copper", face_down=["jewels@1", "cloth@1"], deck="merchant jewels")
    assert diefugger.resample(stuck, 1, Reversing()) == stuck
