"""HTTP/2 by hand: as much of it as it takes to be rude."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, END_HEADERS, ACK = 1, 4, 1
INITIAL_WINDOW_SIZE = 4  # a setting
CANCEL = 8  # an error code


class Frame(NamedTuple):
    """What came."""

    kind: int
    flags: int
    stream: int
    payload: bytes


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """One frame."""
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def settings(**values: int) -> bytes:
    """Our settings; here only the window counts."""
    pairs = [(INITIAL_WINDOW_SIZE, values["window"])] if "window" in values else []
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", *pair) for pair in pairs))


def fields(pairs: Iterable[tuple[str | bytes, str | bytes]]) -> bytes:
    """Header fields, each spelled out: no table, no Huffman."""
    return b"".join(b"\x00" + _text(name) + _text(value) for name, value in pairs)


def _text(value: str | bytes) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    length = len(raw)
    if length < 127:
        return bytes((length,)) + raw
    out, rest = bytearray((127,)), length - 127
    while rest >= 128:
        out.append(rest % 128 + 128)
        rest //= 128
    out.append(rest)
    return bytes(out) + raw


def call_headers(method: str, *more: tuple[str | bytes, str | bytes]) -> bytes:
    """The header block of a gRPC call."""
    usual = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", f"/{method}"),
        (":authority", "127.0.0.1"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ]
    return fields([*usual, *more])


def message(body: bytes, *, compressed: bool = False) -> bytes:
    """A gRPC message within DATA."""
    return bytes((compressed,)) + struct.pack(">I", len(body)) + body


def call(stream: int, block: bytes, body: bytes, *, compressed: bool = False) -> bytes:
    """A whole call of one message."""
    data = message(body, compressed=compressed)
    parts = [data[place : place + 16384] for place in range(0, len(data), 16384)]
    sent = [frame(HEADERS, END_HEADERS, stream, block)]
    sent += [frame(DATA, END_STREAM if part is parts[-1] else 0, stream, part) for part in parts]
    return b"".join(sent)


class Wire:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, *parts: bytes) -> None:
        """Send, if the other side still listens."""
        with suppress(OSError):
            self.writer.write(b"".join(parts))
            await self.writer.drain()

    async def frames(self, seconds: float) -> AsyncIterator[Frame]:
        """What comes, until nothing came for so long or the connection is gone."""
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            while True:
                async with asyncio.timeout(seconds):
                    head = await self.reader.readexactly(9)
                    length = int.from_bytes(head[:3], "big")
                    yield Frame(
                        head[3], head[4], int.from_bytes(head[5:], "big"), await self.reader.readexactly(length)
                    )

    async def closed(self, seconds: float) -> bool:
        """Whether the other side hangs up within so many seconds."""
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(seconds):
                while await self.reader.read(65536):
                    pass
            return True
        return False


@asynccontextmanager
async def wire(port: int, *first: bytes) -> AsyncIterator[Wire]:
    """A connection to a port of this machine, dropped at the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        one = Wire(reader, writer)
        await one.send(*first)
        yield one
    finally:
        writer.transport.abort()
