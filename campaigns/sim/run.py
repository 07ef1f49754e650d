"""One world from its seed, and what came of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass

from campaigns.chaos.checker import Violation
from campaigns.sim.loop import simulated
from campaigns.sim.party import party
from campaigns.sim.world import World
from domain import toy
from domain.games import GAMES

NEEDS = (
    "conflicts",
    "repeated",
    "outcome_unknown",
    "unheard",
    "refused",
    "written late",
    "hints lost",
    "crashes",
    "failovers",
    "rewinds",
    "skip BEHIND",
    "skip REWOUND",
    "reads from a deposed master",
    "bot_answers",
)


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came of a world."""

    world: World
    violations: list[Violation]
    figures: Counter[str]
    trace: str  # the same for the same seed


def simulate(seed: int, tables: int, *, replicated: bool | None = None) -> Simulated:
    """A world; every second one has a replica that may be promoted."""
    world = World(seed, {**GAMES, "toy": toy}, seed % 2 == 0 if replicated is None else replicated)
    violations = simulated(world.play(party, tables))
    world.tally["tables"] = len(world.tables)
    world.tally["acknowledged"] = world.journal.acknowledged
    world.tally["asked again"] = sum(ask.failures for ask in world.journal.asks)
    digest = hashlib.sha256()
    for table in world.tables:
        digest.update(repr(world.store.master.entries(table)).encode())
    return Simulated(world, violations, world.tally, digest.hexdigest())
