"""What an operator gets wrong: refused or reported at the start in one sentence, and never ready by mistake."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.replicas import Replica
from tests.service.log.servers import Process, eventually, free_port

Start = Callable[..., Replica]

# Today these are logged at the start, once, and the service serves. Strict: who mends it, takes the mark away.


def refused(one: Replica, code: int = 1) -> str:
    """The one sentence with which a service refuses to start."""
    while one.process.poll() is None:
        assert one.health() != "SERVING", f"it serves: {one.said}"
        time.sleep(0.2)
    assert one.ended() == code
    assert one.health().endswith("does not answer: UNAVAILABLE")
    last = one.said.strip().splitlines()[-1]
    assert last.startswith("kontor: ")
    assert "Traceback" not in one.said
    return last.removeprefix("kontor: ")


def warnings(one: Replica) -> dict[str, str]:
    """What it found wrong with the log, by kind."""
    found: list[dict[str, Any]] = [json.loads(line) for line in one.lines if line.startswith("{")]
    return {line["kind"]: line["finding"] for line in found if line["event"] == "log finding"}


def test_a_missing_secret(replica: Start, server: Process, tmp_path: Path) -> None:
    """A keys file that is not there, or holds no key, or is not named at all."""
    said = refused(replica(server.url, keys_file=str(tmp_path / "none.pem")))
    assert "KONTOR_KEYS_FILE" in said
    assert "none.pem is not there" in said
    (tmp_path / "empty.pem").write_text("")
    assert "The key set is empty" in refused(replica(server.url, keys_file=str(tmp_path / "empty.pem")))
    assert "KONTOR_KEYS_FILE is empty" in refused(replica(server.url, keys_file=""), 2)


def test_a_wrong_password(replica: Start, tmp_path: Path) -> None:
    """Refused; the URL, which holds it, is not repeated."""
    server = Process(tmp_path / "valkey", requirepass="right")
    server.client = type(server.client)(port=server.port, password="right", protocol=2)
    server.start()
    try:
        said = refused(replica(f"redis://:wrongword@127.0.0.1:{server.port}"))
        assert "wrongword" not in said
        assert "password" in said.lower() or "credentials" in said.lower()
    finally:
        server.stop()


def test_an_unreachable_redis(replica: Start) -> None:
    """It waits ten seconds for one that starts at the same time, then ends."""
    assert refused(replica(f"redis://127.0.0.1:{free_port()}")).startswith("The log can")


def test_a_redis_that_goes_away_and_comes_back(replica: Start, server: Process) -> None:
    """Alive all the time, ready only with the log."""
    one = replica(server.url).ready()
    server.kill()
    one.until("NOT_SERVING")
    assert one.health("liveness") == "SERVING"
    server.start()
    one.ready()
    assert "unreachable" in warnings(one)


def test_a_replica(replica: Start, server: Process, tmp_path: Path) -> None:
    """A read-only copy takes no entries: refused."""
    copy = Process(tmp_path / "copy").start(replicaof=f"127.0.0.1 {server.port}")
    eventually(copy.synced)
    try:
        assert "is a replica" in refused(replica(copy.url))
    finally:
        copy.stop()


def test_an_account_that_may_only_read(replica: Start, server: Process) -> None:
    """An ACL without the right to write is found at the start, not at the first move."""
    server.client.execute_command("ACL", "SETUSER", "reader", "on", ">reads", "~*", "&*", "+@read", "+@connection", "+info", "+config|get")  # fmt: skip  # noqa: E501
    assert "write" in refused(replica(f"redis://reader:reads@127.0.0.1:{server.port}"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"maxmemory_policy": "allkeys-lru"}, "has maxmemory-policy allkeys-lru, which deletes tables"),
        ({"appendonly": "no"}, "has no AOF and forgets tables when it ends: set appendonly yes"),
        ({"appendfsync": "everysec"}, "has appendfsync everysec, which can lose the last entries"),
    ],
)
def test_a_log_that_forgets(replica: Start, tmp_path: Path, options: dict[str, str], words: str) -> None:
    """Refused in one sentence: it would run well until the day it matters."""
    server = Process(tmp_path / "valkey", None, **options).start()
    try:
        assert words in refused(replica(server.url))
    finally:
        server.stop()


def test_a_server_that_loses_its_settings_later(replica: Start, server: Process) -> None:
    """Somebody turns the AOF off at run time: not ready, and said."""
    one = replica(server.url).ready()
    server.client.config_set("maxmemory-policy", "allkeys-lru")
    eventually(lambda: "eviction" in warnings(one))
    assert one.health() == "NOT_SERVING"
    assert "allkeys-lru" in warnings(one)["eviction"]
    server.client.config_set("maxmemory-policy", "noeviction")
    one.ready()


def test_too_few_replicas(replica: Start, server: Process) -> None:
    """Appends that are to wait for a replica which is not there would all fail: said at the start."""
    assert "has 0 replicas, but appends wait for 1" in refused(replica(server.url, wait_replicas="1"))


def test_a_port_in_use(replica: Start, server: Process) -> None:
    """The API's, and the metrics'."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        for name in ("listen", "metrics_listen"):
            assert refused(replica(server.url, **{name: address})) == (
                f"{address} is in use: another server listens there."
            )


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own that is nearly full already; only root can make one."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() != 0 or os.system(f"mount -t tmpfs -o size=512k tmpfs {place} 2>/dev/null") != 0:  # noqa: S605
        pytest.skip("mounting a small disk needs root")
    yield place
    os.system(f"umount -l {place}")  # noqa: S605


def _write_a_lot(server: Process) -> None:
    for number in range(1000):
        server.client.set(f"fill{number}", "x" * 1000)


def test_a_full_disk(replica: Start, small_disk: Path) -> None:
    """The log's server can't write its AOF: not ready, and said."""
    server = Process(small_disk / "valkey").start()
    try:
        one = replica(server.url).ready()
        filler = small_disk / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        with pytest.raises(Exception, match=r"MISCONF|Connection|closed|reset"):
            _write_a_lot(server)
        one.until("NOT_SERVING")
        assert warnings(one).keys() & {"durability", "unreachable"}
        filler.unlink()
        if server.process.poll() is not None:  # with appendfsync always a Valkey that can't write ends itself
            server.start()
        one.ready()
    finally:
        server.stop()
