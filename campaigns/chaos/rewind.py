"""An operator restores an older copy of the log under load: what was lost by that is told, never papered over.

One replica sleeps through it, and wakes when the others have gone on from the copy: its own memory is of another
history then, perhaps of the same length.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from campaigns.chaos.checker import Terms
from campaigns.chaos.journal import Journal
from campaigns.chaos.scenario import CATCH_UP, Outcome, Plan, Stage, figures_of, staged
from campaigns.chaos.stores import Single
from campaigns.chaos.verdict import judge

PLAN = Plan(
    "rewind",
    Single,
    2,
    {},
    Terms(rewinds=True),
    ("skip REWOUND", "rewinds", "lost by the restore", "tables gone", "replicas that shouted"),
)
PATIENCE = 120.0  # seconds for each part


async def run(directory: Path, seed: int, acks: int = 150, tables: int = 4) -> Outcome:
    """Play, copy, play on, restore the copy, play on."""
    async with staged(PLAN, directory, seed, tables) as stage:
        stage.play()
        await _acknowledged(stage, acks)
        copying = time.monotonic()
        copy = await _store(stage).copy("copy")
        stage.open()  # a table of which the copy knows nothing
        await _acknowledged(stage, acks)
        restored = await _restore(stage, copy, acks)
        await _acknowledged(stage, acks)
        await stage.end()
        whole = stage.crew.journal
        lost = [ask for ask in whole.asks if ask.answers and not (ask.answered < copying or ask.asked > restored)]
        looks = [look for look in whole.looks if look.asked < copying or look.asked > restored]
        kept = Journal([ask for ask in whole.asks if ask not in set(lost)], whole.watches, looks)
        stage.crew.tally["lost by the restore"] = len(lost)
        said = [replica for replica in stage.replicas if '"rewound"' in replica.said()]
        stage.crew.tally["replicas that shouted"] = len(said)
        violations = await judge(stage, CATCH_UP, kept)
        figures = figures_of(stage)
        missing = tuple(need for need in PLAN.needs if not figures[need])
        seconds = time.monotonic() - stage.began
        return Outcome(PLAN.name, seconds, whole.acknowledged, stage.scene.kills, figures, violations, missing)


def _store(stage: Stage) -> Single:
    assert isinstance(stage.store, Single)
    return stage.store


async def _restore(stage: Stage, copy: Path, acks: int) -> float:
    """Put the copy back while one replica sleeps; wake it when the other has gone on. When that was over."""
    awake, asleep = stage.replicas
    asleep.freeze()
    stage.crew.replicas = [awake]
    await _store(stage).restore(copy)
    stage.scene.kills += 2  # for the copy, and now
    await _acknowledged(stage, acks)
    stage.crew.replicas = [awake, asleep]
    asleep.thaw()
    return time.monotonic()


async def _acknowledged(stage: Stage, acks: int) -> None:
    """Wait until so many more commands were acknowledged."""
    goal = stage.crew.journal.acknowledged + acks
    async with asyncio.timeout(PATIENCE):
        while stage.crew.journal.acknowledged < goal:
            await asyncio.sleep(0.1)
