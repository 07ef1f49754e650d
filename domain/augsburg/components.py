"""What lies in the box: cards, tiles, privilege cards, and the edition that says what is printed on them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from domain.editions import Source, require
from domain.values import Component, Value


class Noble(StrEnum):
    """Whom the merchants lend to, in the order of the auctions (AUG-201). Maximilian issues nothing (AUG-102)."""

    PHILIPP = "philipp"
    LOUISE = "louise"
    LEO = "leo"
    MARIA = "maria"
    MAXIMILIAN = "maximilian"


ISSUERS = (Noble.PHILIPP, Noble.LOUISE, Noble.LEO, Noble.MARIA)
VALUES = range(1, 18)
JOKER = "joker"
JOKERS = 12


class Category(StrEnum):
    """The three ladders of four steps."""

    TRADE = "trade"
    NOBILITY = "nobility"
    OFFICE = "office"


class Tile(StrEnum):
    """The six kinds of right tile."""

    MINTER = "minter"
    MASTER_BUILDER = "master-builder"
    COAT_OF_ARMS = "coat-of-arms"
    LETTER_OF_NOBILITY = "letter-of-nobility"
    CHURCH = "church"
    CATHEDRAL = "cathedral"


BUILDINGS = (Tile.CHURCH, Tile.CATHEDRAL)
TILES_A_STACK = 5


class Privilege(StrEnum):
    """What a privilege card grants."""

    TRADE = "trade"
    NOBILITY = "nobility"
    OFFICE = "office"
    MONEY = "money"
    PRESTIGE_6 = "prestige-6"
    PRESTIGE_7 = "prestige-7"
    DRAW = "draw"


class Card(Component):
    """A certificate or a joker. Its back shows the price (AUG-602)."""

    key: str
    noble: Noble | None
    value: int
    price: int


class PrivilegeCard(Component):
    """Three privileges, of which the winner uses two."""

    key: str
    privileges: tuple[Privilege, ...]


class Cell(Value):
    """A number of the box, and how sure it is."""

    number: int
    source: Source


class PrivilegeCell(Value):
    """A printed privilege, and how sure it is."""

    privilege: Privilege
    source: Source


class PrivilegeRow(Value):
    """The three privileges of a card."""

    first: PrivilegeCell
    second: PrivilegeCell
    third: PrivilegeCell


class NameCell(Value):
    """The name of a step, and how sure it is."""

    name: str
    source: Source


class Steps(Value):
    """The names of a category's four steps."""

    first: NameCell
    second: NameCell
    third: NameCell
    fourth: NameCell


class Edition(Value):
    """What is printed on the components."""

    joker: Cell
    prices: tuple[Cell, ...]
    churches: tuple[Cell, ...]
    cathedrals: tuple[Cell, ...]
    coats_of_arms: tuple[Cell, ...]
    letters_of_nobility: tuple[Cell, ...]
    privilege_cards: tuple[PrivilegeRow, ...]
    trade: Steps
    nobility: Steps
    office: Steps


def check_edition(edition: Edition) -> None:
    """Refuse an edition that can't be: counts, ranges, sorted stacks."""
    require("prices", len(edition.prices) == len(VALUES), "17 prices, one a value (AUG-102)")
    for value, cell in zip(VALUES, edition.prices, strict=True):
        require(f"prices[{value - 1}]", _is_price(cell.number), "50 to 1000 guilders in fifties")
    require("joker", _is_price(edition.joker.number), "50 to 1000 guilders in fifties")
    for name, high in (("churches", 2000), ("cathedrals", 2000), ("coats_of_arms", 20), ("letters_of_nobility", 20)):
        stack = getattr(edition, name)
        require(name, len(stack) == TILES_A_STACK, "5 tiles (AUG-105)")
        for place, cell in enumerate(stack):
            require(f"{name}[{place}]", 1 <= cell.number <= high, f"1 to {high}")
            above = stack[max(0, place - 1)].number
            require(f"{name}[{place}]", cell.number <= above, f"at most {above}, the tile above it (AUG-105)")
    require("privilege_cards", len(edition.privilege_cards) == 10, "10 cards (AUG-106)")
    cards = [sorted(card.privileges) for card in privilege_cards(edition)]
    for place, card in enumerate(cards):
        require(f"privilege_cards[{place}]", card not in cards[:place], "ten different cards (AUG-106)")
    for category in Category:
        for step in Steps.__struct_fields__:
            name = getattr(getattr(edition, category), step).name
            require(f"{category}.{step}", 1 <= len(name.strip()) <= 30, "a name of 1 to 30 letters")


def _is_price(number: int) -> bool:
    return 50 <= number <= 1000 and number % 50 == 0


def certificates(edition: Edition) -> tuple[Card, ...]:
    """The 68 certificates (AUG-102)."""
    return tuple(
        Card(f"{noble}-{value}", noble, value, edition.prices[value - 1].number)
        for noble in ISSUERS
        for value in VALUES
    )


def joker(edition: Edition) -> Card:
    """A joker; all are alike."""
    return Card(JOKER, None, 0, edition.joker.number)


def privilege_cards(edition: Edition) -> tuple[PrivilegeCard, ...]:
    """The ten privilege cards, named by what they grant."""
    rows = ((row.first, row.second, row.third) for row in edition.privilege_cards)
    granted = (tuple(cell.privilege for cell in row) for row in rows)
    return tuple(PrivilegeCard("-".join(privileges), privileges) for privileges in granted)


def components(edition: Edition) -> tuple[Component, ...]:
    """All there is to name: certificates, the joker, privilege cards."""
    return (*certificates(edition), joker(edition), *privilege_cards(edition))


PLACE = {key: n for n, key in enumerate((*(f"{noble}-{value}" for noble in ISSUERS for value in VALUES), JOKER))}


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards as a hand is held: by noble and value, jokers last."""
    return tuple(sorted(cards, key=lambda card: PLACE[card.key]))


def without(cards: tuple[Card, ...], gone: Iterable[Card]) -> tuple[Card, ...]:
    """Cards less these, each once, the first of equal ones."""
    rest = list(cards)
    for card in gone:
        rest.remove(card)
    return tuple(rest)
