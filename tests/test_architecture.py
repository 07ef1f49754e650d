"""Imports go one way, and the rules touch nothing of the world: no file, no clock, no chance but their own.

Every module is read with `ast`, never run. The snippets at the end show that each kind of trespass is found.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
GAMES = frozenset(init.parent.name for init in REPOSITORY.glob("domain/*/__init__.py"))

# Modules of the standard library by which a rule could draw on its own, ask the clock, touch the world, or wait.
CHANCE = {"random", "secrets", "uuid"}
TIME = {"locale", "sched", "time", "zoneinfo"}
FILES = {"fileinput", "glob", "io", "logging", "mmap", "os", "pathlib", "shelve", "shutil", "sqlite3", "tempfile"}
NETWORK = {"ftplib", "http", "imaplib", "select", "selectors", "smtplib", "socket", "socketserver", "ssl", "urllib"}
PROCESSES = {"asyncio", "concurrent", "multiprocessing", "queue", "signal", "subprocess", "threading"}
INTERPRETER = {"builtins", "code", "ctypes", "importlib", "pickle", "pkgutil", "platform", "runpy", "sys"}
WORLD = CHANCE | TIME | FILES | NETWORK | PROCESSES | INTERPRETER
# What one module alone may import: values are made of msgspec, editions are read from the package when it is loaded.
ALLOWED = {
    "domain/values.py": {"msgspec"},
    "domain/editions.py": {"importlib"},
    "domain/games.py": {"importlib"},
}
BUILTINS = frozenset({"__import__", "breakpoint", "compile", "eval", "exec", "input", "open", "print"})
CLOCK = frozenset({"now", "today", "utcnow"})


def imported(module: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of all that a module imports, relative imports resolved."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # One dot is the folder of the module, as much for `__init__.py` as for its neighbours.
            folder = module.split("/")[: -node.level] if node.level else []
            start = ".".join([*folder, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{start}.{alias.name}") for alias in node.names)


def domain_trespass(module: str, name: str, games: frozenset[str]) -> str | None:
    """Why a module of domain/ may not import this name, if it may not."""
    top, _, rest = name.partition(".")
    if top == "domain":
        game = rest.partition(".")[0]
        home = module.split("/")[1]
        if game in games and home in games and game != home:
            return "no game imports another"
        if game in games and home not in games and module != "domain/games.py":
            return "only domain/games.py names the games"
        return None
    if top in ALLOWED.get(module, ()):
        return None
    if top in WORLD:
        return "the rules touch nothing of the world"
    return None if top in sys.stdlib_module_names else "domain imports the standard library and itself"


def service_trespass(module: str, name: str) -> str | None:
    """Why a module of service/ may not import this name, if it may not."""
    top = name.partition(".")[0]
    if top == "kontor_client" and not module.startswith(("service/cli/", "service/cli.py")):
        return "only the command line is a client"
    return "the service needs no test or tool to run" if top in {"tests", "tools", "bench", "campaigns"} else None


def trespasses(module: str, source: str, games: frozenset[str] = GAMES) -> list[str]:
    """Everything in a module, named by its path in the repository, that its place in the house forbids."""
    tree = ast.parse(source, filename=module)
    pure = module.startswith("domain/")
    found = []
    for line, name in imported(module, tree):
        why = domain_trespass(module, name, games) if pure else service_trespass(module, name)
        if why:
            found.append(f"{module}:{line}: {name}: {why}")
    for node in ast.walk(tree) if pure else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in BUILTINS:
            found.append(f"{module}:{node.lineno}: {node.id}: the rules read, write and run nothing")
        if isinstance(node, ast.Attribute) and node.attr in CLOCK:
            found.append(f"{module}:{node.lineno}: {node.attr}: the rules have no clock")
    return found


@pytest.mark.parametrize("package", ["domain", "service"])
def test_the_house_keeps_its_directions(package: str) -> None:
    """No module of the two packages trespasses."""
    modules = sorted((REPOSITORY / package).rglob("*.py"))
    found = [
        trespass
        for path in modules
        for trespass in trespasses(path.relative_to(REPOSITORY).as_posix(), path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


def test_the_games_are_found() -> None:
    """The house has games: else the checks above would say nothing about them."""
    assert GAMES


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("domain/engine.py", "import random"),
        ("domain/engine.py", "from random import Random"),
        ("domain/engine.py", "import os.path"),
        ("domain/engine.py", "from pathlib import Path"),
        ("domain/engine.py", "def draw():\n    import secrets"),
        ("domain/engine.py", "from importlib import resources"),
        ("domain/engine.py", "import msgspec"),
        ("domain/values.py", "import redis"),
        ("domain/engine.py", "import google.protobuf"),
        ("domain/engine.py", "import service.host"),
        ("domain/engine.py", "from service import host"),
        ("domain/engine.py", "from ..service import host"),
        ("domain/engine.py", "import kontor_client"),
        ("domain/engine.py", "from tests import anything"),
        ("domain/engine.py", "import datetime\nstamp = datetime.datetime.now()"),
        ("domain/engine.py", "import datetime\nday = datetime.date.today"),
        ("domain/engine.py", "page = open('rules.md')"),
        ("domain/engine.py", "list(map(print, ()))"),
        ("domain/engine.py", "answer = input()"),
        ("domain/engine.py", "eval('1')"),
        ("domain/engine.py", "exec('pass')"),
        ("domain/engine.py", "__import__('os')"),
        ("domain/engine.py", "import domain.white"),
        ("domain/engine.py", "from domain import white"),
        ("domain/white/play.py", "import domain.black.play"),
        ("domain/white/play.py", "from domain import black"),
        ("domain/white/play.py", "from domain.black import play"),
        ("domain/white/play.py", "from ..black import play"),
        ("domain/white/play.py", "from .. import black"),
        ("domain/white/__init__.py", "from ..black.play import Bid"),
        ("service/host.py", "import kontor_client"),
        ("service/client.py", "from kontor_client.table import Table"),
        ("service/host.py", "from tests.domain import positions"),
    ],
)
def test_a_trespass_is_found(module: str, source: str) -> None:
    """The checker itself can fail, once for every kind of trespass."""
    assert len(trespasses(module, source, frozenset({"white", "black"}))) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("domain/values.py", "import msgspec\nfrom msgspec import structs"),
        ("domain/editions.py", "from importlib.resources import files"),
        ("domain/games.py", "from domain import black, white"),
        ("domain/engine.py", "import hashlib, hmac\nfrom . import values\nfrom .options import Pick"),
        ("domain/white/play.py", "from domain.engine import Illegal\nfrom . import cards\nfrom ..values import Value"),
        ("domain/white/play.py", "import domain.white.cards\nfrom domain.white import cards"),
        ("domain/white/play.py", "class Play:\n    open: bool\n    def run(self): return self.open"),
        ("service/host.py", "import os, random\nfrom domain.games import GAMES\nprint(open('log'))"),
        ("service/cli.py", "import kontor_client"),
        ("service/cli/play.py", "from kontor_client import Table"),
    ],
)
def test_what_the_house_allows_is_not_a_trespass(module: str, source: str) -> None:
    """The checker lets pass what the design allows."""
    assert trespasses(module, source, frozenset({"white", "black"})) == []
