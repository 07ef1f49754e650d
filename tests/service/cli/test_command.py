"""The command line as a whole: help, version, interruptions."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from domain.games import GAMES
from service.cli import main

from .conftest import KONTOR, REPOSITORY, Kontor

SCRIPT = Path(sys.executable).with_name("kontor")


def test_the_console_script_runs() -> None:
    """`kontor --version` and `kontor --help`, as installed."""
    version = subprocess.run([SCRIPT, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("kontor 0.")
    said = subprocess.run([SCRIPT, "--help"], capture_output=True, text=True, check=True)
    assert "simulate" in said.stdout
    assert "show" in said.stdout


def test_the_games_of_the_house_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the list of games, and the fair is none of them."""
    assert main(["simulate", "toy"]) == 2
    assert capsys.readouterr().err == f"kontor: there is no game 'toy'; valid: {', '.join(sorted(GAMES))}\n"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_can_be_simulated_and_shown(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With both kinds of bots, to its end, and to everybody."""
    assert main(["simulate", game, "--games", "2", "--bots", "random,stand-in", "--save", str(tmp_path)]) == 0
    file = min(tmp_path.iterdir())
    for viewer in ([], ["--viewer", "1"], ["--viewer", "all"]):
        assert main(["show", str(file), *viewer]) == 0
    assert capsys.readouterr().err == ""


def test_help_of_a_command_names_the_games(kontor: Kontor) -> None:
    """And the kinds of bots."""
    said = kontor("simulate", "--help")
    assert said.code == 0
    assert "what to play: toy" in said.out
    assert "random, stand-in" in said.out


@pytest.mark.parametrize("typed", [(), ("simulate",), ("show",), ("fly",)])
def test_an_incomplete_command_is_told_in_one_sentence(kontor: Kontor, typed: tuple[str, ...]) -> None:
    """With where to read on."""
    assert kontor.refuses(*typed).endswith("--help)")


def test_who_has_read_enough_may_leave() -> None:
    """A closed pipe ends the output without a stack trace."""
    process = subprocess.Popen(
        [*KONTOR, "simulate", "toy", "--games", "2"], cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), errors) == (1, b"")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interruption_ends_it_without_a_stack_trace(jobs: str, tmp_path: Path) -> None:
    """Ctrl-C reaches all processes of the terminal, in the middle of a long simulation."""
    process = subprocess.Popen(
        [*KONTOR, "simulate", "toy", "--games", "1000000", "--jobs", jobs, "--save", str(tmp_path)],
        cwd=REPOSITORY, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stderr
    while process.poll() is None and not any(tmp_path.iterdir()):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), errors) == (130, b"kontor: interrupted\n")


def test_the_bar_is_for_terminals_only(kontor: Kontor, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes to the standard error, and only if that is a terminal."""
    assert kontor("simulate", "toy", "--games", "2").err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    said = kontor("simulate", "toy", "--games", "2")
    assert "Playing" in said.err
    assert "Playing" not in said.out
