"""The list of games. A new game is a folder and a line here."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

NAMES = (
    "augsburg",
    "diefugger",
    "strasbourg",
)  # fmt: skip
"""The folders, which are also the ids."""

GAMES: dict[str, ModuleType] = {name: import_module(f"domain.{name}") for name in NAMES}
