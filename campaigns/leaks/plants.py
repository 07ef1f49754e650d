"""Leaks to be found: planted in a running server, by exchanging one part of a game or of the service.

Those of the games are the breakages that every game plants for the conformance suite, as far as they tell somebody
something. An `evolve` that forgets, a `decide` that draws twice, a `resample` that changes nothing and a reveal that is
withheld tell nobody anything. A forced pass skipped and a card too many may look the same in both worlds: they are
found because the servers are not where the true rules have led.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from campaigns.leaks.plants_service import IN_SERVICE, Plant
from domain.games import GAMES
from domain.values import replace
from tests.conformance import faults

IN_RULES = (
    faults.HIDDEN_COUNT, faults.OPTION, faults.CARD_TOO_MANY, faults.AUDIENCE, faults.SEALED, faults.DECK,
    faults.FORCED, faults.REFUSAL,
)  # fmt: skip
"""The kinds of breakages of a game by which somebody learns something."""

ASTRAY = (faults.CARD_TOO_MANY, faults.FORCED)
"""Those that lead both servers to where the true rules do not lead, and perhaps to the same place."""


def in_rules(game: str, kind: str, planted: ExitStack) -> None:
    """A breakage of a game's own list, in the module itself: the service asks that."""
    module, told = GAMES[game], importlib.import_module(f"tests.conformance.games.{game}")
    whole = SimpleNamespace(**vars(module))  # as it was: what is exchanged goes on to ask it
    planted.enter_context(patch.object(told, game, whole))
    parts = {name: part for name, part in vars(told.FAULTS[kind]()).items() if name != "_game"}
    if "view" in parts:
        parts["view"] = partial(_as_view, parts["view"])
    for name, part in parts.items():
        planted.enter_context(patch.object(module, name, part))


def _as_view(leaky: Callable[..., Any], state: Any, viewer: int) -> Any:
    """A view that tells its hint by a number, since there is no field for it in a message."""
    view, hint = leaky(state, viewer)
    return replace(view, round=int(hashlib.sha256(repr(hint).encode()).hexdigest()[:6], 16))


def leads_astray(plant: str) -> bool:
    """Whether a leak may be found by where the servers are; all others must be found by what differs."""
    return plant.partition(": ")[2] in ASTRAY


PLANTS: dict[str, Plant] = IN_SERVICE | {
    f"{game}: {kind}": partial(in_rules, game, kind)
    for game in GAMES
    for kind in IN_RULES
    if importlib.import_module(f"tests.conformance.games.{game}").FAULTS[kind] is not faults.ABSENT
}
