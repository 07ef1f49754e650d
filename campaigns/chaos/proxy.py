"""A TCP proxy that delays, cuts and swallows: what a network does to whoever trusts it."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from tests.service.log.servers import free_port

CHUNK = 65536


class Link:
    """Between a client and a server's port, and what is wrong with it at the moment."""

    def __init__(self, behind: int, source: str = "127.0.0.1") -> None:
        self.port = free_port()
        self._source = source  # whom the server takes its clients for
        self.delay = 0.0  # seconds that everything waits, both ways
        self.mute = False  # answers are swallowed: what was asked is done, and nobody hears of it
        self.down = False  # new connections are refused
        self.swallowed = 0  # answers
        self._behind = behind
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._listener: asyncio.Server | None = None

    async def start(self) -> Link:
        """Listen."""
        self._listener = await asyncio.start_server(self._accepted, "127.0.0.1", self.port)
        return self

    async def stop(self) -> None:
        """End it, with all that goes through it."""
        if self._listener is not None:
            self._listener.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Break all connections."""
        for writer in list(self._open):
            writer.transport.abort()
        self._open.clear()

    def heal(self) -> None:
        """All is well again; what was swallowed from stays broken, since a stream has no holes."""
        self.delay, self.down = 0.0, False
        if self.mute:
            self.mute = False
            self.cut()

    def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.down:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._behind, local_addr=(self._source, 0))
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, back}
        ways = [asyncio.create_task(self._pass(reader, back)), asyncio.create_task(self._pass(there, writer, True))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            for end in (writer, back):
                end.transport.abort()
                self._open.discard(end)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answers: bool = False) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if answers and self.mute:
                    self.swallowed += 1
                elif not writer.is_closing():
                    writer.write(data)
