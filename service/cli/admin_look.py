"""Looking: which tables there are, what happened at one, whether their logs hold."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime

from domain.engine import SPECTATOR
from kontor.v1 import Change
from service.cli.admin_check import Wrong, prove
from service.cli.admin_log import FAILED, Admin, counted, phase, watched
from service.cli.screen import screen, table
from service.cli.usage import UsageError
from service.present import change


async def tables(admin: Admin, typed: argparse.Namespace) -> None:
    """A line a table."""
    made = table("", "table", "game", "phase", "version", "players", "opened", "last", left=7)
    unreadable = []
    for table_id in watched(await admin.ids(), "Reading"):
        try:
            life = await admin.life(table_id)
        except Wrong as wrong:
            unreadable.append(f"{table_id}: {wrong}")
            continue
        if typed.game in (None, life.game.meta.id) and typed.phase in (None, phase(life)):
            times = _time(life.entries[0].time), _time(life.time)
            made.add_row(table_id, life.game.meta.id, phase(life), str(life.version), ", ".join(life.names), *times)
    console = screen()
    console.print(made if made.row_count else "There are no such tables.")
    for line in unreadable:
        print(f"kontor: {line}", file=sys.stderr)


async def show(admin: Admin, typed: argparse.Namespace) -> None:
    """The story of a table, as a spectator saw it."""
    try:
        life = await admin.life(typed.table)
    except Wrong as wrong:
        raise UsageError(str(wrong)) from None
    console = screen()
    assert life.founded is not None
    assert life.table is not None
    settings = "".join(f", {setting.name}={setting.value}" for setting in life.table.settings)
    console.print(f"{life.game.meta.title} ({life.table.edition}{settings}), {phase(life)}, version {life.version}")
    for number, sitting in enumerate(life.table.sittings, 1):
        console.print(f"Seat {number}: {sitting.name}{f' ({sitting.bot})' if sitting.bot != 'none' else ''}")
    given = [name for name, given in (("seed", life.founded.seed_given), ("position", life.founded.position)) if given]
    if given:
        console.print(f"Given by the host: {', '.join(given)}")
    for version, entry in enumerate(life.entries, 1):
        who = f", seat {entry.seat}" if entry.seat else ""
        console.print(f"{version:>5}  {_time(entry.time)}  {entry.cause}{who}", style="dim")
        for event in Change.FromString(change(life, version, SPECTATOR, "en")).events:
            console.print(f"       {event.sentence.text}", soft_wrap=True)


async def verify(admin: Admin, typed: argparse.Namespace) -> None:
    """Each table proven; the exit code tells whether all were."""
    wrong = 0
    wanted = typed.table or await admin.ids()
    for table_id in watched(wanted, "Verifying"):
        try:
            _, proof = prove(table_id, admin.games, await admin.entries(table_id))
        except Wrong as error:
            wrong += 1
            print(f"{table_id}: WRONG: {error}")
        else:
            older = f", {proof.older} of older rules folded only" if proof.older else ""
            print(f"{table_id}: {proof.entries} entries, {proof.decided} decided again{older}: good")
    print(f"{counted(len(wanted))}, {wrong} wrong")
    if wrong:
        raise SystemExit(FAILED)


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
