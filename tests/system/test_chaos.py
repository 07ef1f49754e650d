"""Faults, in short: every fault once, on every kind of log, and an older copy restored. At length: `make chaos`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from campaigns.chaos import rewind
from campaigns.chaos.scenario import PLANS, Stage, run

pytestmark = pytest.mark.anyio

SHORT = {
    "single": ("kill both", "kill service", "mute log", "stop log", "stop service", "cut clients", "drain service"),
    "embedded": ("kill log", "kill both", "kill service"),
    "sentinel": ("kill master", "promote", "kill service"),
    "cluster": ("kill primary", "move slot", "hand over", "kill service"),
}
NEEDS = {
    "single": ("conflicts", "repeated ids", "unknown outcomes", "skip GOING_AWAY"),
    "embedded": ("conflicts", "repeated ids"),
    "sentinel": ("conflicts", "repeated ids", "failovers"),
    "cluster": ("conflicts", "repeated ids", "failovers", "slots moved"),
}


@pytest.mark.parametrize("name", PLANS)
async def test_nothing_acknowledged_is_lost_or_doubled(name: str, tmp_path: Path) -> None:
    """Whatever is killed, stopped or cut: the log, all clients and all replicas tell the same story."""
    plan = PLANS[name]
    plan = replace(plan, faults={fault: plan.faults[fault] for fault in SHORT[name]}, needs=NEEDS[name])

    def more(stage: Stage) -> bool:
        return stage.scene.faults.total() < len(plan.faults)

    outcome = await run(plan, tmp_path, 1, more, tables=3, pause=0.2)
    assert outcome.violations == []
    assert outcome.absent == ()
    assert outcome.acknowledged > 50


async def test_a_restored_copy_is_told(tmp_path: Path) -> None:
    """After an older copy was restored nobody is told of a history that is gone without being told that it is."""
    outcome = await rewind.run(tmp_path, 1, acks=40, tables=3)
    assert outcome.violations == []
    assert outcome.absent == ()
