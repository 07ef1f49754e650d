"""The floor: a bare grpc.aio server that appends what it is sent and tells whoever listens. No game, no token, no view.

    python -m bench.service.floor --listen ADDRESS --directory DIR [--call] [--message BYTES]

It appends by the service's own script to a Valkey with the service's own settings, gathered as the service gathers, or
(`--call`) by one redis-py call an append. What it answers is empty; what it tells listeners is always the same bytes.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import uvloop
from redis.asyncio import Redis

from service.grpc_edge.server import options
from service.log import EMPTY, Head, Settings, chain
from service.log.embedded import EmbeddedLog
from service.log.port import key_of
from service.log.script import APPEND, append_arguments, hint_of

TABLE = 12  # the first bytes of a request: which table
AGE = 3600.0  # seconds; connections live as long as a benchmark

Append = Callable[[str, Head, bytes], Awaitable[Head]]


def gathered(log: EmbeddedLog) -> Append:
    """Appends as the service makes them: what comes while one batch is under way makes the next."""

    async def append(table: str, head: Head, entry: bytes) -> Head:
        answer = await log.append(table, head, entry)
        assert isinstance(answer, Head)  # nobody else writes
        return answer

    return append


async def one_by_one(log: EmbeddedLog) -> Append:
    """Appends as redis-py makes them: one call each, a connection for each that is under way."""
    client: Any = Redis(unix_socket_path=str(log.server.socket), protocol=2, max_connections=256, socket_timeout=None)
    await client.script_load(APPEND.source)

    async def append(table: str, head: Head, entry: bytes) -> Head:
        digest = chain(head.hash, entry)
        argv = append_arguments(head, entry, digest, hint_of(table, head.version + 1))
        assert await client.evalsha(APPEND.sha, 1, key_of(table), *argv) == 1  # nobody else writes
        return Head(head.version + 1, digest)

    return append


class Floor:
    """Tables that are nothing but their heads, and who listens to them."""

    def __init__(self, append: Append, message: bytes) -> None:
        self._append = append
        self._message = message
        self._heads: dict[str, Head] = {}
        self._bells: dict[str, list[asyncio.Event]] = {}

    async def append(self, request: bytes, context: Any) -> bytes:
        """One more entry, and everybody is told."""
        table = request[:TABLE].decode()
        self._heads[table] = await self._append(table, self._heads.get(table, EMPTY), request)
        for bell in self._bells.get(table, ()):
            bell.set()
        return b""

    async def watch(self, request: bytes, context: Any) -> None:
        """A message at once, and one whenever the table went on."""
        bell = asyncio.Event()
        bells = self._bells.setdefault(request[:TABLE].decode(), [])
        bells.append(bell)
        try:
            while True:
                await context.write(self._message)
                await bell.wait()
                bell.clear()
        finally:
            bells.remove(bell)

    def handlers(self) -> grpc.GenericRpcHandler:
        """Bytes in, bytes out."""
        return grpc.method_handlers_generic_handler(
            "Floor",
            {
                "Append": grpc.unary_unary_rpc_method_handler(self.append),
                "Watch": grpc.unary_stream_rpc_method_handler(self.watch),
            },
        )


async def serve(listen: str, directory: Path, message: int, *, call: bool) -> None:
    """Serve until told to stop."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    log = await EmbeddedLog.open(directory / "log", Settings())
    append = await one_by_one(log) if call else gathered(log)
    server = grpc.aio.server(options=options(AGE, AGE))
    server.add_generic_rpc_handlers((Floor(append, bytes(message)).handlers(),))
    server.add_insecure_port(listen)
    await server.start()
    await stop.wait()
    await server.stop(None)
    await log.close()


def main() -> None:
    """Serve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--listen", required=True)
    parser.add_argument("--directory", type=Path, required=True)
    parser.add_argument("--message", type=int, default=200, help="bytes of what listeners are told")
    parser.add_argument("--call", action="store_true", help="one redis-py call an append")
    typed = parser.parse_args()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(typed.listen, typed.directory, typed.message, call=typed.call))


if __name__ == "__main__":
    main()
