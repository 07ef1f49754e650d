"""boardgame.io's server, with a load generator that speaks its protocol: `bench/boardgameio` tells how both work.

Of a table one socket is connected, which moves for all seats: as our commands, nobody watches. Every round has a server
of its own, since both storages copy the whole log of a match at every move, and so get slower.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from pathlib import Path
from typing import IO, Any, Self

from bench.service.commands import Round, Shape
from bench.serving import cpu_of

RUN = Path(__file__).parents[1] / "boardgameio" / "run"
TABLES = 64  # as many as are ever in flight
WARM = 0.5  # seconds


def installed() -> bool:
    """Whether it can run: where npm is, it is installed."""
    return shutil.which("npm") is not None and subprocess.run([str(RUN)], check=False).returncode == 0


class Rival:
    """boardgame.io with one of its storages."""

    def __init__(self, storage: str, directory: Path) -> None:
        self.name = f"boardgame.io, {storage}"
        self._storage = storage
        self._directory = directory
        self._rounds = 0

    async def round(self, shape: Shape, seconds: float) -> Round:
        """Let so many be in flight for a while."""
        return await asyncio.to_thread(self._round, shape, seconds)

    def _round(self, shape: Shape, seconds: float) -> Round:
        self._rounds += 1
        place = self._directory / f"{self._storage}-{self._rounds}"
        with _Program("server.js", "--storage", self._storage, "--dir", str(place)) as server:
            _, port, pid = server.line().split()
            connections = ("--connections", "each" if shape.each else "one", "--audience", "mover")
            with _Program(
                "load.js", "--port", port, *connections, "--tables", str(TABLES), "--warm", str(WARM)
            ) as load:
                assert load.line() == "ready"
                cpu = cpu_of(int(pid))
                told = load.ask(f"go {seconds:g} {shape.in_flight}")
                cpu = cpu_of(int(pid)) - cpu
                assert not told["errors"], told
                assert load.ask("check")["agree"], "what was answered is not what was stored"
        each = 1e6 / told["requests"]
        rate = told["requests"] / told["seconds"]
        return Round(rate, cpu * each, 0.0, told["client_cpu_s"] * each, told["p50_us"], told["p99_us"])


class _Program:
    """A program of node that is asked and answers, a line each."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [str(RUN), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()

    def line(self) -> str:
        line = _open(self._process.stdout).readline().strip()
        if not line:
            raise SystemExit(f"{self._process.args!r} has ended")
        return line

    def ask(self, question: str) -> Any:
        _open(self._process.stdin).write(question + "\n")
        _open(self._process.stdin).flush()
        return json.loads(self.line())


def _open(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream
