"""What can go wrong between a call and its log, and what the caller is told."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from domain import augsburg
from domain.table import Bot, HandedOver
from domain.values import replace
from service import host as service_host
from service.entry import pack, unpack
from service.errors import Unavailable
from service.log import Head, OutcomeUnknown
from service.log import Unavailable as LogUnavailable
from service.log.port import Entry, chain
from service.metrics import METRICS
from tests.conformance.faults import faulty
from tests.service.host.house import House, until

pytestmark = pytest.mark.anyio


class Faulty:
    """A real log whose appends fail as they are told to."""

    def __init__(self, log: Any) -> None:
        self._log = log
        self.faults: list[str] = []  # of the next appends: before, after, unavailable
        self.appends = 0
        self.hold: asyncio.Event | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def append(self, table: str, expected: Head, entry: bytes) -> Any:
        """Append, perhaps."""
        self.appends += 1
        fault = self.faults.pop(0) if self.faults else ""
        if fault == "before":
            raise OutcomeUnknown("nothing was sent")
        if fault == "unavailable":
            raise LogUnavailable("no connection")
        done = await self._log.append(table, expected, entry)
        if fault == "after":
            raise OutcomeUnknown("the answer was lost")
        if self.hold is not None:
            await self.hold.wait()
        return done


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown outcome is tried again for a moment only."""
    monkeypatch.setattr(service_host, "PATIENCE", 0.2)


@pytest.mark.parametrize("faults", [["after"], ["before"], ["after", "after"], ["before", "unavailable", "after"]])
async def test_an_unknown_outcome_is_cleared_up(house: House, faults: list[str]) -> None:
    """Written or not, the same append again tells; the command is there once and answered as if nothing had been."""
    here = await house.replica(wrap=Faulty)
    table = await house.playing(here)
    length = len(house.entries(table.id))
    seat = (await here.host.fresh(table.id)).waiting[0]
    request = await table.answer(here)
    here.log.faults = list(faults)  # type: ignore[attr-defined]
    answer = await table.submit(here, request, seat)
    assert answer.change.moment.version == length + 1 == len(house.entries(table.id))


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("written", ["after", "before"])
@pytest.mark.parametrize("then", ["before", "unavailable"])
async def test_an_outcome_that_stays_unknown(house: House, written: str, then: str) -> None:
    """The caller is told OUTCOME_UNKNOWN, whatever fails later; his repetition writes nothing twice."""
    here = await house.replica(wrap=Faulty)
    table = await house.playing(here)
    length, before = len(house.entries(table.id)), METRICS.unknown._value.get()
    seat = (await here.host.fresh(table.id)).waiting[0]
    request = await table.answer(here)
    here.log.faults = [written, *[then] * 50]  # type: ignore[attr-defined]
    with pytest.raises(Unavailable) as unknown:
        await table.submit(here, request, seat)
    assert unknown.value.reason == "OUTCOME_UNKNOWN"
    assert unknown.value.retry
    assert METRICS.unknown._value.get() > before
    here.log.faults = []  # type: ignore[attr-defined]
    answer = await table.submit(here, request, seat)
    assert answer.change.moment.version == length + 1 == len(house.entries(table.id))


async def test_a_log_that_can_not_be_reached(house: House) -> None:
    """Nothing was written and nothing is cached; the caller is told when to come again."""
    here = await house.replica(wrap=Faulty)
    table = await house.playing(here)
    life = await here.host.fresh(table.id)
    length = life.version
    request = await table.answer(here)
    here.log.faults = ["unavailable"]  # type: ignore[attr-defined]
    with pytest.raises(Unavailable) as refused:
        await table.submit(here, request, life.waiting[0])
    assert refused.value.reason == "LOG_UNAVAILABLE"
    assert life.version == length == len(house.entries(table.id))


async def test_a_cancelled_call_does_not_tear_its_append(house: House) -> None:
    """Who hangs up while his command is being written finds it written, once, when he asks again."""
    here = await house.replica(wrap=Faulty)
    table = await house.playing(here)
    length = len(house.entries(table.id))
    for number in range(5):
        life = await here.host.fresh(table.id)
        seat, request = life.waiting[0], await table.answer(here)
        here.log.hold = asyncio.Event()  # type: ignore[attr-defined]
        call = asyncio.create_task(table.submit(here, request, seat))
        await until(lambda: len(house.entries(table.id)) > length + number)  # noqa: B023 - awaited at once
        assert life.version == length + number  # nothing is shown before the append is answered
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        here.log.hold = None  # type: ignore[attr-defined]
        answer = await table.submit(here, request, seat)
        assert answer.change.moment.version == length + number + 1 == len(house.entries(table.id))


