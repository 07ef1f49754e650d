"""What a player sees and types: what happened, the board, the end; and a line at a time from him."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from kontor.v1 import Change, Phase, View
from service.cli.play_view import board
from service.cli.play_words import Words
from service.cli.screen import screen, table

ASKED = "now-asked"  # the key of the sentence that says whom the table waits for; the board says it too


class Leaving(Exception):
    """The player goes."""


class Screen:
    """A terminal, or whatever stands in its place."""

    def __init__(self) -> None:
        self.console: Console = screen()

    def line(self, text: str = "", style: str = "") -> None:
        """One line."""
        self.console.print(Text(text, style=style), soft_wrap=not self.console.is_terminal)

    def command(self, text: str) -> None:
        """A line to be copied: never broken."""
        self.console.print(text, soft_wrap=True)

    def heading(self, text: str) -> None:
        """A line that begins something."""
        self.line()
        self.line(text, "bold")

    def ask(self, prompt: str) -> str:
        """What the player types; he leaves by q, by Ctrl-C or by closing the input."""
        try:
            typed = input(f"{prompt}: ").strip()
        except (EOFError, KeyboardInterrupt):
            self.line()
            raise Leaving from None
        if typed.lower() in ("q", "quit"):
            raise Leaving
        return typed

    def choose(self, title: str, choices: list[str]) -> int:
        """One of several, by its number; the answer counts from 0."""
        self.heading(title)
        for number, choice in enumerate(choices, 1):
            self.line(f"{number:>4}  {choice}")
        while True:
            typed = self.ask(f"Your choice (1-{len(choices)})")
            if typed.isascii() and typed.isdigit() and 1 <= int(typed[:9]) <= len(choices):
                return int(typed) - 1
            self.line(f"Type a number from 1 to {len(choices)}.", "yellow")

    def happened(self, changes: Iterable[Change], words: Words) -> None:
        """What happened, a sentence a movement."""
        for change in changes:
            for event in change.events:
                if event.sentence.key != ASKED:
                    self.line(event.sentence.text, "dim" if event.WhichOneof("event") == "table" else "")

    def board(self, view: View, words: Words) -> None:
        """How things stand."""
        self.console.print()
        if view.HasField("game"):
            self.console.print(board(view, words))
        else:
            here = ", ".join(f"{seat.name} ({seat.bot})" if seat.bot else seat.name for seat in view.table.seats)
            self.line(f"At the table: {here or 'nobody yet'}.")

    def waiting(self, view: View, words: Words) -> None:
        """Whom the table waits for."""
        names = ", ".join(words.name(each.seat) for each in view.waiting_for)
        if names:
            self.line(f"Waiting for {names} …", "dim")

    def end(self, view: View, words: Words) -> None:
        """The final ranking, or that there is none."""
        if view.table.phase == Phase.PHASE_CANCELLED:
            self.heading("The table was given up.")
            return
        ranking = view.ranking
        sources = list(dict.fromkeys(part.source for one in ranking.standings for part in one.by_source))
        rule = words.rule(ranking.rule)
        made = table("The game is over", "place", "player", "points", *map(words.source, sources), left=2)
        for one in ranking.standings:
            points = {part.source: part.points for part in one.by_source}
            who = f"{words.name(one.seat)}{' (you)' if one.seat == view.seat else ''}"
            numbers = (str(points.get(source, 0)) for source in sources)
            made.add_row(f"{one.place}.", who, str(one.points), *numbers, style="bold" if one.place == 1 else None)
        self.console.print()
        self.console.print(made)
        self.line(f"Decided by {ranking.rule}{f': {rule}' if rule else ''}", "dim")
