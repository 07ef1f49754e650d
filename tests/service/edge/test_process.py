"""`kontor serve` as a process: what it says, how it ends, what it keeps."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import grpc
import pytest

from kontor.v1 import play_service_pb2 as play
from kontor.v1 import play_service_pb2_grpc, table_service_pb2_grpc
from kontor.v1 import table_service_pb2 as table
from service.cli.command import run

pytestmark = pytest.mark.anyio
KONTOR = Path(sys.executable).with_name("kontor")
PATIENCE = 60.0


class Serving:
    """A server of our own, on ports that the system chose."""

    def __init__(self, place: Path, **settings: str) -> None:
        self.errors = place / "errors"
        own = {name: value for name, value in os.environ.items() if not name.startswith("KONTOR_")}
        usual = {"KONTOR_LISTEN": "127.0.0.1:0", "KONTOR_METRICS_LISTEN": "127.0.0.1:0", "KONTOR_DATA_DIR": str(place)}
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [KONTOR, "serve"], env={**own, **usual, **settings}, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        self.said = ""

    def up(self) -> Serving:
        """Wait until it says what to type next."""
        assert self.process.stdout
        while not self.said.endswith("Ctrl-C\n"):
            line = self.process.stdout.readline()
            assert line, self.errors.read_text()
            self.said += line
        return self

    @property
    def address(self) -> str:
        return str(re.findall(r"listens on (\S+) ", self.said)[0])

    def stop(self) -> int:
        """Ask it to end, and wait for that; the answer is its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait()

    def wait(self) -> int:
        try:
            return self.process.wait(PATIENCE)
        finally:
            assert self.process.stdout
            self.process.stdout.close()


