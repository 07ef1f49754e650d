"""What is seen (chapter 7): built up from nothing, for a seat or a spectator.

Cards put back under a deck were seen when they were put there (STR-314); the view does not tell of them, since deck
orders are seen by nobody (STR-701).
"""

from __future__ import annotations

from domain.course import HasAnswered, NowAsked
from domain.engine import Points
from domain.values import Seat, Value

from .city import Field
from .commands import Command
from .components import CHAIRS, Building, Built, Influence, RoundCard, Stack, Task
from .contest import Deciding
from .events import (
    SOURCES,
    BuildingBuilt,
    CardPutBack,
    ChairTaken,
    ChapelBuilt,
    Declined,
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
    StepBegan,
    TasksScored,
    Waited,
)  # fmt: skip
from .shown import CardDrawn, GameBegan, StacksLaid, TasksChosen
from .state import Player, State

Shown = (
    GameBegan | TasksChosen | RoundBegan | CardDrawn | StacksLaid | StepBegan | Flipped | Passed | Waited | Ranked
    | FigureMoved | ChairTaken | GoodsTaken | MemberPlaced | Declined | GoodsSold | CardPutBack | FlippedLeft
    | StacksLapsed | ChapelBuilt | BuildingBuilt | PrivilegesGranted | Scored | PrivilegesScored | TasksScored
    | HasAnswered[Command] | NowAsked
)  # fmt: skip


class PlayerView(Value):
    """A player as all see him (STR-702)."""

    deck: int
    hand: int
    stacks: tuple[int, ...]  # their sizes
    flipped: tuple[Influence, ...]  # in this step
    out: tuple[Influence, ...]  # left the game openly
    unused: int  # cards that left the game unseen
    prestige: int
    by_source: tuple[Points, ...]
    tasks: tuple[Task, ...]  # shown at the end (STR-703)


class Own(Value):
    """What a player alone sees of himself (STR-701)."""

    hand: tuple[Influence, ...]
    stacks: tuple[Stack, ...]
    unused: tuple[Influence, ...]
    money: int
    goods: tuple[str, ...]
    privileges: int
    tasks: tuple[Task, ...]


class ChairView(Value):
    """A place in the council, and whose member sits there."""

    chair: str
    seat: Seat


class MemberView(Value):
    """A field of the city, and whose member stands there."""

    field: Field
    seat: Seat


class View(Value):
    """The table as somebody sees it."""

    seat: Seat
    own: Own | None  # a spectator has nothing
    players: tuple[PlayerView, ...]
    first: Seat
    round: int
    step: str
    guild: str
    order: tuple[Seat, ...]  # who has not decided yet in this step, in their order
    cards: tuple[RoundCard, ...]
    buildings: tuple[Building, ...]
    council: tuple[ChairView, ...]
    members: tuple[MemberView, ...]
    chapels: tuple[str, ...]
    built: tuple[Built, ...]


def view(state: State, viewer: int) -> View:
    """The board for all, the own screen for its owner."""
    over = not state.agenda
    front = state.agenda[0] if state.agenda else None
    fields = zip(state.plan.fields, state.city, strict=True)
    return View(
        seat=viewer,
        own=_own(state, state.player(viewer)) if viewer else None,
        players=tuple(_seen(player, over=over) for player in state.players),
        first=state.first,
        round=state.round,
        step=state.step,
        guild=state.guild,
        order=front.order if isinstance(front, Deciding) else (),
        cards=state.cards,
        buildings=state.buildings,
        council=tuple(ChairView(chair, seat) for chair, seat in zip(CHAIRS, state.council, strict=True)),
        members=tuple(MemberView(field, seat) for field, seat in fields if seat),
        chapels=state.chapels,
        built=state.built,
    )


def _seen(player: Player, *, over: bool) -> PlayerView:
    return PlayerView(
        deck=len(player.deck),
        hand=len(player.hand),
        stacks=tuple(len(stack.cards) for stack in player.stacks),
        flipped=player.flipped.cards if player.flipped else (),
        out=player.out,
        unused=len(player.unused),
        prestige=player.prestige,
        by_source=tuple(Points(source, points) for source, points in zip(SOURCES, player.scored, strict=True)),
        tasks=player.tasks if over else (),
    )


def _own(state: State, player: Player) -> Own:
    goods = zip(state.edition.guilds, player.goods, strict=True)
    return Own(
        hand=player.hand,
        stacks=player.stacks,
        unused=player.unused,
        money=player.money,
        goods=tuple(row.goods for row, number in goods for _ in range(number)),
        privileges=player.privileges,
        tasks=player.tasks,
    )
