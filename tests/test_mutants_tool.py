"""`make mutants` changes one thing at a time, and tells killed mutants from survivors."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.mutation import Module, compiles

REPOSITORY = Path(__file__).parents[1]


def changed(source: str) -> list[str]:
    """The text of every mutant that Python can read."""
    texts = [mutant.apply(source.encode()) for mutant in Module("rule.py", source.encode()).mutants()]
    return [text.decode() for text in texts if compiles(text)]


@pytest.mark.parametrize(
    ("source", "mutants"),
    [
        ("a < b", ["a <= b", "a >= b"]),
        ("a < b == c", ["a <= b == c", "a >= b == c", "a < b != c"]),
        ("a not in b", ["a in b"]),
        ("(a) + (b)", ["(a) - (b)"]),
        ("a += b", ["a -= b"]),
        ("a and b and c", ["a or b and c", "a and b or c"]),
        ("x = not a", ["x =  a"]),
        ("guilders = 500", ["guilders = 501"]),
        ("gc = True", ["gc = False"]),
        ("a if b else c", ["a if (not (b)) else c"]),
        ("[a for a in b if c]", ["[a for a in b if (not (c))]"]),
        ("x = (a, b, c)", ["x = (b, c)", "x = (a, c)", "x = (a, b)"]),
        ("x = a, b", ["x = (b,)", "x = (a,)"]),
        ("x = (a,)", ["x = ()"]),
        ("def f():\n    return a", ["def f():\n    return None"]),
        ("def f():\n    pay(a)", ["def f():\n    pass"]),
        ("async def f():\n    await pay(a)", ["async def f():\n    pass"]),
        ("async def f():\n    return await a", ["async def f():\n    return None"]),
        ('def f():\n    """A sentence."""\n    return None', []),
        ("noble = 'Zürich'; price = a - b", ["noble = 'Zürich'; price = a + b"]),
        ("cards: tuple[Literal[1], ...]", []),
        ("if TYPE_CHECKING:\n    x = 1", []),
        ('f"{a + 1}"', []),
        ("pay(a)", []),
    ],
)
def test_a_mutant_has_one_small_change(source: str, mutants: list[str]) -> None:
    """Each kind of change is made, and what is not a rule stays as it is."""
    assert changed(source) == mutants


def test_the_lines_of_a_mutant() -> None:
    """A mutant is looked for where its whole statement stands; of one with a body, where its head does."""
    source = b"""
if a < b:
    pay(
        c + d
    )
match e:
    case 1 if f:
        return_()
try:
    a = b
except (
    C, D
):
    a = 3
"""
    found = {(mutant.text, mutant.lines) for mutant in Module("rule.py", source).mutants()}
    heads = [(b" <= ", 2, 3), (b" - ", 3, 6), (b"2", 7, 8), (b"(C,)", 11, 14), (b"4", 14, 15)]
    assert found >= {(text, range(first, last)) for text, first, last in heads}


def test_mutants_of_some_functions() -> None:
    """Functions can be chosen by their name, wherever they stand."""
    source = b"class Card:\n    def show(self):\n        return 1\n\n    def apply(self):\n        return 2\n"
    assert {mutant.lines for mutant in Module("rule.py", source).mutants(["show"])} == {range(3, 4)}


def judged(tmp_path: Path, files: dict[str, str], *arguments: str) -> tuple[str, str]:
    """What the tool says of a tree of these files, and what it writes down."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tools.mutants", "--root", str(tmp_path), *arguments]
    said = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in files} == files
    return said.stdout, (tmp_path / ".mutants/report.txt").read_text(encoding="utf-8")


def test_survivors_are_told_from_killed(tmp_path: Path) -> None:
    """The bound of a price that no test looks at survives; the price itself, which one looks at, does not."""
    files = {
        "domain/__init__.py": "",
        "domain/shop.py": "def price(cards):\n    return 10 if cards > 4 else cards\n",
        "tests/domain/test_shop.py": "from domain.shop import price\n\n"
        "def test_price():\n    assert price(1) == 1\n    assert price(9) == 10\n",
    }
    said, report = judged(tmp_path, files, "domain")
    assert "score 60.0%: 3 of 5 mutants were noticed" in said
    assert "+    return 10 if cards >= 4 else cards" in report
    assert "+    return 10 if cards > 5 else cards" in report
    assert report.count("\n+    return") == 2


def test_what_no_test_runs_has_survived(tmp_path: Path) -> None:
    """A line that no test runs is not reached, a constant is judged by tests beside it, who fails judges nothing."""
    files = {
        "service/__init__.py": "",
        "service/bell.py": "TIMES = 3\n\n\ndef ring():\n    return TIMES\n\n\ndef mute():\n    return 7\n",
        "tests/service/test_bell.py": "import asyncio\n\nfrom service.bell import ring\n\n"
        "async def rung():\n    return ring()\n\n"
        "def test_ring():\n    assert asyncio.run(rung()) == 3\n\n"
        "def test_broken():\n    assert ring() == 4\n",
    }
    said, report = judged(tmp_path, files, "service/bell.py")
    assert "FAILED tests/service/test_bell.py::test_broken" in said
    assert "score 50.0%: 2 of 4 mutants were noticed" in said
    assert "2 not reached" in said
    assert "+    return None" in report
    assert "+    return 8" in report
