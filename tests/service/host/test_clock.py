"""Time: who takes too long is answered for, and a lobby does not wait for ever."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kontor.v1 import play_service_pb2 as play_pb
from kontor.v1 import table_service_pb2 as table_pb
from kontor.v1 import view_pb2
from service import bots as service_bots
from service.entry import Cause
from service.errors import AgainstTheRules, Malformed
from service.index import DUE
from tests.service.host.house import LOBBY_TTL, House, Replica, until

pytestmark = pytest.mark.anyio

HOUR = 3600


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweeps come one after the other."""
    monkeypatch.setattr(service_bots, "SWEEP", 0.01)


async def sweeping(house: House) -> Replica:
    """A replica that looks after its tables."""
    here = await house.replica()
    here.play_bots(sweeping=True)
    return here


async def test_the_view_tells_the_deadline(house: House) -> None:
    """Each seat that owes an answer has its deadline in the view, counted from when it was asked."""
    here = await house.replica()
    table = await house.playing(here, answer_within_seconds=HOUR)
    began = house.clock()
    house.clock.wait(60)
    seat = await table.turn(here)
    house.clock.wait(60)
    view = await table.view(here, table.seats[0])
    assert [waiting.seat for waiting in view.waiting_for] == [seat]
    since = (await here.host.fresh(table.id)).since[seat]
    assert since in (began, began + 60_000)
    assert view.waiting_for[0].deadline_time.ToMilliseconds() == since + HOUR * 1000
    free = await house.playing(here)
    assert not (await free.view(here, free.seats[0])).waiting_for[0].HasField("deadline_time")


async def test_the_clock_starts_with_the_own_decision(house: House) -> None:
    """Another's answer does not give more time; one's own answer does."""
    here = await house.replica()
    table = await house.playing(here, "Anna", "Bartl", "Clara", answer_within_seconds=HOUR)
    for _ in range(40):
        life = await here.host.fresh(table.id)
        before = dict(life.since)
        house.clock.wait(60)
        seat = life.waiting[0]
        await table.submit(here, await table.answer(here, seat), seat)
        for other, since in life.since.items():
            expected = house.clock() if other == seat or other not in before else before[other]
            assert since == expected


async def test_an_overdue_answer_is_given_by_the_stand_in(house: House) -> None:
    """After the time is over the sweep gives that one answer, cause clock; the seat stays its player's."""
    here = await sweeping(house)
    table = await house.playing(here, answer_within_seconds=HOUR)
    late = await table.turn(here)
    length = len(house.entries(table.id))
    house.clock.wait(HOUR - 1)
    await asyncio.sleep(0.05)
    assert len(house.entries(table.id)) == length
    house.clock.wait(1)
    await until(lambda: len(house.entries(table.id)) == length + 1)
    life = await here.host.fresh(table.id)
    entry = life.entries[-1]
    assert (entry.cause, entry.seat) == (Cause.CLOCK, late)
    assert life.table is not None
    assert all(sitting.bot == "none" for sitting in life.table.sittings)
    view = await table.view(here, table.seats[0])
    changes = await _changes(here, table)
    assert changes[-1].change.cause == view_pb2.CAUSE_CLOCK
    assert view.moment.version == length + 1
    await asyncio.sleep(0.05)
    assert len(house.entries(table.id)) == length + 1  # the next decision has its own time


async def _changes(here: Replica, table: Any) -> Any:
    request = play_pb.ListChangesRequest(table_id=table.id)
    return (await here.call("ListChanges", request, table.seats[0])).changes


async def test_a_vanished_table_comes_to_its_end(house: House) -> None:
    """Nobody answers any more: answer by answer the clock brings the game to its end."""
    here = await sweeping(house)
    table = await house.playing(here, answer_within_seconds=60)
    async with asyncio.timeout(60):
        while not (life := await here.host.fresh(table.id)).over:
            house.clock.wait(60)
            await asyncio.sleep(0.005)
    assert {entry.cause for entry in life.entries if entry.decision} == {Cause.CLOCK}
    await until(lambda: house.client.zscore(DUE, table.id) is None)


