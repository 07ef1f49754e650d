"""The games among the fields of `GameCommand`, `GameEvent` and `GameView`: each is compiled when this is imported."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from enum import Enum
from typing import Any, NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from domain.engine import Decision
from domain.games import GAMES
from domain.options import NOBODY, PickNumber, PickOne, seat_key
from domain.values import Value, fields, members
from kontor.v1 import Answer, GameCommand, GameEvent, GameView

from .reading import BadRequest, Read, forms, quoted, read_answer, reader
from .shapes import Mismatch, shape
from .writing import Write, writer


class Roots(NamedTuple):
    """The compiled roots of a game."""

    field: str
    commands: dict[str, type[Value]]
    read_command: Read
    write_command: Write
    write_event: Write
    write_view: Write


def compile_game(game: Any) -> Roots:
    """Walk all types of a game beside its messages; `Mismatch` where they do not agree."""
    name, commands = game.meta.id, members(game.Command)
    command, event, view = (_field(message.DESCRIPTOR, name) for message in (GameCommand, GameEvent, GameView))
    for cls in commands.values():
        forms(cls)
    return Roots(
        field=name,
        commands=commands,
        read_command=reader(game.Command, command),
        write_command=writer(game.Command, command),
        write_event=writer(game.Shown, event),
        write_view=writer(game.View, view),
    )


def _field(message: Descriptor, game: str) -> Descriptor:
    field: FieldDescriptor | None = message.fields_by_name.get(game)
    if field is None or field.message_type is None:
        raise Mismatch(f"The game {game} has no field in {message.full_name} (proto/kontor/v1/game.proto).")
    return field.message_type


ROOTS = {name: compile_game(game) for name, game in GAMES.items()}


def command_to_message(game: Any, command: Any) -> GameCommand:
    """A command, typed."""
    roots = ROOTS[game.meta.id]
    plain: dict[str, Any] = {roots.field: roots.write_command(command)}
    return GameCommand(**plain)


def event_to_dict(game: Any, shown: Any) -> dict[str, Any]:
    """An event as its viewer saw it, for a `GameEvent`."""
    roots = ROOTS[game.meta.id]
    return {roots.field: roots.write_event(shown)}


def view_to_dict(game: Any, view: Any) -> dict[str, Any]:
    """A game as its viewer sees it, for a `GameView`."""
    roots = ROOTS[game.meta.id]
    return {roots.field: roots.write_view(view)}


def command_from_message(game: Any, message: GameCommand, path: str = "command") -> Any:
    """The command that was written by hand, or `BadRequest`."""
    roots = ROOTS[game.meta.id]
    found = message.WhichOneof("game")
    if found != roots.field:
        why = f"is a command of {found}, but this is a table of {roots.field}" if found else "is missing"
        raise BadRequest(f"{path}.game", why)
    inner: Message = getattr(message, found)
    return roots.read_command(inner, f"{path}.{found}")


def command_from_answer(game: Any, answer: Answer, path: str = "answer") -> Any:
    """The command that was built from an option, or `BadRequest`."""
    return read_answer(ROOTS[game.meta.id].commands, answer, path)


# --- keys ---------------------------------------------------------------------------------------------------------


def known_keys(game: Any, edition: Any) -> frozenset[str]:
    """Everything that this edition of a game has a name for: keep it. What else a decision offers it alone knows."""
    seats = (seat_key(seat) for seat in range(1, game.meta.most_seats + 1))
    components = (component.key for component in game.components(edition))
    held = (shape(field.type) for cls in members(game.Command).values() for field in fields(cls))
    enums = (member.value for each in held if each.kind == "enum" for member in each.type)
    return frozenset((*seats, NOBODY, *components, *enums))


def check_keys(command: Any, known: AbstractSet[str], decision: Decision | None, path: str) -> None:
    """`BadRequest` for a key that names nothing in this game: a slip of the client, not a move against the rules."""
    for name in command.__struct_fields__:
        for key in _keys(getattr(command, name)):
            if key not in known and key not in _offered(decision):
                raise BadRequest(path, f"{quoted(key)}, in {name}, is no key of this game")


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value.value if isinstance(value, Enum) else value
    elif isinstance(value, tuple):
        for part in value:
            yield from _keys(part)
    elif isinstance(value, Value):
        for name in value.__struct_fields__:
            yield from _keys(getattr(value, name))


def _offered(decision: Decision | None) -> Iterator[str]:
    for option in decision.options if decision else ():
        yield from (given.key for given in option.given)
        for slot in option.slots:
            if isinstance(slot, PickOne):
                yield from slot.keys
            elif not isinstance(slot, PickNumber):
                yield from (item.key for item in slot.items)
