"""A master is replaced while the host has read from it what nobody else has: found by `make chaos`, each repeated here.

The store is the simulation's, and so is the time.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from campaigns.sim.loop import simulated
from campaigns.sim.memory import MemoryLog
from campaigns.sim.store import Store
from domain import toy
from domain.chance import Stream
from domain.table import Join, Start
from service import calls
from service.calls import Call
from service.entry import Cause
from service.errors import AgainstTheRules, Unavailable
from service.host import Host
from service.life import Life
from tests.service.host.made import founded, random_answer

TABLE = "0123456789AB"
ANSWERS = Stream(bytes(32), "answers")


def host_at(store: Store) -> tuple[Host, MemoryLog]:
    """A replica, and its way to the store."""
    log = MemoryLog(store)
    return Host(log, {"toy": toy}), log


async def playing(host: Host) -> Life:
    """A table that has started."""
    await host.found(TABLE, calls.founding("found", "a secret of sixteen", founded(toy, "00" * 32), ()))
    for seat in range(toy.meta.least_seats):
        await host.commit(TABLE, joining(f"Player {seat}"))
    life, _ = await host.commit(TABLE, calls.at_table("host:start", lambda _: (0, Start()), Cause.HOST))
    return life


def joining(name: str) -> Call:
    """Somebody sits down."""
    return calls.at_table(f"join:{name}", lambda _: (0, Join(name)), Cause.HOST)


def an_answer(life: Life, request: str) -> Call:
    """What the first seat that is asked could answer."""
    return random_answer(life, life.waiting[0], ANSWERS, request)


async def patiently(host: Host, call: Call) -> tuple[Life, int]:
    """As a client does: again, until somebody can tell."""
    while True:
        try:
            return await host.commit(TABLE, call)
        except Unavailable:
            await asyncio.sleep(0.1)


def tags(store: Store) -> list[str]:
    """The tags of the entries that stand in the log, read by somebody who knows nothing yet."""
    life = Life(TABLE, {"toy": toy})
    for entry in store.master.entries(TABLE):
        life.fold(entry)
    return [entry.tag for entry in life.entries]


def test_a_repetition_is_not_answered_from_a_history_that_is_gone() -> None:
    """An entry that its master did not pass on is lost with it: who repeats the call is told of the one that stands."""

    async def scene() -> None:
        store = Store(random.Random(1), replicated=True)
        host, _ = host_at(store)
        call = an_answer(await playing(host), "lost")
        store.stalled = True
        with pytest.raises(Unavailable) as unknown:
            await host.commit(TABLE, call)
        assert unknown.value.reason == "OUTCOME_UNKNOWN"
        read = await host.fresh(TABLE)
        version, gone = read.version, read.tag  # it stands at the master, and there alone
        assert call.request in read.requests
        await store.fail_over()
        store.stalled = False
        assert len(tags(store)) == version - 1
        life, answered = await patiently(host, call)
        assert answered == version
        assert life.entries[version - 1].tag == tags(store)[version - 1] != gone

    simulated(scene())


def test_an_answer_shows_the_entry_that_stands() -> None:
    """While a call waits for its append, another reads from a deposed master: the answer tells of what was written."""

    async def scene() -> None:
        store = Store(random.Random(1))
        host, log = host_at(store)
        version = (await playing(host)).version
        old, new = store.master, store.master.copy()
        other, _ = host_at(store)
        await other.commit(TABLE, an_answer(await other.fresh(TABLE), "elsewhere"))  # which the new master lacks
        store.master = log._lane = new
        call = asyncio.create_task(host.commit(TABLE, an_answer(_cached(host), "here")))
        await asyncio.sleep(0)
        assert log._reads is old
        host._fold(_cached(host), old.entries(TABLE)[version:])
        life, answered = await call
        assert answered == version + 1
        assert life.entries[version].tag == tags(store)[version]

    simulated(scene())


@pytest.mark.parametrize("behind", [False, True])
def test_nobody_is_refused_by_a_deposed_master(behind: bool) -> None:
    """What was read decides nothing until the log that is written to has confirmed it."""

    async def scene() -> None:
        store = Store(random.Random(1))
        host, log = host_at(store)
        call = an_answer(await playing(host), "mine")
        old, new = store.master, store.master.copy()
        other, _ = host_at(store)
        if not behind:  # the deposed master has what never came to be: it does not ask any more
            await other.commit(TABLE, an_answer(await other.fresh(TABLE), "never"))
        store.master = new
        if behind:  # it lacks what has happened since: it does not ask yet
            other, _ = host_at(store)
            life, _ = await other.commit(TABLE, an_answer(await other.fresh(TABLE), "before"))
            call = an_answer(life, "mine")
        host._forget(TABLE)
        log._lane, log._reads = store.master, old
        life, version = await host.commit(TABLE, call)
        assert life.entries[version - 1].tag == tags(store)[version - 1]

    simulated(scene())


def test_a_refusal_is_still_one() -> None:
    """An answer to a decision that has its answer is refused, whoever is asked."""

    async def scene() -> None:
        store = Store(random.Random(1))
        host, _ = host_at(store)
        life = await playing(host)
        late: Any = an_answer(life, "late")
        await host.commit(TABLE, an_answer(life, "first"))
        with pytest.raises(AgainstTheRules):
            await host.commit(TABLE, late)

    simulated(scene())


def _cached(host: Host) -> Life:
    life = host.cached(TABLE)
    assert life is not None
    return life
