"""Commands: so many in flight, each at a table of its own, over one connection or over one a player."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple, Protocol

import grpc

from bench.service.games import SEATS, Sent, many
from bench.serving import Server
from kontor.v1.table_service_pb2_grpc import TableServiceStub

REQUEST = 200  # bytes of what the floor appends
OWN = (("grpc.use_local_subchannel_pool", 1),)  # else channels to one address share a connection
SPARE = 1.5  # of the commands that the round before made: how many must be ready

Table = Iterator[Sent]


class Shape(NamedTuple):
    """How the load comes."""

    in_flight: int
    each: bool  # a connection for each player, else one for all

    def __str__(self) -> str:
        return f"{self.in_flight} in flight, {'a connection a player' if self.each else 'one connection'}"


class Round(NamedTuple):
    """What one contender did in one round."""

    rate: float  # requests a second
    cpu: float  # microseconds of the server's CPU a request
    log_cpu: float  # of its log's
    client_cpu: float  # of whoever sends the load
    p50: float  # microseconds
    p99: float


class Contender(Protocol):
    """A server that takes one request after the other at each table."""

    name: str

    async def round(self, shape: Shape, seconds: float) -> Round:
        """Let so many be in flight for a while."""


class Wired:
    """A gRPC server, and tables at which there is something to say."""

    method: str

    def __init__(self, name: str, server: Server) -> None:
        self.name = name
        self.server = server
        self._said = 2000  # requests in the round before

    async def ready(self, requests: int, tables: int) -> deque[Table]:
        """Tables with at least so many requests to send in all, and at least so many tables."""
        raise NotImplementedError

    async def round(self, shape: Shape, seconds: float) -> Round:
        """Let so many be in flight for a while."""
        return await self.play(await self.ready(int(SPARE * self._said), 2 * shape.in_flight), shape, seconds)

    async def play(self, tables: deque[Table], shape: Shape, seconds: float) -> Round:
        """The round itself, at tables that are ready for it."""
        latencies: list[float] = []
        async with contextlib.AsyncExitStack() as stack:
            lines = [await stack.enter_async_context(self._lines(shape)) for _ in range(shape.in_flight)]
            await asyncio.gather(*(_say(line, tables, time.perf_counter() + 0.2, []) for line in lines))  # warm
            cpu, log_cpu = self.server.cpu()
            own, begin = time.process_time(), time.perf_counter()
            await asyncio.gather(*(_say(line, tables, begin + seconds, latencies) for line in lines))
            wall, own = time.perf_counter() - begin, time.process_time() - own
            after, log_after = self.server.cpu()
        self._said = len(latencies)
        each = 1e6 / len(latencies)
        spent = (after - cpu) * each, (log_after - log_cpu) * each, own * each
        return Round(len(latencies) / wall, *spent, *percentiles(latencies))

    @contextlib.asynccontextmanager
    async def _lines(self, shape: Shape) -> AsyncIterator[list[Any]]:
        """How each seat of a table calls."""
        if shape.each:
            channels = [grpc.aio.insecure_channel(self.server.address, options=OWN) for _ in range(SEATS)]
            yield [channel.unary_unary(self.method) for channel in channels]
            for channel in channels:
                await channel.close()
        else:  # channels without options of their own share a connection
            async with grpc.aio.insecure_channel(self.server.address) as channel:
                yield [channel.unary_unary(self.method)] * SEATS


async def _say(line: list[Any], tables: deque[Table], end: float, latencies: list[float]) -> None:
    """One table after the other, request after request, until the time is over."""
    table = tables.popleft()
    while (now := time.perf_counter()) < end:
        sent = next(table, None)
        if sent is None:
            table = tables.popleft()
            continue
        await line[sent.seat - 1](sent.request, metadata=sent.headers)
        latencies.append(time.perf_counter() - now)
    tables.append(table)


class BareFloor(Wired):
    """The floor: whatever it is sent."""

    method = "/Floor/Append"
    _number = 0

    async def ready(self, requests: int, tables: int) -> deque[Table]:
        found = deque[Table]()
        for _ in range(tables):
            self._number += 1
            found.append(_endless(f"{self._number:012}".encode().ljust(REQUEST, b"x")))
        return found


def _endless(request: bytes) -> Table:
    while True:
        for seat in range(1, SEATS + 1):
            yield Sent(seat, request, ())


class Games(Wired):
    """The service, with real commands of one game."""

    method = "/kontor.v1.PlayService/SubmitCommand"

    def __init__(self, game: str, server: Server, name: str = "") -> None:
        super().__init__(name or game, server)
        self._game = game

    async def ready(self, requests: int, tables: int) -> deque[Table]:
        found, said = deque[Table](), 0
        async with grpc.aio.insecure_channel(self.server.address) as channel:
            stub = TableServiceStub(channel)
            while said < requests or len(found) < tables:
                for seated in await many(stub, self._game, 16):
                    said += len(seated.requests)
                    found.append(iter(seated.requests))
        return found


def percentiles(latencies: list[float]) -> tuple[float, float]:
    """The median and the slowest hundredth, in microseconds."""
    cuts = statistics.quantiles(latencies, n=100)
    return cuts[49] * 1e6, cuts[98] * 1e6
