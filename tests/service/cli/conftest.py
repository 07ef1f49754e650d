"""The command line with the fair as its only game, and a game saved by it."""

import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from domain import toy
from service.cli.command import run

GAMES = {"toy": toy}
REPOSITORY = Path(__file__).parents[3]
KONTOR = [sys.executable, "-c", "import sys; from domain import toy; from service.cli.command import run; sys.exit(run(None, {'toy': toy}))"]  # fmt: skip  # noqa: E501 - one line for the shell
"""A process of its own that knows the fair."""


class Said(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str


class Kontor:
    """Types commands, in this process."""

    def __init__(self, captured: pytest.CaptureFixture[str]) -> None:
        self.captured = captured

    def __call__(self, *typed: str) -> Said:
        self.captured.readouterr()
        code = run(typed, GAMES)
        return Said(code, *self.captured.readouterr())

    def refuses(self, *typed: str) -> str:
        """The one sentence by which a command is refused, with the exit code 2."""
        said = self(*typed)
        assert (said.code, said.out) == (2, "")
        assert said.err.count("\n") == 1
        return said.err.removeprefix("kontor: ").strip()


@pytest.fixture
def kontor(capsys: pytest.CaptureFixture[str]) -> Kontor:
    """The command line."""
    return Kontor(capsys)


@pytest.fixture
def saved(kontor: Kontor, tmp_path: Path) -> Path:
    """A game of three, by random bots."""
    assert kontor("simulate", "toy", "--players", "3", "--games", "1", "--seed", "5", "--save", str(tmp_path)).code == 0
    (file,) = tmp_path.iterdir()
    return file
