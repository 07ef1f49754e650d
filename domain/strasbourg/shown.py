"""Events as somebody sees them who may not see all of them."""

from __future__ import annotations

from typing import Annotated

from domain.values import Seat, Value, reveals

from .components import Building, Influence, RoundCard, Stack, Task


class GameBegan(Value):
    """The table is set up; the viewer sees the tasks dealt to him."""

    first: Annotated[Seat, reveals("STR-104")]
    cards: Annotated[tuple[RoundCard, ...], reveals("STR-102")]
    buildings: Annotated[tuple[Building, ...], reveals("STR-102")]
    viewer: Seat
    tasks: Annotated[tuple[Task, ...], reveals("STR-105", to="viewer")]


class TasksChosen(Value):
    """Somebody keeps some of his tasks; to himself, which. How many, nobody else learns (STR-105)."""

    seat: Seat
    tasks: tuple[Task, ...]


class CardDrawn(Value):
    """Somebody draws the top card of his deck; to himself, which (STR-204)."""

    seat: Seat
    card: Annotated[Influence | None, reveals("STR-201", to="seat")]


class StacksLaid(Value):
    """Somebody's stacks lie before him: to all how large they are, to himself what is in them (STR-204)."""

    seat: Seat
    sizes: Annotated[tuple[int, ...], reveals("STR-204")]
    stacks: tuple[Stack, ...]
