"""Who plays the seats that no person holds, and answers for those whose time is over.

A bot gets its seat's view and decision, and nothing else. It is woken by the commit that asks it, and found again by
the sweep if this replica was down. Two replicas that answer for it do no harm: both use the same request id.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import Any

import structlog

from domain.chance import Stream
from domain.engine import Decision
from domain.options import sample
from domain.table import Bot, Cancel, Phase
from domain.values import members
from service import calls
from service.calls import Call
from service.entry import Cause
from service.errors import AgainstTheRules, AlreadyUsed, CallError
from service.host import Host
from service.index import Index
from service.life import Life
from service.metrics import METRICS

SWEEP = 1.0  # seconds between two looks at what is due
LATER = 60_000  # milliseconds until a table that can't be tended is looked at again

log = structlog.get_logger()


class Bots:
    """Everything the service does at tables by itself."""

    def __init__(self, host: Host, index: Index) -> None:
        self._host = host
        self._index = index
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()  # tables that went on while they were tended
        host.listeners.advanced.append(self._advanced)

    def _advanced(self, life: Life) -> None:
        """A table went on: note what is due there, and let its bots answer."""
        if life.id in self._busy:
            self._again.add(life.id)
        elif life.bots() or self._index.stale(life, self._host.clock()):
            self._tend_soon(life.id, life)

    def _tend_soon(self, table_id: str, life: Life | None = None) -> None:
        if table_id not in self._busy:
            self._busy[table_id] = asyncio.create_task(self._tend(table_id, life))

    async def sweep(self) -> None:
        """Find what is due, again and again: what other replicas left undone too."""
        while True:
            await asyncio.sleep(SWEEP)
            with suppress(CallError):
                for table_id in await self._index.due_before(self._host.clock()):
                    self._tend_soon(table_id)

    async def _tend(self, table_id: str, life: Life | None) -> None:
        """Do at a table what is due there, until nothing is; what we know of it may be old, unless it went on here."""
        try:
            life = life or await self._host.fresh(table_id)
            self._again.add(table_id)
            while table_id in self._again:
                self._again.discard(table_id)
                while await self._act(life):
                    life = self._host.cached(table_id) or await self._host.fresh(table_id)
                await self._index.note(life, self._host.clock())
        except CallError as error:
            log.warning("table not tended", table=table_id, reason=error.reason)
            with suppress(CallError):
                await self._give_up(table_id, error)
        except Exception:
            log.exception("table not tended", table=table_id)
            with suppress(CallError):
                await self._index.postpone(table_id, self._host.clock() + LATER)
        finally:  # not in a callback: what happens from now on must find the table free
            self._again.discard(table_id)
            self._busy.pop(table_id, None)

    async def _give_up(self, table_id: str, error: CallError) -> None:
        """Look at a table later that can't be tended now; one that is gone never."""
        if error.status == "NOT_FOUND":
            await self._index.forget(table_id)
        else:
            await self._index.postpone(table_id, self._host.clock() + LATER)

    async def _act(self, life: Life) -> bool:
        """One thing that is due at a table; whether it went on by that."""
        assert life.table is not None
        now, before = self._host.clock(), self._version(life)
        if seats := life.bots():
            await self._answer(life, seats[0], life.table.sittings[seats[0] - 1].bot, Cause.BOT)
        elif seats := life.overdue(now):
            await self._answer(life, seats[0], Bot.STAND_IN, Cause.CLOCK)
        elif life.table.phase is Phase.LOBBY and (self._index.due(life, now) or 0) <= now:
            await self._try(life, calls.at_table("clock:lobby", lambda _: (0, Cancel()), Cause.CLOCK))
        return self._version(life) > before

    def _version(self, life: Life) -> int:
        return (self._host.cached(life.id) or life).version

    async def _answer(self, life: Life, seat: int, kind: Bot, cause: Cause) -> None:
        decision = life.game.decision(life.play, seat)
        command = answer_of(life.game, kind, life.game.view(life.play, seat), decision)
        request = f"{cause}:{seat}:{decision.number}"
        if await self._try(life, calls.answer(seat, request, decision.number, command, cause)):
            (METRICS.bot_answers if cause is Cause.BOT else METRICS.clock_answers).inc()

    async def _try(self, life: Life, call: Call) -> bool:
        """Commit a call, unless another replica, or the player himself, is faster."""
        before = self._version(life)
        try:
            await self._host.commit(life.id, call)
        except (AgainstTheRules, AlreadyUsed):
            if self._version(life) == before:  # nobody was: then it is we who are wrong
                raise
            return False
        return True

    async def close(self) -> None:
        """Let what is being done come to its end."""
        await asyncio.gather(*self._busy.values(), return_exceptions=True)


def answer_of(game: Any, kind: Bot, view: Any, decision: Decision) -> Any:
    """What a bot of this kind answers, from what its seat sees and is asked."""
    if kind is Bot.RANDOM:
        source = Stream(secrets.token_bytes(32), "bot")
        return sample(decision.options[source.below(len(decision.options))], members(game.Command), source)
    return game.stand_in(view, decision)
