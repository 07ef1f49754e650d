"""What is tested: a game, and what its author tells about it."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from domain.editions import builtin
from domain.engine import Game
from domain.options import PickOne
from domain.values import Fact
from tests.conformance.faults import real

LONG = int(os.environ.get("KONTOR_GAMES") or 0)
"""How many random games each property gets in a long run; 0 in a short one."""


@dataclass(frozen=True)
class Subject:
    """A game under test; `tests/conformance/__init__.py` tells what the rest is."""

    game: Game
    bound: int
    invariants: Callable[[Any], None]
    positions: Mapping[str, Callable[[], Any]]
    hidden: Mapping[str, Callable[[Any, int], object]]
    faults: Mapping[str, Callable[[], Game]]


@dataclass(frozen=True)
class Start:
    """What is chosen before a game begins, for a random game its seed too."""

    players: int
    edition: str
    settings: tuple[tuple[str, str], ...]
    seed: int = 0

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The settings as a game takes them."""
        return tuple(Fact(name, value) for name, value in self.settings)


def names() -> list[str]:
    """The games to test: the one that was asked for, or the toy and all of the list."""
    chosen = os.environ.get("KONTOR_GAME")
    if chosen:
        return [chosen]
    from domain.games import GAMES  # noqa: PLC0415 - one game can be tested while another does not import

    return ["toy", *GAMES]


@cache
def subject(name: str) -> Subject:
    """The game of this name with its file in `tests/conformance/games`."""
    game = importlib.import_module(f"domain.{name}")
    told = importlib.import_module(f"tests.conformance.games.{name}")
    return Subject(game, told.BOUND, told.invariants, told.POSITIONS, told.HIDDEN, told.FAULTS)


def starts(game: Game) -> tuple[Start, ...]:
    """Every player count with every edition and every combination of settings."""
    meta = game.meta
    choices = []
    for slot in meta.settings:
        assert isinstance(slot, PickOne), f"a setting is a pick of one: {slot}"
        choices.append([(slot.field, key) for key in slot.keys])
    counts = range(meta.least_seats, meta.most_seats + 1)
    return tuple(
        Start(players, edition, settings)
        for players, edition, settings in product(counts, meta.editions, product(*choices))
    )


def edition(game: Game, name: str = "") -> Any:
    """An edition of the game, also of a faulty one; without a name the usual one."""
    return builtin(real(game), name or game.meta.editions[0])
