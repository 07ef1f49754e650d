"""The cache is only a baseline, bounded by the bytes of the entries folded into it."""

from __future__ import annotations

import asyncio

import pytest

from service.metrics import METRICS
from tests.service.host.house import House, Replica

pytestmark = pytest.mark.anyio


def counted(here: Replica) -> int:
    """What the cached lives hold."""
    return sum(life.size for life in here.host._lives.values())


async def test_the_cache_is_bounded_by_bytes(house: House) -> None:
    """More tables than fit: the ones not asked for longest are forgotten, and read again when they are asked for."""
    here = await house.replica(cache_bytes=8_000)
    tables = [await house.playing(here) for _ in range(6)]
    for table in tables:
        await table.play(here, 3)
        assert here.host._cached == counted(here) <= 8_000
    assert len(here.host._lives) < len(tables)
    assert here.host.cached(tables[-1].id) is not None
    assert here.host.cached(tables[0].id) is None
    for table in (*tables, *tables):
        await table.play(here, 1)
        assert here.host._cached == counted(here) <= 8_000
    for table in tables:
        assert (await here.host.fresh(table.id)).version == len(house.entries(table.id))


async def test_a_table_larger_than_the_cache_is_served(house: House) -> None:
    """One table always stays, however large."""
    here = await house.replica(cache_bytes=10)
    table = await house.playing(here)
    await table.play(here, 5)
    assert list(here.host._lives) == [table.id]


async def test_what_just_fits_stays(house: House) -> None:
    """The bound is what the cache may hold: tables of exactly so many bytes are all kept, and one byte less is not."""
    here = await house.replica()
    tables = [await house.playing(here) for _ in range(2)]
    for room, kept in ((counted(here), 2), (counted(here) - 1, 1)):
        there = await house.replica(cache_bytes=room)
        for table in tables:
            await there.host.fresh(table.id)
        assert len(there.host._lives) == kept


async def test_what_is_folded_is_counted(house: House) -> None:
    """A replica that reads a table counts its entries; one that knows them already counts nothing."""
    table = await house.playing(await house.replica())
    there, before = await house.replica(), METRICS.folded._value.get()
    for _ in range(2):
        await there.host.fresh(table.id)
        assert METRICS.folded._value.get() == before + len(house.entries(table.id))


async def test_eviction_during_calls_loses_nothing(house: House) -> None:
    """Tables that push each other out while they are played keep the count right and their logs whole."""
    here = await house.replica(cache_bytes=3_000)
    tables = [await house.playing(here) for _ in range(4)]
    await asyncio.gather(*(table.play(here, 10) for table in tables))
    assert here.host._cached == counted(here)
    assert sum(here.host._sizes.values()) == here.host._cached
    for table in tables:
        there = await (await house.replica()).host.fresh(table.id)
        assert there.version == len(house.entries(table.id)) == 14
