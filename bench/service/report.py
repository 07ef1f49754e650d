"""What was measured, as tables of Markdown."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

import grpc

from bench.service.commands import Round, Shape
from bench.service.fanout import Told
from bench.service.footprint import ENTRIES, GAME, Cold


def progress(text: str) -> None:
    """How far it is, for a person who waits."""
    print(text, file=sys.stderr, flush=True)


def machine() -> None:
    """Where this was measured."""
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f}, Python {platform.python_version()}, grpcio {grpc.__version__}")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    print()
    for row in (head, ["---"] * len(head), *rows):
        print("|", " | ".join(row), "|")
    sys.stdout.flush()


def _ratio(ones: Sequence[Any], others: Sequence[Any], what: Callable[[Any], float]) -> float:
    """The median of the rounds' ratios."""
    return median(what(one) / what(other) for one, other in zip(ones, others, strict=True))


def commands(shape: Shape, rounds: Mapping[str, Sequence[Round]]) -> None:
    """One shape of load: a line a contender; the first is the floor."""
    floor = next(iter(rounds.values()))
    head = ("requests/s", "of the floor's", "server CPU, µs", "of the floor's", "p50, ms", "p99, ms", "log, µs", "client, µs")  # fmt: skip  # noqa: E501
    rows = []
    for name, found in rounds.items():
        middle = Round(*(median(values) for values in zip(*found, strict=True)))
        rate, cpu = (_ratio(found, floor, what) for what in (lambda one: one.rate, lambda one: one.cpu))
        figures = (
            f"{middle.rate:.0f}", f"{rate:.2f}", f"{middle.cpu:.0f}", f"{cpu:.2f}", f"{middle.p50 / 1e3:.2f}",
            f"{middle.p99 / 1e3:.2f}", f"{middle.log_cpu:.0f}", f"{middle.client_cpu:.0f}",
        )  # fmt: skip
        rows.append((name, *figures))
    _table((str(shape), *head), rows)


def layers(rounds: Mapping[str, Sequence[Round]]) -> None:
    """What a part costs: the median of what is missing without it, round by round."""
    (_, floor), (_, whole), *stripped = rounds.items()
    rows = [("the whole service", f"{median(one.cpu for one in whole):.0f}")]
    for part, found in stripped:
        missing = median(one.cpu - other.cpu for one, other in zip(whole, found, strict=True))
        rows.append((f"of that {part}", f"{missing:.0f}"))
    rows.append(("the floor, beside it", f"{median(one.cpu for one in floor):.0f}"))
    _table(("server CPU a command", "µs"), rows)


def fan_out(tables: int, each: int, told: Sequence[Told], floor: Sequence[Told]) -> None:
    """One audience, beside the floor's."""
    rows = []
    for name, found in (("floor", floor), ("service", told)):
        last, cpu, size = (median(values) for values in zip(*found, strict=True))
        ratios = _ratio(found, floor, lambda one: one.last), _ratio(found, floor, lambda one: one.cpu)
        rows.append((name, f"{last:.0f}", f"{ratios[0]:.2f}", f"{cpu:.0f}", f"{ratios[1]:.2f}", f"{size:.0f}"))
    head = (f"{tables} x {each} watchers", "last receipt, ms", "of the floor's", "server CPU a message, µs", "of the floor's", "bytes")  # fmt: skip  # noqa: E501
    _table(head, rows)


def foot_print(
    colds: Sequence[Cold],
    stored: int,
    tables: int,
    listed: Mapping[str, float],
    watchers: int,
    idle: float,
) -> None:
    """Memory a piece, and cold loads."""
    load, parse = (median(values) for values in zip(*colds, strict=True))
    ratio = median(one.load / one.parse for one in colds)
    head = (f"{GAME}, {ENTRIES} entries", "cold load, ms CPU", "read and parse alone", "ratio", "KiB in the log")
    _table(head, [("a table", f"{load:.2f}", f"{parse:.2f}", f"{ratio:.2f}", f"{stored / 1024:.1f}")])
    small = [(f"a table in its lobby, of {tables}: {where}", f"{each / 1024:.2f}") for where, each in listed.items()]
    _table(("memory", "KiB"), [*small, (f"an idle watcher, of {watchers}: service", f"{idle / 1024:.1f}")])
