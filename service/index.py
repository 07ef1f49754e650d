"""The index beside the logs: which tables are public, and which have something due. Derived, and never believed.

`kontor:index:public` holds the public tables by the time of their founding; `kontor:index:due` the tables that the
service itself must look at, by the time when: somebody's time is over, a lobby has waited too long, or there are bots,
and the replica that plays them may have died. It is written after the commit. What gets lost in between is found at the
next look, or by `admin reindex`.
"""

from __future__ import annotations

import itertools
from typing import Any

from domain.table import Bot, Phase
from service.life import Life
from service.log.port import Log
from service.troubles import log_errors

PUBLIC = "kontor:index:public"
DUE = "kontor:index:due"
NET = 5_000  # milliseconds after which other replicas look at a table with bots that has not gone on
RARELY = 600_000  # and at the most, where nothing has happened for long


class Index:
    """Where to look for tables."""

    def __init__(self, log: Log, lobby_ttl: int) -> None:
        self._log = log
        self._lobby_ttl = lobby_ttl * 1000

    def due(self, life: Life, now: int) -> int | None:
        """When the service must look at this table again, in milliseconds; nothing: never by itself."""
        assert life.founded is not None
        assert life.table is not None
        if life.finished:
            return None
        if life.table.phase is Phase.LOBBY:
            return life.entries[0].time + self._lobby_ttl
        looks = [
            since + life.founded.answer_within * 1000 for since in life.since.values() if life.founded.answer_within
        ]
        if any(sitting.bot is not Bot.NONE for sitting in life.table.sittings):
            looks.append(now + min(max(NET, now - life.time), RARELY))
        return min(looks, default=None)

    def listed(self, life: Life) -> bool:
        """Whether anyone may find this table."""
        assert life.founded is not None
        assert life.table is not None
        return life.founded.public and life.table.phase is not Phase.CANCELLED

    def stale(self, life: Life, now: int) -> bool:
        """Whether the index must be told of this table: a look that comes too early does no harm, one too late does."""
        if life.noted is None:
            return True
        (due, listed), wanted = life.noted, self.due(life, now)
        if listed != self.listed(life) or (due is None) != (wanted is None):
            return True
        return due is not None and wanted is not None and (wanted < due or due <= now)

    async def note(self, life: Life, now: int) -> None:
        """Bring the index up to a table as it is; only what matters is written."""
        if not self.stale(life, now):
            return
        due, listed = self.due(life, now), self.listed(life)
        if due is None:
            await self._do("ZREM", DUE, life.id)
        else:
            await self._do("ZADD", DUE, due, life.id)
        if life.noted is None or listed != life.noted[1]:
            await self._do(*(("ZADD", PUBLIC, life.entries[0].time) if listed else ("ZREM", PUBLIC)), life.id)
        life.noted = (due, listed)

    async def postpone(self, table_id: str, time: int) -> None:
        """Look at a table later that can't be looked at now."""
        await self._do("ZADD", DUE, "XX", time, table_id)

    async def due_before(self, time: int, most: int = 100) -> tuple[str, ...]:
        """The tables that had something due before this time."""
        found = await self._do("ZRANGE", DUE, "-inf", time, "BYSCORE", "LIMIT", 0, most)
        return tuple(member.decode() for member in found)

    async def public(self, place: str, most: int) -> tuple[tuple[str, str], ...]:
        """Public tables, the newest first, from a place on: each with the place that comes after it.

        A place is the time of a table's founding and its id, so that it stays where it is when others come and go.
        """
        time, _, last = place.partition("-")
        tables: list[tuple[str, str]] = []
        for offset in itertools.count(0, most):
            query = (time or "+inf", "-inf", "BYSCORE", "REV", "LIMIT", offset, most, "WITHSCORES")
            found = await self._do("ZRANGE", PUBLIC, *query)
            pairs = [(member.decode(), score.decode()) for member, score in zip(found[::2], found[1::2], strict=True)]
            tables += [(name, f"{score}-{name}") for name, score in pairs if score != time or name < last]
            if len(tables) >= most or len(pairs) < most:
                break
        return tuple(tables[:most])

    async def forget(self, table_id: str) -> None:
        """Take a table out of the index."""
        await self._do("ZREM", DUE, table_id)
        await self._do("ZREM", PUBLIC, table_id)

    async def clear(self) -> None:
        """Empty the index, to be written anew."""
        await self._do("DEL", DUE)
        await self._do("DEL", PUBLIC)

    async def _do(self, *command: str | int) -> Any:
        with log_errors():
            return await self._log.index(*command)
