"""What it takes to keep tables and watchers: memory a piece, and how long a cold table takes to load."""

from __future__ import annotations

import asyncio
import time
from typing import Any, NamedTuple

import grpc

from bench.service.commands import Games
from bench.service.fanout import Audience, Table
from bench.service.games import SCRIPTS, SEATS, SECRET, many, seated
from bench.serving import Server
from domain.games import GAMES
from kontor.v1 import CreateTableRequest, WatchViewRequest
from kontor.v1.table_service_pb2_grpc import TableServiceStub
from service.entry import unpack, unpack_first
from service.host import Host
from service.log import Settings, open_log
from service.log.port import key_of

GAME = "augsburg"  # the others are over sooner
ENTRIES = 300
LOADS = 20  # a round


class Cold(NamedTuple):
    """Milliseconds of CPU."""

    load: float  # of a table that nobody has asked for yet
    parse: float  # reading and parsing alone


async def played(server: Server) -> str:
    """A table of Augsburg for five at which so many entries stand: the first that is long enough."""
    seats = GAMES[GAME].meta.most_seats
    async with grpc.aio.insecure_channel(server.address) as channel:
        submit: Any = channel.unary_unary(Games.method)
        for _ in range(SCRIPTS):
            table = await seated(TableServiceStub(channel), GAME, seats)
            wanted = ENTRIES - seats - 2  # it was founded, all sat down, it was started
            if len(table.requests) >= wanted:
                for sent in table.requests[:wanted]:
                    await submit(sent.request, metadata=sent.headers)
                return table.id
    raise SystemExit(f"No game had {ENTRIES} entries.")


def stored(server: Server, table: str) -> int:
    """Bytes of the log's memory that a table takes."""
    key = key_of(table)
    assert server.log.xlen(key) == ENTRIES
    return int(server.log.memory_usage(key, samples=0))


async def cold(server: Server, table: str) -> Cold:
    """A table loaded from the log by a host that has never seen it, and its entries read and parsed alone."""
    log = await open_log(f"unix://{server.directory / 'log' / 'valkey.sock'}", None, Settings())

    async def parse() -> None:
        first, *rest = (await log.read(table)).entries
        game = GAMES[unpack_first(first.data, GAMES).command.game]
        for entry in rest:
            unpack(entry.data, game)

    async def load() -> None:
        await Host(log, GAMES).fresh(table)

    try:
        return Cold(await _cpu(load), await _cpu(parse))
    finally:
        await log.close()


async def _cpu(work: Any) -> float:
    begin = time.process_time()
    for _ in range(LOADS):
        await work()
    return (time.process_time() - begin) / LOADS * 1e3


async def idle(server: Server, watchers: int) -> float:
    """Bytes of the server's memory that a watcher of a quiet table takes."""
    async with grpc.aio.insecure_channel(server.address) as channel:
        found = await many(TableServiceStub(channel), GAME, 10)
    tables = [
        Table(WatchViewRequest(table_id=one.id).SerializeToString(), one.viewers[SEATS:] * (watchers // 10), iter(()))
        for one in found
    ]
    before = server.memory()
    audience = Audience(server, Games.method, "/kontor.v1.PlayService/WatchView", tables)
    async with audience.seated():
        return (server.memory() - before) / watchers


async def listed(server: Server, tables: int) -> dict[str, float]:
    """Bytes that a public table in its lobby takes: in the log, in the index, in the service."""
    log, at_once = server.log, 32
    before, memory = log.info("memory")["used_memory"], server.memory()
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub: Any = TableServiceStub(channel)

        async def some(number: int) -> None:
            for each in range(number, tables, at_once):
                request = CreateTableRequest(request_id=f"listed-{each}", client_secret=SECRET, game=GAME, public=True)
                await stub.CreateTable(request)

        await asyncio.gather(*(some(number) for number in range(at_once)))
    index = sum(log.memory_usage(key, samples=0) for key in log.scan_iter("kontor:index:*"))
    return {
        "log": (log.info("memory")["used_memory"] - before) / tables,
        "index": index / tables,
        "service": (server.memory() - memory) / tables,
    }
