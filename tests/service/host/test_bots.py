"""Bots: players like any other, found again when the replica that played them is gone."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

import pytest

from domain import augsburg
from domain.augsburg.commands import Finish
from domain.table import Bot
from kontor.v1 import table_service_pb2 as table_pb
from service import bots as service_bots
from service.entry import Cause
from service.index import DUE, NET
from service.log.port import key_of
from tests.service.host.house import House, Replica, Table, until, variant

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweeps come one after the other."""
    monkeypatch.setattr(service_bots, "SWEEP", 0.01)


async def over(at: Replica, table: str) -> Any:
    """The life of a table once its game is over."""
    async with asyncio.timeout(60):
        while not (life := await at.host.fresh(table)).over:  # noqa: ASYNC110 - another replica may end it
            await asyncio.sleep(0.01)
    return life


async def owed(house: House, at: Replica) -> Table:
    """A table at which a bot owes an answer, and no replica plays it."""
    table = await house.playing(at, "Anna", adding=("random",))
    while not (life := await at.host.fresh(table.id)).bots():
        await table.submit(at, await table.answer(at), life.waiting[0])
    return table


@pytest.mark.parametrize("kind", ["random", "stand-in"])
async def test_bots_play_to_the_end(house: House, kind: str) -> None:
    """A table of bots alone plays its whole game, each answer an entry of its own with cause bot."""
    here = await house.replica()
    here.play_bots()
    table = await house.open(here, bots=[kind, kind])
    await table.start(here)
    life = await over(here, table.id)
    answers = [entry for entry in life.entries if entry.decision]
    assert {entry.cause for entry in answers} == {Cause.BOT}
    assert {entry.seat for entry in answers} == {1, 2}
    assert len({(entry.seat, entry.decision) for entry in answers}) == len(answers)


async def test_a_bot_answers_at_once(house: House) -> None:
    """A bot that is asked by a player's answer gives its own within a second, without any sweep."""
    here = await house.replica()
    here.play_bots()
    table = await house.playing(here, "Anna", adding=("random",))
    for _ in range(10):
        life = await here.host.fresh(table.id)
        began = time.monotonic()
        await until(lambda: 1 in life.waiting)  # noqa: B023 - awaited at once
        assert time.monotonic() - began < 1
        await table.submit(here, await table.answer(here, 1), 1)


async def test_a_bot_sees_its_own_view_alone(house: House) -> None:
    """What a bot is handed is the view and the decision of its seat."""
    seen: list[tuple[Any, Any]] = []

    def watched(view: Any, decision: Any) -> Any:
        seen.append((view, decision))
        return augsburg.stand_in(view, decision)

    here = await house.replica({"augsburg": variant(augsburg, stand_in=watched)})
    table = await owed(house, here)
    life = await here.host.fresh(table.id)
    here.play_bots()
    play = life.play
    assert here.bots is not None
    await here.bots._answer(life, 2, Bot.STAND_IN, Cause.BOT)
    assert seen == [(augsburg.view(play, 2), augsburg.decision(play, 2))]


async def test_the_sweep_finds_what_a_dead_replica_left(house: House) -> None:
    """A replica dies after its append and before its bot's answer; another finds the table and plays on."""
    dead = await house.replica()
    bots = dead.play_bots()
    table = await house.playing(dead, "Anna", adding=("random",))
    await until(lambda: not bots._busy)
    while True:  # until it is a bot's turn, whom nobody wakes: this replica has died in between
        life = await dead.host.fresh(table.id)
        if life.bots():
            break
        request = await table.answer(dead, 1)
        dead.host.listeners.advanced.clear()
        await table.submit(dead, request, 1)
    length = len(house.entries(table.id))
    alive = await house.replica()
    alive.play_bots(sweeping=True)
    await asyncio.sleep(0.05)
    assert len(house.entries(table.id)) == length  # not yet: the other may be at it
    house.clock.wait(NET / 1000 + 1)
    await until(lambda: len(house.entries(table.id)) > length)


async def test_the_sweep_does_not_believe_its_own_cache(house: House) -> None:
    """A replica that knew the table before its bot was asked reads it anew when the index calls."""
    here, there = await house.replica(), await house.replica()
    table = await house.playing(here, "Anna", adding=("random",))
    while 1 not in (await here.host.fresh(table.id)).waiting:
        await _let_bot_answer(here, table)
    await there.host.fresh(table.id)
    there.play_bots(sweeping=True)
    while not (await here.host.fresh(table.id)).bots():
        await table.submit(here, await table.answer(here, 1), 1)
    length = len(house.entries(table.id))
    house.client.zadd(DUE, {table.id: 0})
    await until(lambda: len(house.entries(table.id)) > length)


