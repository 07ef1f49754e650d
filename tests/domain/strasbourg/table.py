"""Tables in the middle of play, written down in a line or two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain import strasbourg
from domain.chance import SeededChance
from domain.editions import builtin
from domain.strasbourg.components import BY_KEY, CHAIRS, DECK, Built, Influence, Stack, by_size, in_order, tasks
from domain.strasbourg.state import State
from domain.values import facts, replace
from tests.scenario import SEED

EDITION = builtin(strasbourg, "original")
TASKS = {task.key: task for task in tasks(EDITION)}
GOODS = [row.goods for row in EDITION.guilds]


def table(players: int = 4, *, first: int = 1, number: int = 1, step: str = "", stay: bool = False) -> State:
    """A table in some round with nothing on it: everybody has his whole deck and one task, the council is empty."""
    settings = facts(stacks="stay" if stay else "leave")
    state: State = strasbourg.setup(players, settings, EDITION, SeededChance(SEED)).state
    begun = replace(state, agenda=(), waiting=(), answers=(), first=first, round=number, step=step)
    begun = replace(begun, council=(0,) * len(CHAIRS), spare=())
    kept = {task for player in begun.players for task in player.tasks[:1]}
    for seat in begun.seats:
        begun = begun.with_player(seat, tasks=begun.player(seat).tasks[:1])
    return replace(begun, spare=tuple(sorted(set(TASKS.values()) - kept, key=lambda task: task.key)))


def cards(digits: str) -> tuple[Influence, ...]:
    """Influence cards by their values: "532"."""
    return tuple(BY_KEY[f"influence-{digit}"] for digit in digits)


def keys(digits: str) -> tuple[str, ...]:
    """The keys of influence cards, as a command names them."""
    return tuple(card.key for card in cards(digits))


def stack(digits: str) -> Stack:
    """A stack of these cards."""
    return Stack(in_order(cards(digits)))


def having(state: State, seat: int, **things: Any) -> State:
    """The table with this before, or behind the screen of, a player: stacks="23 5", hand="52", deck="", goods="shoe"...

    Of his 24 cards those that are not named are his deck, or have left the game if a deck is named.
    """
    changes: dict[str, Any] = {name: things[name] for name in ("money", "privileges") if name in things}
    left = list(DECK)
    for place in ("hand", "deck", "unused"):
        changes[place] = _taken(left, things.get(place, ""))
    changes["flipped"] = Stack(in_order(_taken(left, things["flipped"]))) if "flipped" in things else None
    changes["stacks"] = by_size(Stack(in_order(_taken(left, part))) for part in things.get("stacks", "").split())
    changes |= {place: in_order(changes[place]) for place in ("hand", "unused")}
    changes["out"] = in_order(left) if "deck" in things else ()
    if "deck" not in things:
        changes["deck"] = tuple(left)
    if "goods" in things:
        changes["goods"] = tuple(things["goods"].split().count(kind) for kind in GOODS)
    state = state.with_player(seat, **changes)
    return holding(state, seat, things["tasks"]) if "tasks" in things else state


def _taken(left: list[Influence], digits: str) -> tuple[Influence, ...]:
    for card in cards(digits):
        left.remove(card)
    return cards(digits)


def holding(state: State, seat: int, names: str) -> State:
    """The table with these tasks kept by a player: nobody else has them."""
    kept = tuple(TASKS[f"task-{name}"] for name in names.split())
    for other in state.seats:
        if other != seat:
            state = state.with_player(other, tasks=tuple(t for t in state.player(other).tasks if t not in kept))
    state = state.with_player(seat, tasks=kept)
    held = {task for player in state.players for task in player.tasks}
    return replace(state, spare=tuple(sorted(set(TASKS.values()) - held, key=lambda task: task.key)))


def board(
    state: State,
    *,
    council: Mapping[str, int] | None = None,
    members: Mapping[int, str] | None = None,
    chapels: str = "",
    built: Mapping[str, str] | None = None,
) -> State:
    """The table with this on it: council={"church": 2}, members={1: "0-0 0-1"}, chapels="1-3", built={"inn": "1-2"}."""
    chairs = tuple((council or {}).get(chair, 0) for chair in CHAIRS)
    owners = list(state.city)
    for seat, places in (members or {}).items():
        for place in places.split():
            owners[state.plan.place[f"field-{place}"]] = seat
    houses = {building.key: building for building in state.buildings}
    return replace(
        state,
        council=chairs if council else state.council,
        city=tuple(owners),
        chapels=tuple(f"chapel-{place}" for place in chapels.split()),
        built=tuple(Built(houses[key], f"site-{place}") for key, place in (built or {}).items()),
    )
