"""The city: which fields lie beside which, read once from the drawing of an edition.

Rows and columns count from 0 at the top left. A field is a letter for its guild and a digit for its price, a building
site is `##`. Between the rows stand the chapel sites: a `+` below and right of a field marks the corner point
(r, c) that the fields (r-1, c-1), (r-1, c), (r, c-1) and (r, c) share.

    B1 V3        field-0-0  field-0-1
      +               chapel-1-1
    B1 ##        field-1-0  site-1-1
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from domain.editions import require
from domain.values import Component

LETTERS = {"S": "smiths", "V": "vintners", "H": "shoemakers", "F": "butchers", "B": "bakers"}
SITE, CHAPEL = "##", "+"
ACROSS, DOWN, FALLING, RISING = (0, 1), (1, 0), (1, 1), (-1, 1)


class Field(Component):
    """A field of the city: its guild and its price."""

    key: str
    guild: str
    price: int


class Site(Component):
    """A place for a chapel or a building."""

    key: str


Cell = tuple[int, int]
Places = frozenset[int]
"""Fields by their place in the order of reading, as the state counts them."""


@dataclass(frozen=True)
class City:
    """The plan, with every neighbourhood a rule asks for."""

    rows: int
    columns: int
    fields: tuple[Field, ...]
    place: dict[str, int]  # of a field's key
    guilds: dict[str, tuple[int, ...]]  # the places of each guild
    chapel_sites: tuple[Site, ...]
    building_sites: tuple[Site, ...]
    beside: dict[str, Places]  # of a site's key: fields touching a chapel, fields next to a building
    wall: Places
    corners: Places
    lines: tuple[Places, ...]  # every three in a line, across or down, unbroken
    diagonals: tuple[Places, ...]
    squares: tuple[Places, ...]


@lru_cache(maxsize=64)
def city(drawing: str) -> City:
    """Read a drawing, or name the cell that can't be."""
    lines = drawing.strip("\n").split("\n")
    grid = _grid(lines[::2])
    rows, columns = max(grid)[0] + 1, max(grid)[1] + 1
    fields = tuple(_field(cell, text) for cell, text in grid.items() if text != SITE)
    numbered = {cell: n for n, cell in enumerate(cell for cell, text in grid.items() if text != SITE)}
    chapels = _chapels(lines[1::2], rows, columns)
    beside = {f"chapel-{r}-{c}": _among(numbered, _corner(r, c)) for r, c in chapels}
    for key, fields_met in beside.items():
        require(f"city.drawing: {key}", len(fields_met) >= 2, "a point where fields meet")
    sites = [cell for cell, text in grid.items() if text == SITE]
    beside |= {f"site-{r}-{c}": _among(numbered, ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))) for r, c in sites}
    return City(
        rows=rows,
        columns=columns,
        fields=fields,
        place={field.key: n for n, field in enumerate(fields)},
        guilds={name: tuple(n for n, field in enumerate(fields) if field.guild == name) for name in LETTERS.values()},
        chapel_sites=tuple(Site(f"chapel-{r}-{c}") for r, c in chapels),
        building_sites=tuple(Site(f"site-{r}-{c}") for r, c in sites),
        beside=beside,
        wall=_among(numbered, (cell for cell in grid if cell[0] in (0, rows - 1) or cell[1] in (0, columns - 1))),
        corners=_among(numbered, ((r, c) for r in (0, rows - 1) for c in (0, columns - 1))),
        lines=_shapes(numbered, *(tuple((r * n, c * n) for n in range(3)) for r, c in (ACROSS, DOWN))),
        diagonals=_shapes(numbered, *(tuple((r * n, c * n) for n in range(3)) for r, c in (FALLING, RISING))),
        squares=_shapes(numbered, ((0, 0), (0, 1), (1, 0), (1, 1))),
    )


def _grid(lines: list[str]) -> dict[Cell, str]:
    cells = [line.split() for line in lines]
    require("city.drawing", bool(cells and cells[0]), "rows of fields")
    for r, row in enumerate(cells):
        require(f"city.drawing: row {r}", len(row) == len(cells[0]), f"{len(cells[0])} cells, not {len(row)}")
        # The chapel sites are found by their columns, so the fields must stand in theirs.
        require(f"city.drawing: row {r}", lines[r].rstrip() == " ".join(row), "one space between the cells")
    return {(r, c): text for r, row in enumerate(cells) for c, text in enumerate(row)}


def _field(cell: Cell, text: str) -> Field:
    key = f"field-{cell[0]}-{cell[1]}"
    good = len(text) == 2 and text[0] in LETTERS and text[1] in "0123456789"
    require(f"city.drawing: {key}", good, f"a letter of {''.join(LETTERS)} and a price, or {SITE}, not {text!r}")
    return Field(key, LETTERS[text[0]], int(text[1]))


def _chapels(lines: list[str], rows: int, columns: int) -> list[Cell]:
    found = []
    for r, line in enumerate(lines, 1):
        for at, mark in enumerate(line):
            if mark != " ":
                c = (at + 1) // 3
                inside = r < rows and 1 <= c < columns and at == 3 * c - 1
                require(f"city.drawing: below row {r - 1}, character {at}", inside and mark == CHAPEL, "+ at a corner")
                found.append((r, c))
    return found


def _corner(r: int, c: int) -> tuple[Cell, ...]:
    return ((r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c))


def _among(numbered: dict[Cell, int], cells: Iterable[Cell]) -> Places:
    return frozenset(numbered[cell] for cell in cells if cell in numbered)


def _shapes(numbered: dict[Cell, int], *shapes: tuple[Cell, ...]) -> tuple[Places, ...]:
    """Wherever all cells of a shape are fields: a building site breaks it."""
    moved = (tuple((r + dr, c + dc) for dr, dc in shape) for shape in shapes for r, c in numbered)
    return tuple(_among(numbered, cells) for cells in moved if all(cell in numbered for cell in cells))
