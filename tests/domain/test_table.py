"""A table: who may sit down, stand up, start, resign, and hand a seat over."""

from __future__ import annotations

from typing import Any

import pytest

from domain import table, toy
from domain.engine import Illegal
from domain.options import Refusal
from domain.table import (
    NAME_LENGTH,
    Bot,
    Cancel,
    Cancelled,
    HandedOver,
    HandOver,
    Join,
    Joined,
    Leave,
    Left,
    Phase,
    Resign,
    Sitting,
    Start,
    Started,
    Table,
    TableCommand,
    TableEvent,
    open_table,
)
from domain.values import facts, from_bytes, to_bytes


def opened() -> Table:
    """A table of the toy, with nobody there."""
    return table.evolve(None, open_table(toy.meta, "first", ()))


def after(*commands: TableCommand) -> Table:
    """The table after these commands, its events read back from bytes."""
    now = opened()
    for command in commands:
        event: Any = from_bytes(TableEvent, to_bytes(table.decide(now, command)))
        now = table.evolve(now, event)
    return now


def refused(now: Table, command: TableCommand) -> Refusal:
    """Why this can't be."""
    with pytest.raises(Illegal) as illegal:
        table.decide(now, command)
    return illegal.value.refusal


TWO = (Join("Ann"), Join("Ben"))


def test_a_table_opens_with_the_usual_settings() -> None:
    """What was not chosen is as usual; what was is kept."""
    assert opened() == Table("toy", "first", facts(coins="hidden"), 2, 4)
    assert open_table(toy.meta, "first", facts(coins="open")).table.settings == facts(coins="open")


@pytest.mark.parametrize(
    ("edition", "settings", "reason", "told"),
    [
        ("second", (), "UNKNOWN_EDITION", facts(edition="second", valid="first")),
        ("first", facts(coins="none"), "UNKNOWN_SETTING", facts(setting="coins=none", valid="coins=hidden|open")),
        ("first", facts(dice="two"), "UNKNOWN_SETTING", facts(setting="dice=two", valid="coins=hidden|open")),
    ],
)
def test_what_a_table_can_not_be(edition: str, settings: Any, reason: str, told: Any) -> None:
    """An unknown edition or setting is refused with the ones there are."""
    with pytest.raises(Illegal) as illegal:
        open_table(toy.meta, edition, settings)
    assert illegal.value.refusal == Refusal("", reason, told)


def test_joining_takes_the_next_seat() -> None:
    """Persons and bots sit down one after the other."""
    assert table.decide(after(Join("Ann")), Join("Robot", Bot.RANDOM)) == Joined(
        2, Sitting("Robot", Bot.RANDOM, ticket=2)
    )
    assert after(*TWO).sittings == (Sitting("Ann", ticket=1), Sitting("Ben", ticket=2))


@pytest.mark.parametrize("name", ["", "  ", "x" * (NAME_LENGTH + 1), "two\nlines", "bell\a", "\u202egnp"])
def test_bad_names(name: str) -> None:
    """A name is something to read, on one line, not too long."""
    assert refused(opened(), Join(name)) == Refusal("", "BAD_NAME", facts(most=NAME_LENGTH))


def test_the_longest_name() -> None:
    """Forty characters are allowed."""
    assert after(Join("x" * NAME_LENGTH)).sittings


def test_a_name_is_taken_once() -> None:
    """Nobody sits down under a name that is already at the table."""
    assert refused(after(*TWO), Join("Ben")) == Refusal("", "NAME_TAKEN", facts(name="Ben"))


def test_a_full_table() -> None:
    """There are so many seats as the game has."""
    full = after(*TWO, Join("Cid"), Join("Dot"))
    assert refused(full, Join("Eve")) == Refusal("", "TABLE_FULL", facts(most=4))


