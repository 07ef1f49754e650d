"""Health and reflection: what gRPC's tools ask is held to what our own calls promise."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import reflection_pb2  # type: ignore[import-untyped]

from campaigns.hostile.frames import PREFACE, SETTINGS, call, call_headers, settings, wire
from service.grpc_edge.health import READINESS
from service.log.port import Finding
from tests.service.edge.conftest import Edge, edge, refused

pytestmark = pytest.mark.anyio

CHECK, WATCH = "grpc.health.v1.Health/Check", "grpc.health.v1.Health/Watch"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
READY = health_pb2.HealthCheckRequest(service=READINESS)
NO_MESSAGE = b"\xff\xff"
PATIENCE = 20.0


async def state(watch: Any) -> int:
    """The next state that a health watch tells."""
    return int(health_pb2.HealthCheckResponse.FromString(await watch.read()).status)


async def test_undecodable_probes_are_refused_as_all_else() -> None:
    """INVALID_ARGUMENT with an ErrorInfo, not UNKNOWN with a line of Python."""
    async with edge() as server:
        for call_made in (server.call(CHECK, NO_MESSAGE), anext(aiter(server.stream(WATCH, NO_MESSAGE)))):
            found = await refused(call_made)
            assert (found.code, found.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "UNDECODABLE")


async def test_a_service_that_is_not_there() -> None:
    """NOT_FOUND to who asks; to who waits, the protocol's own word for it."""
    nowhere = health_pb2.HealthCheckRequest(service="nowhere")
    async with edge() as server:
        found = await refused(server.call(CHECK, nowhere))
        assert (found.code, found.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_SERVICE")
        watch = server.stream(WATCH, nowhere)
        assert await state(watch) == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
        watch.cancel()


async def test_undecodable_questions_about_protos() -> None:
    """They are questions about nothing, and later ones are answered."""

    async def questions() -> AsyncIterator[bytes]:
        yield NO_MESSAGE
        yield reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString()

    async with edge(with_reflection=True) as server:
        send: Any = server.channel.stream_stream(REFLECTION)
        answers = [reflection_pb2.ServerReflectionResponse.FromString(one) async for one in send(questions())]
    first, second = answers
    assert first.error_response.error_code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert second.HasField("list_services_response")


async def test_a_watcher_who_reads_nothing_keeps_no_news_from_others() -> None:
    """Nor does he keep the server from being asked, or from going down."""
    found: list[Finding] = []

    async def ready() -> tuple[Finding, ...]:
        return tuple(found)

    async with edge(ready=ready) as server, wire(server.listen.port, PREFACE, settings(window=0)) as deaf:
        await deaf.send(call(1, call_headers(WATCH), READY.SerializeToString()))
        await arrived(server, deaf)
        watch = server.stream(WATCH, READY)
        found[:] = [Finding("unreachable", "It is gone.")]
        async with asyncio.timeout(PATIENCE):
            assert await state(watch) == health_pb2.HealthCheckResponse.SERVING
            assert not await server.health.look()
            assert await state(watch) == health_pb2.HealthCheckResponse.NOT_SERVING
            await server.health.leave()
        watch.cancel()


async def arrived(server: Edge, deaf: Any) -> None:
    """Wait until a watch that can't be told anything is open: its headers have come."""
    async for frame in deaf.frames(PATIENCE):
        if frame.kind != SETTINGS and frame.stream == 1:
            return
        await server.call(CHECK, READY)


async def test_health_watches_of_one_address_are_counted() -> None:
    """They need no token, so the address counts; what ends makes room."""
    async with edge() as server:
        server.health.servicer._open._most = 2
        watches = [server.stream(WATCH, READY) for _ in range(2)]
        for watch in watches:
            await state(watch)
        one_more = await refused(anext(aiter(server.stream(WATCH, READY))))
        assert (one_more.code, one_more.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS")
        assert one_more.retry
        assert len(await server.call(CHECK, READY)) == 2
        watches[0].cancel()
        async with asyncio.timeout(PATIENCE):
            while server.health.servicer._open._held:
                await asyncio.sleep(0.01)
                watches[1].cancel()
        again = server.stream(WATCH, READY)
        assert await state(again) == health_pb2.HealthCheckResponse.SERVING
        again.cancel()
