"""The line to a server: one channel, used patiently."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import grpc
from google.protobuf.message import Message

from kontor.v1.play_service_pb2_grpc import PlayServiceStub
from kontor.v1.table_service_pb2_grpc import TableServiceStub
from kontor_client.errors import from_rpc

if TYPE_CHECKING:
    from kontor.v1.play_service_pb2_grpc import PlayServiceAsyncStub
    from kontor.v1.table_service_pb2_grpc import TableServiceAsyncStub

TIMEOUT = 10.0  # seconds for one try; the server has the same limit
SETTLING = 20  # hundredths of a second that hanging up may take
OPTIONS = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
)

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)
Options = Sequence[tuple[str, Any]]


def new_id() -> str:
    """A request id that nobody has had before."""
    return secrets.token_urlsafe(12)


def new_secret() -> str:
    """A client secret that nobody guesses."""
    return secrets.token_urlsafe(24)


def backoff(first: float = 0.05, most: float = 2.0) -> Iterator[float]:
    """How long to wait before each new try: doubling, and never all clients at once."""
    wait = first
    while True:
        yield wait * random.uniform(0.5, 1.0)  # noqa: S311 - nothing secret in it
        wait = min(most, wait * 2)


class Line:
    """A channel, the stubs on it, and calls that are repeated until they are answered or patience is at its end."""

    def __init__(
        self,
        address: str,
        credentials: grpc.ChannelCredentials | None = None,
        language: str = "",
        api_key: str = "",
        patience: float = 30.0,
        options: Options = (),
    ) -> None:
        self.address = address
        self.patience = patience
        self._credentials = credentials
        self._options = (*OPTIONS, *options)
        self._headers = [("accept-language", language)] if language else []
        self._api_key = [("x-kontor-api-key", api_key)] if api_key else []

    @cached_property
    def channel(self) -> grpc.aio.Channel:
        """The channel, made on first use: it belongs to the loop that runs then."""
        if self._credentials is None:
            return grpc.aio.insecure_channel(self.address, options=self._options)
        return grpc.aio.secure_channel(self.address, self._credentials, options=self._options)

    @cached_property
    def tables(self) -> TableServiceAsyncStub:
        """The calls around a game."""
        return TableServiceStub(self.channel)

    @cached_property
    def play(self) -> PlayServiceAsyncStub:
        """The calls of a game."""
        return PlayServiceStub(self.channel)

    def metadata(self, token: str = "") -> list[tuple[str, str]]:
        """The headers of a call."""
        bearer = [("authorization", f"Bearer {token}")] if token else []
        return [*self._headers, *self._api_key, *bearer]

    async def call(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Request, Response],
        request: Request,
        token: str = "",
        patience: float | None = None,
    ) -> Response:
        """Call, and call again with the very same request while that can help."""
        clock = asyncio.get_running_loop().time
        end = clock() + (self.patience if patience is None else patience)
        for wait in backoff():
            timeout = min(TIMEOUT, max(0.05, end - clock()))
            try:
                return await method(request, timeout=timeout, metadata=self.metadata(token))
            except grpc.aio.AioRpcError as error:
                failed = from_rpc(error)
            pause = max(wait, failed.retry or 0.0)
            if not failed.temporary or clock() + pause >= end:
                raise failed
            await asyncio.sleep(pause)
        raise AssertionError  # for mypy: backoff never ends

    async def close(self) -> None:
        """Hang up."""
        if "channel" in self.__dict__:
            await self.channel.close()
            await _settled()


async def _settled() -> None:
    """Let gRPC hear the end of cancelled calls: told later, it stumbles over a loop that is closed by then."""
    for _ in range(SETTLING):
        coroutines = (task.get_coro() for task in asyncio.all_tasks())
        if not any(getattr(each, "__qualname__", "").startswith("_AioCall.") for each in coroutines):
            return
        await asyncio.sleep(0.01)
