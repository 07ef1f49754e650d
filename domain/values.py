"""The immutable values everything is made of, and their bytes.

Commands, events, views, options and states are `Value`s: frozen, compared by type and content, and brought back
equal by msgpack (the log) and JSON (positions, saved games). Fields hold int, str, bool, an Enum, a Value, a union of
Values, `X | None` of these, and `tuple[X, ...]` of these; nothing else, so that bytes and messages stay exact.
"""

from __future__ import annotations

import types
import typing
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, dataclass_transform

import msgspec

if TYPE_CHECKING:
    from dataclasses import replace  # mypy then checks names and types of a change
else:
    from msgspec.structs import replace

__all__ = [
    "Component", "Fact", "Field", "Malformed", "Seat", "Value", "convert", "facts", "fields", "from_bytes", "from_json",
    "members", "replace", "reveals", "secret", "to_bytes", "to_json", "to_plain",
]  # fmt: skip

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Value(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """A thing that never changes; it carries its class name in its bytes, so renaming a class changes them."""


class Component(Value, array_like=True, frozen=True):
    """A card, tile or field as printed. Its first field is `key`: what it is, never which copy."""


class Fact(Value):
    """One named argument of a sentence, for people and for machines."""

    name: str
    value: str


class Marked(typing.NamedTuple):
    """What `secret` and `reveals` leave on a field."""

    kind: str
    rule: str
    to: str = ""


def secret(rule: str) -> Marked:
    """Mark a command's field that stays hidden from the other seats, by this rule."""
    return Marked("secret", rule)


def reveals(rule: str, to: str = "all") -> Marked:
    """Mark a shown event's field that tells something new, by this rule: to "all", or to the seat in field `to`."""
    return Marked("reveals", rule, to)


SEAT = Marked("seat", "")
Seat = Annotated[int, SEAT]
"""A player's place at the table, counted from 1; 0 is nobody."""


class Field(typing.NamedTuple):
    """A field of a Value as declared: its type without marks, and its marks."""

    name: str
    type: Any
    secret: str = ""  # the rule that hides it
    reveals: str = ""  # the rule that tells it
    to: str = ""  # whom it is told
    seat: bool = False


@cache
def fields(cls: Any) -> tuple[Field, ...]:
    """The fields of a Value's class (or of a parametrised one, `Asked[Item]`), in order, with their marks."""
    origin = typing.get_origin(cls) or cls
    bound = dict(zip(getattr(origin, "__parameters__", ()), typing.get_args(cls), strict=False))
    for base in getattr(origin, "__orig_bases__", ()):
        bound |= dict(zip(getattr(typing.get_origin(base), "__parameters__", ()), typing.get_args(base), strict=False))
    hints = typing.get_type_hints(origin, include_extras=True)
    return tuple(_field(name, _substitute(hints[name], bound)) for name in origin.__struct_fields__)


def _field(name: str, hint: Any) -> Field:
    marks = [m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Marked)]
    plain = hint.__origin__ if typing.get_origin(hint) is Annotated else hint
    hiding = next((m.rule for m in marks if m.kind == "secret"), "")
    told = next((m for m in marks if m.kind == "reveals"), Marked("", ""))
    inner = typing.get_args(plain)[0] if typing.get_origin(plain) is tuple else plain
    seat = SEAT in marks or SEAT in getattr(inner, "__metadata__", ())
    return Field(name, plain, hiding, told.rule, told.to, seat)


def _substitute(hint: Any, bound: dict[Any, Any]) -> Any:
    """Put what a generic class was parametrised with in the place of its type variables."""
    if isinstance(hint, TypeVar):
        return bound.get(hint, hint)
    args = typing.get_args(hint)
    if not args or not bound:
        return hint
    filled = tuple(_substitute(arg, bound) for arg in args)
    if isinstance(hint, types.UnionType):
        return typing.Union[filled]  # noqa: UP007 - built from a tuple at run time
    if typing.get_origin(hint) is Annotated:
        return Annotated[(filled[0], *hint.__metadata__)]
    return typing.get_origin(hint)[filled] if filled != args else hint


@cache
def members(union: Any) -> dict[str, type[Value]]:
    """The classes of a union of Values by their names; of a single class, that one."""
    parts = typing.get_args(union) if typing.get_origin(union) in (typing.Union, types.UnionType) else (union,)
    return {(typing.get_origin(part) or part).__name__: part for part in parts}


def facts(**named: object) -> tuple[Fact, ...]:
    """Arguments of a sentence, written as keywords."""
    return tuple(Fact(name, str(value)) for name, value in named.items())


class Malformed(ValueError):
    """Bytes or data that are not a value of the wanted type; the text names the place."""


_encode_bytes = msgspec.msgpack.Encoder(order="deterministic").encode
_encode_json = msgspec.json.Encoder(order="deterministic").encode


@cache
def _decoder(module: Any, wanted: Any) -> Any:
    return module.Decoder(wanted).decode


def to_bytes(value: Value) -> bytes:
    """The value as msgpack."""
    return _encode_bytes(value)


def from_bytes(wanted: Any, data: bytes) -> Any:
    """The value that `to_bytes` wrote."""
    return _read(msgspec.msgpack, wanted, data)


def to_json(value: object) -> str:
    """The one canonical JSON form: fields in the order of their declaration, no white space."""
    return _encode_json(value).decode()


def from_json(wanted: Any, text: str) -> Any:
    """The value that `to_json` wrote."""
    return _read(msgspec.json, wanted, text)


def _read(module: Any, wanted: Any, data: Any) -> Any:
    try:
        return _decoder(module, wanted)(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Malformed(str(error)) from None


def to_plain(value: object) -> Any:
    """Dicts, lists, strings and numbers of the same content."""
    return msgspec.to_builtins(value)


def convert(data: object, wanted: type[T]) -> T:
    """Plain data, an edition file's say, checked against a type; the error names the cell."""
    try:
        return msgspec.convert(data, wanted)
    except msgspec.ValidationError as error:
        raise Malformed(str(error)) from None
