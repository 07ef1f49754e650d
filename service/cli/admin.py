"""`kontor admin`: the tables as the log has them, for whoever runs the service.

It works on the log itself, by the same settings as `kontor serve`. The embedded log is one process's alone: stop the
server first. What it prints is what a spectator may see; what it exports holds every secret of the table.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

HELP = "Look after the tables: list, verify, export, archive, delete."
PHASES = ("lobby", "playing", "over", "cancelled")


def arguments(parser: argparse.ArgumentParser, games: Mapping[str, Any]) -> None:
    """What may be typed after `kontor admin`."""
    parser.add_argument("--data-dir", metavar="PATH", help="where the embedded log lies (KONTOR_DATA_DIR)")
    parser.add_argument("--redis-url", metavar="URL", help="the Redis that keeps the log (KONTOR_REDIS_URL)")
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK")
    tables = _task(tasks, "tables", "List the tables.")
    tables.add_argument("--game", choices=sorted(games), help="of this game only")
    tables.add_argument("--phase", choices=PHASES, help="in this phase only")
    show = _task(tasks, "show", "Tell what happened at a table, as a spectator saw it.")
    show.add_argument("table", metavar="TABLE")
    verify = _task(tasks, "verify", "Check the hash chain, fold again, decide every command again.")
    verify.add_argument("table", metavar="TABLE", nargs="*", help="these tables only (all)")
    export = _task(tasks, "export", "Write a table into a file. It holds every secret of the table.")
    export.add_argument("table", metavar="TABLE")
    export.add_argument("file", metavar="FILE", nargs="?", help="which file (TABLE.kontor)")
    bring = _task(tasks, "import", "Read tables from files, each into a table that is not there yet.")
    bring.add_argument("file", metavar="FILE", nargs="+")
    _task(tasks, "reindex", "Write the index anew from the logs.")
    archive = _task(tasks, "archive", "Export finished tables, verify the files, then delete the tables.")
    archive.add_argument("--finished-before", required=True, type=_date, metavar="DATE", help="as 2026-01-31")
    archive.add_argument("directory", metavar="DIR")
    delete = _task(tasks, "delete", "Delete tables for ever.")
    delete.add_argument("table", metavar="TABLE", nargs="+")
    delete.add_argument("--yes", action="store_true", help="do not ask")


def run(typed: argparse.Namespace, games: Mapping[str, Any]) -> None:
    """Do one task on the log."""
    from service.cli.admin_tasks import do  # noqa: PLC0415 - other commands start without loading the log

    asyncio.run(do(typed, games))


def _task(tasks: Any, name: str, text: str) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = tasks.add_parser(name, help=text, description=text, allow_abbrev=False)
    return made


def _date(text: str) -> datetime:
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date like 2026-01-31") from None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
