"""Playing: commands, views, changes."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, suppress
from functools import lru_cache
from itertools import repeat
from typing import Any

from domain.values import from_json
from kontor.v1 import play_service_pb2 as pb
from service import calls, errors, present, translate
from service.encoding import holder
from service.handlers.desk import Caller, Desk, holds, own_request, own_table, page_size, page_token, seat_of
from service.life import Life
from service.watch import Update

PLACE = re.compile(r"[0-9]{1,9}")
# What answers are put together from.
_ANSWER_CHANGE, _ANSWER_VIEW = (holder(pb.SubmitCommandResponse, name) for name in ("change", "view"))
_LOOKED_VIEW = holder(pb.GetViewResponse, "view")
_WATCHED_CHANGE, _WATCHED_VIEW = (holder(pb.WatchViewResponse, name) for name in ("changes", "view"))
_LISTED = holder(pb.ListChangesResponse, "changes")
_LISTED_CHANGE, _LISTED_VIEW = (holder(pb.ChangeAndView, name) for name in ("change", "view"))

FULL = 48 * 1024  # bytes of a page of changes: an answer stays below 64 KiB, with views too


async def submit_command(desk: Desk, caller: Caller, request: pb.SubmitCommandRequest) -> bytes:
    """Answer the open decision: accepted once, and answered the same at every repetition."""
    wanted, own = own_table(caller, request), own_request(caller, request)
    if request.decision < 1:
        raise errors.Malformed("decision", "the number of the decision that is answered")
    seat, command = await _meant(desk, caller, wanted, request)
    own_seat = holds(caller.principal, seat)

    def guard(life: Life) -> None:
        own_seat(life)
        _check_keys(life, seat, command, request.WhichOneof("body") or "")

    life, version = await desk.host.commit(wanted, calls.answer(seat, own, request.decision, command, guard=guard))
    change, view = present.change(life, version, seat, caller.language), present.view(life, seat, caller.language)
    return _ANSWER_CHANGE(change) + _ANSWER_VIEW(view)


async def _meant(desk: Desk, caller: Caller, wanted: str, request: pb.SubmitCommandRequest) -> tuple[int, Any]:
    """Whose answer it is, and what he says; only a life that was read now may tell that it is nobody's, or nonsense."""
    life = desk.host.cached(wanted)
    if life is not None:
        with suppress(errors.CallError):
            return seat_of(life, caller.principal), _command(life, request)
    life = await desk.host.fresh(wanted)
    return seat_of(life, caller.principal), _command(life, request)


def _command(life: Life, request: pb.SubmitCommandRequest) -> Any:
    """The command of a request, in either form; what nobody could have meant is refused before the rules are asked."""
    form = request.WhichOneof("body")
    try:
        if form == "answer":
            command = translate.command_from_answer(life.game, request.answer)
        elif form == "command":
            command = translate.command_from_message(life.game, request.command)
        else:
            raise errors.Malformed("body", "send an answer or a command")
    except translate.BadRequest as bad:
        raise errors.Malformed(bad.path, bad.why) from None
    return command


def _check_keys(life: Life, seat: int, command: Any, form: str) -> None:
    """Refuse a key that names nothing here; what only the open decision names is looked up last."""
    assert life.founded is not None
    known = _known_keys(life.game, life.founded.box)
    try:
        translate.check_keys(command, known, None, form)
    except translate.BadRequest:
        decision = life.game.decision(life.play, seat) if life.play is not None else None
        try:
            translate.check_keys(command, known, decision, form)
        except translate.BadRequest as bad:
            raise errors.Malformed(bad.path, bad.why) from None


@lru_cache(maxsize=64)
def _known_keys(game: Any, box: str) -> frozenset[str]:
    return translate.known_keys(game, from_json(game.Edition, box))


async def get_view(desk: Desk, caller: Caller, request: pb.GetViewRequest) -> bytes:
    """The view of now, or of an earlier version."""
    life = await desk.host.fresh(own_table(caller, request))
    seat = seat_of(life, caller.principal)
    if not 0 <= request.version <= life.version:
        raise errors.Malformed("version", f"between 1 and {life.version}, or 0 for now")
    if request.version and request.version < life.version:
        life = life.at(request.version)
    return _LOOKED_VIEW(present.view(life, seat, caller.language))


async def watch_view(desk: Desk, caller: Caller, request: pb.WatchViewRequest) -> AsyncGenerator[bytes, None]:
    """The view of now, then every change as it happens."""
    wanted = own_table(caller, request)
    resume = None
    if request.HasField("resume"):
        if request.resume.version < 1:
            raise errors.Malformed("resume.version", "the version of the last moment you saw")
        resume = (request.resume.version, request.resume.tag)
    async with aclosing(desk.watches.watch(wanted, resume)) as updates:
        async for update in updates:
            yield _message(update, caller)


def _message(update: Update, caller: Caller) -> bytes:
    """What a watcher is told next; those who see the same share one encoding of it."""
    life = update.life
    if life is None:
        return _skip(update)
    seat = seat_of(life, caller.principal)
    key = ("watched", update.first, len(update.entries), update.skip, seat, caller.language)
    known: bytes | None = life.shown.get(key)
    if known is None:
        known = life.shown[key] = _told(update, life, seat, caller.language)
    return known


def _told(update: Update, life: Life, seat: int, language: str) -> bytes:
    versions = range(update.first, update.first + len(update.entries))
    changes = [_WATCHED_CHANGE(present.change(life, version, seat, language)) for version in versions]
    return b"".join((*changes, _WATCHED_VIEW(present.view(life, seat, language)), _skip(update)))


def _skip(update: Update) -> bytes:
    """That changes were left out; nothing if none were."""
    if update.skip is None:
        return b""
    skip = pb.Skip(reason=pb.Skip.Reason.Value(f"REASON_{update.skip}"), version=max(0, update.first - 1))
    return pb.WatchViewResponse(skip=skip).SerializeToString()


async def list_changes(desk: Desk, caller: Caller, request: pb.ListChangesRequest) -> bytes:
    """What happened so far, as the viewer saw it, from one fold."""
    life = await desk.host.fresh(own_table(caller, request))
    seat, size = seat_of(life, caller.principal), page_size(request)
    after = page_token(request, PLACE)
    if request.after_version < 0:
        raise errors.Malformed("after_version", "0 or more")
    first = max(int(after or 0), request.after_version) + 1
    last = min(life.version, first + size - 1)
    found: list[bytes] = []
    filled = 0
    for each in _changes(life, first, last, seat, caller.language, with_views=request.with_views):
        filled += len(each)
        if found and filled > FULL:
            break
        found.append(_LISTED(each))
    reached = first + len(found) - 1
    rest = pb.ListChangesResponse(next_page_token=str(reached) if reached < life.version else "")
    return b"".join((*found, rest.SerializeToString()))


def _changes(life: Life, first: int, last: int, seat: int, language: str, *, with_views: bool) -> Iterator[bytes]:
    """Each a `ChangeAndView`, encoded."""
    past = (_LISTED_VIEW(present.view(then, seat, language)) for then in life.walk(first, last))
    for version, view in zip(range(first, last + 1), past if with_views else repeat(b""), strict=False):
        yield _LISTED_CHANGE(present.change(life, version, seat, language)) + view