async def test_the_clock_of_a_dead_replica(house: House) -> None:
    """What one replica noted another does, when the time has come."""
    dead = await house.replica()
    bots = dead.play_bots()
    table = await house.playing(dead, answer_within_seconds=HOUR)
    await until(lambda: not bots._busy)
    length = len(house.entries(table.id))
    await sweeping(house)
    house.clock.wait(HOUR)
    await until(lambda: len(house.entries(table.id)) > length)


async def test_the_host_may_hand_a_late_seat_to_a_bot(house: House) -> None:
    """Only a seat whose answer is overdue, or had to be given by the clock, and only to a bot."""
    here = await house.replica()
    table = await house.playing(here, answer_within_seconds=HOUR)
    late = await table.turn(here)

    def request(seat: int, bot: str = "stand-in") -> table_pb.TransferSeatRequest:
        return table_pb.TransferSeatRequest(table_id=table.id, request_id=house.id(), seat=seat, bot=bot)

    with pytest.raises(AgainstTheRules) as refused:
        await here.call("TransferSeat", request(late), table.host)
    assert refused.value.reason == "SEAT_NOT_OVERDUE"
    house.clock.wait(HOUR)
    with pytest.raises(AgainstTheRules):
        await here.call("TransferSeat", request(3 - late), table.host)
    with pytest.raises(Malformed) as person:
        await here.call("TransferSeat", request(late, bot=""), table.host)
    assert person.value.path == "bot"
    given = request(late)
    answer = await here.call("TransferSeat", given, table.host)
    assert answer.table.seats[late - 1].bot == "stand-in"
    assert not answer.seat_token  # a host never comes to another's hand
    length = len(house.entries(table.id))
    assert (await here.call("TransferSeat", given, table.host)).table.version == length


async def test_a_seat_the_clock_answered_for_is_late(house: House) -> None:
    """The sweep is quick; the host can hand the seat over all the same, until its player comes back."""
    here = await sweeping(house)
    table = await house.playing(here, answer_within_seconds=HOUR)
    late = await table.turn(here)
    length = len(house.entries(table.id))
    house.clock.wait(HOUR)
    await until(lambda: len(house.entries(table.id)) > length)
    life = await here.host.fresh(table.id)
    assert not life.overdue(house.clock())
    while late not in (life := await here.host.fresh(table.id)).waiting:
        await table.submit(here, await table.answer(here, life.waiting[0]), life.waiting[0])
    await table.submit(here, await table.answer(here, late), late)
    request = table_pb.TransferSeatRequest(table_id=table.id, request_id="t", seat=late, bot="random")
    with pytest.raises(AgainstTheRules):
        await here.call("TransferSeat", request, table.host)
    while late not in (life := await here.host.fresh(table.id)).waiting:
        await table.submit(here, await table.answer(here, life.waiting[0]), life.waiting[0])
    length = len(house.entries(table.id))
    house.clock.wait(HOUR)
    await until(lambda: len(house.entries(table.id)) > length)
    assert (await here.call("TransferSeat", request, table.host)).table.seats[late - 1].bot == "random"


async def test_a_lobby_does_not_wait_for_ever(house: House) -> None:
    """A table that was not started within its time is cancelled; one that was goes on."""
    here = await sweeping(house)
    waiting, played = await house.open(here), await house.playing(here)
    house.clock.wait(LOBBY_TTL - 1)
    await asyncio.sleep(0.05)
    assert len(house.entries(waiting.id)) == 1
    house.clock.wait(1)
    await until(lambda: len(house.entries(waiting.id)) == 2)
    life = await here.host.fresh(waiting.id)
    assert life.finished
    assert life.entries[-1].cause is Cause.CLOCK
    assert not (await here.host.fresh(played.id)).finished
    await until(lambda: house.client.zscore(DUE, waiting.id) is None)
    with pytest.raises(AgainstTheRules) as refused:
        await waiting.join(here, "Anna")
    assert refused.value.reason == "TABLE_CANCELLED"
