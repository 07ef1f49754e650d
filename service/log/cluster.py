"""The log in a Redis Cluster: one lane a primary.

redis-py's client knows which node holds a table, and reads through it follow a table that moves. Appends have lanes of
their own, since its pipelines fail as a whole with one dead node and its WAIT goes to whichever node it likes.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import AbstractConnection, Connection
from redis.exceptions import AskError, MovedError

from service.log.errors import BROKEN, translated
from service.log.lane import Argument, Dial, Lane
from service.log.port import Busy, Entry, Finding, Full, Head, LogError, OutcomeUnknown, Settings, Unavailable
from service.log.redis import READERS, RedisLog, check, dialled, for_lane, for_reads
from service.log.script import Script

REDIRECTIONS = 5  # a slot moves once; more than a few hops mean that the nodes disagree

Address = tuple[str, int]
T = TypeVar("T")


class ClusterLog(RedisLog):
    """A log whose tables are spread over the primaries of a Cluster."""

    def __init__(self, nodes: list[Address], options: Mapping[str, Any], settings: Settings) -> None:
        plain = {name: value for name, value in options.items() if name != "connection_class"}
        self._kind = options.get("connection_class", Connection)
        self._options = {**plain, **for_lane(settings)}
        self._lanes: dict[Address, Lane] = {}
        self._stale = True
        self._mapping = asyncio.Lock()
        cluster = RedisCluster(
            startup_nodes=[ClusterNode(host, port) for host, port in nodes],
            ssl=self._kind is not Connection,
            require_full_coverage=False,  # tables whose slots are served need not wait for the others
            **{**plain, **for_reads(settings), "max_connections": 2 * READERS},
        )
        self._cluster = cluster
        super().__init__(cluster, self._dial_any, settings)  # type: ignore[arg-type]  # the same calls, another class

    async def _call(self, script: Script, key: str, *arguments: Argument, hint: bytes = b"") -> Any:
        asked: AskError | None = None
        for _ in range(REDIRECTIONS):
            lane = self._lane_at((asked.host, int(asked.port))) if asked else await self._lane_of(key)
            try:
                with translated():
                    try:
                        return await lane.call(script, key, *arguments, hint=hint, asking=asked is not None)
                    except MovedError:  # a plain no, so it may go elsewhere at once
                        asked, self._stale = None, True
                    except AskError as error:
                        asked = error
            except (Busy, Full):
                raise
            except (Unavailable, OutcomeUnknown):
                self._stale = True  # perhaps another node is the primary by now: look before the next call
                raise
        raise Unavailable("The nodes of the Cluster do not agree on who holds the table.")

    async def _lane_of(self, key: str) -> Lane:
        if self._stale:
            await self._map()
        with translated():
            node = self._cluster.get_node_from_key(key)
        if node is None:
            raise Unavailable("No node of the Cluster holds the table.")
        return self._lane_at((node.host, int(node.port)))

    async def _map(self) -> None:
        """Learn anew which node holds what."""
        async with self._mapping:
            if not self._stale:
                return
            with translated():
                async with asyncio.timeout(self._settings.timeout):
                    await self._cluster.aclose()  # initialize() alone believes what it knows
                    await self._cluster.initialize()
            self._stale = False

    def _lane_at(self, address: Address) -> Lane:
        lane = self._lanes.get(address)
        if lane is None:
            lane = self._lanes[address] = Lane(self._dial_to(address), self._settings)
        return lane

    def _dial_to(self, address: Address) -> Dial:
        async def dial() -> AbstractConnection:
            host, port = address
            return await dialled(self._kind(host=host, port=port, **self._options))

        return dial

    async def _dial_any(self) -> AbstractConnection:
        """A connection to any living node, for a subscription: PUBLISH reaches all of them."""
        await self._map()
        nodes = self._cluster.get_nodes()
        for node in random.sample(nodes, len(nodes)):
            try:
                return await self._dial_to((node.host, int(node.port)))()
            except BROKEN:
                continue
        self._stale = True
        raise Unavailable("No node of the Cluster answers.")

    # Reads go through redis-py's client. When that learns the nodes anew it closes connections which other calls are
    # just using, and these fail by AttributeError or RuntimeError: to read again is all it takes.

    async def _page(self, table: str, known: Head, wanted: int) -> tuple[tuple[Entry, ...], bool]:
        return await _twice(partial(super()._page, table, known, wanted))

    async def head(self, table: str) -> Head:
        return await _twice(partial(super().head, table))

    async def index(self, *command: str | int) -> Any:
        return await _twice(partial(super().index, *command))

    async def ready(self) -> tuple[Finding, ...]:
        found: list[Finding] = []
        try:
            await self._map()
            for node in self._cluster.get_primaries():
                with translated():
                    found += await check(f"The node {node.name}", node, self._settings)
                    state = await node.execute_command("CLUSTER INFO")
                if state["cluster_state"] != "ok":
                    found.append(Finding("unreachable", f"The node {node.name} says that the Cluster is down."))
        except LogError as error:
            self._stale = True
            found.append(Finding("unreachable", str(error)))
        return tuple(found)

    async def close(self) -> None:
        await asyncio.gather(*(lane.close() for lane in self._lanes.values()))
        await super().close()


async def _twice(read: Callable[[], Awaitable[T]]) -> T:
    """Read, and once more if the connection was closed under it."""
    try:
        return await read()
    except (AttributeError, RuntimeError):
        pass
    try:
        return await read()
    except (AttributeError, RuntimeError) as error:
        raise Unavailable(f"The connection was closed while it was used: {error}") from error
