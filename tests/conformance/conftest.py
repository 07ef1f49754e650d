"""Every test that takes a `subject` runs for every game; what the runs counted is printed at the end.

The counts travel as properties of the test reports, so they arrive from the workers of pytest-xdist too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.conformance import subjects
from tests.conformance.subjects import LONG, Subject
from tests.conformance.tally import Tally

SHARDS = 8 if LONG else 1
"""A long run is cut into so many tests a property, for all cores to have work; each is complete in itself."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test a game, and in a long run several for those that draw random games."""
    if "subject" in metafunc.fixturenames:
        metafunc.parametrize("subject", subjects.names(), indirect=True)
    if "shard" in metafunc.fixturenames:
        metafunc.parametrize("shard", range(SHARDS), ids=lambda shard: f"shard{shard}")


@pytest.fixture
def subject(request: pytest.FixtureRequest) -> Subject:
    """A game under test."""
    return subjects.subject(request.param)


@pytest.fixture
def seed(request: pytest.FixtureRequest, shard: int) -> int | None:
    """What hypothesis draws from: nothing, and so always the same, in a short run; in a long one the run's own seed."""
    base = request.config.getoption("randomly_seed", default=0)
    return int(base) * SHARDS + shard if LONG else None


@pytest.fixture
def games() -> Callable[[int], int]:
    """How many random games a test plays: as many as it says, in a long run its share of the run's number."""
    return lambda short: max(short, -(-LONG // SHARDS)) if LONG else short


@pytest.fixture
def report(record_property: Callable[[str, object], None]) -> Callable[[str, Tally], None]:
    """Keeps a tally for the summary."""
    return lambda title, tally: record_property("kontor-tally", [title, tally.plain()])


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print all tallies, of several shards together."""
    totals: dict[str, Tally] = {}
    for reports in terminalreporter.stats.values():
        for told in reports:
            for name, value in getattr(told, "user_properties", ()):
                if name == "kontor-tally" and told.when == "call":
                    totals.setdefault(value[0], Tally()).merge(value[1])
    if not totals:
        return
    terminalreporter.section("what the conformance suite compared")
    for title in sorted(totals):
        terminalreporter.write_line(title)
        for line in totals[title].lines():
            terminalreporter.write_line(f"  {line}")
