"""`python -m campaigns.hostile`: the long form; `make hostile SEED=1 REQUESTS=200000`."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from pathlib import Path

from campaigns.hostile.campaign import AIMED
from campaigns.hostile.figures import Figures
from campaigns.hostile.scenario import KINDS, Size, run


def arguments() -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(prog="python -m campaigns.hostile", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--requests", type=int, default=200_000, help="of all kinds together")
    parser.add_argument("--readers", type=int, default=300, help="who open watches and never read")
    parser.add_argument("--only", choices=KINDS, default="", help="this kind only")
    parser.add_argument("--number", type=int, help=f"this request alone, of {', '.join(AIMED)}")
    typed = parser.parse_args()
    if typed.number is not None and typed.only not in AIMED:
        parser.error(f"--number goes with --only and one of {', '.join(AIMED)}")
    return typed


def main() -> int:
    """Run it; what failed says how to run it again."""
    typed = arguments()
    directory = Path(tempfile.mkdtemp(prefix="kontor-hostile-"))
    figures, began = Figures(typed.seed), time.monotonic()
    size = Size(requests=typed.requests, readers=typed.readers)
    asyncio.run(run(directory, figures, size, typed.only, typed.number))
    seconds = time.monotonic() - began
    figures.tell()
    print(
        f"\nhostile, seed {typed.seed}: {figures.requests} requests in {seconds:.0f} s, "
        f"{len(figures.faults)} wrong. Attackers, honest players and the server share this machine's cores."
    )
    if not figures.faults:
        shutil.rmtree(directory, ignore_errors=True)
        return 0
    only = f" --only {typed.only}" if typed.only else ""
    print(
        f"Repeat all of it: python -m campaigns.hostile --seed {typed.seed} --requests {typed.requests} "
        f"--readers {typed.readers}{only}\nLogs and data: {directory}"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
