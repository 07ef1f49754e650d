"""The two servers: processes of the whole service with a Valkey each, the same keys, and the same time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

from campaigns.leaks.books import Book
from campaigns.leaks.server import PLANTED
from service.auth import new_key
from service.log.embedded import _BECOME

REPOSITORY = Path(__file__).parents[2]
STOP = 20.0  # seconds


class Process:
    """One of them."""

    def __init__(self, directory: Path, keys: Path, now: int) -> None:
        directory.mkdir(parents=True)
        plain = {name: value for name, value in os.environ.items() if not name.startswith("KONTOR_")}
        settings = {
            "KONTOR_LISTEN": "127.0.0.1:0",
            "KONTOR_METRICS_LISTEN": "127.0.0.1:0",
            "KONTOR_DATA_DIR": str(directory / "data"),
            "KONTOR_KEYS_FILE": str(keys),
            "KONTOR_ALLOW_SEED": "yes",
            "KONTOR_ALLOW_POSITION": "yes",
            "KONTOR_TOKEN_RATE": "0",
            "KONTOR_PEER_RATE": "0",
            "KONTOR_DEADLINE": "60s",
            "KONTOR_DRAIN_GRACE": "1s",
            "KONTOR_CONNECTION_AGE": "1d",
            "KONTOR_CACHE_BYTES": "1GiB",  # what is forgotten first depends on sizes, and so on what is hidden
            "KONTOR_LOG_LEVEL": "debug",
            "KONTOR_LOG_FORMAT": "json",
        }
        self.log = directory / "serve.log"
        become = [sys.executable, "-I", "-S", "-c", _BECOME, str(os.getpid())]
        with self.log.open("wb") as errors:
            self._process = subprocess.Popen(  # noqa: S603 - our own server
                [*become, sys.executable, "-m", "campaigns.leaks.server", str(now)],
                cwd=REPOSITORY,
                env={**plain, **settings},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self.address = self.metrics = ""

    def wait(self) -> None:
        """Until it serves."""
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith("Kontor listens on "):
                self.address = line.split()[3]
            elif line.startswith("Metrics: "):
                self.metrics = line.split()[1]
            elif line.startswith("Play:"):
                return
        raise RuntimeError(f"it does not start: {self.log.read_text()[-2000:]}")

    def plant(self, name: str) -> None:
        """Plant a leak in the place of what was planted before; nothing: none."""
        assert self._process.stdin
        assert self._process.stdout
        print(name, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline().strip()
        if answer != PLANTED:
            raise RuntimeError(f"not planted: {name}: {self.log.read_text()[-2000:]}")

    def stop(self) -> None:
        """As an operator does."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(STOP)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe
            pipe.close()


class Servers:
    """Both of them. Use: in a `with` statement."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        keys, now = directory / "keys.pem", int(time.time())
        keys.write_text(new_key())
        self._runs = 0
        self.processes = (Process(directory / "first", keys, now), Process(directory / "second", keys, now))

    def __enter__(self) -> Self:
        for process in self.processes:
            process.wait()
        return self

    def __exit__(self, *error: object) -> None:
        for process in self.processes:
            process.stop()

    def secret(self) -> str:
        """What clients of the next run show: another one each time, so that their tables are new ones."""
        self._runs += 1
        return f"the secret of run {self._runs}"

    @property
    def addresses(self) -> tuple[str, str]:
        """Where they listen."""
        one, other = self.processes
        return one.address, other.address

    def books(self) -> tuple[Book, Book]:
        """What they write down from now on."""
        one, other = (Book(process.log, process.metrics) for process in self.processes)
        return one, other

    def plant(self, name: str) -> None:
        """Plant a leak in both; nothing: none."""
        for process in self.processes:
            process.plant(name)
