"""Proof that a table's log is what the rules make of it: hashes, folding, and every command decided again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from domain import table as seats
from domain.engine import Illegal
from domain.table import Join, Joined, Started, TableCommand
from service.calls import beginning
from service.entry import Found, LogEntry
from service.errors import CallError
from service.life import Life
from service.log import EMPTY, Corrupt, Entry, verify

TABLE_COMMANDS = TableCommand.__args__


class Wrong(Exception):
    """What is wrong with a table, in one sentence."""


class Proof(NamedTuple):
    """What was checked of a table."""

    entries: int
    decided: int  # commands decided again
    older: int  # commands of older rules, which are folded only


def folded(table_id: str, games: Mapping[str, Any], entries: Iterable[Entry]) -> Life:
    """A life from its log; Wrong where that can't be read."""
    life = Life(table_id, dict(games))
    try:
        for entry in entries:
            life.fold(entry)
    except (Corrupt, CallError) as error:
        raise Wrong(str(error)) from None
    return life


def prove(table_id: str, games: Mapping[str, Any], entries: tuple[Entry, ...]) -> tuple[Life, Proof]:
    """The life of a table whose log holds in every respect; else Wrong."""
    try:
        verify(EMPTY, entries)
    except Corrupt as error:
        raise Wrong(str(error)) from None
    life = folded(table_id, games, entries)
    _orderly(life)
    past, older = life.at(0), 0
    for entry in life.entries:
        if entry.rules == life.game.meta.rules_version or isinstance(entry.command, Found):
            _same(past, entry)
        else:
            older += 1
        past.step(entry)
    if (past.table, past.play) != (life.table, life.play):
        raise Wrong("Folding again leads to another state.")
    return life, Proof(life.version, life.version - older, older)


def _orderly(life: Life) -> None:
    """Request ids come once, and time never goes back."""
    if len(life.requests) != life.version:
        raise Wrong("A request id stands there twice.")
    for before, after in zip(life.entries, life.entries[1:], strict=False):
        if after.time < before.time:
            raise Wrong(f"Version {life.entries.index(after) + 1} is older than the one before it.")


def _same(past: Life, entry: LogEntry[Any, Any]) -> None:
    """Deciding the command again must give the very events that are stored."""
    version = past.version + 1
    try:
        events = _decided(past, entry)
    except (Illegal, CallError) as refused:
        raise Wrong(f"Version {version}: {type(entry.command).__name__} would be refused now: {refused}") from None
    if events != entry.events:
        raise Wrong(f"Version {version}: deciding {type(entry.command).__name__} again causes other events.")


def _decided(past: Life, entry: LogEntry[Any, Any]) -> tuple[Any, ...]:
    command = entry.command
    if isinstance(command, Found):
        return _founded(entry)
    if isinstance(command, TABLE_COMMANDS):
        assert past.table is not None  # its founding came before
        event = seats.decide(past.table, command)
        return (event, *(beginning(past) if isinstance(event, Started) else ()))
    decision = past.game.decision(past.play, entry.seat)
    if decision is None or decision.number != entry.decision:
        raise Wrong(f"Version {past.version + 1} answers a decision that was not open.")
    outcome: tuple[Any, ...] = past.game.decide(past.play, decision, command, past.chance()).events
    return outcome


def _founded(entry: LogEntry[Any, Any]) -> tuple[Any, ...]:
    """A founding is a beginning; but whoever was seated by it must have been seated by the rules."""
    founded, *others = entry.events
    table, again = founded.table, []
    for joined in others:
        if not isinstance(joined, Joined):
            raise Wrong("The founding does more than open the table and seat bots.")
        again.append(seats.decide(table, Join(joined.sitting.name, joined.sitting.bot)))
        table = again[-1].apply(table)
    return (founded, *again)
