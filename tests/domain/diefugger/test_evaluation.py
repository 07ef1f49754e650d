"""Chapter 3: the evaluation, and the rulebook's example."""

from __future__ import annotations

import pytest

from domain.diefugger.commands import PlayFaceDown, PlayOpen
from domain.diefugger.events import GoodsPaid, PlayedOpen, PriceMoved, RoundEnded, SealsPaid
from domain.diefugger.play import Evaluation, OnTurn
from tests.domain.diefugger.table import GOODS, card, on, prices, table
from tests.scenario import Scenario

DECK = "12*copper"  # enough for a new round


def lying(numbers: str) -> str:
    """So many cards of copper, cloth, wine, spices and jewels."""
    return " ".join(f"{number}*{good}" for number, good in zip(numbers.split(), GOODS, strict=True))


def evaluated(numbers: str, before: str) -> Scenario:
    """An evaluation with so many open cards of each good, all Jakob's, at these prices."""
    return on(table("", "", jakob=lying(numbers), deck=DECK, prices=before), Evaluation(1, "copper"))


def paid(scenario: Scenario) -> list[object]:
    """The payments that were made."""
    return [event for event in scenario.events if isinstance(event, GoodsPaid | SealsPaid)]


@pytest.mark.rule("FUG-301")
def test_the_fifth_open_card_ends_the_round_at_once() -> None:
    """Players' and Jakob's cards count together, sealed or not."""
    state = table("wine", "", "", open=["wine", "wine-sealed", "wine"], jakob="wine", deck=DECK)
    on(state, OnTurn(1)).when(1, PlayOpen("wine")).happened(PlayedOpen(1, card("wine")), RoundEnded(1, "wine"))


@pytest.mark.rule("FUG-301")
def test_four_open_cards_do_not() -> None:
    """With four open cards the round goes on, whatever lies face down or belongs to another good."""
    state = table(
        "wine wine", "", "", "", open=["copper", "wine merchant"], face_down=["", "wine@1"], jakob="2*wine 3*copper"
    )
    turn = on(state, OnTurn(1)).when(1, PlayOpen("wine")).then(PlayedOpen(1, card("wine"))).asks(2)
    on(turn.state, OnTurn(1)).when(1, PlayFaceDown("wine")).asks(2)
    assert turn.state.round == 1


@pytest.mark.rule("FUG-302", "FUG-304")
@pytest.mark.parametrize(
    ("numbers", "after"),
    [
        ("5 4 3 2 1", "7 6 5 1 1"),  # the three most common rise
        ("1 2 5 3 4", "1 1 7 5 6"),  # whatever their order on the board
        ("5 3 3 1 0", "7 5 5 1 1"),  # two tied for second: no third
        ("5 3 2 2 1", "7 5 4 4 1"),  # two tied for third rise
        ("5 4 1 1 1", "7 6 3 3 3"),  # three tied for third rise
        ("5 2 2 2 1", "7 4 4 4 1"),  # three tied for second rise
        ("5 2 2 2 2", "7 4 4 4 4"),  # four tied for second rise
        ("5 4 0 0 0", "7 6 1 1 1"),  # a good without a card never rises
        ("5 4 4 3 3", "7 6 6 1 1"),  # tied for fourth do not
    ],
)
def test_the_three_most_common_goods_rise(numbers: str, after: str) -> None:
    """A good rises by its number if it has any and fewer than three goods have strictly more; others fall by 1."""
    assert prices(evaluated(numbers, "2 2 2 2 2").state) == after


@pytest.mark.rule("FUG-303")
def test_a_price_that_would_pass_9_stops_at_1() -> None:
    """Reaching exactly 9 is not passing it."""
    found = evaluated("5 4 3 0 0", "4 6 7 5 5")
    found.happened(
        PriceMoved("FUG-302", "copper", 9), PriceMoved("FUG-303", "cloth", 1), PriceMoved("FUG-303", "wine", 1)
    )
    assert prices(found.state) == "9 1 1 4 4"
    assert prices(evaluated("5 1 1 0 0", "5 9 8 5 5").state) == "1 1 9 4 4"


@pytest.mark.rule("FUG-304")
def test_other_prices_fall_but_never_below_1() -> None:
    """Prices of goods that do not rise fall by 1; one that stands at 1 does not move."""
    found = evaluated("5 4 3 2 1", "2 2 2 1 9")
    assert prices(found.state) == "7 6 5 1 8"
    moved = [event for event in found.events if isinstance(event, PriceMoved)]
    assert moved[3:] == [PriceMoved("FUG-304", "jewels", 8)]
    assert "spices" not in [event.good for event in moved]


@pytest.mark.rule("FUG-305")
def test_players_are_paid_the_new_prices() -> None:
    """Each open goods card pays its good's price after it has moved; merchants, hands and face-down cards nothing."""
    state = table(
        "5*jewels", "", "", open=["2*copper merchant", "3*copper cloth", ""], face_down=["wine@1"], deck=DECK,
        prices="3 7 1 1 9", florins=[10, 0, 0],
    )  # fmt: skip
    found = on(state, Evaluation(1, "copper"))
    assert paid(found) == [GoodsPaid(1, 16), GoodsPaid(2, 32)]  # copper 8, cloth 8
    assert [player.florins for player in found.state.players] == [26, 32, 0]


@pytest.mark.rule("FUG-306")
@pytest.mark.parametrize(
    ("others", "payments"), [("2*wine", [GoodsPaid(1, 6), SealsPaid(1, 6)]), ("3*wine", [GoodsPaid(1, 7)])]
)
def test_a_sealed_card_pays_double_while_its_good_is_rare(others: str, payments: list[object]) -> None:
    """With three open cards of its good it pays double, with four only once; Jakob's cards count."""
    state = table("", "", open=["wine-sealed"], jakob=f"5*copper {others}", prices="1 1 3 1 1", deck=DECK)
    assert paid(on(state, Evaluation(2, "copper"))) == payments


@pytest.mark.rule("FUG-306")
def test_plain_cards_of_rare_goods_pay_once() -> None:
    """Only the seal doubles, and for each sealed card; those of a common good pay once."""
    state = table("", "", open=["2*wine-sealed wine 2*copper-sealed", "3*copper"], prices="1 1 3 1 1", deck=DECK)
    found = paid(on(state, Evaluation(2, "copper")))
    assert found == [GoodsPaid(1, 3 * 6 + 2 * 6), SealsPaid(1, 2 * 6), GoodsPaid(2, 18)]


@pytest.mark.rule("FUG-307")
def test_jakob_is_never_paid() -> None:
    """Cards before Jakob move prices and pay nobody."""
    assert paid(evaluated("5 4 3 2 1", "2 2 2 2 2")) == []


@pytest.mark.rule("FUG-801")
def test_the_example_of_the_rulebook() -> None:
    """5 spices, 4 cloth, 4 wine, 2 copper, 1 jewels at 5: spices to 1, cloth and wine to 9, copper and jewels to 4."""
    state = table("", "", open=["3*spices 2*cloth", "2*spices wine"], jakob="2*cloth 3*wine 2*copper jewels", deck=DECK)
    found = on(state, Evaluation(1, "spices"))
    moved = {event.good: event.price for event in found.events if isinstance(event, PriceMoved)}
    assert moved == {"spices": 1, "cloth": 9, "wine": 9, "copper": 4, "jewels": 4}
