"""The types of the domain beside the fields of the messages: what agrees, and a sentence where something does not."""

from __future__ import annotations

import types
import typing
from enum import Enum
from typing import Annotated, Any, NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from domain.values import Component, Value, fields, members


class Mismatch(TypeError):
    """A type and its message that do not agree: which, in which field, and why."""


class Shape(NamedTuple):
    """What a field of a Value holds."""

    kind: str  # int, bool, str, enum, component, value, union
    type: Any  # the class or the union
    many: bool = False
    optional: bool = False

    @property
    def scalar(self) -> bool:
        """Whether it is no message on the wire."""
        return self.kind not in {"value", "union"}


SCALARS = {int: "int", bool: "bool", str: "str"}
WIRE = {
    "int": FieldDescriptor.TYPE_INT32,
    "bool": FieldDescriptor.TYPE_BOOL,
    "str": FieldDescriptor.TYPE_STRING,
    "enum": FieldDescriptor.TYPE_STRING,
    "component": FieldDescriptor.TYPE_STRING,
    "value": FieldDescriptor.TYPE_MESSAGE,
    "union": FieldDescriptor.TYPE_MESSAGE,
}
NAMES = {
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_MESSAGE: "a message",
}


def shape(hint: Any) -> Shape:
    """What a type is on the wire."""
    hint = _bare(hint)
    if typing.get_origin(hint) is tuple:
        return shape(typing.get_args(hint)[0])._replace(many=True)
    if typing.get_origin(hint) in {typing.Union, types.UnionType}:
        parts = [part for part in map(_bare, typing.get_args(hint)) if part is not type(None)]
        optional = len(parts) < len(typing.get_args(hint))
        if len(parts) == 1:
            return shape(parts[0])._replace(optional=optional)
        return Shape("union", typing.Union[tuple(parts)], optional=optional)  # noqa: UP007 - built at run time
    if hint in SCALARS:
        return Shape(SCALARS[hint], hint)
    plain = plain_class(hint)
    for base, kind in ((Enum, "enum"), (Component, "component"), (Value, "value")):
        if isinstance(plain, type) and issubclass(plain, base):
            return Shape(kind, hint)
    raise Mismatch(f"{hint} has no place in a message: a Value holds int, str, bool, Enum, Values and tuples of them.")


def _bare(hint: Any) -> Any:
    return hint.__origin__ if typing.get_origin(hint) is Annotated else hint


def plain_class(cls: Any) -> Any:
    """The class itself, of a parametrised one too."""
    return typing.get_origin(cls) or cls


def shapes(cls: Any, message: Descriptor) -> dict[str, Shape]:
    """The fields of a Value's class, each of which the message has as it should be."""
    name, found = plain_class(cls).__name__, dict(message.fields_by_name)
    if name != message.name:
        raise Mismatch(f"{name} is not {message.full_name}: a Value goes into the message of its own name.")
    shaped = {}
    for field in fields(cls):
        place = f"{name}.{field.name}"
        if field.name not in found:
            raise Mismatch(f"{place} has no field in the message {message.full_name}.")
        try:
            shaped[field.name] = shape(field.type)
        except Mismatch as error:
            raise Mismatch(f"{place}: {error}") from None
        _agree(place, shaped[field.name], found.pop(field.name))
    if found:
        raise Mismatch(f"{message.full_name}.{next(iter(found))} has no field in the type {name}.")
    return shaped


def _agree(place: str, wanted: Shape, field: FieldDescriptor) -> None:
    if field.type != WIRE[wanted.kind]:
        is_now = NAMES.get(field.type, f"of another type ({field.type})")
        raise Mismatch(f"{place} is {NAMES[WIRE[wanted.kind]]} on the wire, but {field.full_name} is {is_now}.")
    if field.is_repeated != wanted.many:
        one, other = ("a tuple", "singular") if wanted.many else ("singular", "repeated")
        raise Mismatch(f"{place} is {one}, but {field.full_name} is {other}.")
    if wanted.optional and not field.has_presence:
        raise Mismatch(f"{place} may be None, but {field.full_name} is not optional.")


Chosen = dict[str, tuple[Any, Descriptor]]


def choices(union: Any, message: Descriptor) -> Chosen:
    """The fields of a message's one oneof, each with the class of the union and the message that it stands for.

    A class is found by the name of the message: the field may be called otherwise, where a language has the word.
    """
    oneofs = [oneof for oneof in message.oneofs if not _synthetic(oneof.fields)]
    if len(oneofs) != 1 or len(oneofs[0].fields) != len(message.fields):
        raise Mismatch(f"{message.full_name} holds a union: it must be one oneof and nothing else.")
    classes, chosen = dict(members(union)), Chosen()
    for field in message.fields:
        cls = classes.pop(field.message_type.name, None) if field.message_type else None
        if cls is None or field.message_type is None:
            raise Mismatch(f"{field.full_name} has no class of its own in the union that {message.full_name} holds.")
        chosen[field.name] = (cls, field.message_type)
    if classes:
        raise Mismatch(f"{next(iter(classes))} has no field in the oneof of {message.full_name}.")
    return chosen


def _synthetic(members_of: Any) -> bool:
    """Whether `optional` made the oneof."""
    return len(members_of) == 1 and members_of[0].has_presence and members_of[0].message_type is None
