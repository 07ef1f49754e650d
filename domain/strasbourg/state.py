"""Everything on and around the table, and the event that sets it up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from domain.course import Answered, Asked, Playing
from domain.values import Seat, Value, replace

from .city import City, Places, city
from .commands import Command
from .components import CHAIRS, GUILDS, Building, Built, Edition, Influence, RoundCard, Stack, Task
from .events import (
    SOURCES,
    BuildingBuilt,
    CardPutBack,
    ChairTaken,
    ChapelBuilt,
    Declined,
    Drawn,
    FigureMoved,
    Flipped,
    FlippedLeft,
    GoodsSold,
    GoodsTaken,
    MemberPlaced,
    Passed,
    PrivilegesGranted,
    PrivilegesScored,
    Ranked,
    RoundBegan,
    Scored,
    StacksLapsed,
    StacksMade,
    StepBegan,
    TasksKept,
    TasksScored,
    Waited,
)  # fmt: skip
from .play import AgendaItem
from .shown import GameBegan

MONEY = 5
"""What everybody begins with (STR-103). Members are unlimited, so none are counted (STR-106)."""


class Player(Value):
    """What lies before a player, and behind his screen."""

    deck: tuple[Influence, ...]  # top first
    tasks: tuple[Task, ...]  # dealt, then kept
    hand: tuple[Influence, ...] = ()
    stacks: tuple[Stack, ...] = ()
    flipped: Stack | None = None  # in this step
    out: tuple[Influence, ...] = ()  # left the game openly
    unused: tuple[Influence, ...] = ()  # left the game unseen
    money: int = MONEY
    goods: tuple[int, ...] = (0,) * len(GUILDS)  # how many of each guild's
    privileges: int = 0
    scored: tuple[int, ...] = (0,) * len(SOURCES)  # prestige by source

    @property
    def prestige(self) -> int:
        """May fall below 0 (STR-506)."""
        return sum(self.scored)


class State(Playing[AgendaItem, Command]):
    """Everything there is, hidden or not."""

    edition: Edition
    stay: bool  # the table option of STR-315
    players: tuple[Player, ...]
    first: Seat  # holder of the figure
    cards: tuple[RoundCard, ...]  # in the order of the rounds
    buildings: tuple[Building, ...]
    spare: tuple[Task, ...]  # tasks that nobody holds
    city: tuple[Seat, ...]  # whose member stands on each field
    council: tuple[Seat, ...] = (0,) * len(CHAIRS)
    chapels: tuple[str, ...] = ()
    built: tuple[Built, ...] = ()
    round: int = 0
    step: str = ""
    guild: str = ""  # of this step

    @property
    def plan(self) -> City:
        """The plan of the city."""
        return city(self.edition.city.drawing)

    def player(self, seat: int) -> Player:
        """The player on a seat."""
        return self.players[seat - 1]

    def members(self, seat: int) -> Places:
        """The fields on which a seat's members stand."""
        return frozenset(place for place, owner in enumerate(self.city) if owner == seat)

    def with_player(self, seat: int, **changes: Any) -> State:
        """The state with a player changed."""
        players = self.players
        changed = replace(players[seat - 1], **changes)
        return replace(self, players=(*players[: seat - 1], changed, *players[seat:]))

    def with_goods(self, seat: int, goods: Iterable[str], sign: int) -> State:
        """The state with goods taken or given away."""
        numbers, kinds = list(self.player(seat).goods), [guild.goods for guild in self.edition.guilds]
        for key in goods:
            numbers[kinds.index(key)] += sign
        return self.with_player(seat, goods=tuple(numbers))

    def with_points(self, source: str, points: tuple[int, ...]) -> State:
        """The state with prestige from one source added for each seat."""
        at = SOURCES.index(source)
        scored = zip((player.scored for player in self.players), points, strict=True)
        added = ((*old[:at], old[at] + new, *old[at + 1 :]) for old, new in scored)
        players = zip(self.players, added, strict=True)
        return replace(self, players=tuple(replace(player, scored=new) for player, new in players))


class Dealt(Value):
    """What one player gets at the start."""

    deck: tuple[Influence, ...]
    tasks: tuple[Task, ...]


class Begun(Value):
    """The table is set up (STR-101..105)."""

    rule: ClassVar[str] = "STR-102"
    edition: Edition
    stay: bool
    first: Seat
    cards: tuple[RoundCard, ...]
    buildings: tuple[Building, ...]
    dealt: tuple[Dealt, ...]
    spare: tuple[Task, ...]

    def apply(self, state: State | None) -> State:
        """The first state."""
        return State(
            agenda=(),
            waiting=(),
            answers=(),
            numbers=(0,) * len(self.dealt),
            edition=self.edition,
            stay=self.stay,
            players=tuple(Player(dealt.deck, dealt.tasks) for dealt in self.dealt),
            first=self.first,
            cards=self.cards,
            buildings=self.buildings,
            spare=self.spare,
            city=(0,) * len(city(self.edition.city.drawing).fields),
        )

    def show(self, viewer: int) -> GameBegan:
        """Each sees the tasks dealt to him."""
        tasks = self.dealt[viewer - 1].tasks if viewer else ()
        return GameBegan(self.first, self.cards, self.buildings, viewer, tasks)


Event = (
    Begun | TasksKept | RoundBegan | Drawn | StacksMade | StepBegan | Flipped | Passed | Waited | Ranked | FigureMoved
    | ChairTaken | GoodsTaken | MemberPlaced | Declined | GoodsSold | CardPutBack | FlippedLeft | StacksLapsed
    | ChapelBuilt | BuildingBuilt | PrivilegesGranted | Scored | PrivilegesScored | TasksScored
    | Answered[Command] | Asked[AgendaItem]
)  # fmt: skip
