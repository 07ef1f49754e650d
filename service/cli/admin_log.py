"""An operator at the log: how it is opened by the settings, and how a table is read from it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from service import config
from service.cli.admin_check import folded
from service.cli.usage import UsageError
from service.index import Index
from service.life import Life
from service.log import Entry, Log, open_log

FAILED = 1  # the exit code of a task that found something wrong


@asynccontextmanager
async def opened(typed: argparse.Namespace, games: Mapping[str, Any]) -> AsyncIterator[Admin]:
    """The log that the settings name, and the index beside it."""
    wanted = {"redis_url": typed.redis_url, "data_dir": typed.data_dir, "lobby_ttl": None}
    values: dict[str, Any] = {}
    try:
        for setting in config.settings():
            if setting.name in wanted:
                text = wanted[setting.name]
                said = setting.flag if text is not None else setting.variable
                values[setting.name] = setting.read(
                    os.environ.get(setting.variable, setting.default) if text is None else text, said
                )
    except config.ConfigError as error:
        raise UsageError(str(error)) from None
    chosen = config.Config(**values)
    if not chosen.redis_url and not chosen.log_dir.is_dir():
        raise UsageError(f"there is no log in {chosen.data_dir}; name its directory by KONTOR_DATA_DIR or --data-dir")
    log = await open_log(chosen.log_url, chosen.log_dir)
    try:
        yield Admin(log, Index(log, int(chosen.lobby_ttl)), games)
    finally:
        await log.close()


class Admin:
    """An operator at a log."""

    def __init__(self, log: Log, index: Index, games: Mapping[str, Any]) -> None:
        self.log = log
        self.index = index
        self.games = games

    async def ids(self) -> list[str]:
        """All tables, in a steady order."""
        return sorted({table_id async for table_id in self.log.tables()})

    async def entries(self, table_id: str) -> tuple[Entry, ...]:
        """The log of a table that must be there."""
        try:
            found = (await self.log.read(table_id)).entries
        except ValueError:
            found = ()
        if not found:
            raise UsageError(f"there is no table {table_id}")
        return found

    async def life(self, table_id: str) -> Life:
        """A table, folded."""
        return folded(table_id, self.games, await self.entries(table_id))


def watched(things: Sequence[str], doing: str) -> Iterator[str]:
    """The same things, with a bar on a terminal that shows how many are done."""
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn())
    hidden = not sys.stderr.isatty() or len(things) < 2
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as progress:
        yield from progress.track(things)


def counted(tables: int) -> str:
    """So many tables, in words."""
    return "1 table" if tables == 1 else f"{tables} tables"


def phase(life: Life) -> str:
    """How far a table has come."""
    assert life.table is not None
    return "over" if life.over else str(life.table.phase)
