"""The operator's books: what two servers have logged and counted in the same time. They must not differ either.

Of a line only what the clock and the connection say is left out, of the metrics how long something took. Lines are
compared table by table, each as often as it came: when a watch is seen to have ended is for the network to say.
"""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from prometheus_client.parser import text_string_to_metric_families

VARYING = ("timestamp", "ms", "peer")
TIMES = ("_bucket", "_sum", "_created")
SETTLES = 50  # looks at most, until both have come to their end
QUIET = 3  # looks without anything new
LOOK = 0.1  # seconds between two

Lines = Counter[tuple[str, str]]  # the table, and the line
Figures = dict[str, float]


class Page(NamedTuple):
    """What one server has written down."""

    lines: Lines
    figures: Figures

    @property
    def watched(self) -> bool:
        """Whether a watch that was opened meanwhile is open still."""
        return "kontor_watchers" in self.figures


class Book:
    """The log file and the metrics of one server, from now on."""

    def __init__(self, log: Path, metrics: str) -> None:
        self._log, self._metrics = log, metrics
        self._from = log.stat().st_size
        self._before = self._figures()

    def page(self) -> Page:
        """What was written since."""
        now = self._figures()
        figures = {name: value - self._before.get(name, 0.0) for name, value in now.items()}
        return Page(self._lines(), {name: value for name, value in figures.items() if value})

    def _lines(self) -> Lines:
        with self._log.open("rb") as file:
            file.seek(self._from)
            return Counter(_line(text) for text in file.read().decode().splitlines())

    def _figures(self) -> Figures:
        with urllib.request.urlopen(self._metrics, timeout=10) as answer:  # noqa: S310 - our own server
            text = answer.read().decode()
        samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
        return {
            f"{sample.name}{dict(sorted(sample.labels.items())) or ''}": sample.value
            for sample in samples
            if not sample.name.endswith(TIMES)
        }


def _line(text: str) -> tuple[str, str]:
    line = {name: value for name, value in json.loads(text).items() if name not in VARYING}
    return str(line.get("table", "")), json.dumps(line, sort_keys=True)


async def settled(books: tuple[Book, Book], *, broken_off: bool) -> tuple[Page, Page]:
    """Both pages, when they are equal, or when nothing more is written; after a run that was broken off only then."""
    pages, quiet = (books[0].page(), books[1].page()), 0
    for _ in range(SETTLES):
        if (pages[0] == pages[1] and not broken_off) or quiet == QUIET:
            break
        await asyncio.sleep(LOOK)
        before, pages = pages, (books[0].page(), books[1].page())
        quiet = quiet + 1 if pages == before and not pages[0].watched and not pages[1].watched else 0
    return pages


def differences(pages: tuple[Page, Page]) -> list[tuple[str, str]]:
    """What only one of them has written: the table, where a line names one, and what it is."""
    one, other = pages
    found = []
    for here, there, which in ((one, other, "first"), (other, one, "second")):
        for (table, line), times in sorted((here.lines - there.lines).items()):
            found.append((table, f"a line that only the {which} has logged, {times} times: {line}"))
    for name in sorted(one.figures.keys() | other.figures.keys()):
        figures = one.figures.get(name, 0.0), other.figures.get(name, 0.0)
        if figures[0] != figures[1]:
            found.append(("", f"metric {name}: {figures[0]:g} / {figures[1]:g}"))
    return found
