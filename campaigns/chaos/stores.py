"""The logs that replicas share: real servers, each with what can befall it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import redis

from campaigns.chaos.proxy import Link
from campaigns.chaos.replica import Replica
from service.auth import new_key
from service.log.port import key_of
from tests.service.log.servers import Cluster, Process, SentinelSet, eventually, name_of

T = TypeVar("T")
PATIENCE = 120.0  # seconds; the machine may be busy with others


class Store:
    """Where the log is, how a replica gets there, and how servers are ended and brought back."""

    replicas_waited_for = 0

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.failovers = 0
        self.moves = 0
        self._keys = directory / "keys.pem"
        self._keys.write_text(new_key())
        # One thread that lives as long as the campaign: servers end with the thread that has started them.
        self._hand = ThreadPoolExecutor(1)

    async def hand(self, work: Callable[[], T]) -> T:
        """Do something that blocks, beside the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._hand, work)

    @property
    def url(self) -> str:
        """Where a reader finds it."""
        raise NotImplementedError

    def settings(self, url: str = "") -> dict[str, str]:
        """What a replica is started with."""
        return {
            "KONTOR_REDIS_URL": url or self.url,
            "KONTOR_KEYS_FILE": str(self._keys),
            "KONTOR_WAIT_REPLICAS": str(self.replicas_waited_for),
        }

    async def replica(self, number: int) -> Replica:
        """One more replica on this log."""
        return await Replica(self.directory / f"replica{number}", self.settings()).open()

    async def close(self) -> None:
        """End the servers."""
        self._hand.shutdown()

    async def well(self, looks: Callable[[], Any]) -> None:
        """Wait until all servers are as they should be."""

        def wait() -> None:
            eventually(partial(_tried, looks), PATIENCE)

        await self.hand(wait)


def _tried(looks: Callable[[], Any]) -> bool:
    """Whether something that waits itself has come to its end."""
    try:
        looks()
    except (AssertionError, StopIteration, LookupError, OSError):
        return False
    return True


class Single(Store):
    """One Valkey; every replica has a link of its own to it."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.server = Process(directory / "server")

    async def open(self) -> Single:
        """Start it."""
        await self.hand(self.server.start)
        return self

    @property
    def url(self) -> str:
        """Without a link between."""
        return self.server.url

    async def replica(self, number: int) -> Replica:
        """One more replica, behind its link."""
        link = await Link(self.server.port).start()
        made = Replica(self.directory / f"replica{number}", self.settings(f"redis://127.0.0.1:{link.port}"))
        made.store_link = link
        return await made.open()

    async def kill(self) -> None:
        """As kill -9 does."""
        await self.hand(self.server.kill)

    async def restart(self) -> None:
        """On the same data."""
        await self.hand(self.server.start)

    async def copy(self, name: str) -> Path:
        """A copy of the data, as of a server that was stopped for it."""
        await self.kill()
        target = self.directory / name
        await self.hand(lambda: shutil.copytree(self.server.directory, target))
        await self.restart()
        return target

    async def restore(self, copy: Path) -> None:
        """Put an older copy in the place of the data."""
        await self.kill()

        def exchange() -> None:
            shutil.rmtree(self.server.directory)
            shutil.copytree(copy, self.server.directory)

        await self.hand(exchange)
        await self.restart()

    async def close(self) -> None:
        """End it."""
        await self.hand(self.server.stop)
        await super().close()


class Watched(Store):
    """A master with two replicas under Sentinels; entries wait for both."""

    replicas_waited_for = 2

    async def open(self) -> Watched:
        """Start all of it."""
        self.set = await self.hand(lambda: SentinelSet(self.directory / "set"))
        return self

    @property
    def url(self) -> str:
        """The Sentinels."""
        return self.set.url

    async def promote(
        self,
        how: Callable[[Process], Any],
        back: Callable[[Process, Process], Any],
        again: Callable[[], None] = lambda: None,
    ) -> None:
        """Something happens to the master; another takes over, and the old one comes back."""
        old = await self.hand(self.set.master)
        await self.hand(lambda: how(old))

        def another() -> None:
            if self.set.master() is old:
                again()
            _differs(self.set.master(), old)

        await self.well(another)
        self.failovers += 1
        new = await self.hand(self.set.master)
        await self.hand(lambda: back(old, new))
        await self.well(self.set.healthy)

    def hand_over(self) -> None:
        """The Sentinels replace a living master; one whose replicas are not ready yet is asked again."""
        with suppress(redis.ResponseError):
            self.set.sentinels[0].client.execute_command("SENTINEL FAILOVER", "kontor")

    async def close(self) -> None:
        """End all."""
        await self.hand(self.set.stop)
        await super().close()


class Spread(Store):
    """A Cluster of three primaries with a replica each; entries wait for it."""

    replicas_waited_for = 1

    async def open(self) -> Spread:
        """Start all of it."""
        self.cluster = await self.hand(lambda: Cluster(self.directory / "cluster"))
        return self

    @property
    def url(self) -> str:
        """Three of its nodes."""
        return self.cluster.url

    def replica_of(self, primary: Process) -> Process:
        """The replica of a primary."""
        found = (one for one in self.cluster.servers if one is not primary and one.info("master_port") == primary.port)
        return next(found)

    async def promote(self, table: str, how: Callable[[Process, Process], Any], back: Callable[[Process], Any]) -> None:
        """Something happens to the primary of a table; its replica takes over, and it comes back."""
        old = await self.hand(lambda: self.cluster.primary(key_of(table)))
        new = await self.hand(lambda: self.replica_of(old))
        await self.hand(lambda: how(old, new))
        await self.well(lambda: _is_master(new))
        self.failovers += 1
        await self.hand(lambda: back(old))
        await self.well(self.cluster.healthy)

    async def move(self, table: str) -> None:
        """The slot of a table moves to another primary, with all that is in it."""
        await self.hand(lambda: self._move(key_of(table)))
        self.moves += 1
        await self.well(self.cluster.healthy)

    def _move(self, key: str) -> None:
        source = self.cluster.primary(key)
        slot = source.client.execute_command("CLUSTER KEYSLOT", key)
        target = next(one for one in self.cluster.servers if one is not source and one.info("role") == "master")
        target.client.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", name_of(source))
        source.client.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", name_of(target))
        while keys := source.client.execute_command("CLUSTER GETKEYSINSLOT", slot, 10):
            for one in keys:
                source.client.execute_command("MIGRATE", "127.0.0.1", target.port, one, 0, 5000)
        with suppress(redis.ResponseError):  # what has moved must be at the new place's replica before that may die
            target.client.execute_command("PERSIST", key)
        target.client.execute_command("WAIT", 1, 2000)
        for node in (target, source):
            node.client.execute_command("CLUSTER SETSLOT", slot, "NODE", name_of(target))

    async def close(self) -> None:
        """End all."""
        await self.hand(self.cluster.stop)
        await super().close()


def _differs(one: object, other: object) -> None:
    assert one is not other


def _is_master(one: Process) -> None:
    assert one.info("role") == "master"
