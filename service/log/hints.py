"""Hints: who has appended, told by one PUBLISH an append on one channel for all tables.

Plain PUBLISH, on a Cluster too: it reaches subscribers at any node, so one subscription hears every table. Sharded
channels (SPUBLISH) would need one a table, at the node of its slot, moved whenever the slot moves.

Hints get lost: when the connection breaks, and when a listener is too slow. Both are said, never silent. redis-py's
PubSub is not used because it subscribes anew without telling.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import suppress

import structlog
from redis.asyncio.connection import AbstractConnection

from service.log.errors import BROKEN
from service.log.lane import Dial
from service.log.port import Hint, Settings, Signal, Wanted, every_table
from service.log.script import CHANNEL, hint_from

IDLE = 15.0  # seconds of silence after which the connection is asked for a sign of life

_log = structlog.get_logger(__name__)


class Mailbox:
    """What a listener has not taken yet: of each table the newest hint, and the signals that overrule them."""

    def __init__(self, bound: int) -> None:
        self.heard = 0  # messages, wanted or not
        self._bound = bound
        self._hints: dict[str, int] = {}
        self._signals: list[Signal] = []
        self._some = asyncio.Event()

    def hint(self, table: str, version: int) -> None:
        if table not in self._hints and len(self._hints) >= self._bound:
            _log.warning("log.hints_overrun", bound=self._bound)
            self.lost()
            self.live()
            return
        self._hints[table] = version
        self._some.set()

    def lost(self) -> None:
        self._hints.clear()  # after the next LIVE everything is read anyhow
        self._signals = [Signal.LOST]
        self._some.set()

    def live(self) -> None:
        self._signals.append(Signal.LIVE)
        self._some.set()

    async def take(self) -> Hint | Signal:
        await self._some.wait()
        if self._signals:
            taken: Hint | Signal = self._signals.pop(0)
        else:
            table = next(iter(self._hints))
            taken = Hint(table, self._hints.pop(table))
        if not self._signals and not self._hints:
            self._some.clear()
        return taken


async def listen(
    dial: Dial, settings: Settings, wanted: Wanted = every_table, idle: float = IDLE
) -> AsyncGenerator[Hint | Signal, None]:
    """Hints and signals until the generator is closed; over broken connections, which it tells."""
    mailbox = Mailbox(settings.hints)
    pump = asyncio.create_task(_pump(dial, settings, mailbox, wanted, idle), name="log hints")
    try:
        while True:
            yield await mailbox.take()
    finally:
        pump.cancel()
        await asyncio.wait({pump})


async def _pump(dial: Dial, settings: Settings, mailbox: Mailbox, wanted: Wanted, idle: float) -> None:
    pause, told = 0.05, False
    while True:
        connection: AbstractConnection | None = None
        try:
            async with asyncio.timeout(settings.timeout):
                connection = await dial()
                await connection.send_command("SUBSCRIBE", CHANNEL)
                await connection.read_response()
            mailbox.live()
            pause, told = 0.05, False
            await _receive(connection, mailbox, wanted, idle)
        except Exception as error:  # noqa: BLE001 whatever it was, the listener must hear of it
            if not told:  # once a break, not once an attempt
                mailbox.lost()
                _log.warning("log.hints_lost", error=str(error))
                told = True
        finally:
            if connection is not None:
                await connection.disconnect(nowait=True)
        await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 only spreads the load
        pause = min(2 * pause, 2.0)


async def _receive(connection: AbstractConnection, mailbox: Mailbox, wanted: Wanted, idle: float) -> None:
    # One watchman for all messages: there are many, and a timer for each is dear.
    watchman = asyncio.create_task(_ask_when_silent(connection, mailbox, idle), name="log hints, silence")
    try:
        while True:
            message = await connection.read_response()
            mailbox.heard += 1
            if message[0] == b"message":
                hint = hint_from(message[2])
                if hint is not None and wanted(hint.table):
                    mailbox.hint(*hint)
    finally:
        watchman.cancel()


async def _ask_when_silent(connection: AbstractConnection, mailbox: Mailbox, idle: float) -> None:
    """Ask for a sign of life; hang up where none comes: a connection may be dead without either side having said so."""
    asked = False
    while True:
        before = mailbox.heard
        await asyncio.sleep(idle)
        silent = mailbox.heard == before
        if silent and asked:
            await connection.disconnect(nowait=True)
            return
        if silent:
            with suppress(*BROKEN):  # who can't be asked will be silent, and is given up then
                await connection.send_command("PING")
        asked = silent
