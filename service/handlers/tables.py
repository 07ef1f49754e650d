"""Sitting down, starting, leaving, tokens: what happens around a game."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from domain.options import Refusal
from domain.table import Bot, Cancel, HandOver, Join, Leave, Resign, Sitting, Start
from kontor.v1 import table_pb2
from kontor.v1 import table_service_pb2 as pb
from service import calls, errors, present
from service.auth import Principal, Role
from service.entry import Cause
from service.handlers.desk import (
    Caller,
    Desk,
    bot_kind,
    bot_name,
    client_secret,
    expiry,
    may_see,
    own_request,
    own_table,
    page_size,
    page_token,
    request_id,
    seat_of,
    table_id,
)
from service.life import Life

INVITE_LIFETIME = 7 * 24 * 3600
PLACE = re.compile(r"[0-9]{1,15}-[0-9A-Z]{12}")


async def get_table(desk: Desk, caller: Caller, request: pb.GetTableRequest) -> pb.GetTableResponse:
    """One table, to whom it is open."""
    life = await desk.host.fresh(table_id(request))
    if not may_see(life, caller.principal):
        raise errors.no_table()
    return pb.GetTableResponse(table=present.table(life))


async def list_tables(desk: Desk, caller: Caller, request: pb.ListTablesRequest) -> pb.ListTablesResponse:
    """The public tables, newest first."""
    if request.game and request.game not in desk.host.games:
        raise errors.Malformed("game", f"there is {', '.join(desk.host.games)}", "UNKNOWN_GAME")
    size, place = page_size(request), page_token(request, PLACE)
    found: list[table_pb2.Table] = []
    while len(found) < size:
        page = await desk.index.public(place, size)
        for wanted, after in page:
            place = after
            life = await _known(desk, wanted)
            if life is not None and _fits(life, request):
                found.append(present.table(life))
                if len(found) == size:
                    break
        if len(page) < size:
            place = place if len(found) == size else ""
            break
    return pb.ListTablesResponse(tables=found, next_page_token=place)


async def _known(desk: Desk, wanted: str) -> Life | None:
    """A table that the index names, if it is there and public: the index is never believed."""
    try:
        life = await desk.host.fresh(wanted)
    except errors.NotFound:
        await desk.index.forget(wanted)
        return None
    return life if desk.index.listed(life) else None


def _fits(life: Life, request: pb.ListTablesRequest) -> bool:
    shown = present.table(life)
    return request.game in ("", shown.game) and request.phase in (0, shown.phase)


async def create_invite(desk: Desk, caller: Caller, request: pb.CreateInviteRequest) -> pb.CreateInviteResponse:
    """A token that lets people join."""
    life = await desk.host.fresh(own_table(caller, request))
    token, expires = desk.keys.token(Principal(Role.INVITE, life.id), INVITE_LIFETIME)
    return pb.CreateInviteResponse(invite=token, expire_time=expiry(expires))


async def join_table(desk: Desk, caller: Caller, request: pb.JoinTableRequest) -> pb.JoinTableResponse:
    """Take the next free seat; the same request again gives the same seat and a token for it."""
    wanted, secret = table_id(request), client_secret(request)
    life = desk.host.cached(wanted) or await desk.host.fresh(wanted)
    assert life.founded is not None
    invited = caller.principal.table == wanted and caller.principal.role in (Role.INVITE, Role.HOST)
    if not life.founded.public and not invited:
        raise errors.no_table()
    # Two who join may have made the same request id; with their secrets it is theirs alone.
    own = f"join:{calls.hashed(secret)[:16]}:{request_id(request)}"
    says = (0, Join(request.name))
    life, version = await desk.host.commit(wanted, calls.at_table(own, lambda _: says, secret=secret))
    sitting = life.entries[version - 1].events[0].sitting
    seat = _seat_since(life, sitting)
    token, expires = desk.keys.token(Principal(Role.SEAT, wanted, sitting.ticket, sitting.epoch))
    return pb.JoinTableResponse(seat=seat, seat_token=token, expire_time=expiry(expires), table=present.table(life))


def _seat_since(life: Life, sitting: Sitting) -> int:
    """The seat that somebody got once, if it is still his: nobody comes back to a seat that he has given away."""
    assert life.table is not None
    seat = life.table.seat_of(sitting.ticket)
    if not seat or life.table.sittings[seat - 1].epoch != sitting.epoch:
        raise calls.refused(life, Refusal("", "SEAT_LEFT"))
    return seat


async def leave_table(desk: Desk, caller: Caller, request: pb.LeaveTableRequest) -> pb.LeaveTableResponse:
    """Stand up before the start."""
    return pb.LeaveTableResponse(table=present.table(await _by_seat(desk, caller, request, Leave)))


async def resign(desk: Desk, caller: Caller, request: pb.ResignRequest) -> pb.ResignResponse:
    """Leave a running game to a stand-in."""
    return pb.ResignResponse(table=present.table(await _by_seat(desk, caller, request, Resign)))


async def _by_seat(desk: Desk, caller: Caller, request: Any, command: Any) -> Life:
    """A command of a seat about itself."""

    def says(life: Life) -> tuple[int, Any]:
        seat = seat_of(life, caller.principal)
        return seat, command(seat)

    life, _ = await desk.host.commit(own_table(caller, request), calls.at_table(own_request(caller, request), says))
    return life


async def transfer_seat(desk: Desk, caller: Caller, request: pb.TransferSeatRequest) -> pb.TransferSeatResponse:
    """Hand a seat to another person or a bot; the host may hand one over whose answer is overdue."""
    wanted, own = own_table(caller, request), own_request(caller, request)
    bot = bot_kind("bot", request.bot) if request.bot else Bot.NONE
    by_host = caller.principal.role is Role.HOST
    if by_host and bot is Bot.NONE:
        raise errors.Malformed("bot", "the host hands a seat to a bot, never to a person")

    def says(life: Life) -> tuple[int, HandOver]:
        seat = _to_transfer(desk, caller, request, life)
        return 0 if by_host else seat, HandOver(seat, request.name or life.names[seat - 1], bot)

    call = calls.at_table(own, says, Cause.HOST if by_host else Cause.PLAYER)
    life, version = await desk.host.commit(wanted, call)
    answer = pb.TransferSeatResponse(table=present.table(life))
    if bot is Bot.NONE:
        then = life.at(version).table  # a token for whom the seat was given to, even if it has gone on since
        assert then is not None
        sitting = then.sittings[life.entries[version - 1].command.seat - 1]
        token, expires = desk.keys.token(Principal(Role.SEAT, wanted, sitting.ticket, sitting.epoch))
        answer.seat_token = token
        answer.expire_time.CopyFrom(expiry(expires))
    return answer


def _to_transfer(desk: Desk, caller: Caller, request: pb.TransferSeatRequest, life: Life) -> int:
    """The seat that is handed over, if it is the caller's to hand over."""
    by_host = caller.principal.role is Role.HOST
    seat = request.seat if by_host else seat_of(life, caller.principal)
    if request.seat not in (0, seat):
        raise errors.Forbidden("NOT_YOUR_SEAT", "You can hand over your own seat only.")
    if not 1 <= seat <= len(life.names):
        raise errors.Malformed("seat", f"there are seats 1 to {len(life.names)}")
    if by_host and seat not in (*life.overdue(desk.host.clock()), *life.absent):
        raise calls.refused(life, Refusal("", "SEAT_NOT_OVERDUE"))
    return seat


