"""What was typed: the arguments, and what becomes of errors. Wrong ones get one sentence and the exit code 2."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, NoReturn

from service.cli import admin, health, play, serve, show, simulate, watch
from service.cli.usage import UsageError

INTERRUPTED = 130  # as shells count it


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, without the whole usage before it."""

    def error(self, message: str) -> NoReturn:
        """Leave the sentence to `run`."""
        raise UsageError(f"{message} (see {self.prog} --help)")


def parser(games: Mapping[str, Any]) -> argparse.ArgumentParser:
    """All commands with their arguments."""
    whole = Parser(prog="kontor", description="Rules of board games of the merchant age.", allow_abbrev=False)
    whole.add_argument("--version", action="version", version=f"kontor {version('kontor')}")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in (serve, play, watch, health, admin, simulate, show):
        name = module.__name__.rpartition(".")[2]
        command = commands.add_parser(name, help=module.HELP, description=module.HELP, allow_abbrev=False)
        module.arguments(command, games)
        command.set_defaults(run=module.run)
    return whole


def run(argv: Sequence[str] | None, games: Mapping[str, Any]) -> int:
    """Run one command on these games."""
    try:
        arguments = parser(games).parse_args(argv)
        arguments.run(arguments, games)
        sys.stdout.flush()
    except UsageError as error:
        print(f"kontor: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("kontor: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough; Python must not try to flush the rest of it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except SystemExit as leaving:  # argparse after --help and --version
        return leaving.code if isinstance(leaving.code, int) else 0
    return 0
