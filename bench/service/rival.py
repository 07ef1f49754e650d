"""boardgame.io's server, with a load generator that speaks its protocol: `bench/boardgameio` tells how both work."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from pathlib import Path
from typing import IO, Any

from bench.service.commands import Round, Shape
from bench.serving import cpu_of

HERE = Path(__file__).parents[1] / "boardgameio"
TABLES = 128  # more than are ever in flight


def installed() -> bool:
    """Whether it can run; where node is, it is installed."""
    npm = shutil.which("npm")
    if npm is None:
        return False
    if not (HERE / "node_modules").exists():
        subprocess.run([npm, "ci", "--silent", "--omit=dev", "--ignore-scripts"], cwd=HERE, check=True)
    return True


class Rival:
    """A server of its own for each storage; a load generator for each way to connect."""

    def __init__(self, storage: str, directory: Path) -> None:
        self.name = f"boardgame.io, {storage}"
        directory.mkdir()
        self._server = _node("server.js", "--storage", storage, "--dir", str(directory), "--port", "0")
        _, port, pid = _line(self._server).split()
        self._pid = int(pid)
        self._loads = {each: self._load(port, each=each) for each in (False, True)}

    @staticmethod
    def _load(port: str, *, each: bool) -> subprocess.Popen[str]:
        connections = "each" if each else "one"
        load = _node("load.js", "--port", port, "--connections", connections, "--tables", str(TABLES))
        assert _line(load) == "ready"
        return load

    async def round(self, shape: Shape, seconds: float) -> Round:
        """Let so many be in flight for a while."""
        await self._go(shape, 0.2)  # warm
        cpu = cpu_of(self._pid)
        told = await self._go(shape, seconds)
        spent = cpu_of(self._pid) - cpu
        assert not told["errors"], told
        requests = told["requests"]
        own = told["client_cpu_s"] / requests * 1e6
        cpu_each = spent / requests * 1e6
        return Round(requests / told["seconds"], cpu_each, 0.0, own, told["p50_us"], told["p99_us"])

    async def _go(self, shape: Shape, seconds: float) -> Any:
        load = self._loads[shape.each]
        _stream(load.stdin).write(f"go {seconds} {shape.in_flight}\n")
        _stream(load.stdin).flush()
        return json.loads(await asyncio.to_thread(_line, load))

    def stop(self) -> None:
        """End its processes."""
        for process in (*self._loads.values(), self._server):
            process.terminate()
            process.communicate()


def _node(script: str, *arguments: str) -> subprocess.Popen[str]:
    command = ["node", str(HERE / script), *arguments]
    return subprocess.Popen(command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _line(process: subprocess.Popen[str]) -> str:
    line = _stream(process.stdout).readline().strip()
    if not line:
        raise SystemExit(f"{process.args!r} has ended")
    return line


def _stream(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream
