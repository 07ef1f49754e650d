"""Values become messages: by nested dicts and one constructor, in code written once per pair of type and message.

The code of a type reads as one would write it by hand:

    def write(value):
        made = {}
        if held := value.hand: made["hand"] = [part.key for part in held]
        if (held := value.card) is not None: made["card"] = held.key
        return made
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from .shapes import Shape, choices, plain_class, shape, shapes

M = TypeVar("M", bound=Message)
Write = Callable[[Any], dict[str, Any]]


def to_message(value: Any, message: type[M]) -> M:
    """The value as a message of this class."""
    return message(**to_dict(value, message))


def to_dict(value: Any, message: type[Message]) -> dict[str, Any]:
    """What a constructor makes the message from; for a part of a greater one."""
    cls: Any = type(value)
    return writer(cls, message.DESCRIPTOR)(value)


@cache
def writer(cls: Any, message: Descriptor) -> Write:
    """The function that turns values of a class, or of a union of classes, into what the message is made from."""
    return _union(cls, message) if shape(cls).kind == "union" else _value(cls, message)


def _union(union: Any, message: Descriptor) -> Write:
    chosen = choices(union, message).items()
    writers = {plain_class(cls): (name, writer(cls, inner)) for name, (cls, inner) in chosen}

    def write(value: Any) -> dict[str, Any]:
        name, inner = writers[type(value)]
        return {name: inner(value)}

    return write


def _value(cls: Any, message: Descriptor) -> Write:
    names: dict[str, Any] = {}
    lines = ["def write(value):", " made = {}"]
    for name, held in shapes(cls, message).items():
        field = message.fields_by_name[name]
        if not held.scalar:
            names[f"write_{name}"] = writer(held.type, field.message_type)
        lines.append(f" {_line(name, held, field)}")
    lines.append(" return made")
    exec(compile("\n".join(lines), f"<{plain_class(cls).__name__} to {message.full_name}>", "exec"), names)  # noqa: S102 - made of names that `shapes` has checked
    written: Write = names["write"]
    return written


def _line(name: str, held: Shape, field: FieldDescriptor) -> str:
    """One field. What is empty is left out, unless the message tells 0 from nothing."""
    put = f'made["{name}"] ='
    if held.many:
        each = _part(name, held, "part")
        return f"if held := value.{name}: {put} " + ("held" if each == "part" else f"[{each} for part in held]")
    one = _part(name, held, "held")
    if held.optional:
        return f"if (held := value.{name}) is not None: {put} {one}"
    if field.has_presence or held.kind == "component":
        return f"held = value.{name}; {put} {one}"
    return f"if held := value.{name}: {put} {one}"


def _part(name: str, held: Shape, part: str) -> str:
    if held.kind == "component":
        return f"{part}.key"
    return part if held.scalar else f"write_{name}({part})"
