"""`kontor show`: a saved game as somebody saw it, a sentence an event, then his view."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from domain import record
from domain.course import NowAsked
from domain.engine import SPECTATOR, Result
from domain.options import count
from service.cli.screen import screen, table
from service.cli.usage import UsageError, number
from service.cli.view import Names, render, row
from service.phrases import Phrases

HELP = "Print a saved game as one of its viewers saw it."
ALL = "all"


def arguments(parser: argparse.ArgumentParser, games: Mapping[str, Any]) -> None:
    """What may be typed after `kontor show`."""
    parser.add_argument("file", metavar="FILE", help="a game saved by kontor simulate --save")
    parser.add_argument("--viewer", metavar="SEAT", help="a seat, or all to see everything (without: a spectator)")
    parser.add_argument("--at", type=number(0, 10**9), metavar="N", help="only up to this step (the last one)")


def run(typed: argparse.Namespace, games: Mapping[str, Any]) -> None:
    """Read, check, print."""
    try:
        saved = record.read(_text(typed.file), games)
    except record.RecordError as error:
        raise UsageError(f"{typed.file}: {error}") from None
    seats, last = len(saved.header.sittings), len(saved.steps) - 1
    viewer = _viewer(typed.viewer, seats)
    at = last if typed.at is None else typed.at
    if at > last:
        raise UsageError(f"there is no step {at} in {typed.file}; valid: 0 to {last}")
    Showing(games[saved.header.game], saved, viewer).print(at)


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{file} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is no saved game: it is not text") from None


def _viewer(typed: str | None, seats: int) -> int | None:
    """A seat, 0 for a spectator; None sees everything."""
    if typed is None:
        return SPECTATOR
    if typed == ALL:
        return None
    if not typed.isascii() or not typed.isdigit() or not 1 <= int(typed[:9]) <= seats:
        raise UsageError(f"there is no viewer {typed!r} in this game; valid: 1 to {seats}, or {ALL}")
    return int(typed)


class Showing:
    """A saved game before the eyes of one viewer."""

    def __init__(self, game: Any, saved: record.Record, viewer: int | None) -> None:
        self.game = game
        self.saved = saved
        self.viewer = viewer
        self.phrases = Phrases(game)
        self.names: Names = tuple(sitting.name for sitting in saved.header.sittings)
        self.console: Console = screen()

    def print(self, at: int) -> None:
        """Print what happened up to a step, and how things stood then."""
        self._headline()
        states = []
        for step, state in islice(record.replay(self.game, self.saved), at + 1):
            self._step(step)
            states.append(state)
        state = states[-1]
        self.console.print()
        self._stand(state, at)
        for seat in self.game.waiting(state):
            if self.viewer in (None, seat):
                self._decision(state, seat)
        result = self.game.result(state)
        if result is not None:
            self._result(result)

    def _headline(self) -> None:
        head = self.saved.header
        settings = "".join(f", {setting.name}={setting.value}" for setting in head.settings)
        eyes = "with everything" if self.viewer is None else f"as seen by {self._eyes()}"
        self.console.print(Text(f"{self.game.meta.title} ({head.edition}{settings}), {eyes}", style="bold"))
        bots = (f"{sitting.name} ({sitting.bot})" for sitting in head.sittings)
        self.console.print(f"Players: {', '.join(bots)}")
        if self.viewer is None:
            self.console.print(f"Seed: {head.seed}")
        self.console.print()

    def _eyes(self) -> str:
        return self.phrases.name(self.viewer, self.names) if self.viewer else "a spectator"

    def _step(self, step: record.Step[Any, Any]) -> None:
        """One sentence an event; with everything, also what a spectator is not shown of it."""
        margin = str(step.number)
        for event in step.events:
            shown = self.game.show(event, self.viewer or SPECTATOR)
            sentence = self.phrases.event(shown, self.names)
            self._line(margin, Text(sentence, style="dim" if isinstance(shown, NowAsked) else ""))
            margin = ""
            if self.viewer is None and event != shown:
                hidden = row(event, self.phrases, self.names, (self.game.Edition,))
                self._line("", Text(f"  {hidden}", style="dim"))

    def _line(self, margin: str, text: Text) -> None:
        """A line with its step in the margin: wrapped on a terminal, whole in a file."""
        if self.console.is_terminal:
            grid = Table.grid(Column(width=5, justify="right"), Column(), padding=(0, 2))
            grid.add_row(Text(margin, style="dim"), text)
            self.console.print(grid)
        else:
            self.console.print(f"{margin:>5}  {text}", soft_wrap=True)

    def _stand(self, state: Any, at: int) -> None:
        self.console.print(Text(f"After step {at}", style="bold"))
        seen = state if self.viewer is None else self.game.view(state, self.viewer)
        self.console.print(render(seen, self.phrases, self.names, (self.game.Edition,)))

    def _decision(self, state: Any, seat: int) -> None:
        decision = self.game.decision(state, seat)
        name, question = self.names[seat - 1], self.phrases.question(decision, self.names)
        self.console.print()
        self.console.print(Text(f"{name} is asked ({decision.rule}): {question}", style="bold"))
        for option in decision.options:
            ways = count(option)
            more = "" if ways.exact else "more than "
            answers = f"  [{more}{ways.number:,} answers]" if ways.number > 1 else ""
            self.console.print(f"  - {self.phrases.option(option, self.names)}{answers}")

    def _result(self, result: Result) -> None:
        sources = list(dict.fromkeys(points.source for one in result.ranking for points in one.by_source))
        columns = [self.phrases.source(source) for source in sources]
        made = table(f"Result, decided by {result.decided_by}", "place", "player", "points", *columns, left=2)
        for one in result.ranking:
            by_source = {points.source: points.points for points in one.by_source}
            numbers = (str(by_source.get(source, 0)) for source in sources)
            made.add_row(f"{one.place}.", self.names[one.seat - 1], str(one.points), *numbers)
        self.console.print()
        self.console.print(made)
