"""Chapter 1: the box, the first prices, the deal, who starts."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib import resources

import pytest

from domain import diefugger
from domain.chance import SeededChance
from domain.diefugger.commands import Draw
from domain.diefugger.components import whole_deck
from domain.diefugger.events import Drawn, TurnedForJakob
from domain.editions import EditionError, parse
from domain.engine import play
from tests.domain.diefugger.table import EDITION, GOODS, Stacked, card, cards, keys, prices
from tests.scenario import SEED


@pytest.mark.rule("FUG-101")
def test_the_deck_has_49_cards() -> None:
    """Of each of five goods 7 plain and 2 sealed cards, and 4 merchants."""
    number = Counter(card.key for card in whole_deck(EDITION))
    assert number == {**dict.fromkeys(GOODS, 7), **{f"{good}-sealed": 2 for good in GOODS}, "merchant": 4}
    assert GOODS == ("copper", "cloth", "wine", "spices", "jewels")


@pytest.mark.rule("FUG-101")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_cards_are_in_play(seats: int) -> None:
    """With any number of players from 2 to 4 the whole deck is used."""
    state = diefugger.setup(seats, (), EDITION, SeededChance(SEED)).state
    dealt = [card for player in state.players for card in player.hand]
    lying = Counter((*dealt, *state.jakob, *state.deck, *state.discard))
    assert lying == Counter(whole_deck(EDITION))
    assert diefugger.meta.least_seats <= seats <= diefugger.meta.most_seats


@pytest.mark.rule("FUG-102")
def test_prices_start_at_5_and_florins_at_0() -> None:
    """All five prices start at 5, and nobody has a florin."""
    state = diefugger.setup(3, (), EDITION, SeededChance(SEED)).state
    assert prices(state) == "5 5 5 5 5"
    assert [player.florins for player in state.players] == [0, 0, 0]
    assert state.round == 1


@pytest.mark.rule("FUG-103")
def test_each_draws_four_from_the_starting_player_on() -> None:
    """The starting player draws four cards, then the next, then Jakob gets two goods."""
    top = "4*copper 4*cloth 4*wine spices jewels"
    outcome = diefugger.setup(3, (), EDITION, Stacked(top, first=2))
    moved = [event for event in outcome.events if isinstance(event, Drawn | TurnedForJakob)]
    assert moved == [
        *(Drawn("FUG-103", 2, card("copper")) for _ in range(4)),
        *(Drawn("FUG-103", 3, card("cloth")) for _ in range(4)),
        *(Drawn("FUG-103", 1, card("wine")) for _ in range(4)),
        TurnedForJakob("FUG-103", card("spices")),
        TurnedForJakob("FUG-103", card("jewels")),
    ]
    assert outcome.state.jakob == cards("spices jewels")


@pytest.mark.rule("FUG-103")
def test_a_merchant_turned_for_jakob_is_replaced() -> None:
    """Merchants turned over for Jakob go to the open discard; he gets two goods all the same."""
    state = diefugger.setup(2, (), EDITION, Stacked("4*copper 4*cloth merchant jewels 2*merchant wine")).state
    assert keys(state.jakob) == "jewels wine"
    assert keys(state.discard) == "merchant merchant merchant"


@pytest.mark.rule("FUG-104")
def test_the_starting_player_is_drawn_at_random() -> None:
    """Every seat starts in some of thirty games, and the one who starts is asked first."""
    first = [diefugger.waiting(diefugger.setup(4, (), EDITION, SeededChance(bytes([n] * 32))).state) for n in range(30)]
    assert set(first) == {(1,), (2,), (3,), (4,)}


@pytest.mark.rule("FUG-104")
def test_play_goes_clockwise() -> None:
    """After the last seat comes the first."""
    state = diefugger.setup(4, (), EDITION, Stacked("", first=3)).state
    asked = []
    for _ in range(3):
        (seat,) = diefugger.waiting(state)
        asked.append(seat)
        state = play(diefugger, state, seat, Draw(), SeededChance(SEED)).state
    assert (*asked, *diefugger.waiting(state)) == (3, 4, 1, 2)


TEXT = resources.files(diefugger).joinpath("editions", "original.toml").read_text("utf-8")


@pytest.mark.rule("FUG-101", "FUG-303", "FUG-304")
@pytest.mark.parametrize(
    ("before", "after", "cell"),
    [
        ("merchants = { number = 4", "merchants = { number = 5", "merchants: expected 4"),
        ("plain = { number = 7", "plain = { number = 8", "goods[0].plain: expected 7"),
        ("sealed = { number = 2", "sealed = { number = 1", "goods[0].sealed: expected 2"),
        ('key = "wine"', 'key = "cloth"', "goods[2].key: expected a name of its own"),
        ('key = "wine"', 'key = "merchant"', "goods[2].key: expected a name of its own"),
        ('key = "wine"', 'key = "Wine"', "goods[2].key: expected a name of its own"),
        ("lowest_price = { number = 1", "lowest_price = { number = 0", "lowest_price: expected 1"),
        ("highest_price = { number = 9", "highest_price = { number = 10", "highest_price: expected 9"),
        ('"stated"', '"guessed"', "source"),
        ("number = 4", 'number = "four"', "merchants.number"),
    ],
)
def test_another_box_is_refused(before: str, after: str, cell: str) -> None:
    """An edition that is not the box of the rules is refused, and the error names the cell."""
    assert before in TEXT
    with pytest.raises(EditionError) as refused:
        parse(diefugger, TEXT.replace(before, after, 1))
    assert cell in str(refused.value)


@pytest.mark.rule("FUG-101")
def test_a_box_with_four_goods_is_refused() -> None:
    """A good that is missing altogether is noticed."""
    with pytest.raises(EditionError, match="goods: expected 5"):
        parse(diefugger, TEXT[: TEXT.rindex("[[goods]]")])
    assert len(tomllib.loads(TEXT)["goods"]) == 5
