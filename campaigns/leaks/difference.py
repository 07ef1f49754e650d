"""What differs between two answers: the first field of it, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from grpc_status import rpc_status  # type: ignore[import-untyped]

from campaigns.leaks.wire import Answer
from service.grpc_edge.wire import services

ANSWERS = {
    f"/{service.full_name}/{method.name}": GetMessageClass(method.output_type)
    for service in services()
    for method in service.methods
}

DETAILS = (BadRequest, ErrorInfo, RetryInfo)


class Difference(AssertionError):
    """Somebody can tell the worlds apart."""


def first_difference(method: str, one: Answer, other: Answer) -> str:
    """Where two answers to a call first differ."""
    return next(_differences(method, one, other), "they are equal")


def _differences(method: str, one: Answer, other: Answer) -> Iterator[str]:
    for name in ("code", "details"):
        if getattr(one, name) != getattr(other, name):
            yield f"{name}: {getattr(one, name)!r} / {getattr(other, name)!r}"
    if one.message != other.message:
        first, second = (ANSWERS[method].FromString(each.message) for each in (one, other))
        yield from _fields("", first, second)
        yield f"the same message, otherwise written: {len(one.message)} / {len(other.message)} bytes"
    for name in ("initial", "trailing"):
        for pair in zip(getattr(one, name), getattr(other, name), strict=False):
            if pair[0] != pair[1]:
                yield from _statuses(pair)
                yield f"{name} metadata: {pair[0]!r} / {pair[1]!r}"
        if getattr(one, name) != getattr(other, name):
            yield f"{name} metadata: {getattr(one, name)!r} / {getattr(other, name)!r}"


def _statuses(pair: tuple[Any, Any]) -> Iterator[str]:
    if all(name == rpc_status.GRPC_DETAILS_METADATA_KEY for name, _ in pair):
        yield from _fields("status", *(Status.FromString(value) for _, value in pair))


def _fields(path: str, one: Message, other: Message) -> Iterator[str]:
    """The fields in which two messages differ, innermost first."""
    for field in one.DESCRIPTOR.fields:
        here = f"{path}.{field.name}".lstrip(".")
        held = [getattr(message, field.name) for message in (one, other)]
        if held[0] == held[1] and (not field.has_presence or one.HasField(field.name) == other.HasField(field.name)):
            continue
        if here.endswith(".details"):
            held = [[_unpacked(detail) for detail in each] for each in held]
        if field.is_repeated and len(held[0]) == len(held[1]) and not hasattr(held[0], "keys"):
            for place, (first, second) in enumerate(zip(*held, strict=True)):
                if first != second and isinstance(first, Message):
                    yield from _fields(f"{here}[{place}]", first, second)
                elif first != second:
                    yield f"{here}[{place}]: {first!r} / {second!r}"
        elif isinstance(held[0], Message) and one.HasField(field.name) == other.HasField(field.name):
            yield from _fields(here, held[0], held[1])
        yield f"{here}: {_short(held[0])} / {_short(held[1])}"


def _unpacked(detail: Any) -> Any:
    """A detail of a status as what it is."""
    return next((kind.FromString(detail.value) for kind in DETAILS if detail.Is(kind.DESCRIPTOR)), detail)


def _short(held: Any) -> str:
    return " ".join(str(held).split())[:300]
