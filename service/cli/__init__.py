"""The command line: `kontor simulate` plays games by bots, `kontor show` prints a saved one."""

from __future__ import annotations

from collections.abc import Sequence

from domain.games import GAMES
from service.cli.command import run


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command of the command line; the answer is the exit code."""
    return run(argv, GAMES)
