"""What every store promises."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from service.log import EMPTY, Conflict, Corrupt, Head, Hint, Settings, Signal, Tail, chain, verify
from service.log.port import MISSING, PAGE, key_of
from tests.service.log.conftest import Store
from tests.service.log.helpers import data_of, fill, plant, until

pytestmark = pytest.mark.anyio


async def test_what_was_appended_is_read(store: Store, table: str) -> None:
    """Entries come back in order, byte for byte, each with the hash that follows from the one before."""
    async with store.open() as log:
        data = [b"one", b"\x00\r\n\xff" * 50, b""]
        head = await fill(log, table, *data)
        tail = await log.read(table)
        assert [entry.data for entry in tail.entries] == data
        assert [entry.version for entry in tail.entries] == [1, 2, 3]
        assert not tail.rewound
        assert verify(EMPTY, tail.entries) == head == await log.head(table)


async def test_no_table_is_an_empty_one(store: Store, table: str) -> None:
    """A table nobody wrote to has an empty head and no entries."""
    async with store.open() as log:
        assert await log.head(table) == EMPTY
        assert await log.read(table) == Tail((), rewound=False)


async def test_the_keys_are_as_documented(store: Store, table: str) -> None:
    """The stream, its ids and its two fields are what other tools may rely on."""
    async with store.open() as log:
        await fill(log, table, b"one")
        raw = store.at(table).execute_command("XRANGE", f"kontor:{{{table}}}:log", "-", "+")
        assert raw == [(b"1-0", {b"e": b"one", b"h": chain(EMPTY.hash, b"one")})]


async def test_a_slower_writer_gets_what_he_missed(store: Store, table: str) -> None:
    """A conflict carries the head and the entries after the expected one, and is no rewind."""
    async with store.open() as log:
        first = await fill(log, table, b"one")
        head = await fill(log, table, b"two", b"three", start=first)
        answer = await log.append(table, first, b"late")
        assert isinstance(answer, Conflict)
        assert answer.head == head
        assert [entry.data for entry in answer.missing] == [b"two", b"three"]
        assert verify(first, answer.missing) == head
        assert not answer.rewound
        assert await data_of(log, table) == [b"one", b"two", b"three"]


@pytest.mark.parametrize("known", [0, 1])
async def test_a_conflict_is_bounded(store: Store, table: str, known: int) -> None:
    """Who is far behind gets the first of the missing entries and reads the others."""
    async with store.open() as log:
        plant(store.at(table), table, *[b"%d" % n for n in range(MISSING + 10)])
        expected = (await log.read(table, limit=known)).entries[-1].head if known else EMPTY
        answer = await log.append(table, expected, b"late")
        assert isinstance(answer, Conflict)
        assert len(answer.missing) == MISSING
        rest = await log.read(table, answer.missing[-1].head)
        assert verify(expected, answer.missing + rest.entries) == answer.head


async def test_of_two_writers_one_wins(store: Store, table: str) -> None:
    """Of two services that append to the same head exactly one succeeds, and the other learns it."""
    async with store.open() as one, store.open() as other:
        tables = [f"{table}-{n}" for n in range(20)]
        pairs = await asyncio.gather(
            *(asyncio.gather(one.append(t, EMPTY, b"one"), other.append(t, EMPTY, b"other")) for t in tables)
        )
        for t, answers in zip(tables, pairs, strict=True):
            winners = [answer for answer in answers if isinstance(answer, Head)]
            losers = [answer for answer in answers if isinstance(answer, Conflict)]
            assert len(winners) == len(losers) == 1
            assert losers[0].head == winners[0] == await one.head(t)


async def test_a_forked_history_is_refused(store: Store, table: str) -> None:
    """The same version with another hash, as after a restore, is no head to append to."""
    async with store.open() as log:
        plant(store.at(table), table, b"one", b"two")
        forked = Head(2, chain(b"another history", b"two"))
        answer = await log.append(table, forked, b"three")
        assert isinstance(answer, Conflict)
        assert answer.rewound
        assert answer.missing == ()
        assert await log.read(table, forked) == Tail((), rewound=True)
        assert len(await data_of(log, table)) == 2


async def test_a_fork_further_back_is_seen_too(store: Store, table: str) -> None:
    """A head that is ahead by number but does not contain the known entry is a rewind."""
    async with store.open() as log:
        plant(store.at(table), table, b"one", b"two", b"three")
        forked = Head(2, chain(b"another history", b"two"))
        answer = await log.append(table, forked, b"late")
        assert isinstance(answer, Conflict)
        assert answer.rewound
        assert answer.head.version == 3


async def test_a_head_behind_is_a_rewind(store: Store, table: str) -> None:
    """A log that has become shorter, or is gone, is told apart from one that has grown."""
    async with store.open() as log:
        first = await fill(log, table, b"one")
        ahead = Head(5, b"\x01" * 32)
        answer = await log.append(table, ahead, b"six")
        assert answer == Conflict(first, (), rewound=True)
        await log.delete(table)
        answer = await log.append(table, first, b"two")
        assert answer == Conflict(EMPTY, (), rewound=True)
        assert await log.read(table, first) == Tail((), rewound=True)


async def test_the_same_entry_again_is_written_once(store: Store, table: str) -> None:
    """Who appends again because he does not know the outcome gets the same head, also when others went on."""
    async with store.open() as log:
        first = await fill(log, table, b"one")
        assert await log.append(table, EMPTY, b"one") == first
        await fill(log, table, b"two", start=first)
        assert await log.append(table, EMPTY, b"one") == first
        assert await data_of(log, table) == [b"one", b"two"]


async def test_what_was_read_is_settled(store: Store, table: str) -> None:
    """Whoever has read something learns whether the log that is written to holds it, and what follows."""
    async with store.open() as log:
        first = await fill(log, table, b"one")
        second = await fill(log, table, b"two", start=first)
        assert await log.settle(table, second) == Tail((), rewound=False)
        assert await log.settle(table, first) == await log.read(table, first)
        assert await log.settle(table, EMPTY) == await log.read(table)
        for gone in (Head(2, chain(b"another history", b"two")), Head(3, second.hash)):
            assert await log.settle(table, gone) == Tail((), rewound=True)
        assert await log.settle(f"{table}-none", first) == Tail((), rewound=True)
        assert await log.settle(f"{table}-none", EMPTY) == Tail((), rewound=False)
        assert await data_of(log, table) == [b"one", b"two"]
        plant(store.at(f"{table}-long"), f"{table}-long", *[b"%d" % n for n in range(MISSING + 10)])
        assert len((await log.settle(f"{table}-long", EMPTY)).entries) == MISSING


async def test_long_tables_are_read_in_pages(store: Store, table: str) -> None:
    """A read of any length comes whole, and a limit or a known head cuts it where it says."""
    data = [b"%d" % n for n in range(2 * PAGE + 1)]
    async with store.open() as log:
        plant(store.at(table), table, *data)
        whole = (await log.read(table)).entries
        assert [entry.data for entry in whole] == data
        assert (await log.read(table, limit=PAGE + 7)).entries == whole[: PAGE + 7]
        assert (await log.read(table, whole[2].head)).entries == whole[3:]
        assert (await log.read(table, whole[2].head, 5)).entries == whole[3:8]
        assert (await log.read(table, whole[-1].head)).entries == ()


async def test_many_tables_at_once(store: Store, table: str) -> None:
    """Hundreds of concurrent appends all land, each in its own table."""
    async with store.open(Settings(batch=50)) as log:
        tables = [f"{table}-{n}" for n in range(300)]
        heads = await asyncio.gather(*(log.append(t, EMPTY, t.encode()) for t in tables))
        assert [await log.head(t) for t in tables] == heads
        assert len({head.hash for head in heads if isinstance(head, Head)}) == 300


async def test_a_cancelled_caller_tears_nothing(store: Store, table: str) -> None:
    """Callers cancelled before, while and after their batch is sent leave every entry written and the lane in order."""
    async with store.open() as log:
        await log.append(table, EMPTY, b"connect")
        for turns in range(6):
            tables = [f"{table}-{turns}-{n}" for n in range(20)]
            tasks = [asyncio.create_task(log.append(t, EMPTY, t.encode())) for t in tables]
            for _ in range(turns):
                await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            answers = await asyncio.gather(*tasks, return_exceptions=True)
            if turns == 2:  # created, then waiting: here every second one is cancelled while he waits
                assert all(isinstance(answer, asyncio.CancelledError) for answer in answers[::2])
            for t, answer in list(zip(tables, answers, strict=True))[1::2]:
                assert answer == Head(1, chain(EMPTY.hash, t.encode()))
            if turns:  # turn 0: cancelled before they began
                assert [await data_of(log, t) for t in tables] == [[t.encode()] for t in tables]


async def test_an_error_touches_only_its_own_caller(store: Store, table: str) -> None:
    """One key that is no stream fails its append and no other of the batch."""
    async with store.open() as log:
        tables = [f"{table}-{n}" for n in range(9)]
        planted = tables[4]
        store.at(planted).set(key_of(planted), "not a stream")
        answers = await asyncio.gather(*(log.append(t, EMPTY, b"one") for t in tables), return_exceptions=True)
        assert isinstance(answers.pop(4), Corrupt)
        assert answers == [Head(1, chain(EMPTY.hash, b"one"))] * 8
        with pytest.raises(Corrupt):
            await log.read(planted)


async def test_an_entry_of_somebody_else_is_told(store: Store, table: str) -> None:
    """A stream with foreign fields is no log of ours."""
    async with store.open() as log:
        store.at(table).xadd(key_of(table), {"foreign": "field"}, id="1-0")
        with pytest.raises(Corrupt):
            await log.read(table)
        with pytest.raises(Corrupt):
            await log.append(table, Head(1, b"\x01" * 32), b"two")


async def test_a_forgotten_script_is_sent_anew(store: Store, table: str) -> None:
    """After SCRIPT FLUSH all appends of a batch succeed, and the next ones by EVALSHA again."""
    async with store.open() as log:
        await log.append(table, EMPTY, b"one")
        for client in store.nodes():
            if client.info("replication")["role"] == "master":
                client.script_flush()
        tables = [f"{table}-{n}" for n in range(30)]
        answers = await asyncio.gather(*(log.append(t, EMPTY, b"one") for t in tables))
        assert all(isinstance(answer, Head) for answer in answers)
        assert [await data_of(log, t) for t in tables] == [[b"one"]] * 30


async def test_hints_arrive(store: Store, table: str) -> None:
    """What one service appends, another is told."""
    async with store.open() as one, store.open() as other, aclosing(other.hints()) as hints:
        assert await until(hints, Signal.LIVE) == [Signal.LIVE]
        await asyncio.gather(*(one.append(f"{table}-{n}", EMPTY, b"one") for n in range(10)))
        heard: set[Hint] = set()
        while len(heard) < 10:
            hint = await asyncio.wait_for(anext(hints), 5)
            assert isinstance(hint, Hint)
            if hint.table.startswith(table):  # in a Cluster those of the test before may still be under way
                heard.add(hint)
        assert heard == {Hint(f"{table}-{n}", 1) for n in range(10)}
        await one.append(f"{table}-0", EMPTY, b"another")
        head = await fill(one, table, b"one", b"two")
        assert Hint(f"{table}-0", 1) not in await until(hints, Hint(table, head.version))  # a refused one is no news


async def test_a_broken_subscription_is_told(store: Store, table: str) -> None:
    """When hints may be missing the listener hears it, hears when they come again, and then they come."""
    async with store.open() as log, aclosing(log.hints()) as hints:
        await until(hints, Signal.LIVE)
        store.hang_up("kontor-log")
        assert await until(hints, Signal.LIVE) == [Signal.LOST, Signal.LIVE]
        await log.append(table, EMPTY, b"one")
        await until(hints, Hint(table, 1))


async def test_tables_are_listed_until_deleted(store: Store, table: str) -> None:
    """All tables are found, and a deleted one is gone."""
    async with store.open() as log:
        tables = {f"{table}-{n}" for n in range(12)}
        await asyncio.gather(*(log.append(t, EMPTY, b"one") for t in tables))
        assert tables <= {t async for t in log.tables()}
        await log.delete(f"{table}-3")
        await log.delete(f"{table}-3")
        left = {t async for t in log.tables() if t.startswith(table)}
        assert left == tables - {f"{table}-3"}
        assert await log.head(f"{table}-3") == EMPTY


async def test_the_index_lies_beside_the_logs(store: Store, table: str) -> None:
    """A command on a key of the index is answered, and such a key is no table."""
    async with store.open() as log:
        key = f"kontor:index:{table}"
        await log.index("ZADD", key, 7, "a")
        assert await log.index("ZRANGE", key, 0, -1) == [b"a"]
        assert table not in [t async for t in log.tables()]
        await log.index("DEL", key)


async def test_a_good_store_has_no_findings(store: Store) -> None:
    """A durable master without eviction is ready; waiting for too few replicas is the only thing to say of a set."""
    async with store.open() as log:
        assert {finding.kind for finding in await log.ready()} <= {"failover"}


async def test_an_idle_connection_that_ended_costs_nothing(store: Store, table: str) -> None:
    """A connection that the server closed while nobody used it is seen before the next append is sent."""
    async with store.open() as log:
        head = await fill(log, table, b"one")
        store.hang_up("kontor-log", "kontor-read")
        await asyncio.sleep(0.05)
        assert await fill(log, table, b"two", start=head) == await log.head(table)


async def test_what_was_accepted_is_written_before_the_end(store: Store, table: str) -> None:
    """Closing a log waits for the appends it has taken."""
    async with store.open() as keeper:
        async with store.open() as log:
            await log.append(table, EMPTY, b"connect")
            tasks = [asyncio.create_task(log.append(f"{table}-{n}", EMPTY, b"one")) for n in range(50)]
            await asyncio.sleep(0)
        assert all(isinstance(head, Head) for head in await asyncio.gather(*tasks))
        assert [await data_of(keeper, f"{table}-{n}") for n in range(50)] == [[b"one"]] * 50
