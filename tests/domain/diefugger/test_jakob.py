"""Chapter 2: what Jakob gets at the end of a turn."""

from __future__ import annotations

import pytest

from domain.diefugger.commands import Draw, PlayFaceDown, PlayOpen, Skip
from domain.diefugger.events import (
    Drawn,
    JakobWentWithout,
    PlayedFaceDown,
    PlayedOpen,
    RoundBegan,
    RoundEnded,
    Skipped,
    TurnedForJakob,
)
from domain.diefugger.play import OnTurn
from tests.domain.diefugger.table import card, keys, on, table, turned

WINE = card("wine")


@pytest.mark.rule("FUG-204")
@pytest.mark.parametrize("players", [2, 3])
def test_a_face_down_play_gives_jakob_a_card(players: int) -> None:
    """With two or three players Jakob gets a goods card for each face-down play."""
    hands = ["wine", "", ""][:players]
    laid = on(table(*hands, deck="jewels copper"), OnTurn(1)).when(1, PlayFaceDown("wine"))
    laid.then(PlayedFaceDown(1, 1, WINE), turned("jewels", "FUG-204")).asks(2)
    assert keys(laid.state.jakob) == "jewels"


@pytest.mark.rule("FUG-204")
def test_with_four_players_it_does_not() -> None:
    """With four players Jakob gets nothing for a face-down play."""
    laid = on(table("wine", "", "", "", deck="jewels copper"), OnTurn(1)).when(1, PlayFaceDown("wine"))
    laid.then(PlayedFaceDown(1, 1, WINE)).asks(2)


@pytest.mark.rule("FUG-204", "FUG-207")
def test_a_merchant_turned_over_is_replaced() -> None:
    """A merchant turned over for Jakob is discarded and the next card turned."""
    laid = on(table("wine", "", "", deck="2*merchant copper jewels"), OnTurn(1)).when(1, PlayFaceDown("wine"))
    laid.then(PlayedFaceDown(1, 1, WINE), *[turned("merchant", "FUG-204")] * 2, turned("copper", "FUG-204"))
    assert keys(laid.state.discard) == "merchant merchant"


@pytest.mark.rule("FUG-205")
def test_with_two_players_jakob_gets_a_card_a_pair_of_turns() -> None:
    """Jakob gets a card whenever both have had a turn, whoever began."""
    first = on(table("wine", "wine", deck="copper cloth jewels spices"), OnTurn(2)).when(2, PlayOpen("wine"))
    first.then(PlayedOpen(2, WINE)).asks(1)
    second = first.when(1, Draw()).then(Drawn("FUG-201", 1, card("copper")), turned("cloth", "FUG-205")).asks(2)
    third = second.when(2, Draw()).then(Drawn("FUG-201", 2, card("jewels"))).asks(1)
    third.when(1, PlayOpen("wine")).then(PlayedOpen(1, WINE), turned("spices", "FUG-205")).asks(2)


@pytest.mark.rule("FUG-205")
def test_with_three_players_there_are_no_pairs() -> None:
    """With three players no turn gives Jakob a card by itself."""
    turn = on(table("wine", "wine", "wine", deck="copper"), OnTurn(1)).when(1, PlayOpen("wine"))
    turn.when(2, PlayOpen("wine")).then(PlayedOpen(2, WINE)).when(3, PlayOpen("wine")).then(PlayedOpen(3, WINE))


@pytest.mark.rule("FUG-205", "FUG-206")
def test_a_skipped_turn_counts() -> None:
    """A skip is a turn, be it the first or the second of a pair; with no card left Jakob goes without."""
    state = table("", "wine", jakob="copper")
    on(state, OnTurn(1, second=True)).when(1, Skip()).then(Skipped(1), JakobWentWithout(1)).asks(2)
    on(state, OnTurn(1)).when(1, Skip()).when(2, PlayOpen("wine")).then(PlayedOpen(2, WINE), JakobWentWithout(1))


@pytest.mark.rule("FUG-205", "FUG-301")
def test_no_card_if_the_second_turn_brought_an_evaluation() -> None:
    """The fifth card on the second turn of a pair: Jakob gets only the two cards of the new round."""
    played = on(table("wine", "", jakob="4*wine", deck="12*jewels"), OnTurn(1, second=True)).when(1, PlayOpen("wine"))
    rules = [event.rule for event in played.events if isinstance(event, TurnedForJakob)]
    assert rules == ["FUG-404", "FUG-404"]


@pytest.mark.rule("FUG-205")
def test_pairs_are_counted_anew_each_round() -> None:
    """A first turn that brings an evaluation is forgotten: the next round's first turn ends no pair."""
    state = table("wine", "copper", jakob="4*wine", deck="4*jewels 2*spices cloth copper")
    again = on(state, OnTurn(1)).when(1, PlayOpen("wine")).happened(RoundBegan(2, 2)).asks(2)
    again = again.when(2, PlayOpen("copper")).then(PlayedOpen(2, card("copper"))).asks(1)
    again.when(1, PlayOpen("jewels")).then(PlayedOpen(1, card("jewels")), turned("cloth", "FUG-205"))


@pytest.mark.rule("FUG-205", "FUG-204")
def test_a_face_down_play_that_ends_a_pair_gives_two_cards() -> None:
    """Jakob first gets the card for the face-down play, then the one for the pair."""
    laid = on(table("wine", "", deck="jewels copper"), OnTurn(1, second=True)).when(1, PlayFaceDown("wine"))
    laid.then(PlayedFaceDown(1, 1, WINE), turned("jewels", "FUG-204"), turned("copper", "FUG-205")).asks(2)


@pytest.mark.rule("FUG-205", "FUG-405")
def test_an_evaluation_by_the_first_of_the_two_cards_takes_the_second() -> None:
    """If the card for the face-down play is the fifth of its good, the one for the pair is not given."""
    state = table("wine", "", jakob="4*jewels", deck="jewels 10*copper")
    laid = on(state, OnTurn(1, second=True)).when(1, PlayFaceDown("wine"))
    laid.happened(turned("jewels", "FUG-204"), RoundEnded(1, "jewels"), RoundBegan(2, 2)).asks(2)
    assert not [event for event in laid.events if getattr(event, "rule", "") == "FUG-205"]


@pytest.mark.rule("FUG-205", "FUG-405")
def test_the_second_of_the_two_cards_may_bring_an_evaluation() -> None:
    """If only the card for the pair is the fifth of its good, both are given, and the evaluation comes after them."""
    state = table("wine", "", jakob="4*jewels", deck="copper jewels 10*copper")
    laid = on(state, OnTurn(1, second=True)).when(1, PlayFaceDown("wine"))
    laid.happened(turned("copper", "FUG-204"), turned("jewels", "FUG-205"), RoundEnded(1, "jewels"))


@pytest.mark.rule("FUG-405")
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_jakobs_evaluation_counts_for_the_player_on_turn(seat: int) -> None:
    """The left neighbour of the player on turn continues after an evaluation by Jakob's card."""
    hands = ["wine" if s == seat else "" for s in (1, 2, 3)]
    laid = on(table(*hands, jakob="4*jewels", deck="jewels 10*copper"), OnTurn(seat)).when(seat, PlayFaceDown("wine"))
    laid.happened(RoundEnded(seat, "jewels"), RoundBegan(2, seat % 3 + 1)).asks(seat % 3 + 1)
