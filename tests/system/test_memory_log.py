"""The simulation's log keeps the promises of the real one: the same contract, but for what only a server has."""

from __future__ import annotations

import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from campaigns.sim.memory import MemoryLog
from campaigns.sim.store import Store
from service.log import Settings
from service.log.port import Entry, key_of
from tests.service.log import test_contract as contract

pytestmark = pytest.mark.anyio

ONLY_OF_SERVERS = {
    "test_the_keys_are_as_documented",  # the names of streams and fields
    "test_a_forgotten_script_is_sent_anew",
}
PROMISES = {
    name: test for name, test in vars(contract).items() if name.startswith("test_") and name not in ONLY_OF_SERVERS
}


class BackDoor:
    """As much of a Redis client as the contract uses to plant things."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def pipeline(self, **_: Any) -> BackDoor:
        return self

    def xadd(self, key: str, fields: dict[str, bytes], id: str) -> None:  # noqa: A002 - redis-py's word
        table = _table(key)
        if "foreign" in fields:
            self._store.master.foreign.add(table)
            return
        entry = Entry(int(id.partition("-")[0]), fields["e"], fields["h"])
        self._store.master.streams.setdefault(table, []).append(entry)

    def set(self, key: str, value: str) -> None:
        self._store.master.foreign.add(_table(key))

    def execute(self) -> None:
        """All is done already."""


class MemoryStore:
    """A store of the contract's kind."""

    def __init__(self) -> None:
        self._store = Store(random.Random(1))

    def at(self, table: str) -> BackDoor:
        return BackDoor(self._store)

    def hang_up(self, *names: str) -> None:
        for mailbox in self._store.mailboxes:
            mailbox.lost()
            mailbox.live()

    @asynccontextmanager
    async def open(self, settings: Settings | None = None) -> AsyncIterator[MemoryLog]:
        log = MemoryLog(self._store)
        try:
            yield log
        finally:
            await log.close()


def _table(key: str) -> str:
    before, behind = key_of("x").split("x")
    return key.removeprefix(before).removesuffix(behind)


@pytest.mark.parametrize("name", PROMISES)
async def test_the_contract(name: str) -> None:
    """What every store promises."""
    test, table = PROMISES[name], f"T{os.urandom(6).hex()}"
    known = {"store": MemoryStore(), "table": table, "known": 1}
    wanted = test.__code__.co_varnames[: test.__code__.co_argcount]
    await test(**{name: known[name] for name in wanted})
