"""Moving and removing: tables into files and back, the index anew, tables deleted."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from service.cli import admin_file
from service.cli.admin_check import Wrong, prove
from service.cli.admin_file import SUFFIX
from service.cli.admin_log import FAILED, Admin, counted, watched
from service.cli.usage import UsageError
from service.host import now
from service.log import EMPTY, Entry, Head, LogError


async def export(admin: Admin, typed: argparse.Namespace) -> None:
    """One table into one file."""
    entries = await admin.entries(typed.table)
    path = Path(typed.file or f"{typed.table}{SUFFIX}")
    _write(path, typed.table, entries)
    print(f"{typed.table}: {len(entries)} entries in {path}. It holds every secret of the table.")


async def bring(admin: Admin, typed: argparse.Namespace) -> None:
    """Files into tables that are not there yet."""
    for name in watched(typed.file, "Importing"):
        exported = admin_file.read(Path(name))
        try:
            life, _ = prove(exported.table, admin.games, exported.entries)
        except Wrong as wrong:
            raise UsageError(f"{name}: {wrong}") from None
        if await admin.log.head(exported.table) != EMPTY:
            raise UsageError(f"{name}: there is a table {exported.table} already")
        await _append(admin, name, exported)
        await admin.index.note(life, now())
        print(f"{exported.table}: {len(exported.entries)} entries from {name}")


async def _append(admin: Admin, name: str, exported: admin_file.Exported) -> None:
    """Append every entry as it was; what can't be finished is taken back."""
    head = EMPTY
    try:
        for entry in exported.entries:
            outcome = await admin.log.append(exported.table, head, entry.data)
            if not isinstance(outcome, Head):
                raise UsageError(f"{name}: somebody else writes to table {exported.table}")
            head = outcome
    except LogError:
        await admin.log.delete(exported.table)
        raise


async def reindex(admin: Admin, typed: argparse.Namespace) -> None:
    """The index, anew from the logs."""
    ids = await admin.ids()
    await admin.index.clear()
    left = 0
    for table_id in watched(ids, "Indexing"):
        try:
            await admin.index.note(await admin.life(table_id), now())
        except Wrong as wrong:
            left += 1
            print(f"kontor: {table_id}: {wrong}", file=sys.stderr)
    print(f"{counted(len(ids) - left)} indexed{f', {left} left out' if left else ''}")
    if left:
        raise SystemExit(FAILED)


# --- removing ---------------------------------------------------------------------------------------------------


async def archive(admin: Admin, typed: argparse.Namespace) -> None:
    """Finished tables into files; only what is safely in its file is deleted."""
    folder, before = Path(typed.directory), typed.finished_before.timestamp() * 1000
    _folder(folder)
    archived = wrong = 0
    for table_id in watched(await admin.ids(), "Archiving"):
        entries = await admin.entries(table_id)
        try:
            life, _ = prove(table_id, admin.games, entries)
        except Wrong as error:
            wrong += 1
            print(f"kontor: {table_id} stays: {error}", file=sys.stderr)
            continue
        if not life.finished or life.time >= before:
            continue
        path = folder / f"{table_id}{SUFFIX}"
        _write(path, table_id, entries)
        if admin_file.read(path) != (table_id, entries):
            raise UsageError(f"{path} does not hold what was written; {table_id} stays")
        await _forget(admin, table_id)
        archived += 1
    print(f"{counted(archived)} archived in {folder}{f', {wrong} could not be verified and stay' if wrong else ''}")
    if wrong:
        raise SystemExit(FAILED)


async def delete(admin: Admin, typed: argparse.Namespace) -> None:
    """Tables, for ever."""
    for table_id in typed.table:
        await admin.entries(table_id)
    if not typed.yes:
        print(f"This deletes for ever: {', '.join(typed.table)}")
        if not _sure():
            raise UsageError("nothing was deleted")
    for table_id in typed.table:
        await _forget(admin, table_id)
        print(f"{table_id} deleted")


def _sure() -> bool:
    try:
        return input("Type yes to do it: ").strip().lower() == "yes"
    except EOFError:
        return False


async def _forget(admin: Admin, table_id: str) -> None:
    await admin.log.delete(table_id)
    await admin.index.forget(table_id)


def _write(path: Path, table_id: str, entries: tuple[Entry, ...]) -> None:
    try:
        admin_file.write(path, table_id, entries)
    except FileExistsError:
        raise UsageError(f"{path} is there already") from None
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror}") from None


def _folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise UsageError(f"{path} can't be made a directory: {error.strerror}") from None
