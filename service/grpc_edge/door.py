"""The one way from the wire to a handler and back.

    peer's pace -> token -> role -> token's pace -> API key -> request -> deadline -> handler -> answer, or a status

No handler is reached by another way, and nothing leaves but an answer or a status with its ErrorInfo.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Hashable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, NoReturn

import grpc
import structlog

from service import auth, errors
from service.auth import Role
from service.grpc_edge import headers
from service.grpc_edge.status import Fault, TooLate, meant, status
from service.grpc_edge.tokens import Tokens
from service.grpc_edge.visit import Visit
from service.grpc_edge.wire import Rpc, Unreadable, packed
from service.handlers import Caller, Desk, sentence
from service.limits import ANY_NUMBER, Allowance, Open, Pace
from service.troubles import unknown_outcome

SHARED = (Role.VIEW, Role.INVITE)  # links that many people hold: each counts for himself
MARGIN = 0.05  # seconds before the client's deadline, so that our answer can still reach him

Context = grpc.aio.ServicerContext[Any, Any]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Terms:
    """What is asked of every caller."""

    deadline: float = 10.0
    by_token: Allowance = ANY_NUMBER
    by_peer: Allowance = ANY_NUMBER
    streams: int = 64
    api_keys: frozenset[bytes] = frozenset()  # their SHA-256
    full: Callable[[], bool] = lambda: False  # no room for new tables


class Door:
    """Lets calls in and their answers out."""

    def __init__(self, desk: Desk, terms: Terms) -> None:
        self._desk = desk
        self._terms = terms
        self._tokens = Tokens(desk.keys)
        self._by_token = Pace(terms.by_token)
        self._by_peer = Pace(terms.by_peer)
        self._streams = Open(terms.streams)
        self._creating = asyncio.Lock()  # a flood of new tables waits here, and not before those who play
        self._log = structlog.get_logger().bind()  # once: binding anew is a third of writing a line

    async def unary(self, rpc: Rpc, request: Any, context: Context) -> bytes:
        """A call with one answer."""
        visit = Visit(rpc.name, context.peer(), self._log)
        seconds, clients = self._patience(context)
        limit = asyncio.timeout(seconds)
        caller = None
        try:
            async with limit:
                caller = self._admit(visit, rpc, request, context)
                answer = packed(rpc, await self._called(rpc, caller, request), visit.about)
        except asyncio.CancelledError:
            visit.end("CANCELLED")
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets a status
            failure = _late(rpc, clients=clients) if limit.expired() else error
        else:
            visit.end()
            return answer
        return await self._refuse(visit, caller, failure, context)

    async def stream(self, rpc: Rpc, request: Any, context: Context) -> None:
        """A call with many answers; it ends at the latest when its token does."""
        visit = Visit(rpc.name, context.peer(), self._log, streams=True)
        limit = asyncio.timeout(None)
        caller = None
        try:
            caller = self._admit(visit, rpc, request, context)
            with self._streams.one(_who(visit)):
                async with limit, aclosing(rpc.row.call(self._desk, caller, request)) as messages:
                    limit.reschedule(_expiry(visit))
                    async for message in messages:
                        answer = packed(rpc, message, visit.about)
                        visit.writing = True
                        await context.write(answer)
                        visit.writing = False
        except asyncio.CancelledError:
            visit.end("CANCELLED")
            raise
        except Exception as error:
            if visit.writing and not limit.expired():
                visit.end("CANCELLED")
                raise  # the connection's own error is gRPC's to handle
            failure = auth.bad_token() if limit.expired() else error
        else:
            visit.end()
            return
        await self._refuse(visit, caller, failure, context)

    def _admit(self, visit: Visit, rpc: Rpc, request: Any, context: Context) -> Caller:
        """Who calls, if he may."""
        visit.about(request)
        self._by_peer.take(headers.origin(visit.peer))
        head = headers.read(context.invocation_metadata())
        visit.principal = self._tokens.principal(head.token)
        roles = rpc.row.roles
        if Role.NOBODY not in roles and visit.principal.role not in roles:
            raise _not_his(rpc, visit.principal.role)
        if visit.principal.role is not Role.NOBODY:
            self._by_token.take(_who(visit))
        if rpc.creates:
            self._admit_new_table(head.api_key)
        if isinstance(request, Unreadable):
            raise request.refusal()
        return Caller(visit.principal, headers.language(head.languages))

    def _admit_new_table(self, api_key: str) -> None:
        if self._terms.api_keys and hashlib.sha256(api_key.encode()).digest() not in self._terms.api_keys:
            reason = "BAD_API_KEY" if api_key else "NO_API_KEY"
            raise errors.Unauthenticated(reason, f"Creating a table needs a valid API key in '{headers.API_KEY}'.")
        if self._terms.full():
            raise errors.TooMuch("NO_ROOM", "There is no room for new tables now; try again later.", retry=60)

    async def _called(self, rpc: Rpc, caller: Caller, request: Any) -> Any:
        """What the handler answers; tables are created one at a time."""
        if not rpc.creates:
            return await rpc.row.call(self._desk, caller, request)
        async with self._creating:
            return await rpc.row.call(self._desk, caller, request)

    def _patience(self, context: Context) -> tuple[float, bool]:
        """How many seconds a call may take, and whether it is the client who says so."""
        own, remaining = self._terms.deadline, context.time_remaining()
        if remaining is None or remaining >= own:  # type: ignore[redundant-expr] # None where the client set no deadline
            return own, False
        return max(remaining - MARGIN, remaining / 2), True

    async def _refuse(self, visit: Visit, caller: Caller | None, failure: Exception, context: Context) -> NoReturn:
        """Tell the caller what his call ended with. This raises what gRPC must see, so nothing may catch it."""
        error = meant(failure)
        if error is not failure:
            number = error.id if isinstance(error, Fault) else ""
            log.error("unexpected", id=number, method=visit.method, exc_info=failure)
        visit.end(error.status, error.reason)
        words = sentence(self._desk, error, caller.language if caller else headers.USUAL)
        await context.abort_with_status(status(error, words))


def _late(rpc: Rpc, *, clients: bool) -> errors.CallError:
    """A call took too long. One that changes something may have been written all the same."""
    unknown = unknown_outcome()
    if clients:
        return TooLate(unknown.reason if rpc.changes else "DEADLINE_EXCEEDED", "This took longer than you would wait.")
    return unknown if rpc.changes else errors.Unavailable("TOO_SLOW", "This took too long; try again.", retry=1)


def _who(visit: Visit) -> Hashable:
    """Whom a call counts for."""
    who = visit.principal
    return (who.role, who.table, who.ticket, headers.origin(visit.peer) if who.role in SHARED else "")


def _expiry(visit: Visit) -> float | None:
    """When a caller's token expires, by the clock of the loop."""
    if visit.principal.role is Role.NOBODY:
        return None
    return asyncio.get_running_loop().time() + visit.principal.expires - time.time()


def _not_his(rpc: Rpc, role: Role) -> errors.CallError:
    if role is Role.NOBODY:
        return auth.no_token()
    needed = ", ".join(sorted(rpc.row.roles))
    return errors.Forbidden("WRONG_ROLE", f"A token of a {role} may not do this.", role=role, needed=needed)
