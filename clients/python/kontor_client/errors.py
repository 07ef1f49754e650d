"""What a call can end with instead of an answer.

KontorError
├── Malformed          INVALID_ARGUMENT      the request itself is wrong, at `path`
├── Unauthenticated    UNAUTHENTICATED       no token, or none that is worth anything
├── NotFound           NOT_FOUND             no such table, or not one this token belongs to
├── Forbidden          PERMISSION_DENIED     the right table, but not this caller's to do
├── Refused            FAILED_PRECONDITION   refused by a rule (`rule`), or by the state of the table
│   └── DecisionGone                         the decision that was answered is no longer open
├── AlreadyUsed        ALREADY_EXISTS        a request id that came before with another body
├── TooMuch            RESOURCE_EXHAUSTED    later, after `retry` seconds
├── Unavailable        UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED    later; nothing can be said about the table
│   └── OutcomeUnknown                       written or not, nobody can tell; the same request id tells
└── Unexpected         anything else         a fault of the server, or a server of another kind

Each has the server's sentence as its text, a stable `reason`, the `rule` that refused, the `facts` of the matter and,
where trying again makes sense, `retry` in seconds.
"""

from __future__ import annotations

from collections.abc import Mapping

import grpc
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from grpc_status import rpc_status  # type: ignore[import-untyped]


class KontorError(Exception):
    """A call that was not answered."""

    def __init__(
        self,
        sentence: str,
        status: str = "",
        reason: str = "",
        facts: Mapping[str, str] | None = None,
        retry: float | None = None,
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
        self.reason = reason
        self.facts = dict(facts or {})
        self.rule = self.facts.pop("rule", "")
        self.retry = retry

    @property
    def temporary(self) -> bool:
        """Whether the same call may succeed a little later."""
        return False


class Malformed(KontorError):
    """The request itself is wrong."""

    @property
    def path(self) -> str:
        """Where in the request."""
        return self.facts.get("path", "")


class Unauthenticated(KontorError):
    """No token, or none that is worth anything."""


class NotFound(KontorError):
    """No such table, or not one this token belongs to."""


class Forbidden(KontorError):
    """The right table, but not this caller's to do."""


class Refused(KontorError):
    """Refused by a rule of the game, or by the state of the table."""


class DecisionGone(Refused):
    """The decision that was answered is no longer open: look at the newest view."""


class AlreadyUsed(KontorError):
    """A request id that came before with another body."""


class TooMuch(KontorError):
    """More than this caller may ask for now."""

    @property
    def temporary(self) -> bool:
        """A rate passes; a message that is too large stays too large."""
        return self.retry is not None


class Unavailable(KontorError):
    """The server can't be reached, or can't serve now."""

    @property
    def temporary(self) -> bool:
        """Every call carries its id or only reads, so it may be sent again."""
        return True


class OutcomeUnknown(Unavailable):
    """Nobody can tell whether it was written; the same request id tells."""


class Unexpected(KontorError):
    """A fault of the server, or a server of another kind."""


KINDS: dict[str, type[KontorError]] = {
    "INVALID_ARGUMENT": Malformed,
    "UNAUTHENTICATED": Unauthenticated,
    "NOT_FOUND": NotFound,
    "PERMISSION_DENIED": Forbidden,
    "FAILED_PRECONDITION": Refused,
    "ALREADY_EXISTS": AlreadyUsed,
    "RESOURCE_EXHAUSTED": TooMuch,
    "UNAVAILABLE": Unavailable,
    "DEADLINE_EXCEEDED": Unavailable,
    "CANCELLED": Unavailable,
}
CUT = ("INTERNAL", "UNKNOWN")
REASONS: dict[str, type[KontorError]] = {"DECISION_GONE": DecisionGone, "OUTCOME_UNKNOWN": OutcomeUnknown}


def from_rpc(error: grpc.aio.AioRpcError) -> KontorError:
    """The typed error of a failed call."""
    status = error.code().name
    info, retry, path = _details(error)
    facts = dict(info.metadata)
    if path:
        facts.setdefault("path", path)
    kind = REASONS.get(info.reason) or KINDS.get(status, Unexpected)
    if status in CUT and not info.reason:
        kind = Unavailable  # our server tells a reason: this is the word of a proxy whose upstream broke off
    return kind(error.details() or status, status, info.reason, facts, retry)


def _details(error: grpc.aio.AioRpcError) -> tuple[ErrorInfo, float | None, str]:
    """What the server sent beside the sentence; nothing where the connection itself failed."""
    info, retry, bad = ErrorInfo(), RetryInfo(), BadRequest()
    delay, path = None, ""
    for detail in (_status(error) or Status()).details:
        if detail.Unpack(info):
            continue
        if detail.Unpack(retry):
            delay = retry.retry_delay.ToTimedelta().total_seconds()
        elif detail.Unpack(bad) and bad.field_violations:
            path = bad.field_violations[0].field
    return info, delay, path


def _status(error: grpc.aio.AioRpcError) -> Status | None:
    try:
        found: Status | None = rpc_status.from_call(error)
    except ValueError:  # the status and its details disagree: a proxy has been at it
        return None
    return found
