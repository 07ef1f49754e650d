"""What lies in the box: influence cards, the city, the council, goods, buildings, round cards and tasks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import attrgetter

from domain.editions import Source, require
from domain.values import Component, Value

from .city import Field, Site, city
from .tasks import CONDITIONS

KEY = re.compile("[a-z0-9-]{1,40}")
ROUNDS = 5  # STR-101
GUILDS = ("smiths", "vintners", "shoemakers", "butchers", "bakers")
NOBILITY, CHURCH, MERCHANTS = "nobility", "church", "merchants"
CHAIRS = (NOBILITY, CHURCH, *GUILDS, MERCHANTS)
"""The places in the council: the rules call them seats, which here are the players'."""
RANKS = 3
"""At most so many place a member in one step (STR-307)."""


class Influence(Component):
    """A card of influence, 1 to 6."""

    key: str
    value: int


class Guild(Component):
    """A guild, with the goods it makes and what they are worth to the merchants."""

    key: str
    goods: str
    value: int


class Chair(Component):
    """A place in the council."""

    key: str


class Goods(Component):
    """What a guild makes."""

    key: str
    value: int


class Building(Component):
    """A building and its number."""

    key: str
    number: int


class RoundCard(Component):
    """A round card: the guilds of the steps B, D and F."""

    key: str
    guilds: tuple[str, ...]


class Task(Component):
    """A task card: its condition, which guild or building it names, its points, and the rule that explains it."""

    key: str
    condition: str
    of: str
    points: int
    rule: str


Piece = Influence | Guild | Chair | Goods | Building | RoundCard | Task | Field | Site

INFLUENCE = tuple(Influence(f"influence-{value}", value) for value in range(1, 7))
BY_KEY = {card.key: card for card in INFLUENCE}
DECK = INFLUENCE * 4
"""An own deck: 24 cards, 4 each of 1 to 6 (STR-103)."""


class Stack(Value):
    """Influence cards that are flipped together, the lowest first: to others it has no order but its size."""

    cards: tuple[Influence, ...]

    @property
    def worth(self) -> int:
        """What it ranks by (STR-304)."""
        return sum(card.value for card in self.cards)


class Built(Value):
    """A building and where it stands."""

    building: Building
    site: str


def in_order(cards: Iterable[Influence]) -> tuple[Influence, ...]:
    """Cards as a hand is held, the lowest first."""
    return tuple(sorted(cards, key=_value))


def by_size(stacks: Iterable[Stack]) -> tuple[Stack, ...]:
    """Stacks in their one order: by size, then by their cards."""
    return tuple(sorted(stacks, key=lambda stack: (len(stack.cards), [card.value for card in stack.cards])))


_value = attrgetter("value")


class Count(Value):
    """A number that the drawing must agree with, and how sure it is."""

    number: int
    source: Source


class Marked(Value):
    """A cell of the drawing that is surer, or less sure, than the rest."""

    cell: str
    source: Source


class CityTable(Value):
    """The plan of the city, drawn; `source` holds for every cell but the exceptions."""

    drawing: str
    source: Source
    rows: Count
    columns: Count
    building_sites: Count
    chapel_sites: Count
    exceptions: tuple[Marked, ...] = ()


class GuildRow(Value):
    """What a guild makes, and its value."""

    key: str
    goods: str
    value: int
    source: Source


class BuildingRow(Value):
    """A building's number."""

    key: str
    number: int
    source: Source


class CardRow(Value):
    """The three guilds of a round card."""

    key: str
    guilds: tuple[str, ...]
    source: Source


class TaskRow(Value):
    """The points of a task."""

    key: str
    condition: str
    points: int
    source: Source
    of: str = ""


class Edition(Value):
    """What stood printed in the box."""

    city: CityTable
    guilds: tuple[GuildRow, ...]
    buildings: tuple[BuildingRow, ...]
    cards: tuple[CardRow, ...]
    tasks: tuple[TaskRow, ...]


def guilds(edition: Edition) -> tuple[Guild, ...]:
    """The five guilds, in the order of GUILDS."""
    return tuple(Guild(row.key, row.goods, row.value) for row in edition.guilds)


def buildings(edition: Edition) -> tuple[Building, ...]:
    """The five buildings."""
    return tuple(Building(row.key, row.number) for row in edition.buildings)


def round_cards(edition: Edition) -> tuple[RoundCard, ...]:
    """The five round cards."""
    return tuple(RoundCard(row.key, row.guilds) for row in edition.cards)


