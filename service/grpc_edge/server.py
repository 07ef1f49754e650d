"""The gRPC server: what it serves, where it listens, how it ends."""

from __future__ import annotations

import errno
import os
import socket
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import grpc
import structlog

from service.grpc_edge.door import Context, Door
from service.grpc_edge.probes import Probes, reflecting
from service.grpc_edge.status import UnknownMethod, status
from service.grpc_edge.visit import Visit
from service.grpc_edge.wire import REFUSED_UNREAD, Rpc, rpcs, services
from service.handlers import Row
from service.kinds import Address

MOST_STREAMS = 1000  # calls at a time on one connection
PENDING = 100_000  # calls that have come and wait to be taken; gRPC cancels what is beyond its usual 3,000
QUIET = 60.0  # seconds without anything after which a client is asked whether it is still there
LOST = 20.0  # seconds in which it must answer
PINGS = 10.0  # seconds that a client must let pass between two questions of its own

log = structlog.get_logger()


class StartError(Exception):
    """The server can't start, in one sentence."""


def options(connection_age: float, connection_grace: float) -> tuple[tuple[str, int], ...]:
    """How connections are treated."""
    return (
        ("grpc.so_reuseport", 0),  # else a second server takes half of the calls, silently
        ("grpc.max_receive_message_length", REFUSED_UNREAD),
        ("grpc.max_concurrent_streams", MOST_STREAMS),
        ("grpc.server.max_pending_requests", PENDING),
        ("grpc.server.max_pending_requests_hard_limit", PENDING),
        ("grpc.max_connection_age_ms", int(connection_age * 1000)),
        ("grpc.max_connection_age_grace_ms", int(connection_grace * 1000)),
        ("grpc.keepalive_time_ms", int(QUIET * 1000)),
        ("grpc.keepalive_timeout_ms", int(LOST * 1000)),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", int(PINGS * 1000)),
    )


class Server:
    """Serves the rows at one address. Use: `start`, and at the end `stop`."""

    def __init__(
        self,
        door: Door,
        rows: Mapping[str, Row],
        servicer: Probes,
        *,
        connection_age: float = 1800.0,
        connection_grace: float = 300.0,
        with_reflection: bool = False,
    ) -> None:
        self._server = grpc.aio.server(options=options(connection_age, connection_grace))
        for service, calls in rpcs(rows):
            handlers = {name: _handler(door, rpc) for name, rpc in calls.items()}
            self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service.full_name, handlers),))
        self._server.add_generic_rpc_handlers((servicer.handler(),))
        if with_reflection:
            names = tuple(service.full_name for service in services())
            self._server.add_generic_rpc_handlers((reflecting(names),))
        self._server.add_generic_rpc_handlers((Anything(),))

    async def start(self, address: Address, tls: tuple[Path, Path] | None = None) -> Address:
        """Listen; the answer is where, since port 0 leaves that to the system."""
        credentials = _credentials(*tls) if tls else None
        check_free(address)
        try:
            port = (
                self._server.add_secure_port(str(address), credentials)
                if credentials
                else self._server.add_insecure_port(str(address))
            )
        except RuntimeError:
            raise StartError(f"Nothing can listen on {address}.") from None
        await self._server.start()
        return Address(address.host, port)

    async def stop(self, grace: float | None) -> None:
        """Take no more calls, let those under way end within the grace, then cut them; again with less: sooner."""
        await self._server.stop(grace)


def _handler(door: Door, rpc: Rpc) -> grpc.RpcMethodHandler[Any, Any]:
    """A handler that gRPC knows as asynchronous: it would run a partial in a thread."""

    async def unary(request: Any, context: Context) -> bytes:
        return await door.unary(rpc, request, context)

    async def stream(request: Any, context: Context) -> None:
        await door.stream(rpc, request, context)

    if rpc.row.streams:
        return grpc.unary_stream_rpc_method_handler(stream, request_deserializer=rpc.read)
    return grpc.unary_unary_rpc_method_handler(unary, request_deserializer=rpc.read)


class Anything(grpc.GenericRpcHandler):
    """Answers calls that do not exist, with an ErrorInfo as all others."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
        return grpc.stream_stream_rpc_method_handler(self._refuse)

    @staticmethod
    async def _refuse(requests: Any, context: Context) -> None:
        error = UnknownMethod("UNKNOWN_METHOD", "There is no such call. The protos tell which there are.")
        Visit("unknown", context.peer(), log).end(error.status, error.reason)
        await context.abort_with_status(status(error, error.sentence))


def check_free(address: Address) -> None:
    """Bind once and let go, for an error that tells what is wrong: gRPC's own does not."""
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, place = found[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            probe.listen(1)
    except socket.gaierror:
        raise StartError(f"{address.host} is no address of this machine.") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise StartError(f"{address} is in use: another server listens there.") from None
        raise StartError(f"Nothing can listen on {address}: {os.strerror(error.errno or 0)}.") from None


def _credentials(certificate: Path, key: Path) -> grpc.ServerCredentials:
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
        return grpc.ssl_server_credentials([(key.read_bytes(), certificate.read_bytes())])
    except ssl.SSLError:
        raise StartError(f"{certificate} and {key} are no certificate with its key, both in PEM.") from None
    except OSError as error:
        raise StartError(f"{error.filename or certificate} can't be read: {error.strerror}.") from None