class Start(Protocol):
    """Starts a server in a directory; without one, in that of the test."""

    def __call__(self, at: Path | None = None, **settings: str) -> Serving: ...


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Servers that are gone at the end, whatever happens."""
    started = []

    def begin(at: Path | None = None, **settings: str) -> Serving:
        started.append(Serving(at or tmp_path, **settings))
        return started[-1]

    yield begin
    for server in started:
        server.process.kill()
        server.wait()


def bearer(token: str) -> Any:
    """The header of a token."""
    return (("authorization", f"Bearer {token}"),)


def new_table(**more: Any) -> table.CreateTableRequest:
    """A request for a table."""
    return table.CreateTableRequest(
        request_id="a", client_secret=secrets.token_hex(16), game="augsburg", public=True, **more
    )


async def test_a_server_says_where_it_is_and_keeps_its_tables(start: Start, tmp_path: Path) -> None:
    """Its address, its data, what to type next; and a second start finds the tables of the first."""
    server = start().up()
    assert server.said.splitlines()[1] == f"The tables are kept in {tmp_path / 'log'}."
    assert "kontor play" in server.said
    metrics = re.findall(r"Metrics: (\S+)", server.said)[0]
    async with grpc.aio.insecure_channel(server.address) as channel:
        made = await table_service_pb2_grpc.TableServiceStub(channel).CreateTable(new_table())
    with await asyncio.to_thread(urllib.request.urlopen, metrics) as answer:
        assert b"kontor_commits_total 1.0" in answer.read()
    assert server.stop() == 0
    server = start().up()
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub = table_service_pb2_grpc.TableServiceStub(channel)
        found = await stub.GetTable(table.GetTableRequest(table_id=made.table.id), metadata=bearer(made.host_token))
        assert found.table == made.table
    assert server.stop() == 0
    lines = [json.loads(line) for line in server.errors.read_text().splitlines()]
    assert [line["event"] for line in lines] == ["serving", "call", "draining", "stopped"] * 2
    assert made.host_token not in server.errors.read_text()


async def test_a_drain_tells_watchers_to_come_back(start: Start, tmp_path: Path) -> None:
    """With GOING_AWAY and a good end, at once, though the grace is long."""
    server = start(KONTOR_DRAIN_GRACE="60s").up()
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub = table_service_pb2_grpc.TableServiceStub(channel)
        made = await stub.CreateTable(new_table(bots=["stand-in", "stand-in"]))
        request = table.CreateViewTokenRequest(table_id=made.table.id)
        token = (await stub.CreateViewToken(request, metadata=bearer(made.host_token))).view_token
        watch = play_service_pb2_grpc.PlayServiceStub(channel).WatchView(
            play.WatchViewRequest(table_id=made.table.id), metadata=bearer(token)
        )
        first = await watch.read()
        assert isinstance(first, play.WatchViewResponse)
        assert first.skip.reason == play.Skip.REASON_START
        began = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        last = await watch.read()
        assert isinstance(last, play.WatchViewResponse)
        assert last.skip.reason == play.Skip.REASON_GOING_AWAY
        assert await watch.read() == grpc.aio.EOF
        assert await watch.code() is grpc.StatusCode.OK
    assert await asyncio.to_thread(server.wait) == 0
    assert time.monotonic() - began < 30


async def test_what_was_acknowledged_before_a_drain_is_there_after_it(start: Start, tmp_path: Path) -> None:
    """Tables are created as fast as it goes while the server is told to stop."""
    server = start().up()
    kept: list[table.CreateTableResponse] = []

    async def create(stub: table_service_pb2_grpc.TableServiceAsyncStub) -> None:
        with suppress(grpc.aio.AioRpcError):
            while True:
                kept.append(await stub.CreateTable(new_table(), timeout=10))

    async with grpc.aio.insecure_channel(server.address) as channel:
        stub = table_service_pb2_grpc.TableServiceStub(channel)
        busy = [asyncio.create_task(create(stub)) for _ in range(8)]
        await asyncio.sleep(0.5)
        server.process.send_signal(signal.SIGTERM)
        await asyncio.gather(*busy)
    assert await asyncio.to_thread(server.wait) == 0
    assert len(kept) > 20
    server = start().up()
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub = table_service_pb2_grpc.TableServiceStub(channel)
        for made in kept:
            assert (await stub.GetTable(table.GetTableRequest(table_id=made.table.id))).table == made.table
    assert server.stop() == 0


def test_what_keeps_a_server_from_starting_is_one_sentence(start: Start, tmp_path: Path, tmp_path_factory: Any) -> None:
    """A port in use, a directory in use, a store that is not there; with the exit code 1."""
    server = start().up()
    cases = {
        "port": ({"KONTOR_LISTEN": server.address}, f"{server.address} is in use: another server listens there."),
        "lock": (
            {"KONTOR_DATA_DIR": str(tmp_path)},
            f"{tmp_path / 'log'} is in use by the process {server.process.pid} ",
        ),
        "keys": ({"KONTOR_KEYS_FILE": "/nowhere"}, "KONTOR_KEYS_FILE: /nowhere is not there; make it: openssl"),
        "api": ({"KONTOR_API_KEYS_FILE": "/nowhere"}, "KONTOR_API_KEYS_FILE: /nowhere can't be read."),
    }
    for name, (settings, sentence) in cases.items():
        other = start(tmp_path_factory.mktemp(name), **settings)
        assert other.wait() == 1
        said = other.errors.read_text()
        assert said.startswith(f"kontor: {sentence}")
        assert said.count("\n") == 1
    assert server.stop() == 0


def test_a_signal_during_the_start_ends_it(start: Start, tmp_path: Path) -> None:
    """Without a trace, and without leaving a server behind."""
    server = start()
    while not (tmp_path / "log" / "lock").exists():
        assert server.process.poll() is None
        time.sleep(0.005)
    assert server.stop() == 0
    assert "Traceback" not in server.errors.read_text()
    assert start().up().stop() == 0


def test_a_probe_asks_by_the_command_line(
    start: Start, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 0 if it serves, 1 if nobody answers."""
    server = start().up()
    for typed in (["--service", "liveness", "--address", server.address], ["--address", server.address]):
        assert run(["health", *typed], {}) == 0
        assert capsys.readouterr().out == "SERVING\n"
    monkeypatch.setenv("KONTOR_LISTEN", server.address.replace("127.0.0.1", "0.0.0.0"))  # noqa: S104 - to listen on
    assert run(["health"], {}) == 0
    assert server.stop() == 0
    assert run(["health"], {}) == 1
    assert capsys.readouterr().err == f"{server.address} does not answer: UNAVAILABLE\n"
