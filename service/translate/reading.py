"""Messages and answers become commands, or a `BadRequest` that names the place.

Protobuf's own leniency is not ours: a missing number is no 0, a text is no list of letters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from domain.options import Group
from domain.values import fields
from kontor.v1 import Answer, Field

from .shapes import Mismatch, Shape, choices, plain_class, shape, shapes

Read = Callable[[Any, str], Any]


class BadRequest(ValueError):
    """A request that nobody could have meant: the path of the field, and what is wrong with it."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


def quoted(text: str) -> str:
    """Somebody's own word in a sentence, cut short."""
    return repr(text if len(text) <= 40 else f"{text[:40]}...")


# --- from a message -----------------------------------------------------------------------------------------------


@cache
def reader(cls: Any, message: Descriptor) -> Read:
    """The function that makes a value of a class, or of a union of classes, from the message at a path."""
    return _union(cls, message) if shape(cls).kind == "union" else _value(cls, message)


def _union(union: Any, message: Descriptor) -> Read:
    readers = {name: reader(cls, inner) for name, (cls, inner) in choices(union, message).items()}
    oneof = message.oneofs[0].name

    def read(held: Message, path: str) -> Any:
        name = held.WhichOneof(oneof)
        if name is None:
            raise BadRequest(f"{path}.{oneof}", f"is missing: one of {', '.join(readers)}")
        return readers[name](getattr(held, name), f"{path}.{name}")

    return read


def _value(cls: Any, message: Descriptor) -> Read:
    make, parts = plain_class(cls), {}
    for name, held in shapes(cls, message).items():
        field = message.fields_by_name[name]
        if not held.many and not field.has_presence:
            raise Mismatch(f"{field.full_name} must be optional: in a command a missing value is told from a 0.")
        parts[name] = (held, _part(held, field.message_type))

    def read(held: Message, path: str) -> Any:
        return make(**{name: _field(held, name, f"{path}.{name}", *part) for name, part in parts.items()})

    return read


def _field(message: Message, name: str, path: str, held: Shape, part: Read) -> Any:
    value: Any = getattr(message, name)
    if held.many:
        return tuple([part(each, f"{path}[{place}]") for place, each in enumerate(value)])
    if not message.HasField(name):
        if held.optional:
            return None
        raise BadRequest(path, "is missing")
    return part(value, path)


def _part(held: Shape, message: Descriptor | None) -> Read:
    if held.kind == "component":
        raise Mismatch(f"A command names {held.type.__name__} by its key: it holds a str, not the component.")
    if held.kind == "enum":
        return _enum(held.type)
    return _same if message is None else reader(held.type, message)


def _same(value: Any, _: str) -> Any:
    return value


def _enum(cls: Any) -> Read:
    known = {member.value: member for member in cls}

    def read(value: str, path: str) -> Any:
        if value not in known:
            raise BadRequest(path, f"{quoted(value)} is none of {', '.join(known)}")
        return known[value]

    return read


# --- from an answer -----------------------------------------------------------------------------------------------

FORMS = {"key": "a key", "number": "a number", "keys": "a list of keys", "groups": "groups of keys", None: "nothing"}


def read_answer(commands: Mapping[str, Any], answer: Answer, path: str) -> Any:
    """The command that an answer names, its fields checked by the command's own types."""
    if answer.command not in commands:
        known = ", ".join(commands)
        raise BadRequest(f"{path}.command", f"{quoted(answer.command)} is no command of this game; it has {known}")
    cls = commands[answer.command]
    wanted, filled = forms(cls), dict[str, Any]()
    for place, field in enumerate(answer.fields):
        at = f"{path}.fields[{place}]"
        if field.name not in wanted:
            known = ", ".join(wanted) or "none"
            raise BadRequest(f"{at}.name", f"{quoted(field.name)} is no field of {answer.command}; it has {known}")
        if field.name in filled:
            raise BadRequest(f"{at}.name", f"{field.name} is filled twice")
        filled[field.name] = _filled(field, *wanted[field.name], at)
    missing = [name for name in wanted if name not in filled]
    if missing:
        raise BadRequest(f"{path}.fields", f"{missing[0]} is missing")
    return plain_class(cls)(**filled)


def _filled(field: Field, form: str, one: Read, at: str) -> Any:
    found = field.WhichOneof("value")
    if found != form:
        raise BadRequest(f"{at}.value", f"{field.name} takes {FORMS[form]}, not {FORMS[found]}")
    if form == "keys":
        return tuple([one(key, f"{at}.keys.keys[{place}]") for place, key in enumerate(field.keys.keys)])
    if form == "groups":
        return tuple([Group(tuple(group.keys)) for group in field.groups.groups])
    return one(getattr(field, form), f"{at}.{form}")


@cache
def forms(cls: Any) -> dict[str, tuple[str, Read]]:
    """The fields of a command: in which form an answer fills each, and how one of its values is read."""
    return {field.name: _form(f"{plain_class(cls).__name__}.{field.name}", shape(field.type)) for field in fields(cls)}


def _form(place: str, held: Shape) -> tuple[str, Read]:
    if held.optional:
        raise Mismatch(f"{place} may be None, which no option offers: let a key say so, as `nobody` does.")
    if held.kind in {"str", "enum"}:
        return "keys" if held.many else "key", _part(held, None)
    if held.kind == "int" and not held.many:
        return "number", _same
    if held.many and held.type is Group:
        return "groups", _same
    raise Mismatch(f"{place} is of a type that no slot of an option fills: a key, a number, keys or groups of keys.")
