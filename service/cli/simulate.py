"""`kontor simulate`: many games by bots, and what can be counted of them."""

from __future__ import annotations

import argparse
import importlib
import json
import multiprocessing
import signal
import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from domain.editions import builtin
from domain.table import Bot, Table
from service.cli import report
from service.cli.tally import tally
from service.cli.usage import UsageError, known_bots, known_game, known_seats, number, opened
from service.simulate import KINDS, Played, counted, moves, saved, seated, seed_of, settle

HELP = "Play games by bots and count what happens in them."
CHUNK = 10  # games a process plays before it reports


class Series(NamedTuple):
    """What every game of a series has in common; it travels to other processes, so the game is named by its module."""

    module: str
    table: Table
    seats: int
    seed: int
    kinds: tuple[Bot, ...]
    folder: str


def arguments(parser: argparse.ArgumentParser, games: Mapping[str, Any]) -> None:
    """What may be typed after `kontor simulate`."""
    parser.add_argument("game", metavar="GAME", help=f"what to play: {', '.join(sorted(games))}")
    parser.add_argument(
        "--players", type=number(1, 99), metavar="N", help="how many sit at the table (4 if the game allows)"
    )
    parser.add_argument("--games", type=number(1, 10**6), default=100, metavar="N", help="how many games (100)")
    parser.add_argument(
        "--seed", type=number(0, 2**63), default=1, metavar="N", help="the same seed plays the same games (1)"
    )
    kinds = ", ".join(KINDS)
    parser.add_argument(
        "--bots",
        default="random",
        metavar="KIND,KIND",
        help=f"one kind a seat, repeated, rotated from game to game: {kinds}",
    )
    parser.add_argument("--jobs", type=number(1, 256), default=1, metavar="N", help="in how many processes (1)")
    parser.add_argument("--edition", metavar="E", help="which edition (the usual one)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a table option; may come several times"
    )
    parser.add_argument("--json", action="store_true", help="the counts as JSON")
    parser.add_argument("--save", metavar="DIR", help="save every game into this folder, for kontor show")


def run(typed: argparse.Namespace, games: Mapping[str, Any]) -> None:
    """Play, count, print."""
    game = known_game(games, typed.game)
    seats = known_seats(game, typed.players)
    kinds = known_bots(typed.bots, seats)
    table = opened(game, typed.edition, typed.set)
    folder = _folder(typed.save)
    series = Series(game.__name__, table, seats, typed.seed, kinds, folder)
    played = list(_watched(_play(series, typed.games, typed.jobs), typed.games))
    counts = tally(game, table, kinds, typed.seed, played)
    if typed.json:
        print(json.dumps(counts, indent=2))
    else:
        report.print_report(game, counts)
        if folder:
            print(f"Saved in {folder}; for example: kontor show {_file(series, 0)}")


def _folder(name: str | None) -> str:
    if not name:
        return ""
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{name} can't be made a folder to save in: {error.strerror}") from None
    return name


def _file(series: Series, index: int) -> Path:
    return Path(series.folder) / f"{series.table.game}-{series.seats}p-seed{series.seed}-{index + 1:06}.jsonl"


def _play(series: Series, games: int, jobs: int) -> Iterator[Played]:
    """The games in their order, whoever plays them."""
    chunks = [(series, start, min(start + CHUNK, games)) for start in range(0, games, CHUNK)]
    if jobs == 1 or len(chunks) == 1:
        yield from chain.from_iterable(map(_play_chunk, chunks))
        return
    # Spawned, not forked: the same on every system, and nothing of this process is copied half-way. Ctrl-C reaches
    # every process of a terminal; the others are born deaf to it, and this one ends them.
    listening = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pool = multiprocessing.get_context("spawn").Pool(min(jobs, len(chunks)))
    finally:
        signal.signal(signal.SIGINT, listening)
    with pool:
        yield from chain.from_iterable(pool.imap(_play_chunk, chunks))


def _play_chunk(task: tuple[Series, int, int]) -> list[Played]:
    series, start, stop = task
    game = importlib.import_module(series.module)
    box = builtin(game, series.table.edition)
    played = []
    for index in range(start, stop):
        settled = settle(game, series.table, box, seated(series.kinds, series.seats, index))
        seed = seed_of(series.seed, index)
        line = list(moves(settled, seed))
        played.append(counted(index, settled, line))
        if series.folder:
            _save(_file(series, index), saved(settled, seed, line))
    return played


def _save(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{file} can't be written: {error.strerror}") from None


def _watched(played: Iterator[Played], games: int) -> Iterator[Played]:
    """The same games, with a bar on a terminal that shows how many are done."""
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        yield from progress.track(played, total=games)
