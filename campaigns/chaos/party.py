"""One table after the other, played at random to its end by clients who watch it."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

from campaigns.chaos.crew import LOOKED, Crew, told
from campaigns.chaos.journal import Answer, Look
from campaigns.chaos.watcher import Watcher
from kontor.v1 import (
    CreateTableRequest,
    CreateViewTokenRequest,
    GetViewRequest,
    JoinTableRequest,
    StartTableRequest,
    SubmitCommandRequest,
    View,
)
from kontor_client.answers import random_answer
from kontor_client.errors import KontorError

NAMES = ("Anna", "Bartl", "Clara", "Dietz", "Elsbeth")
SOMEWHERE = Answer(0)  # it stands in the log, but the answer does not say where
IDLE = 2.0  # seconds without news
BEHIND = 55  # changes after which a watcher is told that he is too far behind


class Party:
    """A table and those who play at it."""

    def __init__(self, crew: Crew, game: str, seats: int) -> None:
        self.crew = crew
        self.table = ""
        self.watchers: list[Watcher] = []
        self._game = game
        self._seats = seats

    async def play(self) -> None:
        """Open the table, play the game to its end, or until the campaign ends."""
        seats = await self._gather()
        if not seats:
            return
        spectator = await self._spectator()
        for watcher in (*self.watchers, spectator):
            self.crew.spawn(watcher.follow())
        self.crew.spawn(self._sleeper(await self._spectator()))
        self.watchers.append(spectator)
        await asyncio.gather(*(Player(self.crew, watcher, token).play() for watcher, token in seats))

    async def _gather(self) -> list[tuple[Watcher, str]]:
        """Found the table, seat everyone, start."""
        crew, secret = self.crew, self.crew.secret()
        request = CreateTableRequest(
            request_id=crew.request(), client_secret=secret, game=self._game, seats=self._seats, public=True
        )
        ask = crew.journal.ask("", request.request_id, 0, time.monotonic())
        made = await crew.ask(ask, lambda one: one.tables.CreateTable, request, "", lambda _: Answer(1))
        if made is None:
            return []
        self.table = ask.table = made.table.id
        self._host = made.host_token
        seats = []
        for name in NAMES[: self._seats]:
            join = JoinTableRequest(
                table_id=self.table, request_id=crew.request(), client_secret=crew.secret(), name=name
            )
            joined = await self._call("JoinTable", join)
            if joined is None:
                return []
            seats.append((Watcher(crew, self.table, joined.seat, joined.seat_token), joined.seat_token))
        self.watchers = [watcher for watcher, _ in seats]
        start = StartTableRequest(table_id=self.table, request_id=crew.request())
        return seats if await self._call("StartTable", start, self._host) is not None else []

    async def _call(self, name: str, request: Any, token: str = "") -> Any:
        ask = self.crew.journal.ask(self.table, request.request_id, 0, time.monotonic())
        return await self.crew.ask(ask, lambda one: getattr(one.tables, name), request, token, lambda _: SOMEWHERE)

    async def _spectator(self) -> Watcher:
        request = CreateViewTokenRequest(table_id=self.table)
        answer = await self.crew.patient(lambda one: one.tables.CreateViewToken, request, self._host)
        return Watcher(self.crew, self.table, 0, answer.view_token)

    async def _sleeper(self, watcher: Watcher) -> None:
        """A spectator who looks rarely: he falls behind."""
        self.watchers.append(watcher)
        while not watcher.over:
            await watcher.first()
            while not (self.crew.ending or self._over() or self.version > watcher.journal.last[0] + BEHIND):
                await asyncio.sleep(0.2)
            await asyncio.sleep(0.05)
            if self.crew.ending or self._over():
                break
        await watcher.follow()

    def _over(self) -> bool:
        return self.watchers[0].over

    @property
    def version(self) -> int:
        """How far the table has come, as the first player knows it."""
        view = self.watchers[0].view
        return view.moment.version if view else 0

    async def caught_up(self, head: int, tag: str, seconds: float) -> None:
        """Wait until all watchers have heard all there is."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while any(watcher.journal.last != (head, tag) and not watcher.gone for watcher in self.watchers):
                    await asyncio.sleep(0.05)


class Player:
    """Somebody on a seat, who answers whatever he is asked, at random."""

    def __init__(self, crew: Crew, watcher: Watcher, token: str) -> None:
        self._crew = crew
        self._watcher = watcher
        self._token = token
        self._done = (0, 0)  # the last decision that was answered, and in which history

    async def play(self) -> None:
        """Answer until nobody asks any more."""
        while not self._crew.ending and not self._watcher.over:
            view = self._asked()
            if view is None:
                await self._wait()
            elif not await self._answer(view):
                if not self._crew.forgiving:
                    return  # refused: the checker will ask why
                await self._look(anew=True)
            if self._crew.chance.random() < LOOKED:
                await self._look()

    async def _wait(self) -> None:
        """Wait for news; where none come, look: the replica that should bring them may be stopped."""
        self._watcher.news.clear()
        try:
            async with asyncio.timeout(IDLE):
                await self._watcher.news.wait()
        except TimeoutError:
            await self._look()

    def _asked(self) -> View | None:
        """The view, if it asks something that is not answered yet."""
        view = self._watcher.view
        if view is None or not view.HasField("decision") or (view.decision.number, self._watcher.rewinds) == self._done:
            return None
        return view

    async def _answer(self, view: View) -> bool:
        crew, journal, decision, moment = self._crew, self._watcher.journal, view.decision, view.moment
        request = SubmitCommandRequest(
            table_id=journal.table,
            request_id=crew.request(),
            decision=decision.number,
            answer=random_answer(decision, crew.chance),
        )
        ask = crew.journal.ask(journal.table, request.request_id, journal.seat, time.monotonic())
        ask.basis, ask.decision = (moment.version, moment.tag), decision.number
        given = await crew.ask(
            ask, lambda one: one.play.SubmitCommand, request, self._token, lambda response: told(response.change)
        )
        if given is None:
            return False
        self._done = (decision.number, self._watcher.rewinds)
        self._watcher.saw(given.view)
        return True

    async def _look(self, *, anew: bool = False) -> None:
        asked, table = time.monotonic(), self._watcher.journal.table
        request = GetViewRequest(table_id=table)
        try:
            view = (await self._crew.patient(lambda one: one.play.GetView, request, self._token)).view
        except KontorError:
            if not self._crew.forgiving:
                raise
            self._watcher.lose()
            return
        if anew:
            self._watcher.view = None
        self._crew.journal.looks.append(Look(table, asked, view.moment.version))
        self._watcher.saw(view)
