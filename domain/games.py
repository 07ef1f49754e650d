"""The list of games. A new game is a folder and a line here."""

from __future__ import annotations

from types import ModuleType

from domain import augsburg

GAMES: dict[str, ModuleType] = {game.meta.id: game for game in (augsburg,)}
