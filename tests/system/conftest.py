"""What the campaigns' short forms share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """On asyncio's own loop."""
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
async def one_loop(anyio_backend: str) -> AsyncIterator[None]:
    """One loop for all tests: gRPC has one poller a process, whose last events may come after a loop's end."""
    yield  # noqa: PT022 - it is the fixture's life that keeps the loop
