"""What lies in the box: goods cards, some of them sealed, merchants, and the price board."""

from __future__ import annotations

from functools import cache

from domain.editions import Source, require
from domain.values import Component, Value

MERCHANT = "merchant"


class Card(Component):
    """A goods card, perhaps with the royal seal, or a merchant, who is no good."""

    key: str
    good: str = ""
    sealed: bool = False


class Cell(Value):
    """A number and how sure it is."""

    number: int
    source: Source


class Good(Value):
    """How often the cards of a good lie in the box, without and with the seal."""

    key: str
    plain: Cell
    sealed: Cell


class Edition(Value):
    """The tables of the box."""

    goods: tuple[Good, ...]
    merchants: Cell
    lowest_price: Cell
    highest_price: Cell

    @property
    def board(self) -> range:
        """The prices there are."""
        return range(self.lowest_price.number, self.highest_price.number + 1)


def check_edition(edition: Edition) -> None:
    """Refuse a box that is not the one the rules are written for (FUG-101, FUG-303, FUG-304)."""
    keys = [good.key for good in edition.goods]
    require("goods", len(keys) == 5, "5 goods (FUG-101)")
    for row, good in enumerate(edition.goods):
        cell = f"goods[{row}]"
        named = good.key.isascii() and good.key.isalpha() and good.key.islower() and good.key != MERCHANT
        require(f"{cell}.key", named and keys.index(good.key) == row, "a name of its own, in small letters")
        require(f"{cell}.plain", good.plain.number == 7, "7 cards without a seal (FUG-101)")
        require(f"{cell}.sealed", good.sealed.number == 2, "2 sealed cards (FUG-101)")
    require("merchants", edition.merchants.number == 4, "4 merchants (FUG-101)")
    require("lowest_price", edition.lowest_price.number == 1, "1 (FUG-304)")
    require("highest_price", edition.highest_price.number == 9, "9 (FUG-303)")


def components(edition: Edition) -> tuple[Card, ...]:
    """Every kind of card, once."""
    goods = ((Card(good.key, good.key), Card(f"{good.key}-sealed", good.key, sealed=True)) for good in edition.goods)
    return (*(card for pair in goods for card in pair), Card(MERCHANT))


@cache
def whole_deck(edition: Edition) -> tuple[Card, ...]:
    """All 49 cards (FUG-101)."""
    numbers = (*(n.number for good in edition.goods for n in (good.plain, good.sealed)), edition.merchants.number)
    kinds = zip(components(edition), numbers, strict=True)
    return tuple(card for card, number in kinds for _ in range(number))


def by_key(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Cards in the fixed order of a hand, so that a card's place tells nothing of its history."""
    return tuple(sorted(cards, key=_key))


def _key(card: Card) -> str:
    return card.key
