"""Any replica serves any table: no lock, no leader, nothing lost, nothing doubled."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from domain import toy
from domain.chance import Stream
from domain.table import Leave
from kontor.v1 import table_service_pb2 as table_pb
from service.calls import at_table
from service.errors import AgainstTheRules, NotFound, Unauthenticated
from service.life import Life
from service.log.port import EMPTY, Log, verify
from service.metrics import METRICS
from tests.service.host.house import House, Replica, Table
from tests.service.host.made import random_answer

pytestmark = pytest.mark.anyio

TOY = {"toy": toy}


async def at_once(house: House, replicas: list[Replica], players: int = 4) -> tuple[Table, Life]:
    """A table of the toy at which all are asked at the same time."""
    table = await house.playing(replicas[0], *(f"Player {n}" for n in range(players)), game="toy")
    source, life = Stream(bytes(32), "before"), await replicas[0].host.fresh(table.id)
    while len(life.waiting) < players:
        await replicas[0].host.commit(table.id, random_answer(life, life.waiting[0], source, house.id()))
    for replica in replicas:
        await replica.host.fresh(table.id)
    return table, life


async def test_simultaneous_answers_at_two_replicas(house: House) -> None:
    """All answer at once, each at another replica than his neighbour: every answer stands in the log, once."""
    replicas = [await house.replica(TOY) for _ in range(2)]
    for seed in range(10):
        table, life = await at_once(house, replicas)
        before, conflicts = life.version, METRICS.conflicts._value.get()
        source = Stream(bytes([seed]) * 32, "answers")
        calls = [random_answer(life, seat, source, f"answer-{seat}") for seat in (1, 2, 3, 4)]
        done = await asyncio.gather(
            *(replicas[n % 2].host.commit(table.id, call) for n, call in enumerate(calls)),
            *(replicas[(n + 1) % 2].host.commit(table.id, call) for n, call in enumerate(calls)),
        )
        assert METRICS.conflicts._value.get() > conflicts
        versions = [version for _, version in done]
        assert sorted(versions[:4]) == list(range(before + 1, before + 5))
        assert versions[4:] == versions[:4]  # the same call at the other replica is its repetition
        fresh = await (await house.replica(TOY)).host.fresh(table.id)
        assert Counter(entry.seat for entry in fresh.entries[before:]) == dict.fromkeys((1, 2, 3, 4), 1)
        verify(EMPTY, (await replicas[0].log.read(table.id)).entries)
        for replica in replicas:
            assert (await replica.host.fresh(table.id)).play == fresh.play


class Reads:
    """A real log that counts how often it is read."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.reads = 0

    def __getattr__(self, name: str) -> Any:
        self.reads += name == "read"
        return getattr(self._log, name)


async def test_a_conflict_brings_what_is_missing(house: House) -> None:
    """Who was slower folds what the log answers him, and decides again: it need not be read."""
    here, there = await house.replica(TOY), await house.replica(TOY, wrap=Reads)
    table, life = await at_once(house, [here, there])
    source, reads = Stream(bytes(32), "answers"), there.log.reads  # type: ignore[attr-defined]
    await here.host.commit(table.id, random_answer(life, 1, source, house.id()))
    late, version = await there.host.commit(table.id, random_answer(life, 2, source, house.id()))
    assert (late.version, version) == (life.version + 1, life.version + 1)
    assert there.log.reads == reads  # type: ignore[attr-defined]


async def test_whole_games_at_three_replicas(house: House) -> None:
    """A game goes on at whichever replica is asked next, and all come to the same end."""
    replicas = [await house.replica(TOY) for _ in range(3)]
    table = await house.playing(replicas[0], "Anna", "Bartl", "Clara", game="toy")
    source, turn = Stream(bytes(32), "play"), 0
    while (life := await replicas[turn % 3].host.fresh(table.id)).waiting:
        call = random_answer(life, life.waiting[0], source, house.id())
        turn += 1
        await replicas[turn % 3].host.commit(table.id, call)
    lives = [await replica.host.fresh(table.id) for replica in replicas]
    assert lives[0].over
    assert lives[0].play == lives[1].play == lives[2].play


async def test_nobody_is_refused_by_a_stale_replica(house: House) -> None:
    """A replica that has not heard of the newest decision reads before it says that a decision is gone."""
    here, there = await house.replica(), await house.replica()
    table = await house.playing(here)
    await there.host.fresh(table.id)
    await table.play(here, 5)
    life = await here.host.fresh(table.id)
    request = await table.answer(here, life.waiting[0])
    stale = there.host.cached(table.id)
    assert stale is not None
    assert stale.version < life.version
    answer = await table.submit(there, request, life.waiting[0])
    assert answer.change.moment.version == life.version + 1


