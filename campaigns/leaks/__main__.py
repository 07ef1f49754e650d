"""`python -m campaigns.leaks`: the long form; `make leaks SEED=1 COMPARISONS=100000`."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from campaigns.leaks.campaign import Outcome, in_turn, run
from campaigns.leaks.pairs import endless, named
from campaigns.leaks.plants import PLANTS
from campaigns.leaks.servers import Servers
from campaigns.leaks.tally import Tally
from domain.games import GAMES

PROGRESS = 5.0


def arguments() -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(prog="python -m campaigns.leaks", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--comparisons", type=int, default=100_000, help="of two messages, in all")
    parser.add_argument("--stride", type=int, default=1, help="of a game, begin at every step of so many")
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
            print(f"{now - outcome.began:5.0f} s  {done:8} comparisons  {tables:6} tables  {rate:5.0f} a second", flush=True)
        return done < typed.comparisons

    return more


def tell(game: str, tally: Tally) -> None:
    """The figures of a game."""
    print(f"\n{game}: {tally.comparisons} comparisons")
    seats = {f"{players} players": number for players, number in sorted(tally.players.items())}
    positions = {"named positions": len(tally.positions), "comparisons at these": tally.positions.total()}
    for name, number in {**tally.figures, **positions, **tally.viewers, **seats, **tally.messages}.items():
        print(f"  {name:32} {number:8}")


def main() -> int:
    """Run it; what failed says how to run it again."""
    typed = arguments()
    games = typed.game or list(GAMES)
    pairs = iter([named(typed.only, typed.seed)]) if typed.only else None
    pairs = pairs or in_turn([endless(game, typed.seed, typed.stride) for game in games])
    directory = Path(tempfile.mkdtemp(prefix="kontor-leaks-"))
    with Servers(directory) as servers:
        servers.plant(typed.plant or "")
        outcome = asyncio.run(run(servers, pairs, until(typed)))
    seconds = time.monotonic() - outcome.began
    for game, tally in outcome.tallies.items():
        tell(game, tally)
    missing = [] if typed.only else [what for game in games for what in outcome.tallies[game].missing(GAMES[game])]
    print(f"\n{outcome.lines} lines of logs and {outcome.figures} metrics are compared too")
    print(
        f"leaks, seed {typed.seed}: {outcome.comparisons} comparisons in {seconds:.0f} s, "
        f"{outcome.comparisons / seconds:.0f} a second: {len(outcome.found)} differences"
    )
    for what in missing if not outcome.found else ():
        print(f"WRONG: never compared: {what}")
    if not outcome.found and not missing:
        shutil.rmtree(directory, ignore_errors=True)
        return 0
    planted = f" --plant '{typed.plant}'" if typed.plant else ""
    for found in outcome.found[:20]:
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
