"""Holding a view: a watch that comes back by itself, without a gap and without anything twice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass

import grpc

from kontor.v1 import (
    Change,
    ChangeAndView,
    ListChangesRequest,
    Moment,
    Phase,
    Skip,
    View,
    WatchViewRequest,
    WatchViewResponse,
)
from kontor_client.errors import KontorError, Unavailable, from_rpc
from kontor_client.line import Line, backoff

SILENCE = 65.0  # seconds without any message, three signs of life, after which a watch counts as broken
PAGE = 100

log = logging.getLogger("kontor_client")


@dataclass(frozen=True, slots=True)
class Update:
    """What is new: the changes since the last update, oldest first, and the view they led to."""

    view: View
    changes: tuple[Change, ...] = ()
    rewound: bool = False  # the log was restored from an older copy: what you knew may never have happened

    @property
    def sentences(self) -> tuple[str, ...]:
        """What happened, in words."""
        return tuple(event.sentence.text for change in self.changes for event in change.events)


def finished(view: View) -> bool:
    """Whether nothing can happen at this table any more."""
    return view.table.phase in (Phase.PHASE_OVER, Phase.PHASE_CANCELLED)


class Watch:
    """A watch on one table by one token."""

    def __init__(self, line: Line, table_id: str, token: str, after: Moment | None) -> None:
        self._line = line
        self._table_id = table_id
        self._token = token
        self._seen = after
        self._lost = False

    async def updates(self) -> AsyncIterator[Update]:
        """Everything that happens until the game is over; a lost connection is made anew, for as long as it takes."""
        waits = backoff()
        while True:
            failed: KontorError = Unavailable("The server is going away.")
            try:
                async for message in self._messages():
                    waits = backoff()
                    self._lost = False
                    if message.HasField("view"):
                        update = await self._update(message)
                        self._seen = update.view.moment
                        yield update
                        if finished(update.view):
                            return
            except KontorError as error:
                failed = error
            if not failed.temporary:
                raise failed
            self._warn(failed)
            await asyncio.sleep(max(next(waits), failed.retry or 0.0))

    async def _messages(self) -> AsyncIterator[WatchViewResponse]:
        """The messages of one connection; it ends when the server says good-bye."""
        request = WatchViewRequest(table_id=self._table_id, resume=self._seen)
        call = self._line.play.WatchView(request, metadata=self._line.metadata(self._token))
        try:
            while True:
                async with asyncio.timeout(SILENCE):
                    message = await call.read()
                if not isinstance(message, WatchViewResponse):  # grpc.aio.EOF
                    return
                yield message
        except TimeoutError:
            raise Unavailable("The server has fallen silent.") from None
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error) from None
        finally:
            call.cancel()

    async def _update(self, message: WatchViewResponse) -> Update:
        """A message as an update; what the server left out since we last looked is fetched."""
        reason = message.skip.reason if message.HasField("skip") else None
        if reason == Skip.REASON_BEHIND and self._seen is not None:
            return Update(message.view, await self._missed(self._seen.version, message.view.moment.version))
        return Update(message.view, tuple(message.changes), rewound=reason == Skip.REASON_REWOUND)

    async def _missed(self, after: int, last: int) -> tuple[Change, ...]:
        found = listed(self._line, self._table_id, self._token, after)
        changes = [each.change async for each in found]
        return tuple(change for change in changes if change.moment.version <= last)

    def _warn(self, failed: KontorError) -> None:
        """Say once that the connection is lost."""
        if not self._lost:
            log.warning("The connection to %s is lost, trying again: %s", self._line.address, failed)
        self._lost = True


async def listed(
    line: Line, table_id: str, token: str, after: int = 0, *, views: bool = False
) -> AsyncIterator[ChangeAndView]:
    """What happened so far, page by page."""
    place = ""
    while True:
        request = ListChangesRequest(
            table_id=table_id, page_size=PAGE, page_token=place, after_version=after, with_views=views
        )
        page = await line.call(line.play.ListChanges, request, token)
        for each in page.changes:
            yield each
        place = page.next_page_token
        if not place:
            return
