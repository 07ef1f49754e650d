"""Leaks of the service: in everything that leaves it, a part that depends on what is hidden."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any
from unittest.mock import patch

import structlog
from google.protobuf.message import Message

from domain.values import facts, replace, to_json
from kontor.v1 import ShownEvent, Skip, WatchViewResponse
from service import calls, errors, present
from service.grpc_edge.door import Door
from service.handlers import playing
from service.life import Life
from service.metrics import METRICS

Plant = Callable[[ExitStack], None]
"""Plants a leak, until the stack is closed."""

log = structlog.get_logger()


def hidden(life: Any) -> str:
    """Something that depends on all that is hidden."""
    return hashlib.sha256(to_json(life.play).encode()).hexdigest()


def exchange(planted: ExitStack, place: Any, name: str, leaking: Callable[..., Any]) -> None:
    """Call this instead, with the real one before its arguments."""
    planted.enter_context(patch.object(place, name, partial(leaking, getattr(place, name))))


def in_event(planted: ExitStack) -> None:
    """An event that names a card too many."""

    def leaking(real: Any, life: Any, *given: Any) -> Any:
        message = ShownEvent.FromString(real(life, *given))
        if message.HasField("game"):
            _name_one_more(message.game, _key(life))
        return message.SerializeToString()

    exchange(planted, present, "_event", leaking)


def _key(life: Any) -> str:
    keys = [component.key for component in life.game.components(life.edition())]
    return str(keys[int(hidden(life), 16) % len(keys)])


def _name_one_more(message: Message, key: str) -> None:
    """Put a key beside others, in the innermost message."""
    for field, held in message.ListFields():
        if field.type == field.TYPE_MESSAGE and not field.is_repeated:
            _name_one_more(held, key)
        elif field.type == field.TYPE_STRING and field.is_repeated:
            held.append(key)


def in_view(planted: ExitStack) -> None:
    """A view that holds a number made of the state."""

    def leaking(real: Any, life: Any, *given: Any) -> Any:
        message = real(life, *given)
        if life.play is not None:
            message["table"]["edition"] = hidden(life)
        return message

    exchange(planted, present, "_view", leaking)


def in_size(planted: ExitStack) -> None:
    """A view whose length alone tells something."""

    def leaking(real: Any, life: Any, *given: Any) -> Any:
        message = real(life, *given)
        if life.play is not None:
            message["table"]["edition"] = "x" * (int(hidden(life), 16) % 200)
        return message

    exchange(planted, present, "_view", leaking)


def in_change(planted: ExitStack) -> None:
    """A change whose tag is made of the state."""

    def leaking(real: Any, life: Any, *given: Any) -> Any:
        message = real(life, *given)
        if life.play is not None:
            message["moment"]["tag"] = hidden(life)
        return message

    exchange(planted, present, "_change", leaking)


def in_stream(planted: ExitStack) -> None:
    """A stream alone that tells more, by the version it claims to have left out."""

    def leaking(real: Any, update: Any, life: Any, *given: Any) -> Any:
        skip = Skip(version=int(hidden(life)[:6], 16))
        return real(update, life, *given) + WatchViewResponse(skip=skip).SerializeToString()

    exchange(planted, playing, "_told", leaking)


def in_earlier_views(planted: ExitStack) -> None:
    """Only views of earlier versions tell more."""

    def leaking(real: Any, life: Any, version: int) -> Any:
        past = real(life, version)
        if past.play is not None:
            past.play = replace(past.play, round=int(hidden(past)[:6], 16))
        return past

    planted.enter_context(patch.object(Life, "at", _method(leaking, Life.at)))


def in_refusal(planted: ExitStack) -> None:
    """A refusal with a fact too many."""

    def leaking(real: Any, life: Any, refusal: Any) -> Any:
        return real(life, replace(refusal, facts=(*refusal.facts, *facts(cards=hidden(life)))))

    exchange(planted, calls, "refused", leaking)


def in_sentence(planted: ExitStack) -> None:
    """A malformed request is told what the table looks like."""

    def leaking(real: Any, life: Any, *given: Any) -> Any:
        try:
            return real(life, *given)
        except errors.Malformed as error:
            raise errors.Malformed(error.path, f"{error.description} {hidden(life)}") from None

    exchange(planted, playing, "_check_keys", leaking)


def in_trailer(planted: ExitStack) -> None:
    """Metadata after an answer."""

    async def leaking(real: Any, door: Any, rpc: Any, request: Any, context: Any) -> Any:
        if hint := _hint(door, request):
            context.set_trailing_metadata((("kontor-hint", hint),))
        return await real(door, rpc, request, context)

    planted.enter_context(patch.object(Door, "unary", _method(leaking, Door.unary)))


def in_header(planted: ExitStack) -> None:
    """Metadata before the first message of a stream."""

    async def leaking(real: Any, door: Any, rpc: Any, request: Any, context: Any) -> Any:
        if hint := _hint(door, request):
            await context.send_initial_metadata((("kontor-hint", hint),))
        return await real(door, rpc, request, context)

    planted.enter_context(patch.object(Door, "stream", _method(leaking, Door.stream)))


def _method(leaking: Callable[..., Any], real: Callable[..., Any]) -> Callable[..., Any]:
    """As a method of its class: a partial is none."""
    return lambda *given: leaking(real, *given)


def _hint(door: Any, request: Any) -> str:
    life = door._desk.host.cached(getattr(request, "table_id", ""))  # noqa: SLF001 - a leak looks inside
    return hidden(life) if life is not None and life.play is not None else ""


def in_log(planted: ExitStack) -> None:
    """A line for the operator that tells of a hand."""
    exchange(planted, present, "_view", _noting(lambda life: log.debug("shown", table=life.id, cards=hidden(life)[:4])))


def in_metric(planted: ExitStack) -> None:
    """A number that grows with what is hidden."""
    exchange(planted, present, "_view", _noting(lambda life: METRICS.folded.inc(int(hidden(life)[:4], 16))))


def in_label(planted: ExitStack) -> None:
    """A label of a metric that names what is hidden."""
    exchange(planted, present, "_view", _noting(lambda life: METRICS.calls.labels(hidden(life)[:4], "OK").inc()))


def _noting(note: Callable[[Any], None]) -> Callable[..., Any]:
    def leaking(real: Any, life: Any, *given: Any) -> Any:
        if life.play is not None:
            note(life)
        return real(life, *given)

    return leaking


IN_SERVICE: dict[str, Plant] = {
    "in an event": in_event,
    "in a view": in_view,
    "in a size": in_size,
    "in a change": in_change,
    "in a stream": in_stream,
    "in earlier views": in_earlier_views,
    "in a refusal": in_refusal,
    "in a sentence": in_sentence,
    "in a trailer": in_trailer,
    "in a header": in_header,
    "in a log line": in_log,
    "in a metric": in_metric,
    "in a label": in_label,
}
