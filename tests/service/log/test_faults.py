"""Servers that die, stall, refuse and forget, and what the log says then."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest
import uvloop
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection, Connection

from service.log import (
    EMPTY,
    Busy,
    Full,
    Head,
    Hint,
    Log,
    Misconfigured,
    OutcomeUnknown,
    Settings,
    Signal,
    Tail,
    Unavailable,
    chain,
    open_log,
)
from service.log.errors import translated
from service.log.hints import listen
from service.log.port import key_of
from service.log.redis import RedisLog, dialled, for_lane, for_reads
from tests.service.log.helpers import data_of, fill, until
from tests.service.log.proxy import proxy
from tests.service.log.servers import Process, eventually

pytestmark = pytest.mark.anyio

ONE = Head(1, chain(EMPTY.hash, b"one"))


async def reopened(log: Log, url: str, settings: Settings | None = None) -> Log:
    """The log at another server."""
    await log.close()
    return await open_log(url, None, settings)


async def test_killed_between_append_and_answer(server: Process, table: str) -> None:
    """Killed after writing and before answering: the outcome is unknown, and the same entry again succeeds once."""
    async with proxy(server.port) as between:
        log = await open_log(between.url)
        await fill(log, f"{table}-connect", b"one")
        between.mute = True
        task = asyncio.create_task(log.append(table, EMPTY, b"one"))
        await asyncio.to_thread(eventually, lambda: server.client.exists(key_of(table)))
        server.kill()
        with pytest.raises(OutcomeUnknown):
            await task
        between.mute = False
        with pytest.raises(Unavailable):
            await log.append(table, EMPTY, b"one")
        server.start()
        assert await log.append(table, EMPTY, b"one") == ONE
        assert await data_of(log, table) == [b"one"]
        await log.close()


async def test_killed_before_the_append(server: Process, table: str) -> None:
    """Killed after it was asked and before writing: unknown too, and the same entry again succeeds once."""
    log = await open_log(server.url)
    await fill(log, f"{table}-connect", b"one")
    server.freeze()
    task = asyncio.create_task(log.append(table, EMPTY, b"one"))
    await asyncio.sleep(0.1)
    server.kill()
    with pytest.raises(OutcomeUnknown):
        await task
    server.start()
    assert await data_of(log, table) == []
    assert await log.append(table, EMPTY, b"one") == ONE
    assert await data_of(log, table) == [b"one"]
    await log.close()


async def test_a_restart_keeps_what_was_answered(server: Process, table: str) -> None:
    """All that was acknowledged up to a kill -9 is there after the restart."""
    log = await open_log(server.url)
    tables = [f"{table}-{n}" for n in range(100)]
    heads = await asyncio.gather(*(fill(log, t, b"one", b"two") for t in tables))
    server.kill()
    server.start()
    assert [await log.head(t) for t in tables] == heads
    await log.close()


async def test_answers_before_the_break_count(server: Process, table: str) -> None:
    """When a connection breaks in the middle of a batch those already answered are answered."""
    log = await open_log(server.url, None, Settings(batch=1))
    tasks = [asyncio.create_task(log.append(f"{table}-{n}", EMPTY, b"one")) for n in range(200)]
    await tasks[20]
    server.kill()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(answer == ONE for answer in answers[:21])
    assert isinstance(answers[-1], Unavailable)  # never sent, and said so
    assert sum(isinstance(answer, OutcomeUnknown) for answer in answers) <= 1
    server.start()
    for n, answer in enumerate(answers):
        if not isinstance(answer, OutcomeUnknown):
            assert (await log.head(f"{table}-{n}") == ONE) == (answer == ONE)
    await log.close()


async def test_a_stalled_server_is_a_matter_of_one_timeout(server: Process, table: str) -> None:
    """A server that does not answer leaves the outcome unknown after one timeout for all of a batch."""
    log = await open_log(server.url, None, Settings(timeout=0.3))
    await fill(log, f"{table}-connect", b"one")
    server.freeze()
    started = asyncio.get_running_loop().time()
    tasks = [log.append(f"{table}-{n}", EMPTY, b"one") for n in range(50)]
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert asyncio.get_running_loop().time() - started < 1.5
    assert {type(answer) for answer in answers} == {OutcomeUnknown}
    server.thaw()
    again = [log.append(f"{table}-{n}", EMPTY, b"one") for n in range(50)]
    assert await asyncio.gather(*again) == [ONE] * 50
    assert [await data_of(log, f"{table}-{n}") for n in range(50)] == [[b"one"]] * 50
    await log.close()


def test_a_connection_that_uvloop_has_closed(server: Process, table: str) -> None:
    """It is a broken one: what was to be read or written is tried again, and nobody is told of an INTERNAL error."""

    async def closed() -> None:
        log = await open_log(server.url, None, Settings())
        assert isinstance(log, RedisLog)
        await fill(log, table, b"one")
        connection: Any = log._lane._connection
        connection._writer.transport.abort()
        await asyncio.sleep(0.01)
        with pytest.raises(Unavailable), translated():
            await connection.send_packed_command([b"PING\r\n"], check_health=False)
        await log.close()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(closed())


async def test_the_queue_is_bounded(server: Process, table: str) -> None:
    """Who comes when too many wait is refused at once, and nothing of him is written."""
    log = await open_log(server.url, None, Settings(queue=5, batch=2))
    await fill(log, f"{table}-connect", b"one")
    server.freeze()
    tasks = [asyncio.create_task(log.append(f"{table}-{n}", EMPTY, b"one")) for n in range(8)]
    await asyncio.sleep(0.1)
    with pytest.raises(Busy):
        await asyncio.gather(*(log.append(f"{table}-late-{n}", EMPTY, b"one") for n in range(8)))
    server.thaw()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [answer for answer in answers if not isinstance(answer, Busy)] == [ONE] * 5
    await log.close()


async def test_appends_share_round_trips(server: Process, table: str) -> None:
    """Hundreds of appends of one moment reach the server in a handful of reads."""
    log = await open_log(server.url, None, Settings(batch=100))
    await fill(log, f"{table}-connect", b"one")
    before = server.info("total_reads_processed")
    await asyncio.gather(*(log.append(f"{table}-{n}", EMPTY, b"one") for n in range(500)))
    assert server.info("total_reads_processed") - before < 30
    await log.close()


async def test_hints_of_a_connection_that_died_without_a_word(server: Process, table: str) -> None:
    """A silent connection is asked for a sign of life: one that gives it stays, one that does not is given up."""
    async with proxy(server.port) as link:

        async def dial() -> AbstractConnection:
            return await dialled(Connection(host="127.0.0.1", port=link.port, **for_lane(Settings())))

        async with aclosing(listen(dial, Settings(timeout=0.2), idle=0.05)) as hints:
            assert await anext(hints) is Signal.LIVE
            await asyncio.sleep(0.3)
            link.mute = True
            assert await anext(hints) is Signal.LOST
            link.mute = False
            assert await anext(hints) is Signal.LIVE


async def test_only_wanted_hints_are_heard(server: Process, table: str) -> None:
    """Of all other tables nobody hears anything."""
    log = await open_log(server.url)
    async with aclosing(log.hints(table.__eq__)) as hints:
        assert await anext(hints) is Signal.LIVE
        await fill(log, f"{table}-other", b"one")
        await fill(log, table, b"one")
        assert await anext(hints) == Hint(table, 1)
    await log.close()


async def test_nobody_listens(server: Process, table: str) -> None:
    """A refused connection is Unavailable, for appends, reads and readiness alike."""
    server.kill()
    log = await open_log(server.url)
    for attempt in (log.append(table, EMPTY, b"one"), log.read(table), log.head(table), log.delete(table)):
        with pytest.raises(Unavailable):
            await attempt
    with pytest.raises(Unavailable):
        await anext(log.tables())
    assert [finding.kind for finding in await log.ready()] == ["unreachable"]
    async with aclosing(log.hints()) as hints:
        assert await asyncio.wait_for(anext(hints), 5) == Signal.LOST
        server.start()
        await until(hints, Signal.LIVE)
    assert await log.append(table, EMPTY, b"one") == ONE
    await log.close()
    with pytest.raises(Unavailable):
        await log.append(table, ONE, b"two")


async def test_no_memory_left(server: Process, table: str) -> None:
    """A server that refuses writes for want of memory is Full, is found out, and still reads."""
    log = await open_log(server.url)
    await fill(log, table, b"one")
    server.client.config_set("maxmemory", 1)
    with pytest.raises(Full):
        await log.append(table, ONE, b"two")
    assert await log.head(table) == ONE
    assert [finding.kind for finding in await log.ready()] == ["memory"]
    server.client.config_set("maxmemory", 0)
    await fill(log, table, b"two", start=ONE)
    await log.close()


async def test_a_server_to_be_mended(server: Process) -> None:
    """Each setting that can lose tables is told in a sentence of its own."""
    server.client.config_set("maxmemory-policy", "allkeys-lru")
    server.client.config_set("appendfsync", "everysec")
    log = await open_log(server.url)
    assert [finding.kind for finding in await log.ready()] == ["durability", "eviction"]
    server.client.config_set("appendonly", "no")
    sentences = [finding.sentence for finding in await log.ready()]
    assert "appendonly yes" in sentences[0]
    assert "noeviction" in sentences[1]
    await log.close()


async def test_narrow_rights(server: Process, table: str) -> None:
    """A user who may not publish still appends; one who may not write, or has no password, is told so."""
    server.client.execute_command("ACL SETUSER quiet on >secret ~kontor:* +@all resetchannels -config")
    server.client.execute_command("ACL SETUSER reader on >secret ~kontor:* +@read +@connection +@scripting")
    log = await open_log(f"redis://quiet:secret@127.0.0.1:{server.port}")
    assert await log.append(table, EMPTY, b"one") == ONE
    assert "does not tell" in (await log.ready())[0].sentence
    await log.close()
    for user in ("reader:secret", "reader:wrong"):
        log = await open_log(f"redis://{user}@127.0.0.1:{server.port}")
        with pytest.raises(Misconfigured) as error:
            await log.append(table, ONE, b"two")
        assert "secret" not in str(error.value)
        await log.close()
    assert server.client.xlen(key_of(table)) == 1


async def test_a_replica_never_speaks_for_the_log(pair: tuple[Process, Process], table: str) -> None:
    """A stale replica neither takes an entry nor claims that the history was rewound."""
    master, replica = pair
    log = await open_log(master.url)
    head = await fill(log, table, b"one", b"two")
    log = await reopened(log, replica.url)
    for expected in (EMPTY, ONE, head, Head(9, b"\x01" * 32)):
        with pytest.raises(Unavailable):
            await log.append(table, expected, b"three")
    with pytest.raises(Unavailable):
        await log.append(f"{table}-none", ONE, b"two")
    assert [finding.kind for finding in await log.ready()] == ["replica"]
    await log.close()


async def test_a_demoted_master_is_left(pair: tuple[Process, Process], table: str) -> None:
    """A server that has become a replica without a word is asked once; the next append finds the new master."""
    old, new = pair
    masters = [old.port, new.port]

    async def dial() -> AbstractConnection:
        return await dialled(Connection(port=masters.pop(0), **for_lane(Settings())))

    log = RedisLog(Redis(port=new.port, **for_reads(Settings())), dial, Settings())
    await fill(log, table, b"one")
    await asyncio.to_thread(eventually, lambda: new.client.exists(key_of(table)))
    new.client.replicaof("NO", "ONE")
    old.client.replicaof("127.0.0.1", new.port)
    with pytest.raises(Unavailable):
        await log.append(table, ONE, b"two")
    await fill(log, table, b"two", start=ONE)
    assert await data_of(log, table) == [b"one", b"two"]
    await log.close()


async def test_replicas_are_waited_for(pair: tuple[Process, Process], table: str) -> None:
    """An entry that a stalled replica lacks is not answered or hinted, nor its repetition from another connection."""
    master, replica = pair
    settings = Settings(wait_replicas=1, wait_timeout_ms=200)
    log = await open_log(master.url, None, settings)
    await fill(log, f"{table}-connect", b"one")
    async with aclosing(log.hints()) as hints:
        await until(hints, Signal.LIVE)
        replica.freeze()
        with pytest.raises(OutcomeUnknown):
            await log.append(table, EMPTY, b"one")
        other = await open_log(master.url, None, settings)
        for _ in range(2):
            with pytest.raises(OutcomeUnknown):
                await other.append(table, EMPTY, b"one")
            with pytest.raises(OutcomeUnknown):  # nor is what others may have written shown by a conflict
                await other.append(table, EMPTY, b"another")
            with pytest.raises(OutcomeUnknown):
                await other.settle(table, ONE)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(task := asyncio.ensure_future(anext(hints))), 0.1)
        replica.thaw()
        await asyncio.to_thread(eventually, lambda: master.client.wait(1, 100) == 1)
        assert await other.append(table, EMPTY, b"one") == ONE
        assert await other.settle(table, ONE) == Tail((), rewound=False)
        assert await asyncio.wait_for(task, 5) == Hint(table, 1)
    assert await data_of(log, table) == [b"one"]
    assert replica.client.xlen(key_of(table)) == 1
    for one in (log, other):
        assert await one.ready() == ()
        await one.close()


async def test_too_few_and_too_many_replicas_are_told(pair: tuple[Process, Process]) -> None:
    """Waiting for more replicas than there are, or fewer, is a finding."""
    master, _ = pair
    for wanted, kind, word in ((0, "failover", "can lose"), (2, "replicas", "has 1 replicas")):
        log = await open_log(master.url, None, Settings(wait_replicas=wanted))
        (finding,) = await log.ready()
        assert finding.kind == kind
        assert word in finding.sentence
        await log.close()


async def test_a_restored_backup_is_seen(server: Process, table: str) -> None:
    """Going on from a backup that lacks the last entries is a rewind to those who knew them."""
    log = await open_log(server.url)
    first = await fill(log, table, b"one")
    backup = server.client.dump(key_of(table))
    known = await fill(log, table, b"two", start=first)
    server.client.restore(key_of(table), 0, backup, replace=True)
    assert (await log.read(table, known)).rewound
    await fill(log, table, b"another two", b"three", start=first)
    assert (await log.read(table, known)).rewound
    assert not (await log.read(table, first)).rewound
    await log.close()


async def test_redis_and_valkey_agree(server: Process, redis_process: Process, table: str) -> None:
    """The same history has the same head at Redis and at Valkey."""
    heads = []
    for url in (server.url, redis_process.url):
        log = await open_log(url)
        heads.append(await fill(log, table, b"one", b"two"))
        await log.close()
    assert heads[0] == heads[1]
