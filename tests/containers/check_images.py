"""The contract of the log, kept by the servers that people run in containers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import LogMessageWaitStrategy

ROOT = Path(__file__).parents[2]
IMAGES = os.environ["KONTOR_LOG_IMAGES"].split()
PORT = 6379
DURABLE = "--appendonly yes --appendfsync always --maxmemory-policy noeviction --protected-mode no"


@pytest.fixture(params=IMAGES)
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A server in a container, reached on loopback only."""
    image: str = request.param
    server = "valkey-server" if "valkey" in image else "redis-server"
    container = DockerContainer(image).with_command(f"{server} --bind 0.0.0.0 {DURABLE}")
    ports: dict[Any, Any] = container.ports
    ports[PORT] = ("127.0.0.1", None)  # docker's own form: any free port there
    container.waiting_for(LogMessageWaitStrategy("Ready to accept connections"))
    with container:
        yield f"redis://127.0.0.1:{container.get_exposed_port(PORT)}/0"


def test_an_image_keeps_the_contract(url: str) -> None:
    """What the log promises holds on a server in a container as on any other."""
    suite = ("-q", "-p", "no:cacheprovider", "-k", "redis", "tests/service/log/test_contract.py")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *suite],
        cwd=ROOT,
        env={**os.environ, "KONTOR_TEST_REDIS_URL": url},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    print(run.stdout.splitlines()[-1])  # noqa: T201 - the figure of the run
    assert run.returncode == 0, run.stdout[-4000:]
    assert " skipped" not in run.stdout
