"""Chapter 2: a deck that runs out (FUG-207)."""

from __future__ import annotations

import pytest

from domain.diefugger.commands import Draw, PlayFaceDown, PlayOpen
from domain.diefugger.events import (
    Drawn,
    JakobWentWithout,
    PlayedFaceDown,
    PlayedOpen,
    RoundEnded,
    Shuffled,
    TurnedForJakob,
)
from domain.diefugger.play import NewRound, OnTurn
from tests.domain.diefugger.table import card, keys, on, renewed, table, turned

WINE = card("wine")


@pytest.mark.rule("FUG-207")
def test_the_deck_is_renewed_at_once_when_its_last_card_leaves() -> None:
    """A draw takes the last card: the discard becomes the new deck before anybody else is asked."""
    drawn = on(table("", "", "", deck="wine", discard="copper cloth spices"), OnTurn(1)).when(1, Draw())
    drawn.then(Drawn("FUG-201", 1, WINE), renewed("copper cloth spices")).asks(2)
    assert drawn.state.discard == ()
    assert len(drawn.state.deck) == 3


@pytest.mark.rule("FUG-207")
def test_without_a_discard_the_deck_stays_empty_until_a_card_is_needed() -> None:
    """With no discard nothing is shuffled."""
    drawn = on(table("", "wine", "", deck="wine"), OnTurn(1)).when(1, Draw())
    drawn.then(Drawn("FUG-201", 1, WINE)).when(2, PlayOpen("wine")).then(PlayedOpen(2, WINE)).asks(3)


@pytest.mark.rule("FUG-207")
def test_the_only_card_of_the_discard_is_drawn() -> None:
    """The discard of one card becomes the deck, is drawn, and nothing is left to renew."""
    drawn = on(table("", "", "", discard="wine"), OnTurn(1)).when(1, Draw())
    drawn.then(renewed("wine"), Drawn("FUG-201", 1, WINE))
    assert (drawn.state.deck, drawn.state.discard, drawn.state.shuffles) == ((), (), 2)


@pytest.mark.rule("FUG-207")
def test_jakobs_merchant_is_discarded_before_the_deck_is_renewed() -> None:
    """The last card of the deck is a merchant turned for Jakob: it is shuffled into the new deck with the rest."""
    laid = on(table("wine", "", "", deck="merchant", discard="copper"), OnTurn(1)).when(1, PlayFaceDown("wine"))
    new = renewed("copper merchant")
    goods = [TurnedForJakob("FUG-204", lying) for lying in new.deck[: new.deck.index(card("copper")) + 1]]
    laid.happened(PlayedFaceDown(1, 1, WINE), turned("merchant", "FUG-204"), new, *goods).asks(2)
    assert keys(laid.state.jakob) == "copper"


@pytest.mark.rule("FUG-207")
def test_jakobs_good_as_the_last_card_renews_the_deck_at_once() -> None:
    """Jakob gets the last card; the discard becomes the new deck, goods or not."""
    for discard in ("copper cloth", "merchant"):
        laid = on(table("wine", "", "", deck="jewels", discard=discard), OnTurn(1)).when(1, PlayFaceDown("wine"))
        laid.then(PlayedFaceDown(1, 1, WINE), turned("jewels", "FUG-204"), renewed(discard)).asks(2)


@pytest.mark.rule("FUG-207")
def test_jakob_gets_none_when_the_deck_runs_out_without_goods() -> None:
    """All that is left are merchants: each is turned once, they become the new deck, and Jakob gets none."""
    laid = on(table("wine", "", "", deck="2*merchant", discard="merchant"), OnTurn(1)).when(1, PlayFaceDown("wine"))
    laid.then(
        PlayedFaceDown(1, 1, WINE), *[turned("merchant", "FUG-204")] * 2, renewed("3*merchant"), JakobWentWithout(1)
    ).asks(2)
    assert (keys(laid.state.deck), laid.state.discard) == ("merchant merchant merchant", ())


