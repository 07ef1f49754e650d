"""Answers with something wrong in them, or at least something else."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from enum import Enum
from typing import Any

from domain.chance import Stream
from domain.engine import Game
from domain.options import Group, Option, PickNumber, PickOne, PickSome, Slot, Split, seat_key
from domain.values import fields, members, replace
from tests.conformance import subjects

FOREIGN = "not-to-be-found"
WRONG: tuple[Any, ...] = (
    None,
    True,
    "",
    "1",
    1.5,
    -1,
    2**63,
    (),
    ("",),
    (None,),
    ((),),
    [],
    {},
    b"apple",
    Group(()),
    (Group(()),),
    (1,),
)
"""Values of types that no slot takes, or only by chance."""

Mutant = tuple[str, Any]
"""A name for what was done to the answer, and the answer."""


def mutants(game: Game, option: Option, answer: Any, source: Stream) -> Iterator[Mutant]:
    """One answer of an option, changed in every way that its slots can be broken, one at a time."""
    for slot in option.slots:
        for name, value in _values(slot, getattr(answer, slot.field), source):
            yield name, replace(answer, **{slot.field: value})
    for given in option.given:
        yield "another given field", replace(answer, **{given.field: FOREIGN})
    for field in fields(answer.__class__):
        wrong = WRONG[source.below(len(WRONG))]
        yield "a wrong type", replace(answer, **{field.name: wrong})
    yield "another command", anything(game, source)
    yield "no command at all", WRONG[source.below(len(WRONG))]


def _values(slot: Slot, value: Any, source: Stream) -> Iterator[Mutant]:
    match slot:
        case PickNumber():
            yield "a number below", slot.least - 1
            yield "a number above", slot.most + 1
            yield "a number far outside", slot.most + 2**31
        case PickOne():
            yield "a foreign item", FOREIGN
            yield "two for one", value + value
        case PickSome():
            yield from _picks(slot, value, source)
        case Split():
            yield from _groups(value, source)


def _picks(slot: PickSome, value: tuple[str, ...], source: Stream) -> Iterator[Mutant]:
    yield "a foreign item", (*value, FOREIGN)
    stock = [item.key for item in slot.items for _ in range(item.count)]
    left = list(stock)
    for key in value:
        left.remove(key)
    if value:
        place = source.below(len(value))
        yield "an item missing", value[:place] + value[place + 1 :]
        yield "an item exchanged for a foreign one", (*value[1:], FOREIGN)
        key = value[place]
        yield "an item doubled", (*value, *[key] * (1 + left.count(key)))
    yield "one too many", (*value, *left[: max(1, slot.most + 1 - len(value))])
    yield "none", ()
    yield "all", tuple(stock)
    heavy = sorted(slot.items, key=lambda item: -item.weight)
    yield "a sum exceeded", tuple([item.key for item in heavy for _ in range(item.count)][: max(slot.most, 1)])
    for need in slot.needs:
        others = [item.key for item in slot.items if item.kind != need.kind]
        yield "a kind missing", tuple(others[: max(slot.least, min(len(value), slot.most))])
    yield "in another order", value[::-1]


def _groups(value: tuple[Group, ...], source: Stream) -> Iterator[Mutant]:
    yield "a group empty", (*value, Group(()))
    yield "a foreign item", (*value, Group((FOREIGN,)))
    if value:
        place = source.below(len(value))
        group, rest = value[place], value[:place] + value[place + 1 :]
        yield "an item missing", (*rest, Group(group.items[1:])) if len(group.items) > 1 else rest
        yield "an item doubled", (*value, Group(group.items[:1]))
        yield "two groups as one", (*rest[1:], Group((*group.items, *(rest[0].items if rest else ()))))
        yield "in another order", tuple(Group(group.items[::-1]) for group in value[::-1])


def anything(game: Game, source: Stream) -> Any:
    """Any command of the game, filled with things of the right types, asked for or not."""
    commands = list(members(game.Command).values())
    command = commands[source.below(len(commands))]
    keys = _keys(game)
    return command(**{field.name: _filled(field.type, keys, source) for field in fields(command)})


def _keys(game: Game) -> list[str]:
    named = [component.key for component in game.components(subjects.edition(game))]  # type: ignore[attr-defined]
    return [*named, *(seat_key(seat) for seat in range(1, game.meta.most_seats + 1)), "nobody"]


def _filled(hint: Any, keys: list[str], source: Stream) -> object:
    if hint is int:
        return source.below(12)
    if hint is bool:
        return bool(source.below(2))
    if hint is str:
        return keys[source.below(len(keys))]
    if hint is Group:
        return Group((keys[source.below(len(keys))],))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return list(hint)[source.below(len(hint))]
    if typing.get_origin(hint) is tuple:
        inner = typing.get_args(hint)[0]
        return tuple(_filled(inner, keys, source) for _ in range(source.below(4)))
    return None
