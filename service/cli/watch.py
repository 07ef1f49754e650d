"""`kontor watch`: a table as a spectator sees it, while it is played or long after."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import Any

from service.cli import calling
from service.cli.usage import UsageError, number

HELP = "Watch a table in the terminal, or look at how it once stood."


def arguments(parser: argparse.ArgumentParser, games: Mapping[str, Any]) -> None:
    """What may be typed after `kontor watch`."""
    parser.add_argument("--table", required=True, metavar="ID", help="which table")
    parser.add_argument(
        "--token", metavar="TOKEN", help="what lets you see it: its host, or a player, gave it to you (KONTOR_TOKEN)"
    )
    parser.add_argument("--at", type=number(1, 10**9), metavar="N", help="only up to this version of the table")
    calling.arguments(parser)


def run(typed: argparse.Namespace, games: Mapping[str, Any]) -> None:
    """Tell what happened so far, then what happens, until the game is over."""
    token = typed.token or os.environ.get("KONTOR_TOKEN", "")
    if not token:
        raise UsageError("--token is missing: the table's host, or a player, gives it to you (see kontor play)")
    from service.cli.watch_table import watch  # noqa: PLC0415 - other commands start without loading gRPC

    watch(typed, token)