def test_leaving_moves_the_others_up() -> None:
    """Seats close up; a ticket stays with its holder, and one that was given back is never given again."""
    now = after(*TWO, Join("Cid"), Leave(2), Join("Dot"))
    assert now.sittings == (Sitting("Ann", ticket=1), Sitting("Cid", ticket=3), Sitting("Dot", ticket=4))
    assert [now.seat_of(ticket) for ticket in (1, 2, 3, 4, 5)] == [1, 0, 2, 3, 0]
    assert table.decide(now, Leave(1)) == Left(1)


def test_the_last_ticket_is_not_given_twice() -> None:
    """Who joins after the last one left gets a ticket of his own."""
    assert after(*TWO, Leave(2), Join("Cid")).sittings[1] == Sitting("Cid", ticket=3)


@pytest.mark.parametrize("seat", [0, -1, 3])
def test_there_is_no_such_seat(seat: int) -> None:
    """Only a seat that is taken can be left, resigned or handed over."""
    gone = Refusal("", "NO_SUCH_SEAT", facts(seat=seat, seats=2))
    assert refused(after(*TWO), Leave(seat)) == gone
    for command in (Resign(seat), HandOver(seat, "Eve")):
        assert refused(after(*TWO, Start()), command) == gone


def test_starting() -> None:
    """A game starts with at least as many as it needs."""
    assert refused(after(Join("Ann")), Start()) == Refusal("", "SEATS_MISSING", facts(seats=1, least=2))
    assert table.decide(after(*TWO), Start()) == Started()
    assert after(*TWO, Start()).phase is Phase.PLAYING


@pytest.mark.parametrize("command", [Join("Eve"), Leave(1), Start(), Cancel()])
def test_after_the_start_the_seats_stay(command: TableCommand) -> None:
    """Nobody joins, leaves, starts again or cancels a running game."""
    assert refused(after(*TWO, Start()), command) == Refusal("", "TABLE_STARTED")


@pytest.mark.parametrize("command", [Resign(1), HandOver(1, "Eve")])
def test_before_the_start_nothing_is_handed_over(command: TableCommand) -> None:
    """A seat can be given up only by leaving."""
    assert refused(after(*TWO), command) == Refusal("", "TABLE_NOT_STARTED")


@pytest.mark.parametrize("command", [Join("Eve"), Leave(1), Start(), Cancel(), Resign(1), HandOver(1, "Eve")])
def test_a_cancelled_table_is_closed(command: TableCommand) -> None:
    """Nothing more can happen there."""
    assert table.decide(after(*TWO), Cancel()) == Cancelled()
    assert refused(after(*TWO, Cancel()), command) == Refusal("", "TABLE_CANCELLED")


def test_resigning_makes_a_stand_in() -> None:
    """The seat keeps its name, is played by a stand-in from now on, and older tokens die."""
    now = after(*TWO, Start(), Resign(2))
    assert now.sittings == (Sitting("Ann", ticket=1), Sitting("Ben", Bot.STAND_IN, ticket=2, epoch=1))
    assert refused(now, Resign(2)) == Refusal("", "SEAT_IS_A_BOT", facts(seat=2))


def test_handing_a_seat_over() -> None:
    """To another person, to a bot, or back under the same name; each time older tokens die."""
    now = after(*TWO, Start(), HandOver(1, "Eve"))
    assert now.sittings[0] == Sitting("Eve", ticket=1, epoch=1)
    assert table.decide(now, HandOver(1, "Eve", Bot.RANDOM)) == HandedOver(1, "Eve", Bot.RANDOM)
    assert after(*TWO, Start(), HandOver(1, "Eve"), HandOver(1, "Ann")).sittings[0].epoch == 2


def test_handing_over_needs_a_name_of_its_own() -> None:
    """Not one that another seat has, and one that can be read."""
    now = after(*TWO, Start())
    assert refused(now, HandOver(1, "Ben")).reason == "NAME_TAKEN"
    assert refused(now, HandOver(1, "")).reason == "BAD_NAME"
