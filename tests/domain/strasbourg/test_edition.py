"""The edition file: what it holds, and that every cell that can't be is named."""

import re
from pathlib import Path

import pytest

from domain import strasbourg
from domain.editions import EditionError, Source, parse
from domain.strasbourg.city import city
from tests.domain.strasbourg.table import EDITION, TASKS, table

TEXT = Path(strasbourg.__file__).with_name("editions").joinpath("original.toml").read_text("utf-8")
PLAN = table().plan

DRAWN = """
B0 B0 B1 V3 V3 V3 V4 H2 H2
B0 B1 ## V4 V4 V4 ## H3 H2
B0 B1 B1 B1 ## V4 H3 H3 H2
S5 ## S5 B1 F2 V4 H3 ## F2
S4 S5 S5 ## F2 ## H3 F2 F1
S4 S4 S4 S5 F1 F2 F1 F1 F1
"""
CHAPELS = [(1, 3), (1, 5), (1, 7), (3, 1), (3, 3), (3, 6), (3, 8), (5, 2), (5, 4), (5, 7)]


def test_the_city_is_as_the_rules_page_draws_it() -> None:
    """9 x 6, 7 building sites, 10 chapel sites, 47 fields with guild and price."""
    letters = {"smiths": "S", "vintners": "V", "shoemakers": "H", "butchers": "F", "bakers": "B"}
    grid = {f"{r}-{c}": cell for r, row in enumerate(DRAWN.split("\n")[1:-1]) for c, cell in enumerate(row.split())}
    assert (PLAN.rows, PLAN.columns, len(PLAN.fields)) == (6, 9, 47)
    fields = {field.key.removeprefix("field-"): f"{letters[field.guild]}{field.price}" for field in PLAN.fields}
    sites = {site.key.removeprefix("site-"): "##" for site in PLAN.building_sites}
    assert fields | sites == grid
    assert [site.key for site in PLAN.chapel_sites] == [f"chapel-{r}-{c}" for r, c in CHAPELS]


def test_neighbourhoods() -> None:
    """A corner point touches four fields, or three beside a building site; a building site has up to four beside it."""

    def fields(site: str) -> set[str]:
        return {PLAN.fields[place].key for place in PLAN.beside[site]}

    assert fields("chapel-1-3") == {"field-0-2", "field-0-3", "field-1-3"}
    assert fields("chapel-5-7") == {"field-4-6", "field-4-7", "field-5-6", "field-5-7"}
    assert fields("site-2-4") == {"field-1-4", "field-3-4", "field-2-3", "field-2-5"}
    assert fields("site-3-1") == {"field-2-1", "field-4-1", "field-3-0", "field-3-2"}
    assert len(PLAN.wall) == 26
    assert {PLAN.fields[place].key for place in PLAN.corners} == {"field-0-0", "field-0-8", "field-5-0", "field-5-8"}


def test_goods_buildings_and_points_are_as_the_rules_page_says() -> None:
    """The tables of chapter 8."""
    goods = {row.goods: row.value for row in EDITION.guilds}
    assert goods == {"weapon": 5, "barrel": 4, "shoe": 3, "meat": 2, "bread": 1}
    numbers = {row.key: row.number for row in EDITION.buildings}
    assert numbers == {"market-stall": 2, "fountain": 3, "inn": 4, "bathhouse": 5, "town-hall": 6}
    by_rule: dict[str, list[int]] = {}
    for task in TASKS.values():
        by_rule.setdefault(task.rule, []).append(task.points)
    assert by_rule == {
        "STR-601": [4] * 5, "STR-602": [7, 6, 6, 5, 5], "STR-603": [6], "STR-604": [8], "STR-605": [7], "STR-606": [6],
        "STR-607": [5], "STR-608": [4], "STR-609": [4], "STR-610": [9], "STR-611": [12], "STR-612": [3], "STR-613": [5],
        "STR-614": [6], "STR-615": [5], "STR-616": [3], "STR-617": [2],
    }  # fmt: skip
    stated = {row.key for row in EDITION.buildings if row.source is Source.STATED}
    assert stated == {"fountain", "inn"}


