"""The benchmark of the service, in short: it runs, and tells all its figures. At length: `make bench-service`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHORT = ("--rounds", "1", "--seconds", "0.3", "--in-flight", "2", "--times", "1", "--tables", "20", "--watchers", "20")
TOLD = (
    "2 in flight, one connection",
    "2 in flight, a connection a player",
    "of that the view",
    "1 x 1000 watchers",
    "250 x 4 watchers",
    "augsburg, 300 entries",
    "an idle watcher, of 20",
)


def test_every_part_tells_its_figures() -> None:
    """Floor, service, fan-out and footprint; no figure is judged here: machines are noisy."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.service", "--no-rival", *SHORT],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    for part in TOLD:
        assert part in done.stdout, done.stdout
