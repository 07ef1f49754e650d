"""A real store for the tests of the service: one server a run, emptied before each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.service.host.house import House
from tests.service.log.servers import Process


@pytest.fixture
def anyio_backend() -> str:
    """Tests marked `anyio` run on asyncio's own loop."""
    return "asyncio"


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """The server that the service would start for itself, as durable as that."""
    process = Process(tmp_path_factory.mktemp("valkey")).start()
    yield process
    process.stop()


@pytest.fixture
async def house(valkey: Process) -> AsyncIterator[House]:
    """Replicas at one empty log."""
    valkey.client.flushall()
    made = House(valkey)
    yield made
    await made.close()
