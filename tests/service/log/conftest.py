"""The stores the contract is tried on: sets of servers live as long as the run, each test has tables of its own."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import redis

from service.log import Log, Settings, open_log
from service.log.embedded import EmbeddedLog
from service.log.port import key_of
from tests.service.log.servers import Cluster, Process, SentinelSet, eventually, redis_server

QUICK = Settings(timeout=5.0, wait_timeout_ms=2000)


@pytest.fixture
def anyio_backend() -> str:
    """Tests marked `anyio` run on asyncio's own loop."""
    return "asyncio"


class Store:
    """A place for logs, with a back door."""

    def __init__(self, url: str, nodes: Callable[[], list[Any]], holder: Callable[[str], Any]) -> None:
        self.url = url
        self.nodes = nodes  # a client to every server
        self._holder = holder

    def at(self, table: str) -> Any:
        """A client to the server that holds a table."""
        return self._holder(key_of(table))

    def hang_up(self, *names: str) -> None:
        """Break the connections of clients of these names; the Sentinels' own must live."""
        for node in self.nodes():
            for client in node.client_list():
                if client["name"] in names:
                    node.client_kill_filter(_id=client["id"])

    @asynccontextmanager
    async def open(self, settings: Settings = QUICK) -> AsyncIterator[Log]:
        log = await open_log(self.url, None, settings)
        try:
            yield log
        finally:
            await log.close()


class EmbeddedStore(Store):
    """A server of the log's own: the first log opened starts it, others join it by its socket."""

    def __init__(self, directory: Path) -> None:
        super().__init__("", lambda: [self.client], lambda _: self.client)
        self.directory = directory
        self.client: Any = None

    @asynccontextmanager
    async def open(self, settings: Settings = QUICK) -> AsyncIterator[Log]:
        if self.client is not None:
            async with super().open(settings) as log:
                yield log
            return
        log = await open_log("embedded:", self.directory, settings)
        assert isinstance(log, EmbeddedLog)
        self.url = f"unix://{log.server.socket}"
        self.client = redis.Redis(unix_socket_path=str(log.server.socket), protocol=2)
        try:
            yield log
        finally:
            self.client.close()
            self.client = None
            await log.close()


@pytest.fixture(scope="session")
def redis_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A real Redis."""
    binary = redis_server()
    if binary is None:
        if os.environ.get("KONTOR_REQUIRE_SERVERS") == "1":
            pytest.fail("KONTOR_REQUIRE_SERVERS=1, but there is no redis-server on PATH")
        pytest.skip("no redis-server on PATH")
    process = Process(tmp_path_factory.mktemp("redis"), binary).start()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def sentinel_set(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SentinelSet]:
    """A master, its replicas and their Sentinels."""
    servers = SentinelSet(tmp_path_factory.mktemp("sentinel"))
    yield servers
    servers.stop()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three primaries with a replica each."""
    servers = Cluster(tmp_path_factory.mktemp("cluster"))
    yield servers
    servers.stop()


@pytest.fixture(params=["embedded", "redis", "sentinel", "cluster"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """Each store in turn."""
    if request.param == "embedded":
        return EmbeddedStore(tmp_path / "data")
    if request.param == "redis" and (url := os.environ.get("KONTOR_TEST_REDIS_URL")):  # make test-containers
        client = redis.Redis.from_url(url, protocol=2)
        return Store(url, lambda: [client], lambda _: client)
    if request.param == "redis":
        process: Process = request.getfixturevalue("redis_process")
        return Store(process.url, lambda: [process.client], lambda _: process.client)
    if request.param == "sentinel":
        watched: SentinelSet = request.getfixturevalue("sentinel_set")
        return Store(watched.url, lambda: [one.client for one in watched.servers], lambda _: watched.master().client)
    nodes: Cluster = request.getfixturevalue("cluster")
    return Store(nodes.url, lambda: [one.client for one in nodes.servers], lambda key: nodes.primary(key).client)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Process]:
    """A server of the test's own, to be killed."""
    process = Process(tmp_path / "server").start()
    yield process
    process.stop()


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Process, Process]]:
    """A master and its replica, of the test's own."""
    master = Process(tmp_path / "master").start()
    replica = Process(tmp_path / "replica").start(replicaof=f"127.0.0.1 {master.port}")
    eventually(replica.synced)
    yield master, replica
    replica.stop()
    master.stop()


@pytest.fixture
def table() -> str:
    """A table nobody else uses."""
    return f"T{os.urandom(6).hex()}"
