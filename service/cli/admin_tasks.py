"""What `kontor admin` does, by name."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from service.cli import admin_look, admin_move
from service.cli.admin_file import BadFile
from service.cli.admin_log import Admin, opened
from service.cli.usage import UsageError
from service.errors import CallError
from service.log import Locked, LogError

TASKS: dict[str, Callable[[Admin, argparse.Namespace], Awaitable[None]]] = {
    "tables": admin_look.tables,
    "show": admin_look.show,
    "verify": admin_look.verify,
    "export": admin_move.export,
    "import": admin_move.bring,
    "reindex": admin_move.reindex,
    "archive": admin_move.archive,
    "delete": admin_move.delete,
}


async def do(typed: argparse.Namespace, games: Mapping[str, Any]) -> None:
    """Open the log, do one task, close it."""
    try:
        async with opened(typed, games) as admin:
            await TASKS[typed.task](admin, typed)
    except Locked as error:
        raise UsageError(f"{error} Stop the server first.") from None
    except (LogError, CallError, BadFile) as error:
        raise UsageError(str(error)) from None
