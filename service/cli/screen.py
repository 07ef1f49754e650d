"""What the command line prints on: coloured on a terminal, plain text elsewhere."""

from __future__ import annotations

import sys

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

PLAIN_WIDTH = 160  # of a file or a pipe


def screen() -> Console:
    """The console of the standard output."""
    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return Console(width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def table(title: str, *columns: str, left: int = 1) -> Table:
    """A table whose first columns hold words and whose others hold numbers."""
    made = Table(title=title or None, box=SIMPLE_HEAD, title_justify="left", title_style="bold", show_edge=False)
    for place, column in enumerate(columns):
        made.add_column(column, justify="left" if place < left else "right", overflow="fold")
    return made
