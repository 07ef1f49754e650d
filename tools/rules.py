"""Every rule of a game has a test that states it: `make rules` shows which, and fails where one is missing.

The rules stand in `domain/<game>/rules.md`; a page whose folder is no package yet belongs to a game still to be made,
and is only mentioned. Tests name rules by `@pytest.mark.rule("AUG-206", ...)`. The marks are read through pytest's own
collection rather than from the source, so that parametrised tests and marked classes count as pytest counts them.
"""

import contextlib
import io
import shutil
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from domain.rulebook import parse


def read_rules(root: Path) -> tuple[list[str], list[str]]:
    """The ids of all games in the order of their rules pages, and the games that have only a page so far."""
    ids: list[str] = []
    unmade: list[str] = []
    for page in sorted(root.glob("domain/*/rules.md")):
        if not (page.parent / "__init__.py").exists():
            unmade.append(page.parent.name)
            continue
        try:
            ids += [rule.id for rule in parse(page.read_text(encoding="utf-8"))]
        except ValueError as fault:
            sys.exit(f"{page.relative_to(root).as_posix()}: {fault}")
    return ids, unmade


class Marks:
    """A pytest plugin that notes which test names which rule."""

    def __init__(self) -> None:
        self.tests: defaultdict[str, list[str]] = defaultdict(list)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            ids = {str(rule) for mark in item.iter_markers("rule") for rule in mark.args or ("a mark without an id",)}
            for rule in ids:
                self.tests[rule].append(item.nodeid)


def read_marks(root: Path) -> dict[str, list[str]]:
    """The tests below tests/ by the ids of the rules they state."""
    marks = Marks()
    said = io.StringIO()
    quiet = ["--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    with contextlib.redirect_stdout(said):
        code = pytest.main([*quiet, "--rootdir", str(root), str(root / "tests")], plugins=[marks])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        sys.exit(f"{said.getvalue()}\nThe tests cannot be collected.")
    return marks.tests


def short_names(tests: list[str]) -> str:
    """The names of tests without folders and parameters; one with several parameters stands once, with their number."""
    names = Counter(test.partition("[")[0].rpartition("::")[2].removeprefix("test_") for test in tests)
    return ", ".join(name if count == 1 else f"{name} x{count}" for name, count in names.items())


def main(root: Path) -> int:
    """Print the table of rules and tests; 1 if a rule has no test or a mark no rule."""
    rules, unmade = read_rules(root)
    marks = read_marks(root)
    width = max(shutil.get_terminal_size((120, 40)).columns - 16, 40)
    for rule in rules:
        names = short_names(marks.get(rule, []))
        print(f"{rule}  {len(marks.get(rule, [])):>4}  {names if len(names) <= width else names[: width - 3] + '...'}")
    faults = [f"{rule} has no test" for rule in rules if not marks.get(rule)]
    if not rules:
        faults.append("no rule found in domain/*/rules.md")
    unknown = sorted(marks.keys() - set(rules))
    faults += [f"{mark} is no rule, but is named by {', '.join(sorted(marks[mark]))}" for mark in unknown]
    tests = {test for named in marks.values() for test in named}
    for game in unmade:
        print(f"{game}: rules, but no game yet")
    print(f"\n{len(rules)} rules, {len(tests)} tests that name one, {len(faults)} faults", flush=True)
    for fault in faults:
        print(f"  {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
