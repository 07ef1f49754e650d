"""A real server on a loopback port, with handlers of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]

from domain import toy
from kontor.v1 import play_service_pb2 as play
from kontor.v1 import table_service_pb2 as table
from service.auth import Keys, Principal, Role, new_key
from service.grpc_edge import Server
from service.grpc_edge.door import Door, Terms
from service.grpc_edge.health import Health
from service.grpc_edge.wire import services
from service.handlers import Desk, Row
from service.kinds import Address
from service.log.port import Finding

LIST = "kontor.v1.TableService/ListGames"
CREATE = "kontor.v1.TableService/CreateTable"
START = "kontor.v1.TableService/StartTable"
CHANGES = "kontor.v1.PlayService/ListChanges"
WATCH = "kontor.v1.PlayService/WatchView"
LOOPBACK = Address("127.0.0.1", 0)
TABLE = "0123456789AB"


class Refused(NamedTuple):
    """How a call was refused, with all details."""

    code: grpc.StatusCode
    sentence: str
    reason: str
    facts: dict[str, str]
    violations: tuple[tuple[str, str], ...] = ()
    retry: float | None = None


def refusal(error: grpc.aio.AioRpcError) -> Refused:
    """What a client reads out of an error: it must hold exactly one ErrorInfo of ours."""
    (raw,) = [value for key, value in error.trailing_metadata() if key == "grpc-status-details-bin"]
    status = Status.FromString(raw)
    assert (status.code, status.message) == (error.code().value[0], error.details())
    found: dict[type, Any] = {}
    for detail in status.details:
        kind = next(kind for kind in (ErrorInfo, BadRequest, RetryInfo) if detail.Is(kind.DESCRIPTOR))
        assert kind not in found
        found[kind] = kind()
        detail.Unpack(found[kind])
    info = found[ErrorInfo]
    assert info.domain == "kontor"
    violations = tuple((one.field, one.description) for one in found[BadRequest].field_violations) if BadRequest in found else ()  # fmt: skip  # noqa: E501
    retry = found[RetryInfo].retry_delay.ToMilliseconds() / 1000 if RetryInfo in found else None
    return Refused(error.code(), status.message, info.reason, dict(info.metadata), violations, retry)


async def refused(call: Awaitable[Any]) -> Refused:
    """How this call is refused."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return refusal(caught.value)


async def nothing(desk: Desk, caller: Any, request: Any) -> Any:
    """A handler that answers with an empty message."""
    name = type(request).DESCRIPTOR.name.replace("Request", "Response")
    return getattr(table if hasattr(table, name) else play, name)()


async def no_messages(desk: Desk, caller: Any, request: Any) -> AsyncIterator[Any]:
    """A stream without anything in it."""
    nobody: tuple[bytes, ...] = ()
    for message in nobody:
        yield message


def rows(own: Mapping[str, Row]) -> dict[str, Row]:
    """A row for every call there is: the test's own, else one that answers nothing to anyone."""
    methods = [(f"{service.full_name}/{method.name}", method) for service in services() for method in service.methods]
    usual = {
        name: Row(frozenset(Role), no_messages if method.server_streaming else nothing, method.server_streaming)
        for name, method in methods
    }
    return {**usual, **own}


class Edge:
    """A server and a channel to it."""

    def __init__(self, server: Server, health: Health, channel: grpc.aio.Channel, listen: Address, keys: Keys) -> None:
        self.server = server
        self.health = health
        self.channel = channel
        self.listen = listen
        self.keys = keys

    def token(self, role: Role = Role.SEAT, lifetime: int = 1000, ticket: int = 1) -> str:
        """A token for the usual table."""
        return self.keys.token(Principal(role, TABLE, ticket), lifetime)[0]

    def call(self, method: str, request: Any = b"", token: str | None = None, **rest: Any) -> Any:
        """A call with one answer, as bytes; or with a message, or bytes, as the request."""
        send: Any = self.channel.unary_unary(f"/{method}")
        return send(_raw(request), metadata=_headers(token, rest), timeout=rest.get("timeout"))

    def stream(self, method: str, request: Any = b"", token: str | None = None, **rest: Any) -> Any:
        """A call with many answers."""
        send: Any = self.channel.unary_stream(f"/{method}")
        return send(_raw(request), metadata=_headers(token, rest), timeout=rest.get("timeout"))


def _raw(request: Any) -> bytes:
    return request if isinstance(request, bytes) else bytes(request.SerializeToString())


def _headers(token: str | None, rest: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    bearer = (("authorization", f"Bearer {token}"),) if token is not None else ()
    return (*bearer, *rest.get("headers", ()))


def desk() -> Desk:
    """A desk with keys of its own, where only the toy is known."""
    return cast("Desk", SimpleNamespace(keys=Keys.from_pem(new_key()), host=SimpleNamespace(games={"toy": toy})))


async def well() -> tuple[Finding, ...]:
    """A log without any trouble."""
    return ()


@asynccontextmanager
async def edge(
    own: Mapping[str, Row] | None = None,
    terms: Terms | None = None,
    ready: Callable[[], Awaitable[tuple[Finding, ...]]] = well,
    **rest: Any,
) -> AsyncIterator[Edge]:
    """A server with these rows."""
    made = desk()
    health = Health(ready)
    await health.look()
    tls = rest.pop("tls", None)
    server = Server(Door(made, terms or Terms()), rows(own or {}), health.servicer, **rest)
    listen = await server.start(LOOPBACK, tls)
    try:
        async with grpc.aio.insecure_channel(str(listen)) as channel:
            yield Edge(server, health, channel, listen, made.keys)
    finally:
        await server.stop(None)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Tests marked `anyio` run on asyncio's own loop."""
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
async def one_loop(anyio_backend: str) -> AsyncIterator[None]:
    """One loop for all tests: gRPC has one poller a process, whose last events may come after a loop's end."""
    yield  # noqa: PT022 - it is the fixture's life that keeps the loop
