"""The lane: what is told, waited for and left behind, beside the answers themselves."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest
from structlog.testing import capture_logs

from service.log import EMPTY, Conflict, Head, Hint, OutcomeUnknown, Settings, Signal, Tail, Unavailable, open_log
from service.log.redis import RedisLog
from tests.service.log.helpers import fill, until
from tests.service.log.servers import Process

pytestmark = pytest.mark.anyio


async def test_with_replicas_a_refused_append_is_no_news(pair: tuple[Process, Process], table: str) -> None:
    """Watchers hear of what was written, once the replicas have it; of a conflict or a look they hear nothing."""
    log = await open_log(pair[0].url, None, Settings(wait_replicas=1))
    async with aclosing(log.hints()) as hints:
        await until(hints, Signal.LIVE)
        head = await fill(log, table, b"one")
        assert isinstance(await log.append(table, Head(7, bytes(32)), b"another"), Conflict)
        assert await log.settle(table, head) == Tail((), rewound=False)
        await fill(log, table, b"two", start=head)
        assert await until(hints, Hint(table, 2)) == [Hint(table, 1), Hint(table, 2)]
    await log.close()


async def test_replicas_may_be_given_longer_than_their_master(pair: tuple[Process, Process], table: str) -> None:
    """The time for the replicas comes on top of the time for an answer, however long it is."""
    log = await open_log(pair[0].url, None, Settings(timeout=5, wait_replicas=1, wait_timeout_ms=10_000))
    await fill(log, table, b"one")
    await log.close()


async def test_a_look_writes_nothing_where_no_replica_is_waited_for(server: Process, table: str) -> None:
    """Settling makes a stale answer impossible by a write; with nobody to wait for, it is a read."""
    log = await open_log(server.url)
    head = await fill(log, table, b"one")
    written = server.info("rdb_changes_since_last_save")
    assert await log.settle(table, head) == Tail((), rewound=False)
    assert server.info("rdb_changes_since_last_save") == written
    await log.close()


async def test_a_lane_that_is_ended_takes_nothing_more(server: Process, table: str) -> None:
    """Ended in the midst of a batch: nobody knows what became of that one, which is logged; what waited is not sent."""
    log = await open_log(server.url, None, Settings(batch=1))
    assert isinstance(log, RedisLog)
    await fill(log, f"{table}-connect", b"one")
    server.freeze()
    tasks = [asyncio.create_task(log.append(f"{table}-{n}", EMPTY, b"one")) for n in range(3)]
    async with asyncio.timeout(10):
        while len(log._lane._queue) != 2:  # noqa: ASYNC110 - the first is under way then
            await asyncio.sleep(0.005)
    await asyncio.sleep(0.05)
    assert log._lane._task is not None
    with capture_logs() as said:
        log._lane._task.cancel()
        first, *others = await asyncio.gather(*tasks, return_exceptions=True)
    (lost,) = said
    assert (lost["event"], lost["calls"], lost["answered"]) == ("log.connection_lost", 1, 0)
    assert isinstance(first, OutcomeUnknown)
    assert [type(each) for each in others] == [Unavailable] * 2
    assert all("closed before this was sent" in str(each) for each in others)
    server.thaw()
    assert isinstance(await log.append(f"{table}-1", EMPTY, b"one"), Head)  # the next one finds a lane again
    await log.close()