async def _let_bot_answer(at: Replica, table: Table) -> None:
    bots = at.play_bots()
    bots._tend_soon(table.id)
    await bots.close()
    at.host.listeners.advanced.clear()


async def test_two_replicas_do_no_harm(house: House) -> None:
    """Both play the same bots, random ones that would answer otherwise: every decision is answered once."""
    replicas = [await house.replica(), await house.replica()]
    table = await house.playing(replicas[0], adding=("random", "random"))
    for replica in replicas:
        replica.play_bots(sweeping=True)
        replica.listen()
    house.client.zadd(DUE, {table.id: 0})
    async with asyncio.timeout(60):
        while not (life := await replicas[0].host.fresh(table.id)).over:
            for replica in replicas:
                assert replica.bots is not None
                replica.bots._tend_soon(table.id)
            persons = [seat for seat in life.waiting if seat not in life.bots()]
            if persons:
                request = await table.answer(replicas[0], persons[0])
                await table.submit(replicas[0], request, persons[0])
            await asyncio.sleep(0.001)
    answered = Counter((entry.seat, entry.decision) for entry in life.entries if entry.decision)
    assert set(answered.values()) == {1}


async def test_a_bot_that_is_asked_while_it_is_tended(house: House) -> None:
    """A table that goes on at the very moment its bots were done is tended again."""
    here = await house.replica()
    bots = here.play_bots()
    table = await house.playing(here, "Anna", adding=("random",))
    for _ in range(15):
        life = await here.host.fresh(table.id)
        await until(lambda: 1 in life.waiting)  # noqa: B023 - awaited at once
        await table.submit(here, await table.answer(here, 1), 1)
        bots._tend_soon(table.id)
        await asyncio.sleep(0)
    await until(lambda: not bots._busy)
    life = await here.host.fresh(table.id)
    assert not life.bots()


async def test_a_bot_that_answers_nonsense_stops_nothing(house: House) -> None:
    """An answer that is refused is told to the operator and tried again later; the service goes on."""
    game = variant(augsburg, stand_in=lambda view, decision: Finish())
    here = await house.replica({"augsburg": game})
    here.play_bots(sweeping=True)
    table = await house.playing(here, "Anna", adding=("stand-in",))
    while not (await here.host.fresh(table.id)).bots():
        await table.submit(here, await table.answer(here, 1), 1)
    await until(lambda: here.bots and not here.bots._busy)
    length = len(house.entries(table.id))
    house.clock.wait(3600)
    await asyncio.sleep(0.05)
    await (await house.playing(here)).play(here, 3)
    assert len(house.entries(table.id)) == length
    score = house.client.zscore(DUE, table.id)
    assert score > house.clock()


async def test_a_resigned_seat_plays_on(house: House) -> None:
    """Resigning makes a seat a stand-in's: the game goes on without its player."""
    here = await house.replica()
    here.play_bots()
    table = await house.playing(here)
    for number, token in enumerate(table.seats):
        request = table_pb.ResignRequest(table_id=table.id, request_id=f"resign-{number}")
        assert (await here.call("Resign", request, token)).table.seats[number].bot == "stand-in"
    life = await over(here, table.id)
    assert life.names == ("Anna", "Bartl")


async def test_the_index_is_told_little(house: House) -> None:
    """A table with bots is written to the index now and then, not at every answer; one that is over is taken out."""
    here = await house.replica()
    written: list[tuple[Any, ...]] = []
    index = here.log.index

    async def spied(*command: Any) -> Any:
        written.append(command)
        return await index(*command)

    here.index._log = type("Spied", (), {"index": staticmethod(spied)})()
    bots = here.play_bots()
    table = await house.open(here, bots=["random", "random"])
    await table.start(here)
    life = await over(here, table.id)
    await until(lambda: not bots._busy)
    assert life.version > 50
    assert len(written) < 10
    assert house.client.zscore(DUE, table.id) is None


async def test_an_index_that_names_nothing(house: House) -> None:
    """What the index knows of a table that is gone is forgotten at the first look; one that can't be read waits."""
    here = await house.replica()
    table = await house.playing(here)
    house.client.zadd(DUE, {"0123456789AB": 0, table.id: 0})
    house.client.xtrim(key_of(table.id), maxlen=1, approximate=False)
    here.host._forget(table.id)
    here.play_bots(sweeping=True)
    await until(lambda: house.client.zscore(DUE, "0123456789AB") is None)
    await until(lambda: house.client.zscore(DUE, table.id) > house.clock())
