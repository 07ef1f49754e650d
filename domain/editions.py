"""Editions: what stood printed in the box, as data, one TOML file an edition.

Every cell says where it came from: stated in a rulebook, inferred from what is stated, or reconstructed. A game's own
editions lie in its folder and are read when it is first asked for one; an operator's come as text.
"""

from __future__ import annotations

import tomllib
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from domain.values import Malformed, convert


class Source(StrEnum):
    """How sure a cell of an edition is."""

    STATED = "stated"
    INFERRED = "inferred"
    RECONSTRUCTED = "reconstructed"


class EditionError(ValueError):
    """An edition that can't be: which cell, and what was expected there."""


def require(cell: str, holds: bool, expected: str) -> None:
    """Refuse the edition unless this holds of the cell."""
    if not holds:
        raise EditionError(f"{cell}: expected {expected}")


def parse(game: Any, text: str) -> Any:
    """An edition from its text, checked by its types and by the game."""
    try:
        edition = convert(tomllib.loads(text), game.Edition)
    except tomllib.TOMLDecodeError as error:
        raise EditionError(f"not TOML: {error}") from None
    except Malformed as error:
        raise EditionError(str(error)) from None
    game.check_edition(edition)
    return edition


@cache
def builtin(game: Any, name: str) -> Any:
    """One of the editions that lie in the game's folder."""
    if name not in game.meta.editions:
        known = ", ".join(game.meta.editions)
        raise EditionError(f"{game.meta.title} has no edition {name!r}; there is {known}")
    return parse(game, resources.files(game).joinpath("editions", f"{name}.toml").read_text("utf-8"))
