"""One replica of the service: a real process, with a link before it, which can be killed, stopped and started again."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import urllib.request
from collections import Counter
from contextlib import suppress
from pathlib import Path

import grpc

from campaigns.chaos.proxy import Link
from kontor.v1.play_service_pb2_grpc import PlayServiceStub
from kontor.v1.table_service_pb2_grpc import TableServiceStub
from service.log.embedded import _BECOME
from tests.service.log.servers import free_port

KONTOR = Path(sys.executable).with_name("kontor")
START = 60.0  # seconds: under load a start takes its time
OPTIONS = (
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 500),
    ("grpc.use_local_subchannel_pool", 1),
)
PAGE = os.sysconf("SC_PAGE_SIZE")
COUNTED = ("conflicts", "repeated", "outcome_unknown", "rewinds", "hints_lost", "commits")
METRIC = re.compile(r"^kontor_(\w+)_total ([0-9.e+]+)$", re.MULTILINE)


class Replica:
    """A service process; the same port, whatever happens to it."""

    def __init__(self, directory: Path, settings: dict[str, str]) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.port = free_port()
        self.metrics_port = free_port()
        self.link = Link(self.port)
        self.starts = 0
        self.stopped = False  # by SIGSTOP
        self.store_link: Link | None = None
        self._settings = {
            "KONTOR_LISTEN": f"127.0.0.1:{self.port}",
            "KONTOR_METRICS_LISTEN": f"127.0.0.1:{self.metrics_port}",
            "KONTOR_DATA_DIR": str(directory / "data"),
            "KONTOR_DRAIN_GRACE": "2s",
            "KONTOR_TOKEN_RATE": "0",
            "KONTOR_PEER_RATE": "0",
            "KONTOR_LOG_LEVEL": "warning",
            **settings,
        }
        self._process: asyncio.subprocess.Process | None = None
        self._past: Counter[str] = Counter()  # what lives before this one have counted
        self._present: Counter[str] = Counter()

    async def open(self) -> Replica:
        """The first start, and the line to it: through the link."""
        await self.link.start()
        await self.start()
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{self.link.port}", options=OPTIONS)
        self.tables = TableServiceStub(self.channel)
        self.play = PlayServiceStub(self.channel)
        return self

    async def start(self) -> None:
        """Run it, and wait until it serves; one whose log is away gives up, and is started again."""
        for _ in range(20):
            if await self._start():
                return
        raise RuntimeError(f"it does not start: {self.said()[-2000:]}")

    async def _start(self) -> bool:
        plain = {name: value for name, value in os.environ.items() if not name.startswith("KONTOR_")}
        become = [sys.executable, "-I", "-S", "-c", _BECOME, str(os.getpid()), str(KONTOR), "serve"]
        with (self.directory / "serve.log").open("ab") as errors:
            process = await asyncio.create_subprocess_exec(
                *become, env={**plain, **self._settings}, stdout=asyncio.subprocess.PIPE, stderr=errors
            )
        self._process = process
        self.starts += 1
        assert process.stdout
        async with asyncio.timeout(START):
            while line := await process.stdout.readline():
                if line.startswith(b"Play:"):
                    return True
        await process.wait()
        return False

    def said(self) -> str:
        """What it has logged."""
        return (self.directory / "serve.log").read_text(errors="replace")

    @property
    def running(self) -> bool:
        """Whether the process lives."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        """The process, as long as it is the same."""
        assert self._process
        return self._process.pid

    def memory(self) -> int:
        """Bytes that the process holds now."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE

    async def kill(self) -> None:
        """As kill -9 does."""
        await self._end(signal.SIGKILL)

    async def drain(self) -> None:
        """As an operator does."""
        await self._end(signal.SIGTERM)

    async def _end(self, number: int) -> None:
        self._past += self._present
        self._present.clear()
        if self._process is not None and self.running:
            self._process.send_signal(number)
            await self._process.wait()

    def freeze(self) -> None:
        """SIGSTOP: alive, and answers nothing."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)
        self.stopped = True

    def thaw(self) -> None:
        """SIGCONT."""
        assert self._process
        if self.running:
            self._process.send_signal(signal.SIGCONT)
        self.stopped = False

    async def count(self) -> None:
        """Read what it has counted since its start; who is just dead or stopped is asked later."""
        if self.running and not self.stopped:
            with suppress(OSError):
                text = await asyncio.to_thread(self.metrics)
                self._present = Counter({name: int(float(n)) for name, n in METRIC.findall(text) if name in COUNTED})

    def metrics(self) -> str:
        """What it has counted since its start, as Prometheus reads it."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=2) as answer:
            return str(answer.read().decode())

    @property
    def counted(self) -> Counter[str]:
        """What it has counted in all its lives, as far as it was read."""
        return self._past + self._present

    async def close(self) -> None:
        """End everything."""
        if self.stopped:
            self.thaw()
        await self.channel.close()
        await self.kill()
        await self.link.stop()
        if self.store_link is not None:
            await self.store_link.stop()
