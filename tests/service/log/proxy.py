"""A TCP proxy that can keep answers back: what a client sees when a server dies after doing what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.service.log.servers import free_port


class Proxy:
    """Between a client and a server; `mute` keeps the server's answers back."""

    def __init__(self, port: int) -> None:
        self.port = free_port()
        self.mute = False
        self._behind = port
        self._writers: list[asyncio.StreamWriter] = []

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._behind)
        except OSError:
            writer.close()
            return
        self._writers += [writer, back]
        await asyncio.gather(self._pass(reader, back, answers=False), self._pass(there, writer, answers=True))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        try:
            while data := await reader.read(65536):
                if not (answers and self.mute):
                    writer.write(data)
        except OSError:
            pass
        finally:
            writer.close()

    def cut(self) -> None:
        """Break all connections."""
        for writer in self._writers:
            writer.close()
        self._writers.clear()


@asynccontextmanager
async def proxy(port: int) -> AsyncIterator[Proxy]:
    """A proxy before a server's port."""
    one = Proxy(port)
    listener = await asyncio.start_server(one.serve, "127.0.0.1", one.port)
    try:
        yield one
    finally:
        listener.close()
        one.cut()
        await listener.wait_closed()
        await asyncio.sleep(0.01)  # the handlers see the end
