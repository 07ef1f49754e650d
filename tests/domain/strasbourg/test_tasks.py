"""The 25 tasks, each met and, by one member or coin less, not met (chapter 6)."""

from collections.abc import Mapping

import pytest

from domain.strasbourg.components import GUILDS
from domain.strasbourg.state import State
from domain.strasbourg.tasks import CONDITIONS, met
from domain.values import replace
from tests.domain.strasbourg.table import EDITION, TASKS, board, having, table

PLAN = table().plan
GUILD_FIELDS = {
    guild: [PLAN.fields[place].key.removeprefix("field-") for place in PLAN.guilds[guild]] for guild in GUILDS
}
HOUSES = ("market-stall", "fountain", "inn", "bathhouse", "town-hall")
SITES = ("1-2", "1-6", "2-4", "3-1", "3-7")


def city(
    own: str = "",
    *,
    other: str = "",
    chapels: str = "",
    built: Mapping[str, str] | None = None,
    council: Mapping[str, int] | None = None,
    players: int = 4,
) -> State:
    """The city at the end of the game: the claimant is seat 2, another one seat 1."""
    members = {2: own, 1: other}
    return board(table(players, number=5), members=members, chapels=chapels, built=built, council=council)


def holds(name: str, state: State) -> bool:
    """Whether seat 2 has met the task."""
    return met(state, 2, TASKS[f"task-{name}"])


def test_there_are_25_tasks() -> None:
    """Five name a building, five a guild, and every condition has a card."""
    assert len(TASKS) == 25
    assert {task.condition for task in TASKS.values()} == set(CONDITIONS)


@pytest.mark.rule("STR-601")
@pytest.mark.parametrize("house", HOUSES)
def test_two_next_to_the_named_building(house: str) -> None:
    """Across or down; diagonals, others' members and members at another building don't count."""
    other = HOUSES[HOUSES.index(house) - 1]
    built = {house: "1-2", other: "2-4"}
    assert holds(house, city("0-2 2-2", built=built))
    assert not holds(house, city("0-2 0-1 0-3 2-1", other="2-2", built=built))
    assert not holds(house, city("0-2 1-4 2-5", built=built))
    assert not holds(house, city("0-2 2-2", built={other: "1-2"}))


@pytest.mark.rule("STR-602")
@pytest.mark.parametrize("guild", GUILDS)
def test_three_in_the_named_guild(guild: str) -> None:
    """At least 3 on its fields; a fourth does no harm; others' members and guilds don't count."""
    fields = GUILD_FIELDS[guild]
    wrong = " ".join(GUILD_FIELDS[GUILDS[GUILDS.index(guild) - 1]][:4])
    assert holds(guild, city(" ".join(fields[:3])))
    assert holds(guild, city(" ".join(fields[:4])))
    assert not holds(guild, city(" ".join(fields[:2]) + " " + wrong, other=fields[2]))


@pytest.mark.rule("STR-603")
def test_three_next_to_one_building() -> None:
    """One and the same, whichever."""
    built = {"inn": "1-2", "fountain": "2-4"}
    assert holds("one-building", city("0-2 1-1 1-3", built=built))
    assert holds("one-building", city("1-4 2-3 2-5", built=built))
    assert not holds("one-building", city("0-2 1-1 1-4 2-3", other="1-3", built=built))
    assert not holds("one-building", city("0-2 1-1 1-3 2-2"))


@pytest.mark.rule("STR-604")
def test_one_next_to_each_of_four_buildings() -> None:
    """Four or more; one member may count for two; chapels are no buildings."""
    built = dict(zip(HOUSES, SITES, strict=True))
    assert holds("four-buildings", city("0-2 0-6 1-4 3-0", built=built))
    assert holds("four-buildings", city("0-2 0-6 1-4 3-0 3-8", built=built))
    assert not holds("four-buildings", city("0-2 2-2 0-6 1-4", other="3-0", chapels="3-1", built=built))
    two = {"inn": "4-3", "fountain": "4-5", "bathhouse": "1-2", "town-hall": "1-6"}
    assert holds("four-buildings", city("4-4 0-2 0-6", built=two))


@pytest.mark.rule("STR-605")
def test_five_at_chapels() -> None:
    """On any fields touching any chapels; others' members don't count."""
    assert holds("chapels", city("0-2 0-3 1-3 0-4 0-5", chapels="1-3 1-5"))
    assert not holds("chapels", city("0-2 0-3 1-3 0-4 5-0", other="0-5", chapels="1-3 1-5"))


@pytest.mark.rule("STR-605")
def test_a_member_between_two_chapels_counts_once() -> None:
    """In a plan with a chapel site more, three of four members touch both chapels: they are still four."""
    state = city("0-2 0-3 1-3 0-4", chapels="1-3 1-4")
    plan = EDITION.city.drawing.replace("        +     +     +", "        +  +  +     +")
    close = replace(state, edition=replace(EDITION, city=replace(EDITION.city, drawing=plan)))
    touching = [close.members(2) & close.plan.beside[site] for site in close.chapels]
    assert [len(places) for places in touching] == [3, 3]
    assert not holds("chapels", close)


@pytest.mark.rule("STR-606")
def test_six_at_the_wall() -> None:
    """First and last row and column, the corners with them."""
    assert holds("wall", city("0-0 0-4 5-3 5-8 2-0 3-8"))
    assert not holds("wall", city("0-0 0-4 5-3 5-8 2-0 1-1 1-7 4-1 4-7", other="3-8"))


