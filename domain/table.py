"""What all games share: a table with its seats, joining, starting, resigning, handing a seat over."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from domain.engine import Illegal, Meta
from domain.options import Refusal, refusal
from domain.values import Fact, Seat, Value, facts, replace

NAME_LENGTH = 40


class Phase(StrEnum):
    """How far a table has come. That a game is over is its result's to say."""

    LOBBY = "lobby"
    PLAYING = "playing"
    CANCELLED = "cancelled"


class Bot(StrEnum):
    """Who plays a seat that no person holds."""

    NONE = "none"
    RANDOM = "random"
    STAND_IN = "stand-in"


class Sitting(Value):
    """Who sits on a seat. His ticket stays his when seats move up; the epoch grows when the seat changes hands."""

    name: str
    bot: Bot = Bot.NONE
    ticket: int = 0  # counted from 1 in the order of joining
    epoch: int = 0


class Table(Value):
    """One instance of a game: what is played, and by whom."""

    game: str
    edition: str
    settings: tuple[Fact, ...]
    least_seats: int
    most_seats: int
    phase: Phase = Phase.LOBBY
    sittings: tuple[Sitting, ...] = ()
    tickets: int = 0  # how many have joined so far

    def seat_of(self, ticket: int) -> int:
        """The seat that a ticket is for now; 0 if its holder has left."""
        return next((seat for seat, sitting in enumerate(self.sittings, 1) if sitting.ticket == ticket), 0)

    def seated(self, seat: int, sitting: Sitting) -> Table:
        """The table with another sitting on this seat."""
        return replace(self, sittings=(*self.sittings[: seat - 1], sitting, *self.sittings[seat:]))


# --- commands -----------------------------------------------------------------------------------------------------


class Join(Value):
    """A person, or a bot of a kind, takes the next free seat."""

    name: str
    bot: Bot = Bot.NONE


class Leave(Value):
    """A seat is given up before the start; those behind move up."""

    seat: Seat


class Start(Value):
    """The game begins with those who sit there."""


class Cancel(Value):
    """The table is given up before the start."""


class Resign(Value):
    """A player leaves a running game: a stand-in plays on for him."""

    seat: Seat


class HandOver(Value):
    """A seat goes to another person, or to a bot."""

    seat: Seat
    name: str
    bot: Bot = Bot.NONE


TableCommand = Join | Leave | Start | Cancel | Resign | HandOver


# --- events -------------------------------------------------------------------------------------------------------


class Opened(Value):
    """A table was opened."""

    table: Table

    def apply(self, table: Table | None) -> Table:
        """The first state of a table."""
        return self.table


class Joined(Value):
    """Somebody sat down."""

    seat: Seat
    sitting: Sitting

    def apply(self, table: Table) -> Table:
        """Seat him behind the others."""
        return replace(table, sittings=(*table.sittings, self.sitting), tickets=self.sitting.ticket)


class Left(Value):
    """Somebody stood up before the start."""

    seat: Seat

    def apply(self, table: Table) -> Table:
        """Those behind him move up."""
        return replace(table, sittings=(*table.sittings[: self.seat - 1], *table.sittings[self.seat :]))


class Started(Value):
    """The game began."""

    def apply(self, table: Table) -> Table:
        """From now on seats stay as they are."""
        return replace(table, phase=Phase.PLAYING)


class Cancelled(Value):
    """The table was given up."""

    def apply(self, table: Table) -> Table:
        """Nothing more can happen here."""
        return replace(table, phase=Phase.CANCELLED)


class HandedOver(Value):
    """A seat changed hands, to another person or to a bot."""

    seat: Seat
    name: str
    bot: Bot

    def apply(self, table: Table) -> Table:
        """Seat the new one; the old one's tokens are worth nothing now."""
        before = table.sittings[self.seat - 1]
        return table.seated(self.seat, replace(before, name=self.name, bot=self.bot, epoch=before.epoch + 1))


TableEvent = Opened | Joined | Left | Started | Cancelled | HandedOver


# --- what the commands do -----------------------------------------------------------------------------------------


def open_table(meta: Meta, edition: str, settings: tuple[Fact, ...]) -> Opened:
    """A new table of this game, with every setting that was not chosen at its usual value."""
    chosen = {setting.name: setting.value for setting in settings}
    known = {slot.field: slot for slot in meta.settings}
    for name, value in chosen.items():
        if name not in known or refusal(known[name], value) is not None:
            valid = ", ".join(f"{slot.field}={'|'.join(getattr(slot, 'keys', ()))}" for slot in meta.settings)
            raise _illegal("UNKNOWN_SETTING", setting=f"{name}={value}", valid=valid or "none")
    if edition not in meta.editions:
        raise _illegal("UNKNOWN_EDITION", edition=edition, valid=", ".join(meta.editions))
    full = facts(**{name: chosen.get(name, getattr(slot, "keys", ("",))[0]) for name, slot in known.items()})
    return Opened(Table(meta.id, edition, full, meta.least_seats, meta.most_seats))


def decide(table: Table, command: TableCommand) -> TableEvent:
    """The event that one command at a table causes, or `Illegal`."""
    if table.phase is Phase.CANCELLED:
        raise _illegal("TABLE_CANCELLED")
    if isinstance(command, Resign | HandOver):
        return _hand_over(table, command)
    if table.phase is not Phase.LOBBY:
        raise _illegal("TABLE_STARTED")
    if isinstance(command, Join):
        return _join(table, command)
    if isinstance(command, Leave):
        _require_seat(table, command.seat)
        return Left(command.seat)
    if isinstance(command, Start):
        if len(table.sittings) < table.least_seats:
            raise _illegal("SEATS_MISSING", seats=len(table.sittings), least=table.least_seats)
        return Started()
    return Cancelled()


def evolve(table: Table | None, event: Any) -> Table:
    """Apply one event of a table."""
    applied: Table = event.apply(table)
    return applied


def _join(table: Table, command: Join) -> Joined:
    if len(table.sittings) >= table.most_seats:
        raise _illegal("TABLE_FULL", most=table.most_seats)
    _require_name(table, command.name)
    return Joined(len(table.sittings) + 1, Sitting(command.name, command.bot, table.tickets + 1))


def _hand_over(table: Table, command: Resign | HandOver) -> HandedOver:
    if table.phase is not Phase.PLAYING:
        raise _illegal("TABLE_NOT_STARTED")
    _require_seat(table, command.seat)
    sitting = table.sittings[command.seat - 1]
    if isinstance(command, Resign):
        if sitting.bot is not Bot.NONE:
            raise _illegal("SEAT_IS_A_BOT", seat=command.seat)
        return HandedOver(command.seat, sitting.name, Bot.STAND_IN)
    if command.name != sitting.name:
        _require_name(table, command.name)
    return HandedOver(command.seat, command.name, command.bot)


def _require_seat(table: Table, seat: int) -> None:
    if not 1 <= seat <= len(table.sittings):
        raise _illegal("NO_SUCH_SEAT", seat=seat, seats=len(table.sittings))


def _require_name(table: Table, name: str) -> None:
    if not name.strip() or len(name) > NAME_LENGTH or not name.isprintable():
        raise _illegal("BAD_NAME", most=NAME_LENGTH)
    if any(sitting.name == name for sitting in table.sittings):
        raise _illegal("NAME_TAKEN", name=name)


def _illegal(reason: str, **named: object) -> Illegal:
    return Illegal(Refusal("", reason, facts(**named)))
