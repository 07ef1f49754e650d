"""Shorthands of the log's tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from service.log import EMPTY, Head, Hint, Log, Signal, chain
from service.log.port import key_of


def entries_of(*data: bytes, start: Head = EMPTY) -> list[Head]:
    """The heads these entries lead to."""
    heads = []
    for one in data:
        start = Head(start.version + 1, chain(start.hash, one))
        heads.append(start)
    return heads


async def fill(log: Log, table: str, *data: bytes, start: Head = EMPTY) -> Head:
    """Append all of it, one after the other."""
    for one in data:
        answer = await log.append(table, start, one)
        assert isinstance(answer, Head)
        start = answer
    return start


def plant(client: Any, table: str, *data: bytes) -> None:
    """Write a log by the back door, fast."""
    pipeline = client.pipeline(transaction=False)
    for head, one in zip(entries_of(*data), data, strict=True):
        pipeline.xadd(key_of(table), {"e": one, "h": head.hash}, id=f"{head.version}-0")
    pipeline.execute()


async def data_of(log: Log, table: str) -> list[bytes]:
    """What a table's entries hold."""
    return [entry.data for entry in (await log.read(table)).entries]


async def until(hints: AsyncIterator[Hint | Signal], wanted: object, seconds: float = 15.0) -> list[Hint | Signal]:
    """All that is heard up to what is wanted."""
    heard = []
    async with asyncio.timeout(seconds):
        async for one in hints:
            heard.append(one)
            if one == wanted:
                return heard
    raise AssertionError("the hints ended")
