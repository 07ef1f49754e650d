"""Which tests run which lines: a plugin for pytest that tells `coverage` whose turn it is, and what its notes say.

A test is told apart by pytest's own protocol, not by its function: what a server's task does while a test waits for it
is that test's doing.
"""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

NOTES = "KONTOR_REACHED"  # names the folder where the notes are kept
WATCHED = ("domain", "service")
PASSED = "passed.json"


class Notes:
    """The plugin of one process; those of pytest-xdist's workers are put together afterwards."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seconds: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()
        files = [str(Path.cwd() / name / "*") for name in WATCHED]
        self.coverage = Coverage(data_file=folder / "lines", data_suffix=True, include=files, config_file=False)
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        result = yield
        self.coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        self.coverage.stop()
        self.coverage.save()
        if not hasattr(config, "workerinput"):
            passed = {test: seconds for test, seconds in self.seconds.items() if test not in self.failed}
            (self.folder / PASSED).write_text(json.dumps(passed), encoding="utf-8")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Begin before anything of the tree is loaded."""
    early_config.pluginmanager.register(Notes(Path(os.environ[NOTES])))


class Reached:
    """What the notes say of a tree: for every line its tests, and how long each of those that pass takes."""

    def __init__(self, tree: Path, folder: Path) -> None:
        lines = Coverage(data_file=folder / "lines", config_file=False)
        lines.combine([str(folder)])
        data: CoverageData = lines.get_data()
        self.seconds: dict[str, float] = json.loads((folder / PASSED).read_text(encoding="utf-8"))
        self._lines = {
            Path(file).relative_to(tree).as_posix(): data.contexts_by_lineno(file) for file in data.measured_files()
        }

    def by(self, path: str, lines: range, bound: float) -> list[str]:
        """The tests that run any of these lines, quickest first, as many as take no longer together than a bound.

        A line that only loading runs (a constant, the head of a function) may matter to whatever runs beside it.
        """
        known = self._lines.get(path, {})
        contexts = {context for line in lines for context in known.get(line, ())}
        if contexts == {""}:
            near = [lines for file, lines in self._lines.items() if Path(file).parent == Path(path).parent]
            contexts = {context for lines in near for tests in lines.values() for context in tests}
        quick = sorted(contexts & self.seconds.keys(), key=lambda test: (self.seconds[test], test))
        total = accumulate(self.seconds[test] for test in quick)
        return [test for i, (test, sum_) in enumerate(zip(quick, total, strict=True)) if not i or sum_ <= bound]