def tasks(edition: Edition) -> tuple[Task, ...]:
    """The 25 task cards."""
    return tuple(
        Task(row.key, row.condition, row.of, row.points, CONDITIONS[row.condition].rule) for row in edition.tasks
    )


def components(edition: Edition) -> tuple[Piece, ...]:
    """All there is to name by a key; a council's chair of a guild has the guild's."""
    plan = city(edition.city.drawing)
    chairs = (Chair(key) for key in CHAIRS if key not in GUILDS)
    goods = (Goods(row.goods, row.value) for row in edition.guilds)
    board: tuple[Field | Site, ...] = (*plan.fields, *plan.chapel_sites, *plan.building_sites)
    return (
        *INFLUENCE, *guilds(edition), *chairs, *goods, *board,
        *buildings(edition), *round_cards(edition), *tasks(edition),
    )  # fmt: skip


def check_edition(edition: Edition) -> None:
    """Refuse an edition that can't be played, naming the cell."""
    _check_city(edition.city)
    _check_guilds(edition.guilds)
    _check_buildings(edition.buildings)
    _check_cards(edition.cards)
    _check_tasks(edition)
    _check_keys(component.key for component in components(edition))


def _check_city(table: CityTable) -> None:
    plan = city(table.drawing)
    counts = (("rows", plan.rows), ("columns", plan.columns))
    sites = (("building_sites", len(plan.building_sites)), ("chapel_sites", len(plan.chapel_sites)))
    for name, drawn in (*counts, *sites):
        number = getattr(table, name).number
        require(f"city.{name}", number == drawn, f"{drawn}, as the drawing has them, not {number}")
    for name, drawn in sites:
        require(f"city.{name}", drawn >= ROUNDS, f"at least {ROUNDS}, one for each round (STR-316, STR-317)")
    for guild in GUILDS:
        size = len(plan.guilds.get(guild, ()))
        # With so many, whoever may place always finds a free field, and no rule is needed for a full guild.
        require(f"city.drawing: {guild}", size >= 3 * RANKS, f"at least {3 * RANKS} fields, not {size} (STR-307)")
    cells = {*plan.place, *plan.beside}
    for exception in table.exceptions:
        require(f"city.exceptions: {exception.cell}", exception.cell in cells, "a cell of the drawing")


def _check_guilds(rows: tuple[GuildRow, ...]) -> None:
    require("guilds", tuple(row.key for row in rows) == GUILDS, "these, in this order: " + ", ".join(GUILDS))
    for row in rows:
        require(f"guilds: {row.key}.value", 1 <= row.value <= 9, f"1 to 9, not {row.value}")


def _check_buildings(rows: tuple[BuildingRow, ...]) -> None:
    require("buildings", len(rows) == ROUNDS, f"{ROUNDS} of them, one a round (STR-102)")
    for row in rows:
        require(f"buildings: {row.key}.number", 1 <= row.number <= 9, f"1 to 9, not {row.number}")


def _check_cards(rows: tuple[CardRow, ...]) -> None:
    require("cards", len(rows) == ROUNDS, f"{ROUNDS} of them, one a round (STR-102)")
    for row in rows:
        known = len(row.guilds) == len(set(row.guilds) & set(GUILDS)) == 3
        require(f"cards: {row.key}.guilds", known, "3 different guilds, for the steps B, D and F (STR-301)")
    for guild in GUILDS:
        times = sum(guild in row.guilds for row in rows)
        require(f"cards: {guild}", times == 3, f"each guild on 3 cards, not on {times} (STR-301)")


def _check_tasks(edition: Edition) -> None:
    named = {"building": [row.key for row in edition.buildings], "guild": list(GUILDS), "": [""]}
    for row in edition.tasks:
        require(f"tasks: {row.key}.condition", row.condition in CONDITIONS, "one of " + ", ".join(CONDITIONS))
        require(f"tasks: {row.key}.points", 1 <= row.points <= 20, f"1 to 20, not {row.points}")
    for name, condition in CONDITIONS.items():
        found = sorted(row.of for row in edition.tasks if row.condition == name)
        wanted = sorted(named[condition.names])
        require(f"tasks: {name}", found == wanted, f"one card each of {wanted}, not {found} ({condition.rule})")


def _check_keys(keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for key in keys:
        require(f"key {key}", KEY.fullmatch(key) is not None, "at most 40 of a to z, 0 to 9 and -")
        require(f"key {key}", key not in seen, "no two things of this key")
        seen.add(key)
