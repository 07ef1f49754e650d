"""What lies in the box."""

from __future__ import annotations

from domain.editions import Source, require
from domain.values import Component, Value

APPLE = "apple"


class Card(Component):
    """Goods of a value."""

    key: str
    good: str
    value: int


class Cell(Value):
    """A number and how sure it is."""

    number: int
    source: Source


class Edition(Value):
    """The numbers of the box."""

    copies: Cell
    hand: Cell
    coins: Cell
    goods: tuple[str, ...]
    values: tuple[int, ...]


def check_edition(edition: Edition) -> None:
    """Refuse an edition that can't be played."""
    cards = edition.copies.number * len(edition.goods) * len(edition.values)
    require("goods", APPLE in edition.goods, f"{APPLE} among them (TOY-202)")
    require("values", all(1 <= value <= 6 for value in edition.values), "values from 1 to 6 (TOY-202)")
    require("hand", edition.hand.number >= 4, "at least 4, two for each round (TOY-202)")
    require("copies", cards >= 4 * edition.hand.number + 2, "enough cards for four players and two draws (TOY-101)")
    require("coins", edition.coins.number >= 0, "0 or more")


def components(edition: Edition) -> tuple[Card, ...]:
    """Every card there is, once."""
    return tuple(Card(f"{good}-{value}", good, value) for good in edition.goods for value in edition.values)
