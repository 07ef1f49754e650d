"""Fan-out: many watchers, and how long it takes until the last of them has heard."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, NamedTuple

import grpc

from bench.service.commands import OWN, REQUEST, BareFloor, Games
from bench.service.games import SEATS, Sent, many
from bench.serving import Server
from kontor.v1 import WatchViewRequest
from kontor.v1.table_service_pb2_grpc import TableServiceStub

WATCHERS = 1000
STREAMS = 100  # a connection
WAIT = 120.0  # seconds for everybody to have heard

Headers = tuple[tuple[str, str], ...]


class Table(NamedTuple):
    """A table with those who watch it, and what will be said there."""

    watch: bytes  # the request of a watch
    viewers: Sequence[Headers]  # a watcher each
    requests: Iterator[Sent]


class Told(NamedTuple):
    """What one contender did in one round."""

    last: float  # milliseconds from the first request to the last receipt
    cpu: float  # microseconds of the server's CPU a message
    size: float  # bytes a message


class Audience:
    """Everybody who watches; each message is counted, and how long it was."""

    def __init__(self, server: Server, submit: str, watch: str, tables: Sequence[Table]) -> None:
        self._server = server
        self._methods = submit, watch
        self._tables = tables
        self._heard = 0
        self._bytes = 0
        self._awaited = 0
        self._all = asyncio.Event()
        self._failed: grpc.aio.AioRpcError | None = None

    @contextlib.asynccontextmanager
    async def seated(self) -> AsyncIterator[None]:
        """All watch, and have had their first message."""
        viewers = [(table, viewer) for table in self._tables for viewer in table.viewers]
        channels = [
            grpc.aio.insecure_channel(self._server.address, options=OWN) for _ in range(-(-len(viewers) // STREAMS))
        ]
        async with grpc.aio.insecure_channel(self._server.address) as channel:
            self._submit: Any = channel.unary_unary(self._methods[0])
            self._expect(len(viewers))
            tasks = [
                asyncio.create_task(self._watch(channels[number // STREAMS], table.watch, viewer))
                for number, (table, viewer) in enumerate(viewers)
            ]
            try:
                await self._everybody()
                yield
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                for one in channels:
                    await one.close()

    async def _watch(self, channel: Any, request: bytes, viewer: Headers) -> None:
        call: Any = channel.unary_stream(self._methods[1])(request, metadata=viewer)
        try:
            while (message := await call.read()) is not grpc.aio.EOF:
                if message:  # else a sign of life
                    self._heard += 1
                    self._bytes += len(message)
                    if self._heard == self._awaited:
                        self._all.set()
        except grpc.aio.AioRpcError as error:
            self._failed = error
            self._all.set()
        finally:
            call.cancel()

    def _expect(self, messages: int) -> None:
        self._heard, self._bytes, self._awaited = 0, 0, messages
        self._all.clear()

    async def _everybody(self) -> None:
        async with asyncio.timeout(WAIT):
            await self._all.wait()
        if self._failed is not None:
            raise self._failed

    async def round(self, times: int) -> Told:
        """One request at every table, so often; everybody has heard of it before the next."""
        messages = sum(len(table.viewers) for table in self._tables)
        spent = heard = 0.0
        cpu = self._server.cpu()[0]
        for _ in range(times):
            self._expect(messages)
            begin = time.perf_counter()
            await asyncio.gather(*(self._say(next(table.requests)) for table in self._tables))
            await self._everybody()
            spent += time.perf_counter() - begin
            heard += self._bytes
        cpu = self._server.cpu()[0] - cpu
        return Told(spent / times * 1e3, cpu / times / messages * 1e6, heard / times / messages)

    async def _say(self, sent: Sent) -> None:
        await self._submit(sent.request, metadata=sent.headers)


async def at_service(server: Server, game: str, tables: int) -> Audience:
    """So many tables of a game: those at it, or spectators alone, watch."""
    async with grpc.aio.insecure_channel(server.address) as channel:
        found = await many(TableServiceStub(channel), game, tables)
    each = WATCHERS // tables
    return Audience(
        server,
        Games.method,
        "/kontor.v1.PlayService/WatchView",
        [
            Table(
                WatchViewRequest(table_id=one.id).SerializeToString(),
                one.viewers[:SEATS] if each == SEATS else one.viewers[SEATS:] * each,
                iter(one.requests),
            )
            for one in found
        ],
    )


async def at_floor(server: Server, tables: int) -> Audience:
    """So many tables of the floor."""
    floor = BareFloor("floor", server)
    found = await floor.ready(0, tables)
    made = []
    for requests in found:
        first = next(requests)
        made.append(Table(first.request[:REQUEST], [()] * (WATCHERS // tables), requests))
    return Audience(server, BareFloor.method, "/Floor/Watch", made)