@pytest.mark.rule("STR-607")
@pytest.mark.parametrize("corners", ["0-0 0-8", "0-8 5-0", "5-0 5-8", "0-0 5-8"])
def test_two_in_the_corners(corners: str) -> None:
    """Any two of the four."""
    assert holds("corners", city(corners))
    one, other = corners.split()
    assert not holds("corners", city(f"{one} 0-1 1-0 1-8 4-8 5-7 0-7", other=other))


@pytest.mark.rule("STR-608")
@pytest.mark.parametrize("line", ["0-0 0-1 0-2", "0-1 0-2 0-3", "2-0 3-0 4-0", "0-8 1-8 2-8", "5-6 5-7 5-8"])
def test_three_in_a_line(line: str) -> None:
    """Across or down, also across guilds."""
    assert holds("line", city(line))
    one, other, three = line.split()
    assert not holds("line", city(f"{one} {three}", other=other))


@pytest.mark.rule("STR-608")
@pytest.mark.parametrize("broken", ["1-0 1-1 1-3", "4-1 4-2 4-4", "2-2 2-3 2-5", "0-7 0-8 1-0", "0-0 1-1 2-2"])
def test_what_is_no_line(broken: str) -> None:
    """A building site breaks it; a row's end is not the next one's beginning; a diagonal is no line."""
    assert not holds("line", city(broken))


@pytest.mark.rule("STR-609")
@pytest.mark.parametrize("line", ["0-0 1-1 2-2", "0-5 1-4 2-3", "3-6 4-7 5-8", "5-0 4-1 3-2"])
def test_three_in_a_diagonal(line: str) -> None:
    """Falling or rising, also across guilds."""
    assert holds("diagonal", city(line))
    one, other, three = line.split()
    assert not holds("diagonal", city(f"{one} {three}", other=other))


@pytest.mark.rule("STR-609")
@pytest.mark.parametrize("broken", ["0-1 2-3", "0-0 0-1 0-2 1-0 2-0", "0-3 2-1", "1-1 2-2 4-4"])
def test_what_is_no_diagonal(broken: str) -> None:
    """A building site, or a gap, breaks it; a line across or down is none."""
    assert not holds("diagonal", city(broken))


@pytest.mark.rule("STR-610")
@pytest.mark.parametrize("square", ["0-0 0-1 1-0 1-1", "4-7 4-8 5-7 5-8", "2-2 2-3 3-2 3-3", "0-7 0-8 1-7 1-8"])
def test_four_in_a_square(square: str) -> None:
    """Also across guilds; three of the four are not enough."""
    assert holds("square", city(square))
    for missing in square.split():
        rest = " ".join(place for place in square.split() if place != missing)
        assert not holds("square", city(rest, other=missing))


@pytest.mark.rule("STR-611")
def test_two_in_each_guild() -> None:
    """One guild with a single member misses it."""
    pairs = {guild: fields[:2] for guild, fields in GUILD_FIELDS.items()}
    everywhere = " ".join(field for pair in pairs.values() for field in pair)
    assert holds("each-guild", city(everywhere))
    for guild in GUILDS:
        less = " ".join(field for name, pair in pairs.items() for field in (pair[:1] if name == guild else pair))
        assert not holds("each-guild", city(less, other=pairs[guild][1]))


@pytest.mark.rule("STR-612")
def test_a_member_on_the_nobility_or_church_chair() -> None:
    """Either will do; a guild's or the merchants' will not."""
    assert holds("nobility-or-church", city(council={"nobility": 2, "church": 1}))
    assert holds("nobility-or-church", city(council={"nobility": 1, "church": 2}))
    assert not holds("nobility-or-church", city(council={"nobility": 1, "church": 1, "smiths": 2, "merchants": 2}))


@pytest.mark.rule("STR-613")
@pytest.mark.parametrize(("players", "least"), [(3, 4), (4, 3), (5, 2)])
def test_members_in_the_council_by_players(players: int, least: int) -> None:
    """Four with three players, three with four, two with five."""
    chairs = ("nobility", "smiths", "merchants", "church")
    assert holds("council", city(council=dict.fromkeys(chairs[:least], 2), players=players))
    fewer = {**dict.fromkeys(chairs[: least - 1], 2), chairs[least - 1]: 1}
    assert not holds("council", city(council=fewer, players=players))


@pytest.mark.rule("STR-614")
def test_strictly_most_members_in_the_city() -> None:
    """A tie does not meet it."""
    assert holds("most-members", city("0-0 0-1 0-2", other="5-0 5-1"))
    assert not holds("most-members", city("0-0 0-1", other="5-0 5-1"))
    assert not holds("most-members", city("0-0", other="5-0 5-1"))


@pytest.mark.rule("STR-615")
@pytest.mark.parametrize(("money", "meets"), [(6, True), (5, False), (4, False)])
def test_strictly_most_money(money: int, meets: bool) -> None:
    """All others have 5."""
    assert holds("most-money", having(city(), 2, money=money)) is meets


@pytest.mark.rule("STR-616")
def test_three_kinds_of_goods() -> None:
    """Many of two kinds are not enough."""
    assert holds("goods", having(city(), 2, goods="weapon barrel bread"))
    assert not holds("goods", having(city(), 2, goods="weapon weapon bread bread"))


@pytest.mark.rule("STR-617")
def test_the_first_player_figure() -> None:
    """Only its holder meets it."""
    assert holds("first-player", replace(city(), first=2))
    assert not holds("first-player", replace(city(), first=1))
