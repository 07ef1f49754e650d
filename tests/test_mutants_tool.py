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


def test_survivors_are_told_from_killed(tmp_path: Path) -> None:
    """The bound of a price that no test looks at survives; the price itself, which one looks at, does not."""
    files = {
        "domain/__init__.py": "",
        "domain/shop.py": "def price(cards):\n    return 10 if cards > 4 else cards\n",
        "tests/domain/test_shop.py": "from domain.shop import price\n\n"
        "def test_price():\n    assert price(1) == 1\n    assert price(9) == 10\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tools.mutants", "--root", str(tmp_path), "domain"]
    said = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    assert "score 60.0%: 3 of 5 mutants were noticed" in said.stdout
    report = (tmp_path / ".mutants/report.txt").read_text(encoding="utf-8")
    assert "+    return 10 if cards >= 4 else cards" in report
    assert "+    return 10 if cards > 5 else cards" in report
    assert report.count("\n+    return") == 2
    assert (tmp_path / "domain/shop.py").read_text(encoding="utf-8") == files["domain/shop.py"]
