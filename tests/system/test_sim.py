"""The host against a faulty store, in short: some worlds, each the same at every run. At length: `make chaos-sim`."""

from __future__ import annotations

from collections import Counter

import pytest

from campaigns.sim.run import simulate

COMMON = ("conflicts", "repeated", "outcome_unknown", "unheard", "refused", "written late", "hints lost")


@pytest.mark.parametrize("replicated", [False, True])
def test_some_worlds(replicated: bool) -> None:
    """Lost answers, failures before and after the write, writes that come late, crashes, failovers: nothing is lost."""
    figures: Counter[str] = Counter()
    for seed in range(1, 4):
        outcome = simulate(seed, 6, replicated=replicated)
        assert outcome.violations == [], f"python -m campaigns.sim --seed {seed} --world 6 --tables 6"
        figures += outcome.figures
    assert all(figures[name] for name in COMMON), figures
    assert bool(figures["failovers"]) == replicated


def test_a_seed_is_a_world() -> None:
    """The same seed gives the same log, byte for byte."""
    assert simulate(5, 3).trace == simulate(5, 3).trace
    assert simulate(5, 3).trace != simulate(6, 3).trace
