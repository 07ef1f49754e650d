"""What handlers work with: the desk, the caller, and how a call's words are checked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from domain.table import Bot, Table
from service import errors
from service.auth import Keys, Principal, Role, bad_token
from service.calls import Guard
from service.host import Host
from service.index import Index
from service.life import Life
from service.watch import Watches

REQUEST_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
TABLE_ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{12}")  # Crockford's base32
PAGE_SIZE = 50
MOST_PAGE_SIZE = 200
SECRET_LENGTH = range(16, 257)
BOT_NAMES = ("Anton", "Barbara", "Conrad", "Dorothea", "Endres", "Felicitas", "Gregor", "Hedwig")


@dataclass(frozen=True, slots=True)
class Policy:
    """What the operator allows."""

    allow_seed: bool = False
    allow_position: bool = False


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, and how he wants to be spoken to."""

    principal: Principal
    language: str = "en"


@dataclass(slots=True)
class Desk:
    """What handlers work with; made once."""

    host: Host
    watches: Watches
    index: Index
    keys: Keys
    policy: Policy


def table_id(request: Any) -> str:
    """The table a request names."""
    wanted = str(request.table_id)
    if not TABLE_ID.fullmatch(wanted):
        raise errors.Malformed("table_id", "a table id is 12 characters of Crockford's base32, in capitals")
    return wanted


def request_id(request: Any) -> str:
    """The id a client gave its call."""
    wanted = str(request.request_id)
    if not REQUEST_ID.fullmatch(wanted):
        raise errors.Malformed("request_id", "make one of 1 to 64 letters, digits, '-' or '_'")
    return wanted


def own_request(caller: Caller, request: Any) -> str:
    """A client's id of its call, made its own: by its ticket, or as the host's."""
    return f"{caller.principal.ticket or 'host'}:{request_id(request)}"


def client_secret(request: Any) -> str:
    """The secret by which a client gets its table or seat again."""
    if len(request.client_secret) not in SECRET_LENGTH:
        raise errors.Malformed("client_secret", "make one of 16 to 256 random characters")
    return str(request.client_secret)


def bot_kind(path: str, kind: str) -> Bot:
    """The kind of bot a request names."""
    if kind not in (Bot.RANDOM, Bot.STAND_IN):
        raise errors.Malformed(path, "the kinds of bots are 'random' and 'stand-in'")
    return Bot(kind)


def bot_name(seated: Table) -> str:
    """The first name for a bot that nobody at the table has yet."""
    taken = {sitting.name for sitting in seated.sittings}
    return next(name for name in (*BOT_NAMES, *(f"Bot {n}" for n in range(100))) if name not in taken)


def page_size(request: Any) -> int:
    """How many a page may hold."""
    if not 0 <= request.page_size <= MOST_PAGE_SIZE:
        raise errors.Malformed("page_size", f"between 0 (the usual {PAGE_SIZE}) and {MOST_PAGE_SIZE}")
    return request.page_size or PAGE_SIZE


def page_token(request: Any, form: re.Pattern[str]) -> str:
    """Where a page begins."""
    if request.page_token and not form.fullmatch(request.page_token):
        raise errors.Malformed("page_token", "take it from the last answer")
    return str(request.page_token)


def own_table(caller: Caller, request: Any) -> str:
    """The table a request names, which must be the one its token is for."""
    wanted = table_id(request)
    if caller.principal.table != wanted:
        raise errors.no_table()
    return wanted


def seat_of(life: Life, principal: Principal) -> int:
    """The seat a token is for now; 0 for the host and for spectators. An older epoch's token is worth nothing."""
    if not principal.ticket:
        return 0
    assert life.table is not None
    seat = life.table.seat_of(principal.ticket)
    if not seat or life.table.sittings[seat - 1].epoch != principal.epoch:
        raise bad_token()
    return seat


def holds(principal: Principal, seat: int) -> Guard:
    """A guard that refuses a token which is not, or no longer, that of the seat."""

    def guard(life: Life) -> None:
        if seat_of(life, principal) != seat:
            raise bad_token()

    return guard


def may_see(life: Life, principal: Principal) -> bool:
    """Whether a caller may know of a table at all: by a token of it, or because it is public."""
    assert life.founded is not None
    return life.founded.public or (principal.role is not Role.NOBODY and principal.table == life.id)


def expiry(seconds: float) -> Timestamp:
    """When a token ends, as a message tells it."""
    return Timestamp(seconds=int(seconds))
