"""Masters that are replaced or killed while appends go on: nothing that was acknowledged may be lost."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress

import pytest

from service.log import (
    EMPTY,
    Conflict,
    Head,
    Hint,
    Log,
    OutcomeUnknown,
    Settings,
    Signal,
    Unavailable,
    open_log,
    verify,
)
from service.log.port import key_of
from tests.service.log.helpers import data_of, fill, until
from tests.service.log.servers import Cluster, Process, SentinelSet, eventually, name_of

pytestmark = pytest.mark.anyio


class Writers:
    """Appends to some tables without end, repeating what failed; nobody else writes there."""

    def __init__(self, log: Log, tables: list[str]) -> None:
        self.log = log
        self.acknowledged = dict.fromkeys(tables, EMPTY)
        self.troubles: list[str] = []
        self._on = True

    async def write(self, table: str) -> None:
        while self._on:
            head = self.acknowledged[table]
            try:
                answer = await self.log.append(table, head, b"%d" % head.version)
            except (Unavailable, OutcomeUnknown) as error:
                self.troubles.append(repr(error))
            else:
                assert isinstance(answer, Head), f"acknowledged entries are lost: {answer} after {head}"
                self.acknowledged[table] = answer
            await asyncio.sleep(0.005)

    async def progress(self, seconds: float = 20.0) -> None:
        """Wait until every table has got some more entries."""
        before = dict(self.acknowledged)
        for _ in range(int(seconds / 0.01)):
            if all(self.acknowledged[t].version >= head.version + 3 for t, head in before.items()):
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"no progress in {seconds} s; last: {self.troubles[-3:]}")

    def end(self) -> None:
        self._on = False


@asynccontextmanager
async def writing(url: str, table: str, replicas: int) -> AsyncIterator[Writers]:
    """Writers at work; in the end all that was acknowledged must be there, and nothing twice."""
    log = await open_log(url, None, Settings(timeout=2.0, wait_replicas=replicas, wait_timeout_ms=300))
    writers = Writers(log, [f"{table}-{n}" for n in range(12)])
    try:
        async with asyncio.TaskGroup() as group:
            for one in writers.acknowledged:
                group.create_task(writers.write(one))
            try:
                await writers.progress()
                yield writers
                await writers.progress()
            finally:
                writers.end()
        for one, head in writers.acknowledged.items():
            tail = await log.read(one)
            assert verify(EMPTY, tail.entries).version >= head.version
            assert tail.entries[head.version - 1].head == head
            assert [entry.data for entry in tail.entries] == [b"%d" % n for n in range(len(tail.entries))]
    finally:
        await log.close()


async def test_sentinel_failover_of_a_living_master(sentinel_set: SentinelSet, table: str) -> None:
    """A master that is replaced while it lives and writes loses nothing acknowledged."""
    old = sentinel_set.master()
    async with writing(sentinel_set.url, table, replicas=2):
        sentinel_set.sentinels[0].client.execute_command("SENTINEL FAILOVER", "kontor")
        await asyncio.to_thread(eventually, lambda: sentinel_set.master() is not old)
        await asyncio.to_thread(sentinel_set.healthy)
    assert old.info("role") == "slave"


async def test_sentinel_failover_of_a_killed_master(sentinel_set: SentinelSet, table: str) -> None:
    """A killed master is replaced, appends go on by themselves, hints too, and nothing acknowledged is lost."""
    old = sentinel_set.master()
    async with writing(sentinel_set.url, table, replicas=2) as writers, aclosing(writers.log.hints()) as hints:
        await until(hints, Signal.LIVE)
        old.kill()
        await until(hints, Signal.LOST)
        await asyncio.to_thread(eventually, lambda: sentinel_set.master() is not old)
        old.start(replicaof=f"127.0.0.1 {sentinel_set.master().port}")
        await asyncio.to_thread(sentinel_set.healthy)
        await until(hints, Signal.LIVE)
        assert isinstance(await asyncio.wait_for(anext(hints), 10), Hint)
        assert writers.troubles


async def test_a_sentinel_that_hangs_is_passed_over(sentinel_set: SentinelSet, table: str) -> None:
    """The first Sentinel of the URL may take a connection and never answer: the next one is asked."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = sentinel_set.url.replace("//", f"//127.0.0.1:{silent.getsockname()[1]},")
        log = await open_log(url)
        assert isinstance(await log.append(table, EMPTY, b"one"), Head)
        await log.close()


def replica_of(cluster: Cluster, primary: Process) -> Process:
    """The replica of a primary."""
    return next(one for one in cluster.servers if one is not primary and one.info("master_port") == primary.port)


async def test_cluster_failover_of_a_living_primary(cluster: Cluster, table: str) -> None:
    """A primary that hands over to its replica loses nothing acknowledged, and its tables are found at the new one."""
    old = cluster.primary(key_of(f"{table}-0"))
    new = replica_of(cluster, old)
    async with writing(cluster.url, table, replicas=1):
        new.client.execute_command("CLUSTER FAILOVER")
        await asyncio.to_thread(eventually, lambda: new.info("role") == "master" and old.info("role") == "slave")
        await asyncio.to_thread(cluster.healthy)
    assert cluster.primary(key_of(f"{table}-0")) is new


async def answered(log: Log, table: str, seconds: float = 10.0) -> None:
    """Wait until the table's primary answers an append, by appends alone."""
    for _ in range(int(seconds / 0.05)):
        with suppress(Unavailable, OutcomeUnknown):
            assert isinstance(await log.append(table, EMPTY, b"not first"), Conflict)
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"no answer in {seconds} s")


async def test_cluster_failover_of_a_killed_primary(cluster: Cluster, table: str) -> None:
    """A killed primary is replaced by its replica; tables at other primaries go on meanwhile; nothing is lost."""
    old = cluster.primary(key_of(f"{table}-0"))
    new = replica_of(cluster, old)
    async with writing(cluster.url, table, replicas=1) as writers:
        bare = await open_log(cluster.url)  # waits for no replica, so it can go on before the killed one is back
        assert isinstance(await bare.append(f"{table}-0", EMPTY, b"not first"), Conflict)
        elsewhere = [t for t in writers.acknowledged if cluster.primary(key_of(t)) is not old]
        before = {t: writers.acknowledged[t] for t in elsewhere}
        old.kill()
        await asyncio.to_thread(eventually, lambda: new.info("role") == "master")
        await answered(bare, f"{table}-0")
        await bare.close()
        old.start()
        assert all(writers.acknowledged[t].version > before[t].version for t in elsewhere)
        await asyncio.to_thread(cluster.healthy)
        assert writers.troubles


async def test_a_slot_that_moves(cluster: Cluster, table: str) -> None:
    """A table is written at its new node while its slot moves (ASK) and afterwards (MOVED)."""
    slot = cluster.servers[0].client.execute_command("CLUSTER KEYSLOT", key_of(table))
    source = cluster.primary(key_of(table))
    target = next(one for one in cluster.servers if one is not source and one.info("role") == "master")
    log = await open_log(cluster.url)
    other = await open_log(cluster.url)
    assert await other.head(table) == EMPTY  # it knows the old place
    target.client.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", name_of(source))
    source.client.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", name_of(target))
    head = await fill(log, table, b"one", b"two")
    for node in (target, source):
        node.client.execute_command("CLUSTER SETSLOT", slot, "NODE", name_of(target))
    await fill(log, table, b"three", start=head)
    assert await data_of(other, table) == [b"one", b"two", b"three"]
    assert isinstance(await other.append(table, EMPTY, b"one"), Head)
    assert target.client.xlen(key_of(table)) == 3
    await log.close()
    await other.close()