async def test_a_call_cancelled_at_any_moment(house: House) -> None:
    """Cancelled after no, one, two... turns of the loop: the log holds whole commands, each once."""
    here = await house.replica()
    table = await house.playing(here)
    for turns in range(12):
        before = len(house.entries(table.id))
        seat, request = (await here.host.fresh(table.id)).waiting[0], await table.answer(here)
        call = asyncio.create_task(table.submit(here, request, seat))
        for _ in range(turns):
            await asyncio.sleep(0)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        answer = await table.submit(here, request, seat)
        assert answer.change.moment.version == before + 1 == len(house.entries(table.id))


async def test_a_cancelled_read_is_cancelled(house: House) -> None:
    """A task that reads the log again and again ends when it is told to, at whatever moment: else no drain would."""
    here = await house.replica()
    table = await house.playing(here)

    async def reading() -> None:
        while True:
            await here.host.fresh(table.id)
            await here.index.due_before(0)

    for turns in range(60):
        task = asyncio.create_task(reading())
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        done, _ = await asyncio.wait({task}, timeout=5)
        assert done, turns
        assert task.cancelled()


async def test_newer_rules_are_another_replicas(house: House) -> None:
    """A replica that meets an entry of newer rules, or of a game it does not know, says that another can serve."""
    newer: Any = faulty(augsburg, meta=replace(augsburg.meta, rules_version=2))
    here = await house.replica()
    table = await house.playing(here)
    tail = await here.log.read(table.id)
    last = tail.entries[-1]
    entry = replace(unpack(last.data, augsburg), rules=2)
    data = b"\x02" + pack(replace(entry, rules=1), augsburg)[1:]
    assert newer.meta.rules_version == 2
    house.restore(table.id, [*tail.entries[:-1], Entry(last.version, data, chain(tail.entries[-2].hash, data))])
    for replica in (here, await house.replica(), await house.replica({})):
        with pytest.raises(Unavailable) as refused:
            await replica.host.fresh(table.id)
        assert refused.value.reason == "NEWER_RULES"
        assert refused.value.retry


def corruptions(entries: tuple[Entry, ...]) -> dict[str, list[Entry]]:
    """Histories that nobody can have written."""
    last, before = entries[-1], list(entries[:-1])
    bent = last.data[:-1] + bytes([last.data[-1] ^ 1])
    garbage, foreign = b"\x01garbage", pack(unpack(last.data, augsburg), None)
    return {
        "a changed byte": [*before, last._replace(data=bent)],
        "a hash that does not follow": [*before, last._replace(hash=bytes(32))],
        "bytes of something else": [*before, last._replace(data=garbage, hash=chain(before[-1].hash, garbage))],
        "an entry in another form": [*before, last._replace(data=foreign, hash=chain(before[-1].hash, foreign))],
        "nothing": [*before, last._replace(data=b"", hash=chain(before[-1].hash, b""))],
        "no founding": [last._replace(version=1, hash=chain(bytes(32), last.data))],
        "a hole": [*before[:2], *before[3:], last],
    }


@pytest.fixture
async def history(house: House) -> tuple[House, str, tuple[Entry, ...]]:
    """A table and its entries."""
    here = await house.replica()
    table = await house.playing(here)
    await table.play(here, 2)
    return house, table.id, (await here.log.read(table.id)).entries


@pytest.mark.parametrize("kind", ["a changed byte", "a hash that does not follow", "bytes of something else",
                                  "an entry in another form", "nothing", "no founding", "a hole"])  # fmt: skip
async def test_a_corrupt_log_is_not_shown(history: tuple[House, str, tuple[Entry, ...]], kind: str) -> None:
    """What the log can't have been given is TABLE_UNREADABLE, nothing of it is cached, and other tables play on."""
    house, table_id, entries = history
    house.restore(table_id, corruptions(entries)[kind])
    there = await house.replica()
    with pytest.raises(Unavailable) as refused:
        await there.host.fresh(table_id)
    assert refused.value.reason == "TABLE_UNREADABLE"
    assert there.host.cached(table_id) is None
    await (await house.playing(there)).play(there, 1)


async def test_an_entry_that_can_not_be_folded_changes_nothing(house: House) -> None:
    """An event that fails half way through an entry leaves the life as it was before that entry."""
    here = await house.replica()
    table = await house.playing(here)
    life = await here.host.fresh(table.id)
    entry = life.entries[-1]
    wrong = replace(entry, request="x", events=(*life.entries[1].events, HandedOver(99, "Nobody", Bot.NONE)))
    before = (life.version, life.table, life.play, life.names)
    data = pack(wrong, augsburg)
    house.restore(
        table.id,
        [*(await here.log.read(table.id)).entries, Entry(life.version + 1, data, chain(life.head.hash, data))],
    )
    with pytest.raises(Unavailable):
        await here.host.fresh(table.id)
    assert (life.version, life.table, life.play, life.names) == before