@pytest.mark.rule("FUG-207")
def test_jakob_gets_none_from_a_discard_without_goods() -> None:
    """The deck is empty and the discard holds only merchants: it becomes the deck, and none is turned over."""
    laid = on(table("wine", "", "", discard="2*merchant"), OnTurn(1)).when(1, PlayFaceDown("wine"))
    laid.then(PlayedFaceDown(1, 1, WINE), renewed("2*merchant"), JakobWentWithout(1))
    assert keys(laid.state.deck) == "merchant merchant"


@pytest.mark.rule("FUG-207")
def test_jakob_gets_his_card_from_a_discard_with_goods() -> None:
    """The deck is empty and the discard holds goods: it is renewed because a card is needed."""
    laid = on(table("wine", "", "", discard="2*copper"), OnTurn(1)).when(1, PlayFaceDown("wine"))
    laid.then(PlayedFaceDown(1, 1, WINE), renewed("2*copper"), turned("copper", "FUG-204"))


@pytest.mark.rule("FUG-207")
def test_jakob_gets_none_when_there_is_no_card_at_all() -> None:
    """Neither deck nor discard: nothing is shuffled, and Jakob goes without."""
    laid = on(table("wine", "", ""), OnTurn(1)).when(1, PlayFaceDown("wine"))
    laid.then(PlayedFaceDown(1, 1, WINE), JakobWentWithout(1)).asks(2)


@pytest.mark.rule("FUG-207", "FUG-204", "FUG-205")
def test_a_card_for_the_pair_is_turned_from_the_deck_that_the_first_one_renewed() -> None:
    """The card for the face-down play leaves merchants as the new deck; for the pair they are turned all the same."""
    state = table("wine", "", deck="jewels", discard="merchant")
    laid = on(state, OnTurn(1, second=True)).when(1, PlayFaceDown("wine"))
    laid.then(
        PlayedFaceDown(1, 1, WINE), turned("jewels", "FUG-204"), renewed("merchant"),
        turned("merchant", "FUG-205"), renewed("merchant", 2), JakobWentWithout(1),
    )  # fmt: skip


def start(deck: str, discard: str) -> list[object]:
    """What Jakob's cards bring at the start of a round, when the draws before them had these cards left."""
    drawn = "6*copper "
    events = on(table("", "", "", deck=drawn + deck, discard=discard), NewRound(1)).events
    return [event for event in events if isinstance(event, Shuffled | TurnedForJakob | JakobWentWithout)]


@pytest.mark.rule("FUG-207", "FUG-404")
def test_jakob_gets_no_second_card_when_the_first_was_the_last_good() -> None:
    """He keeps the good that was the last card; the merchants become the deck, unturned."""
    found = start("jewels", "2*merchant")
    assert found == [turned("jewels", "FUG-404"), renewed("2*merchant"), JakobWentWithout(1)]


@pytest.mark.rule("FUG-207", "FUG-404")
def test_jakob_gets_no_second_card_when_nothing_is_left() -> None:
    """The first card was the last of all."""
    assert start("jewels", "") == [turned("jewels", "FUG-404"), JakobWentWithout(1)]


@pytest.mark.rule("FUG-207", "FUG-404")
def test_jakob_gets_a_second_card_from_the_new_deck() -> None:
    """The first card was the last of the deck, and the discard has goods."""
    found = start("jewels", "2*spices")
    assert found == [turned("jewels", "FUG-404"), renewed("2*spices"), turned("spices", "FUG-404")]


@pytest.mark.rule("FUG-207", "FUG-404")
def test_turning_goes_on_while_the_deck_has_cards() -> None:
    """Nobody looks into the deck: merchants are turned to the last, then Jakob gets neither card."""
    found = start("2*merchant", "")
    assert found == [*[turned("merchant", "FUG-404")] * 2, renewed("2*merchant"), JakobWentWithout(2)]


@pytest.mark.rule("FUG-207", "FUG-301")
def test_the_deck_is_renewed_before_the_evaluation() -> None:
    """Jakob's fifth card is the last of the deck: the old discard alone becomes the new deck."""
    state = table("wine", "", "", jakob="4*jewels", deck="jewels", discard="12*copper")
    laid = on(state, OnTurn(1)).when(1, PlayFaceDown("wine"))
    laid.happened(turned("jewels", "FUG-204"), renewed("12*copper"), RoundEnded(1, "jewels"))
