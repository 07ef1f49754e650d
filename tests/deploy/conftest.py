"""Servers and services of the tests' own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.deploy.rendered import ROOT
from tests.deploy.replicas import Replica
from tests.service.log.servers import Process


@pytest.fixture
def anyio_backend() -> str:
    """Tests marked `anyio` run on asyncio's own loop."""
    return "asyncio"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Process]:
    """A durable Valkey."""
    process = Process(tmp_path / "valkey").start()
    yield process
    process.stop()


@pytest.fixture
def replica(tmp_path: Path) -> Iterator[Callable[..., Replica]]:
    """Starts services; they end with the test."""
    started: list[Replica] = []

    def start(url: str, source: Path = ROOT, **settings: str) -> Replica:
        one = Replica(tmp_path, url, source, **settings)
        started.append(one)
        return one

    yield start
    for one in started:
        one.kill()
