"""Chapter 4: the table is cleared, cards are drawn, the next player continues."""

from __future__ import annotations

import pytest

from domain.diefugger.commands import Draw, PlayOpen
from domain.diefugger.events import (
    DrawLapsed,
    Drawn,
    FaceDown,
    GoodsDiscarded,
    MerchantsDiscarded,
    RoundBegan,
    RoundEnded,
    TurnedForJakob,
)
from domain.diefugger.play import NewRound, OnTurn
from tests.domain.diefugger.table import card, cards, keys, on, renewed, table


@pytest.mark.rule("FUG-401")
def test_open_goods_are_discarded() -> None:
    """The goods before players and Jakob go to the discard; face-down cards and hands stay."""
    state = table(
        "spices", "", open=["copper merchant", "wine-sealed"], face_down=["jewels@1"], jakob="cloth", deck="20*wine",
        discard="spices",
    )  # fmt: skip
    found = on(state, NewRound(1))
    assert found.events[0] == GoodsDiscarded()
    assert keys(GoodsDiscarded().apply(state).discard) == "spices copper wine-sealed cloth"
    assert [keys(player.open) for player in GoodsDiscarded().apply(state).players] == ["merchant", ""]
    assert found.state.player(1).face_down == (FaceDown(card("jewels"), 1),)
    assert card("spices") in found.state.player(1).hand
    assert found.state.jakob == cards("wine wine")


@pytest.mark.rule("FUG-402")
def test_two_cards_each_then_more_for_merchants() -> None:
    """Clockwise from the next player all draw two; then, again clockwise, two more for one merchant, three for two."""
    state = table(
        "", "", "", open=["merchant copper", "", "2*merchant"], deck="6*wine 3*spices 2*jewels 2*cloth 3*wine"
    )
    found = on(state, NewRound(2))
    drawn = [event for event in found.events if isinstance(event, Drawn)]
    assert drawn == [
        *(Drawn("FUG-402", seat, card("wine")) for seat in (2, 2, 3, 3, 1, 1)),
        *[Drawn("FUG-402", 3, card("spices"))] * 3,
        *[Drawn("FUG-402", 1, card("jewels"))] * 2,
    ]


@pytest.mark.rule("FUG-402", "FUG-207")
def test_draws_lapse_when_nothing_is_left() -> None:
    """Each gets what there is in the order of drawing; the merchants that still lie open are not drawn."""
    state = table("", "", "", open=["2*merchant"], deck="wine", discard="copper cloth")
    found = on(state, NewRound(3))
    new = renewed("copper cloth")
    found.happened(
        GoodsDiscarded(), Drawn("FUG-402", 3, card("wine")), new,
        Drawn("FUG-402", 3, new.deck[0]), Drawn("FUG-402", 1, new.deck[1]), DrawLapsed(1),
        DrawLapsed(2), DrawLapsed(2), DrawLapsed(1), DrawLapsed(1), DrawLapsed(1), MerchantsDiscarded(),
    )  # fmt: skip
    assert [event for event in found.events if isinstance(event, DrawLapsed)] == [
        DrawLapsed(seat) for seat in (1, 2, 2, 1, 1, 1)
    ]


@pytest.mark.rule("FUG-402", "FUG-207")
def test_the_goods_just_discarded_can_be_drawn() -> None:
    """The deck is empty: the open goods of the old round are shuffled into the new deck when the first is drawn."""
    found = on(table("", "", open=["2*wine", "2*wine"], jakob="4*wine"), NewRound(1))
    found.happened(GoodsDiscarded(), renewed("8*wine"), Drawn("FUG-402", 1, card("wine")))


@pytest.mark.rule("FUG-403")
def test_merchants_are_discarded_after_the_draws() -> None:
    """The open merchants go to the discard when all have drawn, before Jakob gets his cards."""
    found = on(table("", "", open=["merchant", ""], deck="9*wine"), NewRound(1))
    kinds = [type(event) for event in found.events]
    assert kinds == [GoodsDiscarded, *[Drawn] * 6, MerchantsDiscarded, *[TurnedForJakob] * 2, RoundBegan]
    assert keys(found.state.discard) == "merchant"
    assert found.state.player(1).open == ()
    assert on(table("", "", deck="8*wine"), NewRound(1)).events.count(MerchantsDiscarded()) == 0


@pytest.mark.rule("FUG-403", "FUG-201")
def test_a_hand_may_exceed_four_cards_and_then_cannot_draw() -> None:
    """Four cards in hand and two merchants make nine: the player may not draw until he has four again."""
    found = on(table("4*copper", "", "", open=["2*merchant"], deck="15*wine"), NewRound(1))
    assert len(found.state.player(1).hand) == 9
    found.asks(1).when(1, Draw()).refused("FUG-201", "HAND_FULL")


@pytest.mark.rule("FUG-404")
def test_jakob_gets_two_goods_and_the_left_neighbour_continues() -> None:
    """The player after the one on whose turn the evaluation came begins the next round."""
    state = table("", "", "wine", jakob="4*wine", deck="6*copper cloth merchant spices jewels", round=2)
    found = on(state, OnTurn(3)).when(3, PlayOpen("wine"))
    turned = [TurnedForJakob("FUG-404", card(key)) for key in ("cloth", "merchant", "spices")]
    found.happened(RoundEnded(3, "wine"), *turned, RoundBegan(3, 1)).asks(1)
    assert keys(found.state.jakob) == "cloth spices"
    assert found.state.round == 3
