"""Servers under measurement: processes of their own, whose CPU and memory the kernel accounts for."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import redis

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
START = 60.0  # seconds
SERVE = (sys.executable, "-c", "from service.cli import main; main()", "serve")


def free_address() -> str:
    """An address of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def cpu_of(pid: int) -> float:
    """Seconds of CPU that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Server:
    """A server with an embedded log, measured from outside."""

    def __init__(self, command: Sequence[str], address: str, directory: Path, settings: Mapping[str, str]) -> None:
        self.address = address
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / "said").open("wb") as said:  # a line a call, as an operator keeps them
            self.process = subprocess.Popen(command, env={**os.environ, **settings}, stdout=said, stderr=said)
        self.log: Any = redis.Redis(unix_socket_path=str(directory / "log" / "valkey.sock"))

    def wait(self) -> None:
        """Until it answers."""
        end = time.monotonic() + START
        while time.monotonic() < end and self.process.poll() is None:
            try:
                host, _, port = self.address.partition(":")
                with socket.create_connection((host, int(port)), timeout=1):
                    self.log_pid = int(self.log.info("server")["process_id"])
                    return
            except (OSError, redis.RedisError):
                time.sleep(0.1)
        raise SystemExit(f"the server at {self.address} did not start")

    def cpu(self) -> tuple[float, float]:
        """Seconds of CPU so far: the server's, its log's."""
        return cpu_of(self.process.pid), cpu_of(self.log_pid)

    def memory(self) -> int:
        """Bytes the server holds now."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * PAGE

    def stop(self) -> None:
        """End it in good order."""
        self.log.close()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def service(directory: Path, command: Sequence[str] = SERVE, **more: str) -> Server:
    """`kontor serve` as it comes, but that one client may ask for anything, and for as much as it likes."""
    address = free_address()
    settings = {
        "LISTEN": address,
        "METRICS_LISTEN": "",
        "DATA_DIR": str(directory),
        "TOKEN_RATE": "0",
        "PEER_RATE": "0",
        "STREAMS": "1000000",
        "CACHE_BYTES": "1GiB",
        "ALLOW_SEED": "yes",
        "LOG_FORMAT": "json",
        **more,
    }
    own = {f"KONTOR_{name}": value for name, value in settings.items()}
    return Server(command, address, directory, own)
