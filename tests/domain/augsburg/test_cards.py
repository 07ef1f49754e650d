"""Chapter 4, second part: cards are dealt and bought."""

from __future__ import annotations

from typing import Any

import pytest

from domain import augsburg
from domain.augsburg.auction import Auction
from domain.augsburg.cards import Buying, Dealing
from domain.augsburg.commands import BuyCertificates, Pass
from domain.augsburg.components import Noble, joker
from domain.augsburg.events import Bought, Drawn, Unbought
from domain.augsburg.state import State
from domain.course import Answered
from tests.domain.augsburg.table import CARDS, EDITION, cards, keys, merchant, table
from tests.scenario import Scenario, given


def buy(keys: str) -> BuyCertificates:
    """Buy these cards."""
    return BuyCertificates(tuple(keys.split()))


def dealt(scenario: Scenario) -> list[tuple[int, str, bool]]:
    """What was drawn: whose, which, and whether straight to the hand."""
    return [(e.seat, keys(e.cards), e.to_hand) for e in scenario.events if isinstance(e, Drawn)]


@pytest.mark.rule("AUG-405")
def test_the_last_winner_is_dealt_first() -> None:
    """The last auction's winner receives all his cards first, then the others clockwise."""
    scenario = given(augsburg, table(merchant(), merchant(), merchant(), opener=2), Dealing())
    assert [seat for seat, _, _ in dealt(scenario)] == [2, 3, 1]


@pytest.mark.rule("AUG-405", "AUG-215")
def test_all_pass_at_maximilian() -> None:
    """If nobody won the last auction, who opened it is dealt first."""
    scenario = given(
        augsburg, table(merchant(), merchant(), merchant(), opener=3), Auction(Noble.MAXIMILIAN), Dealing()
    )
    scenario = scenario.when(3, Pass()).when(1, Pass()).when(2, Pass())
    assert [seat for seat, _, _ in dealt(scenario)] == [3, 1, 2]


@pytest.mark.rule("AUG-406")
@pytest.mark.parametrize(
    ("board", "free"),
    [
        ({"office": 3}, 0),
        ({"office": 4}, 1),
        ({"office": 3, "minter": True}, 1),
        ({"office": 1, "minter": True}, 1),
        ({"office": 4, "minter": True}, 2),
    ],
)
def test_free_cards(board: dict[str, Any], free: int) -> None:
    """One for office step 4 and one for a minter, first of all and straight to the hand, for nothing."""
    state = table(merchant("leo-1", **board), merchant(), supply="joker maria-2 maria-3")
    scenario = given(augsburg, state, Dealing())
    own = [drawn for drawn in dealt(scenario) if drawn[0] == 1]
    to_hand = [drawn for drawn in own if drawn[2]]
    assert to_hand == own[: len(to_hand)]
    assert " ".join(got for _, got, _ in to_hand) == " ".join(["joker", "maria-2"][:free])
    assert len(scenario.state.player(1).hand) == 1 + free
    assert scenario.state.player(1).guilders == 1500


@pytest.mark.rule("AUG-407")
def test_cards_to_buy() -> None:
    """4, 5, 6 or 6 cards by office step, kept apart from the hand."""
    state = table(*(merchant("leo-1", office=step) for step in (1, 2, 3, 4)))
    scenario = given(augsburg, state, Dealing())
    assert [len(player.dealt) for player in scenario.state.players] == [4, 5, 6, 6]
    assert [len(player.hand) for player in scenario.state.players] == [1, 1, 1, 2]


@pytest.mark.rule("AUG-408")
def test_all_buy_at_the_same_time() -> None:
    """Everybody is asked, and nothing happens before all have chosen."""
    state = table(merchant(dealt="leo-1 leo-2"), merchant(dealt="maria-3"))
    scenario = given(augsburg, state, Buying()).asks(1, 2).offers(1, "BuyCertificates")
    scenario = scenario.when(1, buy("leo-2")).then(Answered(1, buy("leo-2"))).asks(2)
    assert scenario.state.player(1).guilders == 1500
    scenario.when(2, buy("maria-3")).then(
        Bought(1, cards("leo-2")), Bought(2, cards("maria-3")), Unbought(cards("leo-1"))
    )


@pytest.mark.rule("AUG-408")
@pytest.mark.parametrize(("guilders", "wanted"), [(650, "leo-2 leo-6 leo-7"), (650, "joker leo-17"), (0, "leo-2")])
def test_the_sum_is_bounded_by_the_guilders(guilders: int, wanted: str) -> None:
    """The prices together may not exceed what he owns."""
    state = table(merchant(guilders=guilders, dealt="leo-2 leo-6 leo-7 leo-17 joker"), merchant())
    given(augsburg, state, Buying()).when(1, buy(wanted)).refused("AUG-408", "PRICES_EXCEED_GUILDERS")


@pytest.mark.rule("AUG-408")
def test_all_his_money() -> None:
    """He may spend it to the last guilder, or nothing."""
    state = table(merchant(guilders=450, dealt="leo-2 leo-6 leo-7"), merchant())
    scenario = given(augsburg, state, Buying())
    assert scenario.when(1, buy("leo-2 leo-6")).state.player(1).guilders == 0
    nothing = scenario.when(1, buy("")).then(Bought(1, ()), Unbought(cards("leo-2 leo-6 leo-7")))
    assert nothing.state.player(1).guilders == 450


@pytest.mark.rule("AUG-408")
@pytest.mark.parametrize("wanted", ["leo-3", "leo-1 leo-1", "joker joker", "maria-9"])
def test_only_what_was_dealt_to_him(wanted: str) -> None:
    """Neither a card of another, nor of the hand, nor one twice."""
    state = table(merchant("maria-9", dealt="leo-1 leo-2 joker"), merchant(dealt="leo-3"))
    given(augsburg, state, Buying()).when(1, buy(wanted)).refused("AUG-408", "CARD_NOT_DEALT")


@pytest.mark.rule("AUG-408")
def test_who_was_dealt_none_is_not_asked() -> None:
    """Whoever got no card has nothing to choose, which all see; if nobody got one, nothing happens."""
    given(augsburg, table(merchant(), merchant(dealt="leo-1"), merchant()), Buying()).asks(2)
    given(augsburg, table(merchant(), merchant()), Buying()).then().asks()


@pytest.mark.rule("AUG-409")
def test_what_happens_when_all_have_chosen() -> None:
    """All pay and take; then the rest is discarded in deal order, from the last winner on."""
    state = table(
        merchant("leo-5", dealt="leo-1 leo-2 leo-17"),
        merchant(dealt="maria-9 maria-1 maria-5"),
        merchant(dealt="louise-3"),
        opener=2,
        discards="philipp-1",
    )
    scenario = given(augsburg, state, Buying()).when(3, buy("")).when(1, buy("leo-17 leo-1")).when(2, buy("maria-1"))
    scenario.then(
        Bought(2, cards("maria-1")),
        Bought(3, ()),
        Bought(1, cards("leo-1 leo-17")),
        Unbought(cards("maria-9 maria-5 louise-3 leo-2")),
    )
    after: State = scenario.state
    assert [player.guilders for player in after.players] == [900, 1300, 1500]
    assert [keys(player.hand) for player in after.players] == ["leo-1 leo-5 leo-17", "maria-1", ""]
    assert [player.dealt for player in after.players] == [(), (), ()]
    assert keys(after.discards) == "philipp-1 maria-9 maria-5 louise-3 leo-2"


@pytest.mark.rule("AUG-409")
def test_the_first_of_equal_jokers_is_bought() -> None:
    """Of two jokers the first dealt is bought, the second discarded in its place."""
    state = table(merchant(dealt="joker leo-1 joker leo-2"), merchant())
    scenario = given(augsburg, state, Buying()).when(1, buy("joker"))
    scenario.then(Bought(1, cards("joker")), Unbought(cards("leo-1 joker leo-2")))


@pytest.mark.rule("AUG-409")
def test_nothing_is_left() -> None:
    """If everything is bought, nothing is discarded."""
    scenario = given(augsburg, table(merchant(dealt="leo-1"), merchant()), Buying()).when(1, buy("leo-1"))
    scenario.then(Bought(1, cards("leo-1")))
    assert scenario.state.discards == ()


@pytest.mark.rule("AUG-410")
def test_prices() -> None:
    """A card costs what the edition says for its value, whoever issues it; a joker costs 400."""
    by_value = [200] * 5 + [250] * 4 + [300] * 4 + [350] * 3 + [400]
    for noble in ("philipp", "louise", "leo", "maria"):
        assert [CARDS[f"{noble}-{value}"].price for value in range(1, 18)] == by_value
    assert joker(EDITION).price == 400