@pytest.mark.parametrize(
    ("old", "new", "cell"),
    [
        ("B0 B0 B1 V3", "B0 X0 B1 V3", "city.drawing: field-0-1"),
        ("B0 B0 B1 V3", "B0 Bx B1 V3", "city.drawing: field-0-1"),
        ("B0 B0 B1 V3", "B0 B0  B1 V3", "city.drawing: row 0"),
        ("S4 S4 S4 S5 F1 F2 F1 F1 F1", "S4 S4 S4 S5 F1 F2 F1 F1", "city.drawing: row 5"),
        ("  +     +        +     +", "   +    +        +     +", "city.drawing: below row 2, character 3"),
        ("  +     +        +     +", "  *     +        +     +", "city.drawing: below row 2, character 2"),
        ("S4 S4 S4 S5 F1", "S4 S4 S4 F5 F1", "city.drawing: smiths"),
        ("rows = { number = 6", "rows = { number = 7", "city.rows"),
        ("columns = { number = 9", "columns = { number = 8", "city.columns"),
        ("building_sites = { number = 7", "building_sites = { number = 8", "city.building_sites"),
        ("chapel_sites = { number = 10", "chapel_sites = { number = 9", "city.chapel_sites"),
        ("exceptions = []", 'exceptions = [{ cell = "field-9-9", source = "stated" }]', "city.exceptions: field-9-9"),
        ('key = "smiths"\ngoods', 'key = "tailors"\ngoods', "guilds"),
        ("value = 5", "value = 0", "guilds: smiths.value"),
        ("value = 5", "value = 10", "guilds: smiths.value"),
        ("number = 4\nsource", "number = 10\nsource", "buildings: inn.number"),
        ("number = 4\nsource", "number = 0\nsource", "buildings: inn.number"),
        ('["smiths", "bakers", "vintners"]', '["smiths", "smiths", "vintners"]', "cards: round-card-1.guilds"),
        ('["smiths", "bakers", "vintners"]', '["smiths", "butchers", "vintners"]', "cards: butchers"),
        ('condition = "wall"', 'condition = "walls"', "tasks: task-wall.condition"),
        ('condition = "wall"', 'condition = "corners"', "tasks: wall"),
        ("points = 12", "points = 21", "tasks: task-each-guild.points"),
        ("points = 12", "points = 0", "tasks: task-each-guild.points"),
        ('of = "inn"', 'of = "palace"', "tasks: named-building"),
        ('key = "task-wall"', 'key = "task-line"', "key task-line"),
        ('key = "task-wall"', 'key = "Task wall"', "key Task wall"),
        ('goods = "shoe"', 'goods = "barrel"', "key barrel"),
        ('6, source = "stated"', '6, source = "guessed"', "Invalid enum value 'guessed'"),
        ("points = 12", 'points = "12"', "Expected `int`"),
        ("[city]", "[city", "not TOML"),
    ],
)  # fmt: skip
def test_a_cell_that_cannot_be_is_named(old: str, new: str, cell: str) -> None:
    """An altered edition is refused, and the error names the cell."""
    assert old in TEXT
    with pytest.raises(EditionError, match=re.escape(cell)):
        parse(strasbourg, TEXT.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("value = 5", "value = 1"),
        ("value = 5", "value = 9"),
        ("number = 4\nsource", "number = 1\nsource"),
        ("number = 4\nsource", "number = 9\nsource"),
        ("points = 12", "points = 1"),
        ("points = 12", "points = 20"),
        ("exceptions = []", 'exceptions = [{ cell = "chapel-3-1", source = "stated" }]'),
    ],
)
def test_what_can_be_is_taken(old: str, new: str) -> None:
    """The ends of every range are still good."""
    assert parse(strasbourg, TEXT.replace(old, new, 1)) != EDITION


def test_everything_has_a_key() -> None:
    """Cards, guilds, chairs, goods, fields, sites, buildings, round cards and tasks."""
    keys = {component.key for component in strasbourg.components(EDITION)}
    assert len(keys) == 6 + 5 + 3 + 5 + 47 + 10 + 7 + 5 + 5 + 25
    assert {"influence-5", "smiths", "merchants", "weapon", "field-3-4", "chapel-3-1", "site-2-4", "inn"} <= keys


@pytest.mark.parametrize(
    ("drawing", "cell"),
    [("", "city.drawing"), ("B1 ##\n  +\n## ##", "chapel-1-1"), ("B1 B1\n     +\nB1 B1", "below row 0, character 5")],
)
def test_a_drawing_that_cannot_be_is_refused(drawing: str, cell: str) -> None:
    """Nothing drawn, a chapel where no fields meet, a mark outside."""
    with pytest.raises(EditionError, match=cell):
        city(drawing)
