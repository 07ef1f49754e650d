"""A log that was restored from an older copy: noticed, told, counted, never mixed with what was known."""

from __future__ import annotations

from typing import Any

import pytest

from kontor.v1 import play_service_pb2 as play_pb
from service.metrics import METRICS
from tests.service.host.house import House, Replica, Table, until

pytestmark = pytest.mark.anyio

REWOUND = play_pb.Skip.REASON_REWOUND


async def copied(house: House, here: Replica, answers: int = 3) -> tuple[Table, list[Any]]:
    """A table, and a copy of its log from before some answers."""
    table = await house.playing(here)
    await table.play(here, 2)
    copy = list((await here.log.read(table.id)).entries)
    await table.play(here, answers)
    return table, copy


async def test_a_shorter_log_is_noticed_by_a_read(house: House) -> None:
    """After a restore the view is that of the log, not that of the cache; it is counted."""
    here = await house.replica()
    table, copy = await copied(house, here)
    rewinds = METRICS.rewinds._value.get()
    house.restore(table.id, copy)
    view = await table.view(here, table.seats[0])
    assert view.moment.version == len(copy)
    assert METRICS.rewinds._value.get() == rewinds + 1


async def test_a_log_trimmed_at_its_end_is_noticed(house: House) -> None:
    """Entries that somebody has deleted from the end are gone for everybody."""
    here = await house.replica()
    table, copy = await copied(house, here)
    for stamp, _ in house.entries(table.id)[len(copy) :]:
        house.client.xdel(f"kontor:{{{table.id}}}:log", stamp)
    assert (await table.view(here, table.seats[0])).moment.version == len(copy)


async def test_a_log_without_its_beginning_is_unreadable(house: House) -> None:
    """A stream that was trimmed from the front is no log any more, and nobody writes to it."""
    here = await house.replica()
    table, _ = await copied(house, here)
    house.client.xtrim(f"kontor:{{{table.id}}}:log", maxlen=3, approximate=False)
    there = await house.replica()
    with pytest.raises(Exception, match="can't be used") as refused:
        await there.host.fresh(table.id)
    assert refused.value.reason == "TABLE_UNREADABLE"  # type: ignore[attr-defined]


async def test_a_rewind_is_noticed_by_a_command(house: House) -> None:
    """A command decided by a cache of the lost history is decided again by the log, once."""
    here, there = await house.replica(), await house.replica()
    table, copy = await copied(house, here)
    house.restore(table.id, copy)
    life = await there.host.fresh(table.id)
    request = await table.answer(there)
    answer = await table.submit(here, request, life.waiting[0])
    assert answer.change.moment.version == len(copy) + 1 == len(house.entries(table.id))


async def test_another_history_of_the_same_length(house: House) -> None:
    """A fork as long as what was known is told apart by its hashes, and its moments by their tags."""
    here, there = await house.replica(), await house.replica()
    table, copy = await copied(house, here, answers=2)
    before = await table.view(here, table.seats[0])
    house.restore(table.id, copy)
    await table.play(there, 2)
    after = await table.view(here, table.seats[0])
    assert after.moment.version == before.moment.version
    assert after.moment.tag != before.moment.tag
    assert after == await table.view(there, table.seats[0])


async def test_watchers_are_told_of_a_rewind(house: House) -> None:
    """Everybody who watches gets the view of what is there now, with the reason; then it goes on."""
    here, there = await house.replica(), await house.replica()
    table, copy = await copied(house, here)
    streams = [here.watch(table.id, token) for token in table.seats]
    for stream in streams:
        assert (await anext(stream)).skip.reason == play_pb.Skip.REASON_START
    house.restore(table.id, copy)
    await here.host.fresh(table.id)
    for stream in streams:
        told = await anext(stream)
        assert (told.skip.reason, told.view.moment.version) == (REWOUND, len(copy))
        assert not told.changes
    await there.host.fresh(table.id)
    await table.play(there, 1)
    await here.host.fresh(table.id)
    for stream in streams:
        told = await anext(stream)
        assert [change.moment.version for change in told.changes] == [len(copy) + 1]
        assert not told.HasField("skip")
        await stream.aclose()


async def test_a_watcher_who_comes_back_after_a_rewind(house: House) -> None:
    """A moment that is not in the log any more is answered with REWOUND: shorter, forked, or with another tag."""
    here = await house.replica()
    table, copy = await copied(house, here)
    lost = (await table.view(here, table.seats[0])).moment
    house.restore(table.id, copy)
    there = await house.replica()
    for replica in (here, there):
        stream = replica.watch(table.id, table.seats[0], lost)
        assert (await anext(stream)).skip.reason == REWOUND
        await stream.aclose()
    await table.play(there, 5)
    stream = there.watch(table.id, table.seats[0], lost)
    told = await anext(stream)
    assert (told.skip.reason, told.skip.version) == (REWOUND, len(copy) + 5)
    await stream.aclose()


async def test_a_rewind_is_noticed_without_a_hint(house: House) -> None:
    """The slow poll finds it even if nobody calls."""
    here = await house.replica()
    here.watches._poll = 0.02
    table, copy = await copied(house, here)
    stream = here.watch(table.id, table.seats[0])
    await anext(stream)
    house.restore(table.id, copy)
    here.listen()
    assert (await anext(stream)).skip.reason == REWOUND
    await stream.aclose()


async def test_a_deleted_table_is_gone(house: House) -> None:
    """What an operator has deleted is not served from memory."""
    here = await house.replica()
    table, _ = await copied(house, here)
    await here.log.delete(table.id)
    with pytest.raises(Exception, match="no such table"):
        await table.view(here, table.seats[0])
    await until(lambda: here.host.cached(table.id) is None)