async def test_a_token_newer_than_what_a_replica_knows(house: House) -> None:
    """Who joined at one replica is known at another that has an older life of the table."""
    here, there = await house.replica(), await house.replica()
    table = await house.open(here)
    await there.call("GetTable", table_pb.GetTableRequest(table_id=table.id), table.host)
    await table.join(here, "Anna")
    await table.join(here, "Bartl")
    await table.start(here)
    life = await here.host.fresh(table.id)
    assert (await table.submit(there, await table.answer(here), life.waiting[0])).change.seat == life.waiting[0]


async def test_a_token_of_an_older_epoch_at_a_stale_replica(house: House) -> None:
    """A seat that was handed over elsewhere is not played by its old token, whatever this replica knew."""
    here, there = await house.replica(), await house.replica()
    table = await house.playing(here)
    seat = (await there.host.fresh(table.id)).waiting[0]
    request = await table.answer(here, seat)
    transfer = table_pb.TransferSeatRequest(table_id=table.id, request_id="t", name="Gerda")
    await here.call("TransferSeat", transfer, table.seats[seat - 1])
    length = len(house.entries(table.id))
    with pytest.raises(Unauthenticated):
        await table.submit(there, request, seat)
    assert len(house.entries(table.id)) == length


async def test_two_who_leave_at_once_leave_their_own_seats(house: House) -> None:
    """Seats move up between the call and its commit; each leaver still leaves for himself."""
    here, there = await house.replica(), await house.replica()
    table = await house.open(here)
    for name in ("Anna", "Bartl", "Clara", "Dietz"):
        await table.join(here, name)
    await there.host.fresh(table.id)
    leave = [table_pb.LeaveTableRequest(table_id=table.id, request_id="leave")] * 2
    await asyncio.gather(
        here.call("LeaveTable", leave[0], table.seats[1]), there.call("LeaveTable", leave[1], table.seats[2])
    )
    assert (await here.host.fresh(table.id)).names == ("Anna", "Dietz")


async def test_joining_at_once_gives_each_a_seat(house: House) -> None:
    """Six who join a table of five at the same time: five sit, one is told that it is full."""
    replicas = [await house.replica(), await house.replica()]
    table = await house.open(replicas[0])
    await replicas[1].host.fresh(table.id)
    tries = [table.join(replicas[n % 2], f"Player {n}") for n in range(6)]
    done = await asyncio.gather(*tries, return_exceptions=True)
    seats = sorted(answer.seat for answer in done if isinstance(answer, table_pb.JoinTableResponse))
    refused = [error for error in done if isinstance(error, AgainstTheRules)]
    assert seats == [1, 2, 3, 4, 5]
    assert [error.reason for error in refused] == ["TABLE_FULL"]


async def test_a_start_is_decided_by_those_who_sat_there(house: House) -> None:
    """A join that comes before a start is in the game; one that comes after is refused; never half."""
    here, there = await house.replica(), await house.replica()
    for _ in range(5):
        table = await house.open(here)
        await table.join(here, "Anna")
        await table.join(here, "Bartl")
        await there.host.fresh(table.id)
        joined, _ = await asyncio.gather(table.join(there, "Clara"), table.start(here), return_exceptions=True)
        life = await here.host.fresh(table.id)
        sat = isinstance(joined, table_pb.JoinTableResponse)
        assert len(life.play.numbers) == len(life.names) == 2 + sat


async def test_who_is_far_behind_reads_on(house: House) -> None:
    """A replica that missed more than a conflict brings along reads the rest, and decides by all of it."""
    here, there = await house.replica(), await house.replica()
    table = await house.playing(here)
    await there.host.fresh(table.id)
    await table.play(here, 80)
    life = await here.host.fresh(table.id)
    call = random_answer(life, life.waiting[0], Stream(bytes(32), "x"), "late")
    done, version = await there.host.commit(table.id, call)
    assert version == life.version + 1 == done.version


async def test_two_loads_at_once_end_with_the_newest(house: House) -> None:
    """Two calls that load a table at the same time share the longest life there is."""
    here, there = await house.replica(), await house.replica()
    table = await house.playing(here)
    for _ in range(5):
        there.host._forget(table.id)
        first = asyncio.create_task(there.host.fresh(table.id))
        await asyncio.sleep(0)
        await table.play(here, 1)
        await asyncio.gather(first, there.host.fresh(table.id), there.host.fresh(table.id))
        life = there.host.cached(table.id)
        assert life is not None
        assert life.version == len(house.entries(table.id))
        assert there.host._cached == life.size


async def test_a_table_that_is_not_there(house: House) -> None:
    """No replica makes a table of nothing: neither a read nor a command leaves anything behind."""
    here = await house.replica()
    with pytest.raises(NotFound):
        await here.host.fresh("0123456789AB")
    with pytest.raises(NotFound):
        await here.host.commit("0123456789AB", at_table("x", lambda _: (1, Leave(1))))
    assert here.host.cached("0123456789AB") is None
    assert house.entries("0123456789AB") == []
