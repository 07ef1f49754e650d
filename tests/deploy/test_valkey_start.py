"""deploy/kubernetes/components/valkey/start.sh: a primary that lost its volume must not be copied over its replica."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from service.log.embedded import program
from tests.deploy.rendered import KUBERNETES
from tests.service.log.servers import eventually, free_port

COMPONENT = KUBERNETES / "components/valkey"
PASSWORD = "a password of the test"


class Member:
    """One member of a set, started as its container starts it."""

    def __init__(self, place: Path, name: str, port: int, peers: dict[str, int], primary: str) -> None:
        self.data = place / name / "data"
        self.run = place / name / "run"
        for one in (self.data, self.run):
            one.mkdir(parents=True, exist_ok=True)
        config = (COMPONENT / "valkey.conf").read_text()
        config = config.replace("/tmp/start.conf", str(self.run / "start.conf")).replace("/data", str(self.data))  # noqa: S108
        (self.run / "valkey.conf").write_text(f"{config}\nport {port}\nbind 127.0.0.1\n")
        environment = {
            "PATH": f"{place / 'bin'}:{os.environ['PATH']}",
            "VALKEY_PASSWORD": PASSWORD,
            "VALKEY_DATA": str(self.data),
            "VALKEY_RUN": str(self.run),
            "VALKEY_CONFIG": str(self.run / "valkey.conf"),
            "VALKEY_PORT": str(port),
            "VALKEY_NAME": name,
            "VALKEY_PATIENCE": "5",
            "VALKEY_PRIMARY": primary,
            # By name, as in Kubernetes; here all names are this machine.
            "VALKEY_PEERS": " ".join(f"{each}.localhost:{at}" for each, at in peers.items()),
        }
        self.words = (self.run / "words").open("a+")
        self.process = subprocess.Popen(
            ["sh", str(COMPONENT / "start.sh")],  # noqa: S607
            env=environment,
            stdout=self.words,
            stderr=self.words,
        )
        self.client = redis.Redis(port=port, password=PASSWORD, protocol=2)

    def said(self) -> str:
        self.words.seek(0)
        return self.words.read()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.words.close()
        self.client.close()


@pytest.fixture
def member(tmp_path: Path) -> Iterator[Callable[[str, str], Member]]:
    """Starts members of one set; `redis-cli` is all that a test machine has for a command line."""
    command_line = shutil.which("valkey-cli") or shutil.which("redis-cli")
    if command_line is None:
        pytest.skip("neither valkey-cli nor redis-cli is on PATH")
    binaries = tmp_path / "bin"
    binaries.mkdir()
    # Debian's resolver knows no valkey-0.localhost, the container's does.
    (binaries / "valkey-cli").write_text(f'#!/bin/sh\nshift 2\nexec {command_line} -h 127.0.0.1 "$@"\n')
    (binaries / "valkey-cli").chmod(0o755)
    (binaries / "valkey-server").symlink_to(program())
    peers = {"valkey-0": free_port(), "valkey-1": free_port()}
    started: list[Member] = []

    def start(name: str, primary: str = "valkey-0") -> Member:
        started.append(Member(tmp_path, name, peers[name], peers, primary))
        return started[-1]

    yield start
    for one in started:
        one.kill()


def test_the_first_start(member: Callable[..., Member]) -> None:
    """Both volumes are empty, and say so to each other; whoever comes first waits."""
    first = member("valkey-0")
    time.sleep(0.5)
    assert first.process.poll() is None
    assert "waiting for valkey-1" in first.said()
    member("valkey-1")
    assert eventually(first.client.ping)
    assert first.client.config_get("appendfsync") == {"appendfsync": "always"}
    with pytest.raises(redis.AuthenticationError), redis.Redis(port=first.client.connection_pool.connection_kwargs["port"]) as nobody:  # fmt: skip  # noqa: E501
        nobody.ping()


def test_a_primary_that_lost_its_volume(member: Callable[..., Member]) -> None:
    """It refuses to start beside a replica that holds tables; promoted, the replica goes on with all of them."""
    first, second = member("valkey-0"), member("valkey-1")
    eventually(first.client.ping)
    eventually(second.client.ping)
    second.client.replicaof("127.0.0.1", first.client.connection_pool.connection_kwargs["port"])  # see the fixture
    first.client.xadd("kontor:{T}:log", {"e": os.urandom(1000)}, id="1-0")
    eventually(lambda: second.client.dbsize() == 1)
    first.kill()
    shutil.rmtree(first.data)

    again = member("valkey-0")
    assert again.process.wait(20) == 1
    assert "This volume is empty, but valkey-1 holds 1 keys: not started." in again.said()
    assert second.client.dbsize() == 1

    second.kill()
    promoted = member("valkey-1", "valkey-1")
    eventually(promoted.client.ping)
    assert promoted.client.info("replication")["role"] == "master"
    assert promoted.client.xlen("kontor:{T}:log") == 1


def test_a_primary_that_lost_its_volume_while_its_replica_is_away(member: Callable[..., Member]) -> None:
    """Nobody can say that nothing is lost: it waits, and gives up."""
    alone = member("valkey-0")
    assert alone.process.wait(20) == 1
    assert "valkey-1 does not answer: not started" in alone.said()


def test_a_restart_with_its_volume_needs_nobody(member: Callable[..., Member]) -> None:
    """Also after a rewrite, when the newest file of the AOF is empty."""
    first = member("valkey-0")
    second = member("valkey-1")
    eventually(first.client.ping)
    first.client.xadd("kontor:{T}:log", {"e": os.urandom(1000)}, id="1-0")
    first.client.bgrewriteaof()
    eventually(lambda: first.client.info("persistence")["aof_rewrite_in_progress"] == 0)
    time.sleep(0.3)
    first.kill()
    second.kill()
    again = member("valkey-0")
    eventually(again.client.ping)
    assert again.client.xlen("kontor:{T}:log") == 1


def test_no_password(tmp_path: Path) -> None:
    """In one sentence."""
    done = subprocess.run(["sh", str(COMPONENT / "start.sh")], env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False)  # fmt: skip  # noqa: E501, S607
    assert done.returncode != 0
    assert "the secret with the password is missing" in done.stderr
