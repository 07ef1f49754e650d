"""The whole installation in containers: a game through the proxy, while replicas and the log are killed."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kontor_client import Client, KontorError
from service.auth import new_key
from service.cli.health import ask
from service.kinds import Address
from tests.deploy.playing import play
from tests.deploy.rendered import DEPLOY, TOOLS, run
from tests.service.log.servers import free_port

pytestmark = pytest.mark.anyio
IMAGE = os.environ.get("KONTOR_IMAGE", "kontor:0.1.0")
PROJECT = f"kontor-test-{os.getpid()}"


class Installation:
    """deploy/compose.yaml, up."""

    def __init__(self, directory: Path) -> None:
        keys = directory / "keys.pem"
        keys.write_text(new_key())
        keys.chmod(0o444)  # the container's user is nobody we know
        self.port = free_port()
        self.environment = {
            **os.environ,
            "VALKEY_PASSWORD": secrets.token_hex(24),
            "KONTOR_KEYS": str(keys),
            "KONTOR_PORT": str(self.port),
            "KONTOR_IMAGE": IMAGE,
        }

    def compose(self, *words: str) -> str:
        """A compose command that ends well."""
        command = [str(TOOLS / "docker-compose"), "-p", PROJECT, "-f", str(DEPLOY / "compose.yaml"), *words]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def up(self) -> None:
        """Start everything, and wait until a call gets through."""
        self.compose("up", "-d", "--no-build", "--wait", "--wait-timeout", "120")
        end = time.monotonic() + 60
        while (answer := ask(Address("127.0.0.1", self.port), "readiness")) != "SERVING":
            assert time.monotonic() < end, f"{answer}\n{self.compose('logs', '--tail', '30')}"
            time.sleep(0.2)

    def containers(self, service: str) -> list[str]:
        """The containers of a service."""
        return self.compose("ps", "-a", "-q", service).split()


def docker(*words: str) -> str:
    """A command of the engine."""
    return run("docker", *words)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """The installation; everything of it is gone at the end, its volume too."""
    one = Installation(tmp_path_factory.mktemp("compose"))
    try:
        one.up()
        yield one
    finally:
        one.compose("down", "--volumes", "--remove-orphans", "--timeout", "5")


async def test_a_game_survives_a_replica_and_the_log(house: Installation) -> None:
    """One replica is killed, then the log; the other replica is drained; the game ends, and nobody missed a thing."""
    first, second = house.containers("kontor")
    (log,) = house.containers("valkey")
    later: list[asyncio.Task[None]] = []

    async def kill_replica() -> None:
        await asyncio.to_thread(docker, "kill", first)

    async def back_again() -> None:
        await asyncio.to_thread(docker, "start", first)

    async def kill_log() -> None:
        await asyncio.to_thread(docker, "kill", log)
        later.append(asyncio.create_task(log_back_again()))

    async def log_back_again() -> None:
        await asyncio.sleep(3)
        await asyncio.to_thread(docker, "start", log)

    async def drain_replica() -> None:
        await asyncio.to_thread(docker, "restart", "--time", "30", second)

    troubles = {10: kill_replica, 25: back_again, 40: kill_log, 70: drain_replica}
    address = f"127.0.0.1:{house.port}"
    async with Client(address, patience=90) as client, Client(address, patience=90) as watching:
        played = await play(client, troubles=troubles, watching=watching)
    print(f"\n  {played.answers} answers, version {played.version}, {len(played.watched)} watchers without a gap")  # noqa: T201 - what ran
    assert played.answers > max(troubles)
    assert not any(one.rewound for one in played.watched)


async def test_errors_pass_the_proxy(house: Installation) -> None:
    """With their reason, which stands in the trailers."""
    async with Client(f"127.0.0.1:{house.port}", patience=5) as client:
        with pytest.raises(KontorError) as caught:
            await client.create_table("chess")
        assert caught.value.reason
        with pytest.raises(KontorError) as caught:
            await client.table("0123456789AB")
        assert caught.value.reason


def test_the_image_is_what_it_says() -> None:
    """Not root, nothing to build with in it, a health command, nothing to write to."""
    (about,) = json.loads(docker("image", "inspect", IMAGE))
    assert about["Config"]["User"] == "10001:10001"
    assert about["Config"]["Healthcheck"]["Test"][:3] == ["CMD", "kontor", "health"]
    script = (
        "for tool in gcc cc make pip pip3 git curl wget; do command -v $tool; done; python3 -m pip --version; id -u"
    )
    tried = subprocess.run(
        ["docker", "run", "--rm", "--read-only", "--network", "none", "--entrypoint", "sh", IMAGE, "-c", script],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    assert tried.stdout.split() == ["10001"]
    assert "No module named pip" in tried.stderr


def test_the_running_service_is_confined(house: Installation) -> None:
    """A read-only root, no capabilities, no way out of its network."""
    for service in ("kontor", "valkey", "envoy"):
        (about,) = json.loads(docker("inspect", house.containers(service)[0]))
        assert about["HostConfig"]["ReadonlyRootfs"]
        assert about["HostConfig"]["CapDrop"] == ["ALL"]
        assert about["HostConfig"]["SecurityOpt"] == ["no-new-privileges:true"]


def test_a_start_without_the_password_is_refused(house: Installation) -> None:
    """By compose itself, in a sentence."""
    without = {name: value for name, value in house.environment.items() if name != "VALKEY_PASSWORD"}
    command = [str(TOOLS / "docker-compose"), "-f", str(DEPLOY / "compose.yaml"), "config", "-q"]
    done = subprocess.run(command, env=without, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "set VALKEY_PASSWORD" in done.stderr
