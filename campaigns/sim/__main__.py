"""`python -m campaigns.sim`: worlds one after the other; `make chaos-sim TABLES=2000 SEED=1`."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections import Counter

import structlog

from campaigns.sim.run import NEEDS, simulate

PROGRESS = 5.0


def main() -> int:
    """Simulate so many tables; a world in which something is wrong says how to repeat it."""
    parser = argparse.ArgumentParser(prog="python -m campaigns.sim", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first world")
    parser.add_argument("--tables", type=int, default=2000, help="in all")
    parser.add_argument("--world", type=int, default=20, help="tables a world")
    typed = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    figures: Counter[str] = Counter()
    began = told = time.monotonic()
    wrong = 0
    for seed in range(typed.seed, typed.seed + -(-typed.tables // typed.world)):
        outcome = simulate(seed, typed.world)
        figures += outcome.figures
        for violation in outcome.violations:
            wrong += 1
            print(f"WRONG {violation.kind}, table {violation.table}: {violation.text}")
        if outcome.violations:
            print(f"Repeat it: python -m campaigns.sim --seed {seed} --world {typed.world} --tables {typed.world}")
        if time.monotonic() > told + PROGRESS:
            told = time.monotonic()
            print(
                f"{told - began:5.0f} s  seed {seed}  {figures['tables']} tables  "
                f"{figures['acknowledged']} acknowledged  {figures['conflicts']} conflicts  {wrong} violations",
                flush=True,
            )
    for name, number in sorted(figures.items()):
        print(f"  {name:28} {number:8}")
    absent = [name for name in NEEDS if not figures[name]]
    for name in absent:
        print(f"WRONG: never seen: {name}")
    print(
        f"chaos-sim, seeds {typed.seed} to {seed}: {figures['tables']} tables, {figures['acknowledged']} acknowledged, "
        f"{wrong} violations, {time.monotonic() - began:.0f} s"
    )
    return 1 if wrong or absent else 0


if __name__ == "__main__":
    sys.exit(main())
