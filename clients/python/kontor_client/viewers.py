"""Whoever sees a table: a seat, which also answers, and a spectator."""

from __future__ import annotations

from collections.abc import AsyncIterator

from kontor.v1 import (
    Answer,
    Change,
    ChangeAndView,
    CreateViewTokenRequest,
    Decision,
    GameCommand,
    GetViewRequest,
    LeaveTableRequest,
    Moment,
    Option,
    RenewTokenRequest,
    ResignRequest,
    SubmitCommandRequest,
    SubmitCommandResponse,
    Table,
    TransferSeatRequest,
    View,
)
from kontor_client.answers import option_answer
from kontor_client.commands import Command, game_command
from kontor_client.line import Line, new_id
from kontor_client.watching import Update, Watch, listed


class Viewer:
    """Somebody who sees a table. `table_id` and `token` are all it takes to come back later."""

    def __init__(self, line: Line, table_id: str, token: str) -> None:
        self._line = line
        self.table_id = table_id
        self.token = token
        self.view: View | None = None
        """The newest view this viewer has been given."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(table_id={self.table_id!r})"  # a token is nothing to print

    async def look(self, version: int = 0) -> View:
        """The view of now, or of an earlier version."""
        request = GetViewRequest(table_id=self.table_id, version=version)
        view = (await self._line.call(self._line.play.GetView, request, self.token)).view
        if not version:
            self._saw(view)
        return view

    async def updates(self, after: Moment | None = None) -> AsyncIterator[Update]:
        """The view of now, then every update, until the game is over.

        With a moment: everything that happened after it first. A lost connection is made anew, nothing is missed and
        nothing comes twice.
        """
        async for update in Watch(self._line, self.table_id, self.token, after).updates():
            if update.rewound:
                self.view = None
            self._saw(update.view)
            yield update

    async def changes(self, after: Moment | None = None) -> AsyncIterator[Change]:
        """Every change one by one; `view` is at least as new as the change."""
        async for update in self.updates(after):
            for change in update.changes:
                yield change

    async def history(self, after_version: int = 0, *, views: bool = False) -> AsyncIterator[ChangeAndView]:
        """What happened so far, as this viewer saw it, with the view after each change where that is wanted."""
        async for each in listed(self._line, self.table_id, self.token, after_version, views=views):
            yield each

    async def renew(self) -> str:
        """A fresh token for the same rights; keep it in place of the old one."""
        answer = await self._line.call(self._line.tables.RenewToken, RenewTokenRequest(), self.token)
        self.token = answer.token
        return self.token

    def _saw(self, view: View) -> None:
        if self.view is None or view.moment.version >= self.view.moment.version:
            self.view = view


class Spectator(Viewer):
    """Somebody who only looks on: with a host's link as a spectator, with a seat's as that seat's second screen."""


class Seat(Viewer):
    """A player's place at a table."""

    @property
    def number(self) -> int:
        """The seat's number; 0 before the first view."""
        return self.view.seat if self.view else 0

    @property
    def decision(self) -> Decision | None:
        """What this seat is asked now, as far as is known; nothing if it is not asked."""
        return self.view.decision if self.view is not None and self.view.HasField("decision") else None

    async def submit(
        self, body: Answer | Option | GameCommand | Command, decision: int | None = None, patience: float | None = None
    ) -> SubmitCommandResponse:
        """Answer the open decision, or the one of this number.

        The body is an answer, an option without slots, or a command of the game (`augsburg.Bid(cards=3)`). It is sent
        under one request id until the server has answered or patience is at its end, and takes effect once.
        """
        if decision is None:
            if self.decision is None:
                await self.look()
            decision = self.decision.number if self.decision else 1  # nobody asks: the server tells so
        request = SubmitCommandRequest(table_id=self.table_id, request_id=new_id(), decision=decision)
        if isinstance(body, Option):
            body = option_answer(body)
        if isinstance(body, Answer):
            request.answer.CopyFrom(body)
        else:
            request.command.CopyFrom(body if isinstance(body, GameCommand) else game_command(body))
        response = await self._line.call(self._line.play.SubmitCommand, request, self.token, patience)
        self._saw(response.view)
        return response

    async def leave(self) -> Table:
        """Stand up before the start."""
        request = LeaveTableRequest(table_id=self.table_id, request_id=new_id())
        return (await self._line.call(self._line.tables.LeaveTable, request, self.token)).table

    async def resign(self) -> Table:
        """Leave a running game; a stand-in plays on."""
        request = ResignRequest(table_id=self.table_id, request_id=new_id())
        return (await self._line.call(self._line.tables.Resign, request, self.token)).table

    async def hand_to(self, name: str) -> Seat:
        """Hand the seat to another person: this one's token is worth nothing then. Pass the new one on."""
        request = TransferSeatRequest(table_id=self.table_id, request_id=new_id(), name=name)
        answer = await self._line.call(self._line.tables.TransferSeat, request, self.token)
        return Seat(self._line, self.table_id, answer.seat_token)

    async def hand_to_bot(self, bot: str = "stand-in") -> Table:
        """Hand the seat to a bot of a kind."""
        request = TransferSeatRequest(table_id=self.table_id, request_id=new_id(), bot=bot)
        return (await self._line.call(self._line.tables.TransferSeat, request, self.token)).table

    async def second_screen(self) -> Spectator:
        """Somebody who sees what this seat sees, and can do nothing."""
        request = CreateViewTokenRequest(table_id=self.table_id)
        answer = await self._line.call(self._line.tables.CreateViewToken, request, self.token)
        return Spectator(self._line, self.table_id, answer.view_token)
