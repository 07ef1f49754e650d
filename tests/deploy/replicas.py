"""A replica of the service as an operator runs it: a process, its environment, its words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from service.auth import new_key
from service.cli.health import ask
from service.kinds import Address
from tests.deploy.rendered import ROOT
from tests.service.log.servers import free_port

PATIENCE = 60.0  # seconds, on a machine that is busy with other tests


class Replica:
    """`kontor serve` in a process of its own, on a free port."""

    def __init__(self, directory: Path, url: str, source: Path = ROOT, **settings: str) -> None:
        keys = directory / "keys.pem"
        if not keys.exists():
            keys.write_text(new_key())
        self.port = free_port()
        self.metrics_port = free_port()
        usual = {
            "listen": f"127.0.0.1:{self.port}",
            "metrics_listen": f"127.0.0.1:{self.metrics_port}",
            "redis_url": url,
            "keys_file": str(keys),
            "data_dir": str(directory / "data"),
            "log_format": "json",
            "drain_grace": "2s",
        }
        self.settings = {f"KONTOR_{name.upper()}": value for name, value in {**usual, **settings}.items()}
        clean = {name: value for name, value in os.environ.items() if not name.startswith("KONTOR_")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", "import sys; from service.cli import main; sys.exit(main())", "serve"],
            cwd=directory,
            env={**clean, **self.settings, "PYTHONPATH": f"{source}{os.pathsep}{source / 'clients/python'}"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.lines.extend(self.process.stderr)

    @property
    def said(self) -> str:
        """What it has written to standard error so far."""
        return "".join(list(self.lines))

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    def health(self, service: str = "readiness") -> str:
        """What a probe is told."""
        return ask(Address("127.0.0.1", self.port), service)

    def until(self, answer: str, service: str = "readiness") -> Replica:
        """Wait until a probe is told this."""
        end = time.monotonic() + PATIENCE
        while not (found := self.health(service)).startswith(answer):
            assert self.process.poll() is None, f"it ended: {self.said}"
            assert time.monotonic() < end, f"{found}, not {answer}: {self.said}"
            time.sleep(0.1)
        return self

    def ready(self) -> Replica:
        """Wait until it is ready."""
        return self.until("SERVING")

    def ended(self) -> int:
        """Wait until it ends by itself; its exit code."""
        code = self.process.wait(PATIENCE)
        self._reader.join(5)
        return code

    def drain(self) -> int:
        """End it in good order."""
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def kill(self) -> None:
        """As kill -9 does."""
        self.process.kill()
        self.process.wait()
        self._reader.join(5)
        if self.process.stderr is not None:
            self.process.stderr.close()
