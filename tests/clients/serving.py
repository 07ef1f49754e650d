"""A real server in a process of its own, which can be killed and started again on the same port and data."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

KONTOR = Path(sys.executable).with_name("kontor")
REPOSITORY = Path(__file__).parents[2]
STOP = 20.0  # seconds


def environment(**more: str) -> dict[str, str]:
    """The environment of the tests, without settings of Kontor."""
    return {name: value for name, value in os.environ.items() if not name.startswith("KONTOR_")} | more


class Server:
    """`kontor serve` on an embedded log."""

    def __init__(self, directory: Path, *flags: str) -> None:
        self.directory = directory
        self.flags = flags
        self.address = "127.0.0.1:0"  # any free port; the same from then on
        self.process: subprocess.Popen[str] | None = None

    @property
    def log(self) -> str:
        """What it has logged so far."""
        return self.directory.joinpath("serve.log").read_text()

    def start(self) -> Server:
        """Start it, and wait until it serves."""
        self.directory.mkdir(parents=True, exist_ok=True)
        command = [str(KONTOR), "serve", "--listen", self.address, "--metrics-listen", "", *self.flags]
        settings = environment(KONTOR_DATA_DIR=str(self.directory / "data"), KONTOR_DRAIN_GRACE="2s")
        with self.directory.joinpath("serve.log").open("a") as errors:
            self.process = subprocess.Popen(
                command, env=settings, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith("Kontor listens on "):
                self.address = line.split()[3]
            if line.startswith("Play:"):
                return self
        raise AssertionError(f"The server did not start: {self.log[-2000:]}")

    def kill(self) -> None:
        """As the power goes."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """As an operator would."""
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(STOP)
            assert self.process.stdout
            self.process.stdout.close()
            self.process = None
