"""The one judge of all answers: what may never come back, whatever was sent."""

from __future__ import annotations

import re
from collections.abc import Iterator

from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]

from campaigns.hostile.shot import METHODS, Answer, Shot
from service.grpc_edge.wire import REFUSED_UNREAD

NEVER = frozenset({"INTERNAL", "UNKNOWN", "DATA_LOSS"})
INSIDE = re.compile(  # words of the program, not of the game
    r"Traceback|File \"|\.py\b|object at 0x|<class|[A-Za-z]+(?:Error|Exception)\b|NoneType|msgspec|cygrpc|asyncio"
)
FITS = 8192  # bytes of trailers that clients take
SLOW = 15.0  # seconds: the service gives up after ten


def faults(shot: Shot, answer: Answer) -> Iterator[str]:
    """All that is wrong with an answer, a sentence each."""
    if answer.seconds > SLOW and not shot.hasty:
        yield f"it took {answer.seconds:.1f} s"
    if answer.code == "OK":
        if "OK" not in shot.allowed:
            yield "it was accepted"
        yield from _readable(shot, answer)
        return
    yield from told_inside(answer)
    if answer.code in NEVER:
        pass  # said already
    elif shot.hasty and answer.code == "DEADLINE_EXCEEDED":
        return
    elif _unread(shot) and answer.code == "RESOURCE_EXHAUSTED" and answer.details is None:
        return  # gRPC's own words
    elif answer.code not in shot.allowed:
        yield f"{answer.code} is none of {', '.join(sorted(shot.allowed))}: {answer.sentence[:300]}"
    yield from _explained(answer)


def told_inside(answer: Answer) -> Iterator[str]:
    """What nobody may be told, however rude he was."""
    if answer.code in NEVER:
        yield f"{answer.code}: {answer.sentence[:300]}"
    if found := INSIDE.search(answer.sentence):
        yield f"its sentence tells of the program: {found[0]!r} in {answer.sentence[:300]!r}"


def _unread(shot: Shot) -> bool:
    """Whether gRPC itself refuses this, before we see it."""
    return shot.unread or len(shot.body) > REFUSED_UNREAD


def _readable(shot: Shot, answer: Answer) -> Iterator[str]:
    method = METHODS.get(shot.method)
    if method is None or not answer.body:
        return
    try:
        GetMessageClass(method.output_type).FromString(answer.body)
    except DecodeError:
        yield "its answer can't be read"


def _explained(answer: Answer) -> Iterator[str]:
    """Exactly one ErrorInfo of ours, the same code and sentence inside as outside, and what the code needs."""
    if answer.details is None:
        yield f"{answer.code} without any details"
        return
    status = Status.FromString(answer.details)
    if status.message != answer.sentence:
        yield "its details say something else than its status"
    if len(answer.details) > FITS:
        yield f"its details have {len(answer.details)} bytes"
    infos: list[ErrorInfo] = [_as(detail, ErrorInfo) for detail in status.details if detail.Is(ErrorInfo.DESCRIPTOR)]
    if len(infos) != 1 or infos[0].domain != "kontor" or not infos[0].reason:
        yield f"it has {len(infos)} ErrorInfos, {[info.domain for info in infos]}"
    for info in infos:
        words = " ".join((info.reason, *info.metadata.values()))
        if found := INSIDE.search(words):
            yield f"its facts tell of the program: {found[0]!r} in {words[:300]!r}"
    needed = {"INVALID_ARGUMENT": BadRequest, "RESOURCE_EXHAUSTED": RetryInfo, "UNAVAILABLE": RetryInfo}
    kind = needed.get(answer.code)
    if kind is not None and sum(detail.Is(kind.DESCRIPTOR) for detail in status.details) != 1:
        yield f"{answer.code} without its {kind.DESCRIPTOR.name}"


def _as(detail: Message, kind: type[Message]) -> Message:
    one = kind()
    detail.Unpack(one)  # type: ignore[attr-defined]
    return one


def differ(one: Answer, other: Answer) -> Iterator[str]:
    """Two answers that must be the same: what is not there, and what is not the caller's."""
    if one[:4] != other[:4]:
        yield f"a table that is not his is told from one that is not there: {one[:4]} and {other[:4]}"


def grown(before: int, after: int, accepted: int) -> Iterator[str]:
    """A table's log may have grown by what was accepted, and by nothing else."""
    if after - before > accepted:
        yield f"its log has grown by {after - before} entries, and {accepted} were accepted"
    if after < before:
        yield f"its log had {before} entries and has {after}"
