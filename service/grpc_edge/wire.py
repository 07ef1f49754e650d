"""Between bytes and messages, and between the services of the protos and the rows of the handlers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import structlog
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from kontor.v1 import play_service_pb2, table_service_pb2
from service import errors
from service.handlers import Row

LARGEST = 64 * 1024  # bytes of a request, and of an answer
REFUSED_UNREAD = 4 * LARGEST  # what is larger than this gRPC itself refuses, without details
CREATES = "kontor.v1.TableService/CreateTable"

log = structlog.get_logger()


class RowsAndRpcsDiffer(Exception):
    """The table of who may call what is not about the calls there are."""


class Unreadable(NamedTuple):
    """A request that is none; it takes the place of the message, since an error would be answered UNKNOWN."""

    reason: str
    sentence: str

    def refusal(self) -> errors.Malformed:
        """What its sender is told."""
        return errors.Malformed("", self.sentence, self.reason)


def read(kind: type[Message], data: bytes) -> Message | Unreadable:
    """The message of a kind that these bytes hold."""
    if len(data) > LARGEST:
        return Unreadable("REQUEST_TOO_LARGE", f"A request has at most {LARGEST} bytes.")
    try:
        return kind.FromString(data)
    except DecodeError:
        return Unreadable("UNDECODABLE", f"These bytes are no {kind.DESCRIPTOR.full_name}.")


@dataclass(frozen=True, slots=True)
class Rpc:
    """One call of the API."""

    name: str  # kontor.v1.TableService/CreateTable
    row: Row
    request: type[Message]
    changes: bool  # it has a request id, so it may be repeated, and be written though nobody was told
    creates: bool
    paged: bool

    def read(self, data: bytes) -> Message | Unreadable:
        """The request that these bytes hold."""
        return read(self.request, data)


def services() -> tuple[ServiceDescriptor, ...]:
    """The services there are."""
    protos = (table_service_pb2.DESCRIPTOR, play_service_pb2.DESCRIPTOR)
    return tuple(service for proto in protos for service in proto.services_by_name.values())


def rpcs(rows: Mapping[str, Row]) -> Iterator[tuple[ServiceDescriptor, dict[str, Rpc]]]:
    """Every service with its calls, each with its row; all of them, and none that is not there."""
    methods = {f"{service.full_name}/{method.name}": method for service in services() for method in service.methods}
    problems = [f"{name} has no row" for name in methods if name not in rows]
    problems += [f"there is no call {name}" for name in rows if name not in methods]
    problems += [
        f"{name} streams in one of the two only"
        for name, method in methods.items()
        if name in rows and (rows[name].streams != method.server_streaming or method.client_streaming)
    ]
    if problems:
        raise RowsAndRpcsDiffer("; ".join(problems))
    for service in services():
        names = {method.name: f"{service.full_name}/{method.name}" for method in service.methods}
        yield service, {method: _rpc(name, rows[name], methods[name]) for method, name in names.items()}


def _rpc(name: str, row: Row, method: MethodDescriptor) -> Rpc:
    request = method.input_type
    return Rpc(
        name=name,
        row=row,
        request=GetMessageClass(request),
        changes="request_id" in request.fields_by_name,
        creates=name == CREATES,
        paged="page_size" in request.fields_by_name,
    )


def packed(rpc: Rpc, answer: Any, about: Callable[[Any], None]) -> bytes:
    """The bytes of an answer; a handler may also give bytes, to share one encoding."""
    if isinstance(answer, bytes):
        data = answer
    else:
        about(answer)
        data = answer.SerializeToString()
    if len(data) > LARGEST:
        if rpc.paged:
            raise errors.Malformed("page_size", f"the answer would have more than {LARGEST} bytes: ask for fewer")
        log.warning("answer too large", method=rpc.name, bytes=len(data))
    return data
