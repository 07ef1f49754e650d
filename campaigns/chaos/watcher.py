"""A watcher over all its connections: it resumes from the last moment it was told, and fetches what was left out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import grpc

from campaigns.chaos.crew import Crew, bearer, temporary, told
from kontor.v1 import ListChangesRequest, Moment, Skip, View, WatchViewRequest, WatchViewResponse
from kontor_client.errors import KontorError, NotFound, Unauthenticated, from_rpc
from kontor_client.watching import finished

SILENCE = 45.0  # seconds, two signs of life
LINGER = 20.0  # seconds, longer than the service needs to look at a watched table by itself


class Watcher:
    """One viewer of a table."""

    def __init__(self, crew: Crew, table: str, seat: int, token: str) -> None:
        self.crew = crew
        self.journal = crew.journal.watch(table, seat)
        self.view: View | None = None
        self.news = asyncio.Event()
        self.gone = False  # the table itself
        self._heard_the_end = False  # by this watch; an answer may have told the player before
        self.rewinds = 0
        self._token = crew.tokens[table, seat] = token

    @property
    def over(self) -> bool:
        """Whether nothing can happen here any more."""
        return self.gone or (self.view is not None and finished(self.view))

    def saw(self, view: View) -> None:
        """A view came, from here or with an answer; the newer one counts."""
        if self.view is None or view.moment.version >= self.view.moment.version:
            self.view = view
            self.news.set()

    async def follow(self) -> None:
        """Watch until the game is over, over as many connections as it takes."""
        while not self.gone:
            await self.once()
            if self._heard_the_end and not self.crew.forgiving:
                return
            if self._heard_the_end:
                await self._linger()
                if self._heard_the_end:
                    return
            await asyncio.sleep(self.crew.chance.uniform(0, 0.1))

    async def _linger(self) -> None:
        """Where a failover may take back what was seen, the end of a game may be no end: stay for the next poll."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER):
                while not self.gone:
                    await self.once(lingering=True)
                    await asyncio.sleep(self.crew.chance.uniform(0, 0.1))

    async def once(self, *, lingering: bool = False) -> None:
        """One connection, until it ends."""
        try:
            async for message in self._messages():
                await self._take(message)
                if self._heard_the_end and not lingering:
                    return
        except grpc.aio.AioRpcError as failed:
            self._failed(from_rpc(failed))
        except TimeoutError:
            self.crew.tally["watches silent"] += 1

    async def first(self) -> None:
        """One connection, for its first message."""
        try:
            async for message in self._messages():
                await self._take(message)
                return
        except grpc.aio.AioRpcError as failed:
            self._failed(from_rpc(failed))
        except TimeoutError:
            self.crew.tally["watches silent"] += 1

    def _failed(self, error: KontorError) -> None:
        """Why a watch ended; where history may be rewound, a table may be gone."""
        if temporary(error):
            self.crew.tally["watches broken"] += 1
        elif self.crew.forgiving and isinstance(error, NotFound | Unauthenticated):
            self.lose()
        else:
            raise error

    def lose(self) -> None:
        """The table, or this seat at it, is gone with the history it was in."""
        self.crew.tally["tables gone"] += not self.gone
        self.gone = True
        self.news.set()

    async def _messages(self) -> AsyncIterator[WatchViewResponse]:
        version, tag = self.journal.last
        resume = Moment(version=version, tag=tag) if version else None
        request = WatchViewRequest(table_id=self.journal.table, resume=resume)
        call: Any = self.crew.any().play.WatchView(request, metadata=bearer(self._token))
        self.journal.connections += 1
        try:
            while True:
                async with asyncio.timeout(SILENCE):
                    message = await call.read()
                if message is grpc.aio.EOF:
                    return
                yield message
        finally:
            call.cancel()

    async def _take(self, message: WatchViewResponse) -> None:
        """Write a message down."""
        skip = Skip.Reason.Name(message.skip.reason).removeprefix("REASON_") if message.HasField("skip") else ""
        if skip:
            self.crew.tally[f"skip {skip}"] += 1
        if not message.HasField("view"):
            return  # a sign of life, or a farewell
        moment = message.view.moment
        if skip == "BEHIND":
            await self._fetch(moment.version)
            if self.crew.forgiving and self.journal.last != (moment.version, moment.tag):
                skip = "REWOUND"  # while this was listed: what was listed is another history than what was shown
        if skip not in ("", "BEHIND"):
            self.journal.skip(skip, moment.version, moment.tag)
        if skip == "REWOUND":
            self.view = None
            self.rewinds += 1
        for change in message.changes:
            self.journal.change(*told(change))
        if self.journal.last != (moment.version, moment.tag):
            self.journal.skip("BETWEEN", moment.version, moment.tag)  # the checker will not like it
        self._heard_the_end = finished(message.view)
        self.saw(message.view)

    async def _fetch(self, last: int) -> None:
        """List what was left out, up to a version."""
        table = self.journal.table
        while self.journal.last[0] < last:
            request = ListChangesRequest(table_id=table, after_version=self.journal.last[0], page_size=100)
            page = await self.crew.patient(lambda replica: replica.play.ListChanges, request, self._token)
            for one in page.changes:
                if one.change.moment.version <= last:
                    self.journal.change(*told(one.change))
            self.crew.tally["changes fetched"] += len(page.changes)
