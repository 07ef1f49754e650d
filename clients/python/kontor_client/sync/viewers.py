"""Seats and spectators, each call of which waits for its answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from kontor.v1 import (
    Answer,
    Change,
    ChangeAndView,
    Decision,
    GameCommand,
    Moment,
    Option,
    SubmitCommandResponse,
    Table,
    View,
)
from kontor_client import viewers as later
from kontor_client.commands import Command
from kontor_client.sync.background import Background
from kontor_client.watching import Update

Held = TypeVar("Held", bound=later.Viewer)


class Viewer(Generic[Held]):
    """Somebody who sees a table; see `kontor_client.Viewer`."""

    def __init__(self, loop: Background, viewer: Held) -> None:
        self._loop = loop
        self._viewer = viewer
        self.table_id = viewer.table_id

    def __repr__(self) -> str:
        return repr(self._viewer)

    @property
    def token(self) -> str:
        """What lets him come back later."""
        return self._viewer.token

    @property
    def view(self) -> View | None:
        """The newest view this viewer has been given."""
        return self._viewer.view

    def look(self, version: int = 0) -> View:
        """The view of now, or of an earlier version."""
        return self._loop.wait(self._viewer.look(version))

    def updates(self, after: Moment | None = None) -> Iterator[Update]:
        """The view of now, then every update, until the game is over."""
        return self._loop.each(self._viewer.updates(after))

    def changes(self, after: Moment | None = None) -> Iterator[Change]:
        """Every change one by one."""
        return self._loop.each(self._viewer.changes(after))

    def history(self, after_version: int = 0, *, views: bool = False) -> Iterator[ChangeAndView]:
        """What happened so far, as this viewer saw it."""
        return self._loop.each(self._viewer.history(after_version, views=views))

    def renew(self) -> str:
        """A fresh token for the same rights."""
        return self._loop.wait(self._viewer.renew())


class Spectator(Viewer[later.Spectator]):
    """Somebody who only looks on; see `kontor_client.Spectator`."""


class Seat(Viewer[later.Seat]):
    """A player's place at a table; see `kontor_client.Seat`."""

    @property
    def number(self) -> int:
        """The seat's number; 0 before the first view."""
        return self._viewer.number

    @property
    def decision(self) -> Decision | None:
        """What this seat is asked now, as far as is known; nothing if it is not asked."""
        return self._viewer.decision

    def submit(
        self, body: Answer | Option | GameCommand | Command, decision: int | None = None, patience: float | None = None
    ) -> SubmitCommandResponse:
        """Answer the open decision, or the one of this number; see `kontor_client.Seat.submit`."""
        return self._loop.wait(self._viewer.submit(body, decision, patience))

    def leave(self) -> Table:
        """Stand up before the start."""
        return self._loop.wait(self._viewer.leave())

    def resign(self) -> Table:
        """Leave a running game; a stand-in plays on."""
        return self._loop.wait(self._viewer.resign())

    def hand_to(self, name: str) -> Seat:
        """Hand the seat to another person."""
        return Seat(self._loop, self._loop.wait(self._viewer.hand_to(name)))

    def hand_to_bot(self, bot: str = "stand-in") -> Table:
        """Hand the seat to a bot of a kind."""
        return self._loop.wait(self._viewer.hand_to_bot(bot))

    def second_screen(self) -> Spectator:
        """Somebody who sees what this seat sees, and can do nothing."""
        return Spectator(self._loop, self._loop.wait(self._viewer.second_screen()))
