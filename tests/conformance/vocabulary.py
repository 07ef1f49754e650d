"""The types of a game: only such as have exact bytes and an exact message."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any

from domain.engine import Decision, Game, Meta, Result
from domain.values import Value, fields, members
from tests.conformance.claims import demand

ROOTS = ("Command", "Event", "State", "View", "Shown", "Edition")
KEY = re.compile(r"[a-z0-9-]{1,40}")
NAME = re.compile(r"[A-Z][A-Za-z0-9]*")


def speaks(game: Game) -> list[str]:
    """Every type that is reachable from the game's unions uses the vocabulary alone; gives their names."""
    seen: dict[Any, None] = {}
    for root in (*(getattr(game, name) for name in ROOTS), Decision, Meta, Result):
        for part in members(root).values():
            visit(part, str(part), seen)
    found = [getattr(cls, "__name__", str(cls)) for cls in seen]
    for root in ROOTS:
        names = members(getattr(game, root))
        demand(all(NAME.fullmatch(name) for name in names), f"the names of {root} are plain", names)
    return found


def visit(cls: Any, place: str, seen: dict[Any, None]) -> None:
    """Look at a Value's class and at all that its fields can hold."""
    if cls in seen:
        return
    seen[cls] = None
    plain = typing.get_origin(cls) or cls
    demand(isinstance(plain, type) and issubclass(plain, Value), f"{place}: a Value", cls)
    config = plain.__struct_config__
    demand(config.frozen and config.forbid_unknown_fields, f"{place}: frozen, and no unknown fields", cls)
    demand(config.tag == plain.__name__, f"{place}: tagged by its own name", config.tag)
    for field in fields(cls):
        for inner in _field(field.type, f"{place}.{field.name}"):
            visit(inner, f"{place}.{field.name}", seen)


def _field(hint: Any, place: str) -> Iterator[Any]:
    """The Values that a field may hold: one of them, or a tuple of them."""
    if typing.get_origin(hint) is tuple:
        args = typing.get_args(hint)
        demand(len(args) == 2 and args[1] is Ellipsis, f"{place}: a tuple of any length", hint)
        hint = args[0]
        demand(typing.get_origin(_bare(hint)) is not tuple, f"{place}: no tuple in a tuple", hint)
    yield from _one(hint, place)


def _one(hint: Any, place: str) -> Iterator[Any]:
    """The Values that a single thing may be: a scalar has none, a union holds nothing else."""
    hint = _bare(hint)
    if typing.get_origin(hint) not in (typing.Union, types.UnionType):
        if not _scalar(hint):
            yield hint
        return
    parts = [part for part in map(_bare, typing.get_args(hint)) if part is not type(None)]
    demand(all(typing.get_origin(part) is not tuple for part in parts), f"{place}: no optional tuple", hint)
    if len(parts) == 1:
        yield from _one(parts[0], place)
        return
    demand(not any(_scalar(part) for part in parts), f"{place}: no union with a scalar", hint)
    yield from parts


def _bare(hint: Any) -> Any:
    return hint.__origin__ if typing.get_origin(hint) is Annotated else hint


def _scalar(hint: Any) -> bool:
    return hint in (int, str, bool) or (isinstance(hint, type) and issubclass(hint, Enum))


def named_well(game: Game, edition: Any) -> int:
    """Every component has a key of its own that a picture could be called by."""
    keys = [component.key for component in game.components(edition)]  # type: ignore[attr-defined]
    demand(keys and len(set(keys)) == len(keys), "the keys of components are distinct", keys)
    for key in keys:
        demand(KEY.fullmatch(key), "a key is made of a-z, 0-9 and -, at most 40", key)
    return len(keys)


def marks_hold(game: Game) -> int:
    """Every mark names a rule, and the audience of a reveal is all or a field of the same shown event."""
    marked = 0
    for cls in members(game.Shown).values():
        names = {field.name for field in fields(cls)}
        for field in fields(cls):
            if field.reveals:
                demand(field.to == "all" or field.to in names, f"{cls}.{field.name}: whom it is told", field.to)
                marked += 1
    for cls in members(game.Command).values():
        marked += sum(bool(field.secret) for field in fields(cls))
    return marked
