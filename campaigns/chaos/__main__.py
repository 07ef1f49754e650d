"""`python -m campaigns.chaos`: the long form; `make chaos SECONDS=600 SEED=1 KILLS=200`."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from campaigns.chaos import rewind
from campaigns.chaos.scenario import PLANS, Outcome, Stage, run

PROGRESS = 5.0


def arguments() -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(prog="python -m campaigns.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120, help="how long faults go on, all scenarios together")
    parser.add_argument("--kills", type=int, default=0, help="and until so many processes were killed")
    parser.add_argument("--acks", type=int, default=0, help="and until so many commands were acknowledged")
    parser.add_argument("--tables", type=int, default=6, help="tables at a time")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two faults, on the average")
    parser.add_argument("--only", choices=[*PLANS, rewind.PLAN.name], action="append", help="this scenario only")
    return parser.parse_args()


def until(typed: argparse.Namespace, share: float) -> Callable[[Stage], bool]:
    """Whether a scenario has not done its share yet; tells how far it is."""
    told = time.monotonic()

    def more(stage: Stage) -> bool:
        nonlocal told
        now, acks, kills = time.monotonic(), stage.crew.journal.acknowledged, stage.scene.kills
        if now > told + PROGRESS:
            told = now
            tally = stage.counted
            print(
                f"{stage.plan.name:9} {now - stage.began:5.0f} s  {acks:7} acknowledged  {kills:4} kills  "
                f"{stage.scene.faults.total():4} faults  {tally['conflicts']:5} conflicts  "
                f"{tally['repeated']:5} repeated ids",
                flush=True,
            )
        late = now - stage.began >= typed.seconds * share
        return not late or bool(kills < typed.kills * share or acks < typed.acks * share)

    return more


def tell(outcome: Outcome) -> None:
    """The figures of a scenario."""
    print(
        f"\n{outcome.name}: {outcome.acknowledged} acknowledged, {outcome.kills} kills, {outcome.seconds:.0f} s: "
        f"{'nothing wrong' if outcome.well else 'WRONG'}"
    )
    for name, number in sorted(outcome.figures.items()):
        print(f"  {name:28} {number:8}")
    for violation in outcome.violations[:50]:
        print(f"  WRONG {violation.kind}, table {violation.table}: {violation.text}")
    for name in outcome.absent:
        print(f"  WRONG: never seen: {name}")


async def campaign(typed: argparse.Namespace, directory: Path) -> list[Outcome]:
    """All scenarios, one after the other."""
    names = typed.only or [*PLANS, rewind.PLAN.name]
    whole = sum(PLANS[name].share for name in names if name in PLANS)
    outcomes = []
    for name in names:
        if name == rewind.PLAN.name:
            outcome = await rewind.run(directory / name, typed.seed)
        else:
            more = until(typed, PLANS[name].share / whole)
            outcome = await run(PLANS[name], directory / name, typed.seed, more, typed.tables, typed.pause)
        tell(outcome)
        outcomes.append(outcome)
    return outcomes


def main() -> int:
    """Run it; what failed says how to run it again."""
    typed = arguments()
    directory = Path(tempfile.mkdtemp(prefix="kontor-chaos-"))
    outcomes = asyncio.run(campaign(typed, directory))
    acks, kills = sum(one.acknowledged for one in outcomes), sum(one.kills for one in outcomes)
    kinds = [violation.kind for one in outcomes for violation in one.violations]
    print(
        f"\nchaos, seed {typed.seed}: {acks} acknowledged, {kills} kills, "
        f"{kinds.count('lost')} lost, {kinds.count('doubled')} doubled, {len(kinds)} violations"
    )
    if all(one.well for one in outcomes):
        shutil.rmtree(directory, ignore_errors=True)  # the last server may still be ending
        return 0
    again = " ".join(f"--only {name}" for name in typed.only or ())
    print(
        f"Repeat it: python -m campaigns.chaos --seed {typed.seed} --seconds {typed.seconds:g} --kills {typed.kills} "
        f"--acks {typed.acks} --tables {typed.tables} --pause {typed.pause:g} {again}\nLogs and data: {directory}"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
