"""`python -m campaigns.leaks`: the long form; `make leaks SEED=1 COMPARISONS=100000`."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import chain
from pathlib import Path

from campaigns.leaks.campaign import Outcome, run
from campaigns.leaks.pairs import endless, named
from campaigns.leaks.plants import PLANTS, leads_astray
from campaigns.leaks.servers import Servers
from campaigns.leaks.tally import Tally
from domain.games import GAMES
from service.cli.serve import loop

PROGRESS = 5.0
MOST = 3  # times as many comparisons as were asked for, until everything was compared


def arguments() -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(prog="python -m campaigns.leaks", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--comparisons", type=int, default=100_000, help="of two messages, in all")
    parser.add_argument("--stride", type=int, default=3, help="begin at one of so many steps of a game; 1: at all")
    parser.add_argument("--game", choices=GAMES, action="append", help="this game only")
    parser.add_argument("--only", metavar="PAIR", help="this pair only, as a failure names it")
    parser.add_argument("--plant", choices=PLANTS, metavar="LEAK", help=f"to be found: {', '.join(PLANTS)}")
    return parser.parse_args()


def until(typed: argparse.Namespace) -> Callable[[Outcome], bool]:
    """Whether not enough was compared yet; tells how far it is."""
    told = time.monotonic()

    def more(outcome: Outcome) -> bool:
        nonlocal told
        now, done = time.monotonic(), outcome.comparisons
        if now > told + PROGRESS:
            told = now
            tables = sum(tally.figures["tables"] for tally in outcome.tallies.values())
            rate = done / (now - outcome.began)
            print(
                f"{now - outcome.began:5.0f} s  {done:8} comparisons  {tables:6} tables  {rate:5.0f} a second",
                flush=True,
            )
        return done < typed.comparisons or (done < MOST * typed.comparisons and bool(missing(typed, outcome)))

    return more


def missing(typed: argparse.Namespace, outcome: Outcome) -> list[str]:
    """What should have been compared, and never was."""
    games = () if typed.only else typed.game or GAMES
    return [what for game in games for what in outcome.tallies.get(game, Tally()).missing(GAMES[game])]


def tell(game: str, tally: Tally) -> None:
    """The figures of a game."""
    print(f"\n{game}: {tally.comparisons} comparisons")
    positions = {"named positions": len(tally.positions), "comparisons at these": tally.positions.total()}
    for name, number in {**tally.figures, **positions, **tally.viewers, **tally.starts, **tally.messages}.items():
        print(f"  {name:36} {number:8}")


def main() -> int:
    """Run it; what failed says how to run it again."""
    typed = arguments()
    games = typed.game or GAMES
    in_turn = chain.from_iterable(zip(*(endless(game, typed.seed, typed.stride) for game in games), strict=True))
    pairs = iter([named(typed.only, typed.seed)]) if typed.only else in_turn
    directory = Path(tempfile.mkdtemp(prefix="kontor-leaks-"))
    with Servers(directory) as servers:
        servers.plant(typed.plant or "")
        with asyncio.Runner(loop_factory=loop) as runner:
            outcome = runner.run(run(servers, pairs, until(typed), proven=not typed.plant or leads_astray(typed.plant)))
    seconds = time.monotonic() - outcome.began
    for game, tally in outcome.tallies.items():
        tell(game, tally)
    print(f"\n{outcome.lines} lines of logs and {outcome.figures} metrics are compared too")
    print(
        f"leaks, seed {typed.seed}: {outcome.comparisons} comparisons in {seconds:.0f} s, "
        f"{outcome.comparisons / seconds:.0f} a second: {len(outcome.found)} differences"
    )
    never = [] if outcome.found else missing(typed, outcome)
    for what in never:
        print(f"WRONG: never compared: {what}")
    if not outcome.found and not never:
        shutil.rmtree(directory, ignore_errors=True)
        return 0
    planted = f" --plant '{typed.plant}'" if typed.plant else ""
    for found in outcome.found[:10]:
        print(f"WRONG: {found.text}")
        if found.pair:
            print(f"Repeat it: python -m campaigns.leaks --seed {typed.seed} --only {found.pair}{planted}")
    chosen = "".join(f" --game {game}" for game in typed.game or ())
    print(
        f"Repeat all: python -m campaigns.leaks --seed {typed.seed} --comparisons {typed.comparisons} "
        f"--stride {typed.stride}{chosen}{planted}\nLogs and data: {directory}"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
