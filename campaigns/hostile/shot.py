"""One request of an attacker, and what came back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import grpc

from service.grpc_edge.wire import services

PATIENCE = 20.0  # seconds: twice what the service allows itself for a call
DETAILS = "grpc-status-details-bin"
CHANNEL = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_send_message_length", -1),
    ("grpc.max_metadata_size", 1 << 20),
    ("grpc.absolute_max_metadata_size", 1 << 20),
)

METHODS = {f"{service.full_name}/{method.name}": method for service in services() for method in service.methods}
HEALTH = ("grpc.health.v1.Health/Check", "grpc.health.v1.Health/Watch")
REFLECTION = "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
STREAMS = frozenset({*(name for name, method in METHODS.items() if method.server_streaming), HEALTH[1], REFLECTION})
CHANGES = frozenset(name for name, method in METHODS.items() if "request_id" in method.input_type.fields_by_name)

# What may come of nonsense while there are no limits; of what was never sent, or not waited for, see `Shot`.
REFUSED = frozenset(
    {
        "INVALID_ARGUMENT",
        "UNAUTHENTICATED",
        "NOT_FOUND",
        "PERMISSION_DENIED",
        "FAILED_PRECONDITION",
        "ALREADY_EXISTS",
        "UNIMPLEMENTED",
    }
)
ANYTHING = REFUSED | {"OK"}

Headers = tuple[tuple[str, str | bytes], ...]


@dataclass(frozen=True, slots=True)
class Shot:
    """One request."""

    method: str
    body: bytes = b""
    headers: Headers = ()
    allowed: frozenset[str] = ANYTHING
    timeout: float = PATIENCE
    messages: int = 1
    unread: bool = False  # gRPC itself may refuse its headers, without details of ours
    hasty: bool = False  # its own deadline may pass before any answer
    twin: Shot | None = None  # another that must be answered the same, byte for byte


class Answer(NamedTuple):
    """How it ended."""

    code: str
    sentence: str = ""
    details: bytes | None = None
    body: bytes | None = None
    seconds: float = 0.0


def bearer(token: str) -> Headers:
    """The header of a token."""
    return (("authorization", f"Bearer {token}"),)


class Gun:
    """Several connections to one server."""

    def __init__(self, address: str, connections: int = 4) -> None:
        self._channels = [grpc.aio.insecure_channel(address, options=CHANNEL) for _ in range(connections)]
        self._next = 0

    async def close(self) -> None:
        """Hang up."""
        for channel in self._channels:
            await channel.close()

    def channel(self) -> grpc.aio.Channel:
        """One after the other."""
        self._next = (self._next + 1) % len(self._channels)
        return self._channels[self._next]

    async def fire(self, shot: Shot) -> Answer:
        """Send it, and tell what came; of a stream, what came first."""
        began = time.monotonic()
        try:
            body = await self._sent(shot)
        except grpc.aio.AioRpcError as error:
            return answer_of(error)._replace(seconds=time.monotonic() - began)
        return Answer("OK", body=body, seconds=time.monotonic() - began)

    async def _sent(self, shot: Shot) -> bytes:
        channel: Any = self.channel()
        path, rest = f"/{shot.method}", {"metadata": shot.headers, "timeout": shot.timeout}
        streams = shot.method in STREAMS
        if shot.messages == 1 and not streams:
            return bytes(await channel.unary_unary(path)(shot.body, **rest))
        if not streams:
            return bytes(await channel.stream_unary(path)(_several(shot), **rest))
        call = (
            channel.unary_stream(path)(shot.body, **rest)
            if shot.messages == 1
            else channel.stream_stream(path)(_several(shot), **rest)
        )
        try:
            first = await call.read()
            return b"" if first is grpc.aio.EOF else bytes(first)
        finally:
            call.cancel()


async def _several(shot: Shot) -> AsyncIterator[bytes]:
    for _ in range(shot.messages):
        yield shot.body
        await asyncio.sleep(0)


def answer_of(error: grpc.aio.AioRpcError) -> Answer:
    """How a call was refused."""
    return Answer(error.code().name, error.details() or "", _details(error))


def _details(error: grpc.aio.AioRpcError) -> bytes | None:
    for name, value in error.trailing_metadata() or ():
        if name == DETAILS and isinstance(value, bytes):
            return value
    return None
