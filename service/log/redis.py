"""The log in a Redis or Valkey: one server by its URL, or the master that Sentinels name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any, cast

from redis.asyncio import Redis, Sentinel
from redis.asyncio.connection import AbstractConnection, Connection, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.exceptions import ResponseError

from service.log.checks import findings
from service.log.errors import translated
from service.log.hints import listen
from service.log.lane import Argument, Dial, Lane
from service.log.port import (
    EMPTY,
    PAGE,
    Conflict,
    Entry,
    Finding,
    Head,
    Hint,
    LogError,
    Misconfigured,
    Settings,
    Signal,
    Tail,
    Wanted,
    chain,
    every_table,
    key_of,
)
from service.log.script import (
    APPEND,
    SETTLE,
    Script,
    after,
    append_arguments,
    conflict_of,
    entry_of,
    hint_of,
    settle_arguments,
    tail_of,
)

READERS = 64  # reads at a time: each takes a connection, and a pool that is empty raises


class RedisLog:
    """A log whose tables all live at one master."""

    def __init__(self, client: Redis, dial: Dial, settings: Settings) -> None:
        # redis-py's types leave open whether a client answers at once or later; ours always answers later.
        self._client = cast("Any", client)
        self._dial = dial
        self._settings = settings
        self._lane = Lane(dial, settings)
        self._readers = asyncio.Semaphore(READERS)
        self._writable = False

    async def append(self, table: str, expected: Head, entry: bytes) -> Head | Conflict:
        digest = chain(expected.hash, entry)
        hint = hint_of(table, expected.version + 1)
        # With replicas the hint waits for them, as the answer does; else the script publishes and saves a round trip.
        early, late = (b"", hint) if self._settings.wait_replicas else (hint, b"")
        reply = await self._call(APPEND, key_of(table), *append_arguments(expected, entry, digest, early), hint=late)
        return Head(expected.version + 1, digest) if reply == 1 else conflict_of(expected, reply)

    async def settle(self, table: str, known: Head) -> Tail:
        reply = await self._call(SETTLE, key_of(table), *settle_arguments(known, self._settings.wait_replicas))
        return tail_of(known, reply)

    async def _call(self, script: Script, key: str, *arguments: Argument, hint: bytes = b"") -> Any:
        with translated():
            return await self._lane.call(script, key, *arguments, hint=hint)

    async def read(self, table: str, after: Head = EMPTY, limit: int | None = None) -> Tail:
        entries: list[Entry] = []
        while limit is None or len(entries) < limit:
            known = entries[-1].head if entries else after
            wanted = PAGE if limit is None else min(PAGE, limit - len(entries))
            page, rewound = await self._page(table, known, wanted)
            if rewound:
                return Tail((), rewound=True)
            entries += page
            if len(page) < wanted:
                break
        return Tail(tuple(entries), rewound=False)

    async def _page(self, table: str, known: Head, wanted: int) -> tuple[tuple[Entry, ...], bool]:
        # From the known version on, so that the same answer tells whether it is still the one we know.
        count = wanted + (known != EMPTY)
        with translated():
            async with self._readers:
                raw = await self._client.xrange(key_of(table), min=f"{known.version}-0", count=count)
            return after(known, [entry_of(stamp, fields) for stamp, fields in raw])

    async def head(self, table: str) -> Head:
        with translated():
            async with self._readers:
                raw = await self._client.xrevrange(key_of(table), count=1)
            return entry_of(*raw[0]).head if raw else EMPTY

    def hints(self, wanted: Wanted = every_table) -> AsyncGenerator[Hint | Signal, None]:
        return listen(self._dial, self._settings, wanted)

    async def tables(self) -> AsyncIterator[str]:
        before, behind = key_of("x").split("x")
        with translated():
            async for key in self._client.scan_iter(match=f"{before}*{behind}", count=PAGE, _type="stream"):
                yield key.decode().removeprefix(before).removesuffix(behind)

    async def delete(self, table: str) -> None:
        with translated():
            await self._client.unlink(key_of(table))

    async def index(self, *command: str | int) -> Any:
        with translated():
            async with self._readers:
                return await self._client.execute_command(*command)

    async def ready(self) -> tuple[Finding, ...]:
        try:
            with translated():
                found = await check("The log's server", self._client, self._settings)
            if not found and not self._writable:
                await self._try_to_write()
        except LogError as error:
            return (Finding("unreachable", str(error)),)
        return found

    async def _try_to_write(self) -> None:
        """Learn once, before the first table does, whether these credentials may write at all."""
        try:
            await self.index("SET", "kontor:index:probe", "1", "PX", 60_000)
        except Misconfigured as error:
            raise Misconfigured(f"These credentials may not write to the log: {error}") from None
        self._writable = True

    async def close(self) -> None:
        await self._lane.close()
        await self._client.aclose()


class SentinelLog(RedisLog):
    """A log at whichever master the Sentinels name, asked anew for every connection."""

    def __init__(
        self,
        sentinels: list[tuple[str, int]],
        service: str,
        options: Mapping[str, Any],
        sentinel_options: Mapping[str, Any],
        settings: Settings,
    ) -> None:
        patient = {"socket_timeout": 1.0, "socket_connect_timeout": 1.0, "protocol": 2, "retry": Retry(NoBackoff(), 0)}
        self._sentinel: Any = Sentinel(  # type: ignore[no-untyped-call]
            sentinels, sentinel_kwargs={**sentinel_options, **patient}
        )
        kind = options.get("connection_class", Connection)
        plain = {name: value for name, value in options.items() if name != "connection_class"}

        async def dial() -> AbstractConnection:
            # Not redis-py's own Sentinel connection: it turns READONLY, a plain no, into a broken connection.
            host, port = await self._sentinel.discover_master(service)
            return await dialled(kind(host=host, port=port, **plain, **for_lane(settings)))

        ssl = kind is not Connection
        client = self._sentinel.master_for(service, **plain, ssl=ssl, **for_reads(settings))
        super().__init__(client, dial, settings)

    async def close(self) -> None:
        await super().close()
        await self._sentinel.aclose()


def for_lane(settings: Settings) -> dict[str, Any]:
    """Options of a connection in a lane: no timer a reply (the lane has one a batch), and nothing sent twice."""
    return {
        "client_name": "kontor-log",  # as CLIENT LIST shows it
        "protocol": 2,  # one shape of replies; subscriptions and RESP3 dicts would make two
        "socket_timeout": None,
        "socket_connect_timeout": settings.timeout,
        "retry": Retry(NoBackoff(), 0),
    }


def for_reads(settings: Settings) -> dict[str, Any]:
    """Options of a client that only reads or repeats what is harmless to repeat."""
    return {
        "client_name": "kontor-read",
        "protocol": 2,
        "socket_timeout": settings.timeout,
        "socket_connect_timeout": settings.timeout,
        "retry": Retry(ExponentialBackoff(cap=0.5, base=0.05), 2),
        "max_connections": 2 * READERS,
    }


def single(options: Mapping[str, Any], settings: Settings) -> tuple[Redis, Dial]:
    """How to read from one server and how to call its lane, from the options of its URL."""
    lane = ConnectionPool(**{**options, **for_lane(settings)})

    async def dial() -> AbstractConnection:
        return await dialled(lane.make_connection())  # type: ignore[no-untyped-call]

    return Redis.from_pool(ConnectionPool(**{**options, **for_reads(settings)})), dial


async def dialled(connection: AbstractConnection) -> AbstractConnection:
    """The connection, made; or nothing left of it."""
    try:
        await connection.connect()  # type: ignore[no-untyped-call]
    except BaseException:
        await connection.disconnect(nowait=True)
        raise
    return connection


async def check(server: str, client: Any, settings: Settings) -> tuple[Finding, ...]:
    """What is wrong with one server."""
    info = await client.execute_command("INFO")
    try:
        config = await client.execute_command("CONFIG GET", "appendfsync")
    except ResponseError:  # managed servers and narrow ACLs keep it to themselves
        config = {}
    return tuple(findings(server, info, config.get("appendfsync"), settings))
