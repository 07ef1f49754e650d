"""The 25 tasks: one function a condition, asked once, at the end of the game (chapter 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from .city import City, Places

if TYPE_CHECKING:
    from .components import Task
    from .state import State


class Claim(NamedTuple):
    """A seat's claim to have met a task: the final state, his fields, and what the card names."""

    state: State
    seat: int
    of: str
    own: Places

    @property
    def city(self) -> City:
        """The plan of the city."""
        return self.state.plan

    def beside(self) -> list[int]:
        """His members next to each building that stands."""
        return [len(self.own & self.city.beside[built.site]) for built in self.state.built]

    def in_guild(self, guild: str) -> int:
        """His members on fields of a guild."""
        return len(self.own.intersection(self.city.guilds[guild]))


def met(state: State, seat: int, task: Task) -> bool:
    """Whether this seat has met a task (STR-505)."""
    return CONDITIONS[task.condition].holds(Claim(state, seat, task.of, state.members(seat)))


def _named_building(claim: Claim) -> bool:
    """At least 2 next to the named building (STR-601)."""
    sites = (built.site for built in claim.state.built if built.building.key == claim.of)
    return any(len(claim.own & claim.city.beside[site]) >= 2 for site in sites)


def _named_guild(claim: Claim) -> bool:
    """At least 3 in the named guild (STR-602)."""
    return claim.in_guild(claim.of) >= 3


def _one_building(claim: Claim) -> bool:
    """At least 3 next to one building (STR-603)."""
    return max(claim.beside(), default=0) >= 3


def _four_buildings(claim: Claim) -> bool:
    """At least 1 next to each of 4 or more buildings; one member may count for two (STR-604)."""
    return sum(number >= 1 for number in claim.beside()) >= 4


def _chapels(claim: Claim) -> bool:
    """At least 5 on fields touching chapels, each counted once (STR-605)."""
    touching = frozenset[int]().union(*(claim.city.beside[site] for site in claim.state.chapels))
    return len(claim.own & touching) >= 5


def _wall(claim: Claim) -> bool:
    """At least 6 at the wall (STR-606)."""
    return len(claim.own & claim.city.wall) >= 6


def _corners(claim: Claim) -> bool:
    """At least 2 in the four corners (STR-607)."""
    return len(claim.own & claim.city.corners) >= 2


def _line(claim: Claim) -> bool:
    """At least 3 in an unbroken line across or down (STR-608)."""
    return any(line <= claim.own for line in claim.city.lines)


def _diagonal(claim: Claim) -> bool:
    """At least 3 in an unbroken diagonal (STR-609)."""
    return any(line <= claim.own for line in claim.city.diagonals)


def _square(claim: Claim) -> bool:
    """4 in a square of 2 x 2 (STR-610)."""
    return any(square <= claim.own for square in claim.city.squares)


def _each_guild(claim: Claim) -> bool:
    """At least 2 in each of the five guilds (STR-611)."""
    return all(claim.in_guild(guild) >= 2 for guild in claim.city.guilds)


def _nobility_or_church(claim: Claim) -> bool:
    """A member on the nobility or the church chair (STR-612)."""
    return claim.seat in claim.state.council[:2]


def _council(claim: Claim) -> bool:
    """At least 4 members in the council with 3 players, 3 with 4, 2 with 5 (STR-613)."""
    return claim.state.council.count(claim.seat) >= 7 - len(claim.state.players)


def _most_members(claim: Claim) -> bool:
    """Strictly most members in the city (STR-614)."""
    return all(claim.state.city.count(seat) < len(claim.own) for seat in claim.state.seats if seat != claim.seat)


def _most_money(claim: Claim) -> bool:
    """Strictly most money (STR-615)."""
    money = claim.state.player(claim.seat).money
    return all(claim.state.player(seat).money < money for seat in claim.state.seats if seat != claim.seat)


def _goods(claim: Claim) -> bool:
    """At least 3 kinds of goods (STR-616)."""
    return sum(number >= 1 for number in claim.state.player(claim.seat).goods) >= 3


def _first_player(claim: Claim) -> bool:
    """Holder of the first-player figure (STR-617)."""
    return claim.state.first == claim.seat


class Condition(NamedTuple):
    """What a task asks, its rule, and whether its cards name a building or a guild."""

    rule: str
    holds: Callable[[Claim], bool]
    names: str = ""


CONDITIONS = {
    "named-building": Condition("STR-601", _named_building, names="building"),
    "named-guild": Condition("STR-602", _named_guild, names="guild"),
    "one-building": Condition("STR-603", _one_building),
    "four-buildings": Condition("STR-604", _four_buildings),
    "chapels": Condition("STR-605", _chapels),
    "wall": Condition("STR-606", _wall),
    "corners": Condition("STR-607", _corners),
    "line": Condition("STR-608", _line),
    "diagonal": Condition("STR-609", _diagonal),
    "square": Condition("STR-610", _square),
    "each-guild": Condition("STR-611", _each_guild),
    "nobility-or-church": Condition("STR-612", _nobility_or_church),
    "council": Condition("STR-613", _council),
    "most-members": Condition("STR-614", _most_members),
    "most-money": Condition("STR-615", _most_money),
    "goods": Condition("STR-616", _goods),
    "first-player": Condition("STR-617", _first_player),
}
