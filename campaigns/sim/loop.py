"""An event loop whose time passes only when nothing else is to be done: hours in seconds, always in the same order."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any, TypeVar
from unittest.mock import patch

from service import host

T = TypeVar("T")
EPOCH = 1_600_000_000_000  # milliseconds


class _Waiting(selectors.DefaultSelector):
    """Instead of waiting, it lets time pass."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("everybody waits for somebody else")
        self.now += max(0.0, timeout)
        return []


class SimLoop(asyncio.SelectorEventLoop):
    """The loop of a simulation."""

    def __init__(self) -> None:
        self._waiting = _Waiting()
        super().__init__(self._waiting)

    def time(self) -> float:
        """Seconds since the simulation began."""
        return self._waiting.now

    def milliseconds(self) -> int:
        """The time of day."""
        return EPOCH + int(self._waiting.now * 1000)


def simulated(work: Coroutine[Any, Any, T]) -> T:
    """Run something in simulated time; the host's patience is measured in it, too."""
    with asyncio.Runner(loop_factory=SimLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, SimLoop)
        clock = SimpleNamespace(monotonic=loop.time, time_ns=lambda: loop.milliseconds() * 1_000_000)
        with patch.object(host, "time", clock):
            return runner.run(work)
