"""A real server for the clients' tests, one a process that runs them."""

from collections.abc import AsyncIterator, Iterator

import pytest

from kontor_client import Client

from .serving import Server


@pytest.fixture
def anyio_backend() -> str:
    """Tests marked `anyio` run on asyncio's own loop."""
    return "asyncio"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that nobody stops."""
    running = Server(tmp_path_factory.mktemp("server"), "--token-rate", "0", "--peer-rate", "0").start()
    yield running
    running.stop()


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Client]:
    """A line to it."""
    async with Client(server.address) as line:
        yield line
