"""Calls to both servers: the same bytes to each, and all that comes back, as it came."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import grpc

Metadata = tuple[tuple[str, str | bytes], ...]

TIMEOUT = 60.0  # seconds; the machine may be busy with others
PLAY, TABLES = "/kontor.v1.PlayService/", "/kontor.v1.TableService/"


class Answer(NamedTuple):
    """All that a client gets of a call."""

    code: str
    details: str | None
    message: bytes
    initial: Metadata
    trailing: Metadata

    @property
    def well(self) -> bool:
        """Whether it was answered."""
        return self.code == "OK"


Both = tuple[Answer, Answer]
Requests = tuple[bytes, bytes]


class Ends:
    """A line to each of the two servers."""

    def __init__(self, addresses: tuple[str, str]) -> None:
        options = (("grpc.use_local_subchannel_pool", 1),)
        self._channels = [grpc.aio.insecure_channel(address, options=options) for address in addresses]
        self._calls: dict[tuple[int, str], Any] = {}

    async def call(self, method: str, requests: Requests, token: str) -> Both:
        """Call both."""
        one, other = await asyncio.gather(*(self._call(end, method, requests[end], token) for end in (0, 1)))
        return one, other

    async def _call(self, end: int, method: str, request: bytes, token: str) -> Answer:
        call = self._callable(end, method)(request, metadata=_headers(token), timeout=TIMEOUT)
        try:
            message = await call
        except grpc.aio.AioRpcError as error:
            return Answer(
                error.code().name,
                error.details(),
                b"",
                _plain(error.initial_metadata()),
                _plain(error.trailing_metadata()),
            )
        return Answer("OK", "", message, _plain(await call.initial_metadata()), _plain(await call.trailing_metadata()))

    def _callable(self, end: int, method: str) -> Any:
        known = self._calls.get((end, method))
        if known is None:
            known = self._calls[end, method] = self._channels[end].unary_unary(method)
        return known

    def watch(self, request: bytes, token: str) -> Watch:
        """A stream from each."""
        streams: list[Any] = [channel.unary_stream(f"{PLAY}WatchView") for channel in self._channels]
        return Watch([stream(request, metadata=_headers(token)) for stream in streams])

    async def close(self) -> None:
        """Hang up."""
        for channel in self._channels:
            await channel.close()


class Watch:
    """The same watch at both servers."""

    def __init__(self, calls: list[Any]) -> None:
        self._calls = calls

    async def read(self) -> Both:
        """The next message of each."""
        one, other = await asyncio.gather(*(self._read(call) for call in self._calls))
        return one, other

    @staticmethod
    async def _read(call: Any) -> Answer:
        message: Any = b""
        try:
            async with asyncio.timeout(TIMEOUT):
                while message == b"":  # a sign of life tells nothing
                    message = await call.read()
        except TimeoutError:
            return Answer("nothing came", "", b"", (), ())
        except grpc.aio.AioRpcError as error:
            return Answer(error.code().name, error.details(), b"", (), _plain(error.trailing_metadata()))
        if message is grpc.aio.EOF:
            return Answer((await call.code()).name, await call.details(), b"", (), ())
        return Answer("OK", "", message, _plain(await call.initial_metadata()), ())

    def cancel(self) -> None:
        """Watch no longer."""
        for call in self._calls:
            call.cancel()


def _headers(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),) if token else ()


def _plain(metadata: Any) -> Metadata:
    return tuple((name, value) for name, value in metadata or ())
