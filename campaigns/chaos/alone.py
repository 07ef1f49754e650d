"""One service with a log of its own: what a single machine runs. Both die together, or either alone."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from campaigns.chaos.nemesis import SERVICES, Fault, Scene
from campaigns.chaos.stores import Store


class Alone(Store):
    """The embedded log of one replica."""

    async def open(self) -> Alone:
        """The replica starts it."""
        return self

    @property
    def _log(self) -> Path:
        return self.directory / "replica0" / "data" / "log"

    @property
    def url(self) -> str:
        """The socket of the embedded server."""
        return f"unix://{self._log / 'valkey.sock'}"

    def settings(self, url: str = "") -> dict[str, str]:
        """A replica finds its own log and makes its own keys."""
        return {}

    def server(self) -> int:
        """The process of the embedded server."""
        return int((self._log / "lock").read_text().split()[1])


def _store(scene: Scene) -> Alone:
    assert isinstance(scene.store, Alone)
    return scene.store


async def kill_log(scene: Scene) -> None:
    """Kill -9 of the embedded server: the service runs it again."""
    os.kill(_store(scene).server(), signal.SIGKILL)
    scene.kills += 1
    await scene.hold(0.5, 3)


async def kill_both(scene: Scene) -> None:
    """Kill -9 of the service and its server at once."""
    (victim,) = scene.replicas
    os.kill(_store(scene).server(), signal.SIGKILL)
    await victim.kill()
    scene.kills += 2
    await victim.start()


async def stop_log(scene: Scene) -> None:
    """SIGSTOP of the embedded server."""
    server = _store(scene).server()
    os.kill(server, signal.SIGSTOP)
    await scene.hold(0.3, 3)
    os.kill(server, signal.SIGCONT)


ALONE: dict[str, Fault] = SERVICES | {
    "kill log": kill_log,
    "kill both": kill_both,
    "stop log": stop_log,
}
