"""The protocols that gRPC's tools speak, health and reflection, held to what our own calls promise.

The libraries' own servers answer undecodable bytes with UNKNOWN and a line of Python, and gRPC's health server holds a
lock while it writes: one watcher who reads nothing would keep the news from all others, and a drain from its end.
"""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health, health_pb2  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import _async, reflection, reflection_pb2  # type: ignore[import-untyped]

from service import errors
from service.grpc_edge import headers
from service.grpc_edge.status import status
from service.grpc_edge.wire import Unreadable, read
from service.limits import Open

STREAMS = 64  # health watches that one network address may have open
SERVING = health_pb2.HealthCheckResponse.SERVING
SERVICE_UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN

Context = grpc.aio.ServicerContext[Any, Any]


class Probes:
    """gRPC's health protocol: states by name, to whoever asks and to whoever waits for news."""

    def __init__(self, streams: int = STREAMS) -> None:
        self._states = {"": SERVING}
        self._news = asyncio.Event()
        self._open = Open(streams)

    def set(self, name: str, state: int) -> None:
        """Tell a state; nobody is waited for."""
        if self._states.get(name) != state:
            self._states[name] = state
            self._news.set()
            self._news = asyncio.Event()

    def handler(self) -> grpc.GenericRpcHandler:
        """What serves it."""
        return grpc.method_handlers_generic_handler(
            health.SERVICE_NAME,
            {
                "Check": grpc.unary_unary_rpc_method_handler(self._check, request_deserializer=_request),
                "Watch": grpc.unary_stream_rpc_method_handler(self._watch, request_deserializer=_request),
            },
        )

    async def _check(self, request: Any, context: Context) -> bytes:
        if isinstance(request, Unreadable):
            await _refuse(request.refusal(), context)
        state = self._states.get(request.service)
        if state is None:
            await _refuse(errors.NotFound("UNKNOWN_SERVICE", "There is no service of this name here."), context)
        return _answer(state)

    async def _watch(self, request: Any, context: Context) -> None:
        if isinstance(request, Unreadable):
            await _refuse(request.refusal(), context)
        try:
            with self._open.one(headers.origin(context.peer())):
                await self._tell(request.service, context)
        except errors.TooMuch as refused:
            await _refuse(refused, context)

    async def _tell(self, name: str, context: Context) -> None:
        """Every state as it comes; who reads slowly misses those in between."""
        told = None
        while True:
            news, state = self._news, self._states.get(name, SERVICE_UNKNOWN)
            if state != told:
                await context.write(_answer(state))
                told = state
            else:
                await news.wait()


def _request(data: bytes) -> Any:
    return read(health_pb2.HealthCheckRequest, data)


def _answer(state: int | None) -> bytes:
    return bytes(health_pb2.HealthCheckResponse(status=state).SerializeToString())


async def _refuse(error: errors.CallError, context: Context) -> None:
    await context.abort_with_status(status(error, error.sentence))


def reflecting(names: tuple[str, ...]) -> grpc.GenericRpcHandler:
    """Serves gRPC's reflection of these services and itself; bytes that are no request are one that asks nothing."""
    servicer = _async.ReflectionServicer((*names, health.SERVICE_NAME, reflection.SERVICE_NAME))
    handler = grpc.stream_stream_rpc_method_handler(
        servicer.ServerReflectionInfo,
        request_deserializer=_question,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    return grpc.method_handlers_generic_handler(reflection.SERVICE_NAME, {"ServerReflectionInfo": handler})


def _question(data: bytes) -> Any:
    try:
        return reflection_pb2.ServerReflectionRequest.FromString(data)
    except DecodeError:
        return reflection_pb2.ServerReflectionRequest()
