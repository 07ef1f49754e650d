"""Errors as statuses: each with exactly one ErrorInfo, and with what helps to mend or to repeat the call."""

from __future__ import annotations

import secrets

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from grpc_status import rpc_status  # type: ignore[import-untyped]

from service import errors
from service.log.port import LogError, OutcomeUnknown
from service.troubles import unknown_outcome

DOMAIN = "kontor"
LONGEST_SENTENCE = 600  # bytes; all of a status must fit into the 8 KiB of headers that clients take
ALL_FACTS = 2048  # bytes
SOON = 1.0  # seconds after which something that can't be done now may be tried again, if nothing better is known


class Fault(errors.CallError):
    """Something nobody has thought of went wrong here; the log tells what, under the same id."""

    status = "INTERNAL"

    def __init__(self) -> None:
        number = secrets.token_hex(6)
        super().__init__("INTERNAL", f"Something went wrong here. The operator finds it under {number}.", id=number)
        self.id = number


class UnknownMethod(errors.CallError):
    """There is no such call."""

    status = "UNIMPLEMENTED"


class TooLate(errors.CallError):
    """The client's own deadline passed."""

    status = "DEADLINE_EXCEEDED"


def meant(error: Exception) -> errors.CallError:
    """What an error means to a caller."""
    if isinstance(error, errors.CallError):
        return error
    if isinstance(error, OutcomeUnknown):
        return unknown_outcome()
    if isinstance(error, LogError):
        return errors.Unavailable("LOG_UNAVAILABLE", "The log can't be used now; try again.", retry=1)
    return Fault()


def status(error: errors.CallError, sentence: str) -> grpc.Status:
    """The status of an error, with its details."""
    code = grpc.StatusCode[error.status]
    details = [Packed() for _ in _details(error)]
    for packed, detail in zip(details, _details(error), strict=True):
        packed.Pack(detail, deterministic=True)  # else the order of facts is another in every process
    answer: grpc.Status = rpc_status.to_status(
        Status(code=code.value[0], message=_clipped(sentence, LONGEST_SENTENCE), details=details)
    )
    return answer


def _details(error: errors.CallError) -> list[Message]:
    metadata = _metadata(error)
    details: list[Message] = [ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=metadata)]
    if isinstance(error, errors.Malformed):
        path, description = _clipped(error.path, LONGEST_SENTENCE), _clipped(error.description, LONGEST_SENTENCE)
        violation = BadRequest.FieldViolation(field=path, description=description, reason=error.reason)
        details.append(BadRequest(field_violations=[violation]))
    if isinstance(error, errors.TooMuch | errors.Unavailable):
        delay = Duration()
        delay.FromMilliseconds(max(1, round((SOON if error.retry is None else error.retry) * 1000)))
        details.append(RetryInfo(retry_delay=delay))
    return details


def _metadata(error: errors.CallError) -> dict[str, str]:
    """The facts, and the rule that refused."""
    known = {fact.name: fact.value for fact in error.facts}
    if isinstance(error, errors.AgainstTheRules) and error.refusal.rule:
        known = {"rule": error.refusal.rule, **known}
    metadata, room = {}, ALL_FACTS
    for name, value in known.items():
        metadata[name] = _clipped(value, max(0, room - len(name)))
        room -= len(name) + len(metadata[name].encode())
    return metadata


def _clipped(text: str, most: int) -> str:
    """A text of at most so many bytes, whatever a client made it of."""
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
