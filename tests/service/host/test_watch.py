"""Watching: every change once, in order, or a skip that says what was left out."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kontor.v1 import play_service_pb2 as play_pb
from kontor.v1 import table_service_pb2 as table_pb
from service.errors import Unauthenticated, Unavailable
from service.log.port import Signal
from service.metrics import METRICS
from service.watch import BEHIND
from tests.service.host.house import House, Replica, Table, until

pytestmark = pytest.mark.anyio

START, TOO_SLOW, GOING_AWAY = (
    play_pb.Skip.REASON_START,
    play_pb.Skip.REASON_BEHIND,
    play_pb.Skip.REASON_GOING_AWAY,
)


class Watcher:
    """Who keeps the last moment he saw, as a frontend does."""

    def __init__(self, table: Table, token: str) -> None:
        self._table, self._token = table, token
        self.moment: Any = None
        self.changes: list[int] = []
        self.stream: Any = None

    async def open(self, at: Replica) -> Any:
        """Watch, from the last moment on."""
        self.stream = at.watch(self._table.id, self._token, self.moment)
        return await self.next()

    async def next(self) -> Any:
        """The next message."""
        async with asyncio.timeout(10):
            told = await anext(self.stream)
        self.changes += [change.moment.version for change in told.changes]
        if told.HasField("view"):
            if told.changes:
                assert told.changes[-1].moment == told.view.moment
            self.moment = told.view.moment
        return told

    async def close(self) -> None:
        """Go away."""
        await self.stream.aclose()


async def test_a_watch_begins_with_the_view(house: House) -> None:
    """The first message is the view of now, with a skip that tells from where."""
    here = await house.replica()
    table = await house.playing(here)
    watcher = Watcher(table, table.seats[0])
    first = await watcher.open(here)
    assert (first.skip.reason, first.skip.version) == (START, first.view.moment.version)
    assert first.view == await table.view(here, table.seats[0])
    await watcher.close()


async def test_who_watch_side_by_side_see_each_his_own(house: House) -> None:
    """What watchers of the same seat share is kept from the others: each sees what his own token shows, no more."""
    here = await house.replica()
    table = await house.playing(here)
    look = table_pb.CreateViewTokenRequest(table_id=table.id)
    tokens = [*table.seats, (await here.call("CreateViewToken", look, table.host)).view_token]
    watchers = [Watcher(table, token) for token in tokens]
    told = [await watcher.open(here) for watcher in watchers]
    assert [first.view for first in told] == [await table.view(here, token) for token in tokens]
    await table.play(here, 1)
    told = [await watcher.next() for watcher in watchers]
    assert [then.view for then in told] == [await table.view(here, token) for token in tokens]
    assert [then.view.seat for then in told] == [1, 2, 0]
    for watcher in watchers:
        await watcher.close()


async def test_every_change_is_told_once(house: House) -> None:
    """Who watches sees each entry in order, and after the newest the view; the same at another replica by hints."""
    here, there = await house.replica(), await house.replica()
    there.listen()
    table = await house.playing(here)
    watchers = [Watcher(table, table.seats[0]), Watcher(table, table.seats[1])]
    first = (await watchers[0].open(here)).view.moment.version
    await watchers[1].open(there)
    await table.play(here, 10)
    for watcher in watchers:
        while watcher.moment.version < first + 10:
            await watcher.next()
        assert watcher.changes == list(range(first + 1, first + 11))
        await watcher.close()


async def test_coming_back_misses_nothing_and_sees_nothing_twice(house: House) -> None:
    """Resumed by version and tag at any replica, over and over, the changes are those of one stream."""
    replicas = [await house.replica(), await house.replica()]
    table = await house.playing(replicas[0])
    watcher = Watcher(table, table.seats[0])
    first = (await watcher.open(replicas[0])).view.moment.version
    await watcher.close()
    for turn in range(1, 6):
        await table.play(replicas[0], turn)
        told = await watcher.open(replicas[turn % 2])
        assert not told.HasField("skip")
        await watcher.close()
    assert watcher.changes == list(range(first + 1, first + 16))
    told = await watcher.open(replicas[0])
    assert not told.changes  # nothing has happened since; the view all the same, for who has lost it
    assert told.view.moment == watcher.moment
    await watcher.close()


async def test_a_slow_watcher_is_told_that_he_is_behind(house: House) -> None:
    """Who does not take his messages gets one with the newest view and a skip, never a silent gap or a long queue."""
    here = await house.replica()
    table = await house.playing(here, "Anna", "Bartl", "Clara", "Dietz")
    watcher = Watcher(table, table.seats[0])
    first = (await watcher.open(here)).view.moment.version
    await table.play(here, BEHIND)
    assert len((await watcher.next()).changes) == BEHIND
    await table.play(here, BEHIND + 1)
    told = await watcher.next()
    assert (told.skip.reason, told.skip.version) == (TOO_SLOW, first + 2 * BEHIND + 1)
    assert told.view.moment.version == told.skip.version
    assert not told.changes
    await table.play(here, 1)
    assert [change.moment.version for change in (await watcher.next()).changes] == [told.skip.version + 1]
    await watcher.close()
    changes = play_pb.ListChangesRequest(table_id=table.id, after_version=first, page_size=200)
    listed = (await here.call("ListChanges", changes, table.seats[0])).changes
    assert [each.change.moment.version for each in listed] == list(range(first + 1, told.skip.version + 2))


async def test_hints_that_get_lost_are_made_good_by_the_poll(house: House) -> None:
    """Without any hint a watcher hears of a change at the next poll."""
    here, there = await house.replica(wrap=Deaf), await house.replica()
    table = await house.playing(there)
    watcher = Watcher(table, table.seats[0])
    await watcher.open(here)
    here.watches._poll = 0.05
    lost = METRICS.hints_lost._value.get()
    here.listen()
    await table.play(there, 2)
    await until(lambda: METRICS.hints_lost._value.get() > lost)
    while watcher.moment.version < len(house.entries(table.id)):
        await watcher.next()
    assert len(watcher.changes) == 2
    await watcher.close()


class Deaf:
    """A log whose hints never come."""

    def __init__(self, log: Any) -> None:
        self._log = log

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def hints(self, wanted: Any) -> Any:
        """Tell that they are lost, and nothing more."""
        yield Signal.LOST
        await asyncio.Event().wait()


async def test_hints_that_come_again_make_good_what_was_lost(house: House) -> None:
    """When the subscription is back everything watched is read once."""
    here, there = await house.replica(), await house.replica()
    table = await house.playing(there)
    watcher = Watcher(table, table.seats[0])
    await watcher.open(here)
    await table.play(there, 3)  # nobody listens yet
    here.listen()
    assert len((await watcher.next()).changes) == 3
    await watcher.close()


async def test_signs_of_life(house: House) -> None:
    """A quiet table sends empty messages, so that a client knows the line is not dead."""
    here = await house.replica()
    here.watches._sign_of_life = 0.01
    table = await house.playing(here)
    watcher = Watcher(table, table.seats[0])
    await watcher.open(here)
    assert (await watcher.next()) == play_pb.WatchViewResponse()
    await watcher.close()


async def test_a_server_that_goes_away_tells_its_watchers(house: House) -> None:
    """On a drain every watch ends with GOING_AWAY, without a view; the same moment goes on elsewhere."""
    here, there = await house.replica(), await house.replica()
    table = await house.playing(here)
    watchers = [Watcher(table, token) for token in table.seats]
    for watcher in watchers:
        await watcher.open(here)
    here.watches.close()
    await table.play(there, 1)
    for watcher in watchers:
        told = await watcher.next()
        assert told.skip.reason == GOING_AWAY
        assert not told.HasField("view")
        with pytest.raises(StopAsyncIteration):
            await anext(watcher.stream)
        assert len((await watcher.open(there)).changes) == 1
        await watcher.close()
    late = here.watch(table.id, table.seats[0])
    assert [(await anext(late)).skip.reason, (await anext(late)).skip.reason] == [START, GOING_AWAY]


async def test_a_watch_ends_with_its_seat(house: House) -> None:
    """Whose seat goes to somebody else sees nothing of what happens from then on."""
    here = await house.replica()
    table = await house.playing(here)
    watcher = Watcher(table, table.seats[0])
    await watcher.open(here)
    transfer = table_pb.TransferSeatRequest(table_id=table.id, request_id="t", name="Gerda")
    await here.call("TransferSeat", transfer, table.seats[0])
    with pytest.raises(Unauthenticated):
        await watcher.next()
    assert here.watches._bells == {}


async def test_watches_leave_nothing_behind(house: House) -> None:
    """A watch that ends, by itself or by its caller, is forgotten."""
    here = await house.replica()
    table = await house.playing(here)
    watching = METRICS.watchers._value.get()
    for _ in range(20):
        watcher = Watcher(table, table.seats[0])
        await watcher.open(here)
        waiting = asyncio.create_task(watcher.next())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await watcher.close()
    assert here.watches._bells == {}
    assert METRICS.watchers._value.get() == watching


async def test_a_watch_of_nothing(house: House) -> None:
    """A table that was deleted ends its watches with an error, as does a log that is gone."""
    here = await house.replica()
    table = await house.playing(here)
    watcher = Watcher(table, table.seats[0])
    await watcher.open(here)
    await here.log.delete(table.id)
    await here.watches._refresh((table.id,))
    with pytest.raises(Exception, match="no such table"):
        await watcher.next()
    await here.log.close()
    with pytest.raises((Unavailable, Exception)):
        await Watcher(table, table.seats[0]).open(here)
