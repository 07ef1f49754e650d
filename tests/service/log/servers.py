"""Real servers for the tests: started on loopback, killed for real, gone with the test run even if that is killed."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import redis

from service.log.embedded import _BECOME, program

DURABLE = {"appendonly": "yes", "appendfsync": "always", "save": "", "repl-diskless-sync-delay": "0"}

_chance = random.SystemRandom()  # not the seeded one: parallel workers would choose the same ports
_given: set[int] = set()


def free_port() -> int:
    """A port nobody listens at, below those the kernel gives to outgoing connections."""
    for _ in range(200):
        port = _chance.randrange(20000, 32000)
        with socket.socket() as probe:
            if port not in _given and probe.connect_ex(("127.0.0.1", port)) != 0:
                _given.add(port)
                return port
    raise RuntimeError("no free port")


def eventually(condition: Callable[[], Any], seconds: float = 20.0) -> Any:
    """The first true value of the condition, or a failure after some seconds."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            if found := condition():
                return found
        except redis.RedisError:
            pass
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {condition}")
        time.sleep(0.02)


class Process:
    """A server process and how to reach it."""

    def __init__(self, directory: Path, binary: Path | None = None, **options: str) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.binary = binary or chosen()
        self.port = free_port()
        self.options = {**DURABLE, **{name.replace("_", "-"): value for name, value in options.items()}}
        self.client: Any = redis.Redis(port=self.port, protocol=2, socket_timeout=10)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self, **more: str) -> Process:
        """Run it until it answers; options given here are for this time only.

        Not to be called in a thread that ends: the server would end with it.
        """
        options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(self.directory),
            **self.options,
            **{name.replace("_", "-"): value for name, value in more.items()},
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", *self._words(value))]
        self._run(arguments)
        eventually(self.client.ping)
        return self

    def start_sentinel(self, master: Process) -> Process:
        """Run it as a Sentinel of a master."""
        config = self.directory / "sentinel.conf"
        watched = f"sentinel monitor kontor 127.0.0.1 {master.port} 2\nsentinel down-after-milliseconds kontor 500\n"
        times = "sentinel failover-timeout kontor 2000\nsentinel parallel-syncs kontor 2\n"
        config.write_text(f"port {self.port}\nbind 127.0.0.1\ndir {self.directory}\n{watched}{times}")
        self._run([str(config), "--sentinel"])
        eventually(self.client.ping)
        return self

    @staticmethod
    def _words(value: str) -> list[str]:
        return value.split() or [""]

    def _run(self, arguments: list[str]) -> None:
        become = [sys.executable, "-I", "-S", "-c", _BECOME, str(os.getpid()), str(self.binary)]
        with (self.directory / "out.log").open("ab") as out:
            self.process = subprocess.Popen([*become, *arguments], stdout=out, stderr=out, stdin=subprocess.DEVNULL)

    def kill(self) -> None:
        """As kill -9 does."""
        self.process.kill()
        self.process.wait()

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        self.thaw()
        self.kill()
        self.client.close()

    def info(self, name: str) -> Any:
        return self.client.info().get(name)

    def synced(self) -> bool:
        """Whether a replica has had its first sync: before that its master's death proves nothing."""
        return bool(self.info("master_link_status") == "up")


def chosen() -> Path:
    """The server for all tests but those of Debian's Redis; KONTOR_SERVER names another."""
    return Path(os.environ["KONTOR_SERVER"]) if "KONTOR_SERVER" in os.environ else program()


def redis_server() -> Path | None:
    """A real Redis, if there is one."""
    found = shutil.which("redis-server")
    return Path(found) if found else None


class SentinelSet:
    """A master, two replicas, three Sentinels."""

    def __init__(self, directory: Path) -> None:
        self.servers = [Process(directory / f"server{n}") for n in range(3)]
        master = self.servers[0].start()
        for replica in self.servers[1:]:
            replica.start(replicaof=f"127.0.0.1 {master.port}")
        self.sentinels = [Process(directory / f"sentinel{n}").start_sentinel(master) for n in range(3)]
        self.healthy()

    @property
    def url(self) -> str:
        return f"redis+sentinel://{','.join(f'127.0.0.1:{one.port}' for one in self.sentinels)}/kontor"

    def master(self) -> Process:
        """Whom the first Sentinel calls the master."""
        _, port = self.sentinels[0].client.sentinel_get_master_addr_by_name("kontor")
        return next(one for one in self.servers if one.port == int(port))

    def healthy(self) -> None:
        """Wait until all are there, know each other and hold the same."""
        for one in self.sentinels:
            eventually(partial(self._knows_all, one))
        eventually(lambda: self.master().info("role") == "master" and self.master().info("connected_slaves") == 2)
        eventually(lambda: all(one is self.master() or one.synced() for one in self.servers))

    def _knows_all(self, sentinel: Process) -> bool:
        state = sentinel.client.sentinel_master("kontor")
        return bool(
            state["num-slaves"] == 2
            and state["num-other-sentinels"] == 2
            and state["flags"] == "master"
            and int(state["port"]) == self.master().port
        )

    def stop(self) -> None:
        for one in self.sentinels + self.servers:
            one.stop()


class Cluster:
    """Three primaries, each with a replica."""

    def __init__(self, directory: Path) -> None:
        self.servers = [
            Process(
                directory / f"node{n}",
                cluster_enabled="yes",
                cluster_port=str(free_port()),
                cluster_node_timeout="1000",
                cluster_replica_validity_factor="0",
            )
            for n in range(6)
        ]
        for one in self.servers:
            one.start()
        first, slots = self.servers[0], 16384 // 3
        for n, one in enumerate(self.servers[:3]):
            end = 16383 if n == 2 else (n + 1) * slots - 1
            one.client.execute_command("CLUSTER ADDSLOTSRANGE", n * slots, end)
            one.client.execute_command("CLUSTER SET-CONFIG-EPOCH", n + 1)
        for one in self.servers[1:]:
            bus = one.options["cluster-port"]
            first.client.execute_command("CLUSTER MEET", "127.0.0.1", one.port, bus)
        eventually(lambda: all(len(one.client.cluster("NODES")) == 6 for one in self.servers))
        for primary, replica in zip(self.servers[:3], self.servers[3:], strict=True):
            eventually(partial(replica.client.execute_command, "CLUSTER REPLICATE", name_of(primary)))
        self.healthy()

    @property
    def url(self) -> str:
        return f"redis+cluster://{','.join(f'127.0.0.1:{one.port}' for one in self.servers[:3])}"

    def primary(self, key: str) -> Process:
        """Who holds a key, as a living node sees it."""
        alive = next(one for one in self.servers if one.process.poll() is None)
        slot = alive.client.execute_command("CLUSTER KEYSLOT", key)
        for start, end, (_, port, *_), *_ in alive.client.execute_command("CLUSTER SLOTS"):
            if start <= slot <= end:
                return next(one for one in self.servers if one.port == port)
        raise LookupError(key)

    def stop(self) -> None:
        for one in self.servers:
            one.stop()

    def healthy(self) -> None:
        """Wait until all agree that all is well and hold the same."""
        eventually(lambda: all(one.client.cluster("INFO")["cluster_state"] == "ok" for one in self.servers))
        eventually(lambda: all(one.info("role") == "master" or one.synced() for one in self.servers))


def name_of(node: Process) -> str:
    """A node's name in its Cluster."""
    return str(node.client.execute_command("CLUSTER MYID").decode())
