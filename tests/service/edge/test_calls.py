"""The course of a call: deadlines, cancellation, the end of a token."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import grpc
import pytest

from service.auth import Role
from service.grpc_edge.door import Context, Door, Terms
from service.grpc_edge.wire import rpcs
from service.handlers import Row
from service.metrics import METRICS
from tests.service.edge.conftest import LIST, START, WATCH, desk, edge, refused, rows

pytestmark = pytest.mark.anyio
ANYONE = frozenset(Role)
Code = grpc.StatusCode


async def for_ever(desk: Any, caller: Any, request: Any) -> bytes:
    """A handler that never answers."""
    await asyncio.sleep(3600)
    return b""


@pytest.mark.parametrize(("method", "reason", "retry"), [(LIST, "TOO_SLOW", 1.0), (START, "OUTCOME_UNKNOWN", 1.0)])
async def test_a_call_is_answered_in_time(method: str, reason: str, retry: float) -> None:
    """After our deadline: later; a call that changes something may have been written, and is to be repeated."""
    async with edge({method: Row(ANYONE, for_ever)}, Terms(deadline=0.05)) as server:
        told = await refused(server.call(method))
        assert (told.code, told.reason, told.retry) == (Code.UNAVAILABLE, reason, retry)
        told = await refused(server.call(method, timeout=30))
        assert (told.code, told.reason) == (Code.UNAVAILABLE, reason)


@pytest.mark.parametrize(("method", "reason"), [(LIST, "DEADLINE_EXCEEDED"), (START, "OUTCOME_UNKNOWN")])
async def test_a_shorter_deadline_of_the_client_holds(method: str, reason: str) -> None:
    """He is told before it passes, so that he learns the reason too."""
    async with edge({method: Row(ANYONE, for_ever)}) as server:
        told = await refused(server.call(method, timeout=0.5))
        assert (told.code, told.reason) == (Code.DEADLINE_EXCEEDED, reason)


async def test_a_timeout_inside_a_handler_is_not_the_deadline() -> None:
    """It is a fault of ours."""

    async def call(desk: Any, caller: Any, request: Any) -> bytes:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(10)
        return b""

    async with edge({LIST: Row(ANYONE, call)}) as server:
        assert (await refused(server.call(LIST))).code is Code.INTERNAL


@pytest.mark.parametrize("streams", [False, True])
async def test_a_cancelled_call_ends_its_handler(streams: bool) -> None:
    """By CancelledError, which reaches the handler and gRPC; a stream's generator is closed at once."""
    begun, ended = asyncio.Event(), asyncio.Event()

    async def unary(desk: Any, caller: Any, request: Any) -> bytes:
        begun.set()
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()
        return b""

    async def stream(desk: Any, caller: Any, request: Any) -> AsyncIterator[bytes]:
        begun.set()
        try:
            yield b"\x0a"
            await asyncio.sleep(3600)
        finally:
            ended.set()

    method = WATCH if streams else LIST
    own = {method: Row(ANYONE, stream if streams else unary, streams)}
    async with edge(own) as server, asyncio.timeout(5):
        before = METRICS.calls.labels(method, "CANCELLED")._value.get()
        call = server.stream(method) if streams else server.call(method)
        waiting = asyncio.ensure_future(call.read() if streams else call)
        await begun.wait()
        call.cancel()
        await ended.wait()
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.sleep(0.05)
        assert METRICS.calls.labels(method, "CANCELLED")._value.get() == before + 1


async def test_a_slow_watcher_who_leaves_ends_his_stream() -> None:
    """Also while a message waits for him: the generator is closed, and nothing is logged as an error."""
    closed = asyncio.Event()

    async def call(desk: Any, caller: Any, request: Any) -> AsyncIterator[bytes]:
        try:
            while True:
                yield bytes(60_000)
        finally:
            closed.set()

    async with edge({WATCH: Row(ANYONE, call, streams=True)}) as server, asyncio.timeout(10):
        stream = server.stream(WATCH)
        await stream.read()
        await asyncio.sleep(0.3)
        stream.cancel()
        await closed.wait()


async def test_an_error_of_the_connection_is_left_to_grpc() -> None:
    """A message that can't be sent is no fault of ours: nobody is there to be told of one."""

    class Broken:
        """A context whose client is gone."""

        def peer(self) -> str:
            return "ipv4:127.0.0.1:1"

        def invocation_metadata(self) -> tuple[()]:
            return ()

        async def write(self, message: bytes) -> None:
            raise ConnectionError

    closed = asyncio.Event()

    async def call(desk: Any, caller: Any, request: Any) -> AsyncIterator[bytes]:
        try:
            yield b""
        finally:
            closed.set()

    own = rows({WATCH: Row(ANYONE, call, streams=True)})
    (watch,) = (rpc for _, calls in rpcs(own) for rpc in calls.values() if rpc.name == WATCH)
    with pytest.raises(ConnectionError):
        await Door(desk(), Terms()).stream(watch, watch.read(b""), cast("Context", Broken()))
    assert closed.is_set()


async def test_a_stream_ends_with_its_token() -> None:
    """UNAUTHENTICATED at that moment, however quiet it was."""

    async def call(desk: Any, caller: Any, request: Any) -> AsyncIterator[bytes]:
        yield b""
        await asyncio.sleep(3600)

    async with edge({WATCH: Row(frozenset({Role.SEAT}), call, streams=True)}) as server, asyncio.timeout(10):
        stream = server.stream(WATCH, token=server.token(lifetime=1))
        assert await stream.read() == b""
        told = await refused(stream.read())
        assert (told.code, told.reason) == (Code.UNAUTHENTICATED, "BAD_TOKEN")


async def test_a_token_that_was_good_once_expires() -> None:
    """What is remembered of a token does not outlive it."""
    async with edge() as server:
        token = server.token(lifetime=1)
        await server.call(LIST, token=token)
        await asyncio.sleep(1.1)
        assert (await refused(server.call(LIST, token=token))).reason == "BAD_TOKEN"