async def add_bot(desk: Desk, caller: Caller, request: pb.AddBotRequest) -> pb.AddBotResponse:
    """Seat a bot before the start."""
    wanted, own, kind = own_table(caller, request), own_request(caller, request), bot_kind("bot", request.bot)

    def says(life: Life) -> tuple[int, Join]:
        assert life.table is not None
        return 0, Join(request.name or bot_name(life.table), kind)

    life, version = await desk.host.commit(wanted, calls.at_table(own, says, Cause.HOST))
    return pb.AddBotResponse(table=present.table(life), seat=life.entries[version - 1].events[0].seat)


async def start_table(desk: Desk, caller: Caller, request: pb.StartTableRequest) -> pb.StartTableResponse:
    """Begin the game with those who sit there."""
    return pb.StartTableResponse(table=present.table(await _by_host(desk, caller, request, Start())))


async def cancel_table(desk: Desk, caller: Caller, request: pb.CancelTableRequest) -> pb.CancelTableResponse:
    """Give the table up before the start."""
    return pb.CancelTableResponse(table=present.table(await _by_host(desk, caller, request, Cancel())))


async def _by_host(desk: Desk, caller: Caller, request: Any, command: Any) -> Life:
    wanted, own = own_table(caller, request), own_request(caller, request)
    life, _ = await desk.host.commit(wanted, calls.at_table(own, lambda _: (0, command), Cause.HOST))
    return life


async def create_view_token(
    desk: Desk, caller: Caller, request: pb.CreateViewTokenRequest
) -> pb.CreateViewTokenResponse:
    """A token that only sees: a spectator's from the host, a second screen's from a seat."""
    seat_of(await desk.host.fresh(own_table(caller, request)), caller.principal)
    token, expires = desk.keys.token(replace(caller.principal, role=Role.VIEW))
    return pb.CreateViewTokenResponse(view_token=token, expire_time=expiry(expires))


async def renew_token(desk: Desk, caller: Caller, request: pb.RenewTokenRequest) -> pb.RenewTokenResponse:
    """A fresh token for the same rights, if the old one is still worth anything."""
    seat_of(await desk.host.fresh(caller.principal.table), caller.principal)
    token, expires = desk.keys.token(caller.principal)
    return pb.RenewTokenResponse(token=token, expire_time=expiry(expires))
