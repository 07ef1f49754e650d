"""`make rules` finds rules without tests and marks without rules."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.rules import short_names

REPOSITORY = Path(__file__).parents[1]
RULES = "# Chess\n\n## 1 Setup\n- **CHE-101** White begins. *(FIDE)*\n- **CHE-102** Two play. *(FIDE)*\n"
TESTS = """
import pytest

@pytest.mark.rule("CHE-101")
@pytest.mark.parametrize("seat", [1, 2])
def test_white_begins(seat): pass

@pytest.mark.rule("CHE-102", "CHE-101")
class TestSeats:
    def test_two_seats(self): pass
"""


def run_rules(root: Path, rules: str, tests: str) -> subprocess.CompletedProcess[str]:
    """What `make rules` says of a small tree with the rules of two games, one not yet made, and a file of tests."""
    files = {
        "domain/chess/__init__.py": "",
        "domain/chess/rules.md": rules,
        "domain/go/rules.md": "# Go\n\n## 1 Setup\n- **GOO-101** Black begins. *(custom)*\n",
        "tests/test_chess.py": tests,
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tools.rules", str(root)]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)


def test_every_rule_with_a_test_passes(tmp_path: Path) -> None:
    """A rule counts each parametrised test, and each test of a marked class."""
    said = run_rules(tmp_path, RULES, TESTS)
    assert said.returncode == 0, said.stdout + said.stderr
    lines = said.stdout.splitlines()
    assert lines[:2] == ["CHE-101     3  white_begins x2, two_seats", "CHE-102     1  two_seats"]
    assert lines[2] == "go: rules, but no game yet"
    assert lines[-1] == "2 rules, 3 tests that name one, 0 faults"


@pytest.mark.parametrize(
    ("rules", "tests", "fault"),
    [
        (RULES + "- **CHE-103** Pawns go ahead. *(FIDE)*\n", TESTS, "CHE-103 has no test"),
        (
            RULES,
            TESTS.replace("102", "999"),
            "CHE-999 is no rule, but is named by tests/test_chess.py::TestSeats::test_t",
        ),
        (RULES, TESTS.replace('("CHE-101")', ""), "a mark without an id is no rule"),
        (RULES, "import nothing_of_that_name\n", "The tests cannot be collected"),
        (RULES + "- CHE-103 Pawns go ahead.\n", TESTS, "domain/chess/rules.md: line 6: "),
        ("# Chess\n", "", "no rule found"),
    ],
    ids=["rule without a test", "unknown rule", "empty mark", "broken tests", "broken page", "no rules at all"],
)
def test_a_gap_between_rules_and_tests_fails(tmp_path: Path, rules: str, tests: str, fault: str) -> None:
    """Whatever would leave a rule without a test fails, with a sentence that names it."""
    said = run_rules(tmp_path, rules, tests)
    assert said.returncode == 1
    assert fault in said.stderr


def test_names_are_short() -> None:
    """A test is shown by its bare name, once, with the number of its parameters."""
    assert short_names(["tests/a/test_b.py::TestC::test_d[1-2]", "tests/a/test_b.py::TestC::test_d[x]"]) == "d x2"
