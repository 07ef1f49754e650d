"""The service beside the bare stack: a floor of grpc.aio and Redis, and boardgame.io's server, in the same rounds.

Every contender is a process of its own with an AOF that is synced before an answer (boardgame.io has none). They take
turns, round by round; medians count, and what is stated as a ratio is the median of the rounds' ratios, since a machine
that others use is slow for all alike. Data lies where an fsync means something, so not in memory.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import uvloop

from bench import serving
from bench.service import fanout, footprint, report, rival, without
from bench.service.commands import BareFloor, Contender, Games, Round, Shape
from bench.service.fanout import Told
from bench.serving import Server
from domain.games import GAMES

PARTS = ("commands", "layers", "fanout", "footprint")
FLOOR, CALL, WHOLE = "floor", "floor, a call an append", "the whole service"
GAME = "augsburg"


def arguments() -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(prog="python -m bench.service", description=__doc__)
    parser.add_argument("--only", choices=PARTS, action="append", help="this part only")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of one contender in one round")
    parser.add_argument("--in-flight", type=int, action="append", help="commands at a time (1, 16 and 64)")
    parser.add_argument("--watchers", type=int, default=10_000, help="idle ones, whose memory is stated")
    parser.add_argument("--tables", type=int, default=10_000, help="in the index, whose memory is stated")
    parser.add_argument("--times", type=int, default=20, help="commands that are told to 1,000 watchers, a round")
    parser.add_argument("--no-rival", action="store_true", help="without boardgame.io, which needs node and npm")
    return parser.parse_args()


@contextlib.contextmanager
def served(*servers: Server) -> Iterator[None]:
    """Servers that answer; gone at the end."""
    try:
        for server in servers:
            server.wait()
        yield
    finally:
        for server in servers:
            server.stop()


def floor(directory: Path, *more: str) -> Server:
    """The floor."""
    address = serving.free_address()
    command = [sys.executable, "-m", "bench.service.floor", "--listen", address, "--directory", str(directory), *more]
    return Server(command, address, directory, {})


async def commands(typed: argparse.Namespace, directory: Path) -> None:
    """Commands a second, CPU a command, and how long one takes."""
    shapes = [Shape(number, each) for number in typed.in_flight or (1, 16, 64) for each in (False, True)]
    service, bare, call = (
        serving.service(directory / "service"),
        floor(directory / "floor"),
        floor(directory / "call", "--call"),
    )
    with served(service, bare, call):
        contenders: list[Contender] = [BareFloor(FLOOR, bare), BareFloor(CALL, call)]
        contenders += [Games(game, service) for game in GAMES]
        if not typed.no_rival and rival.installed():
            contenders += [rival.Rival(storage, directory) for storage in ("memory", "flatfile")]
        for shape in shapes:
            report.commands(shape, await _rounds(contenders, shape, typed))


async def _rounds(contenders: Sequence[Contender], shape: Shape, typed: argparse.Namespace) -> dict[str, list[Round]]:
    rounds: dict[str, list[Round]] = {contender.name: [] for contender in contenders}
    for number in range(typed.rounds):
        for contender in contenders:
            rounds[contender.name].append(await contender.round(shape, typed.seconds))
            report.progress(f"{shape}: round {number + 1} of {typed.rounds}, {contender.name}")
    return rounds


async def layers(typed: argparse.Namespace, directory: Path) -> None:
    """What each part of the service costs a command: its CPU, and its CPU without that part."""
    python = (sys.executable, "-m", "bench.service.without")
    whole, bare = serving.service(directory / "whole"), floor(directory / "below")
    stripped = {
        part: serving.service(directory / f"without-{number}", (*python, part, "serve"))
        for number, part in enumerate(without.PARTS)
    }
    with served(whole, bare, *stripped.values()):
        contenders: list[Contender] = [BareFloor(FLOOR, bare), Games(GAME, whole, WHOLE)]
        contenders += [Games(GAME, server, part) for part, server in stripped.items()]
        report.layers(await _rounds(contenders, Shape(16, each=False), typed))


async def fan_out(typed: argparse.Namespace, directory: Path) -> None:
    """How long until the last of 1,000 watchers has heard, and CPU a message; the floor sends as many bytes."""
    for tables in (1, 250):
        with served(service := serving.service(directory / f"fanout-{tables}")):
            audience = await fanout.at_service(service, GAME, tables)
            async with audience.seated():
                size = (await audience.round(2)).size
                with served(bare := floor(directory / f"bare-{tables}", "--message", str(round(size)))):
                    below = await fanout.at_floor(bare, tables)
                    async with below.seated():
                        told, bare_told = await _told((audience, below), typed)
        report.fan_out(tables, fanout.WATCHERS // tables, told, bare_told)


async def _told(audiences: Sequence[fanout.Audience], typed: argparse.Namespace) -> list[list[Told]]:
    rounds: list[list[Told]] = [[] for _ in audiences]
    for number in range(typed.rounds):
        for audience, found in zip(audiences, rounds, strict=True):
            found.append(await audience.round(typed.times))
        report.progress(f"fan-out: round {number + 1} of {typed.rounds}")
    return rounds


async def foot_print(typed: argparse.Namespace, directory: Path) -> None:
    """Memory a piece, and cold loads."""
    with served(service := serving.service(directory / "footprint")):
        table = await footprint.played(service)
        colds = [await footprint.cold(service, table) for _ in range(typed.rounds)]
        stored = footprint.stored(service, table)
        report.progress("footprint: tables in the index")
        listed = await footprint.listed(service, typed.tables)
        report.progress("footprint: idle watchers")
        idle = await footprint.idle(service, typed.watchers)
    report.foot_print(colds, stored, typed.tables, listed, typed.watchers, idle)


async def measure(typed: argparse.Namespace, directory: Path) -> None:
    """All parts, or those that were asked for."""
    parts = {"commands": commands, "layers": layers, "fanout": fan_out, "footprint": foot_print}
    for name in typed.only or PARTS:
        await parts[name](typed, directory)


def main() -> int:
    """Measure and report."""
    typed = arguments()
    report.machine()
    # /tmp may be memory, where an fsync is nothing.
    with (
        tempfile.TemporaryDirectory(prefix="kontor-bench-", dir="/var/tmp") as directory,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        runner.run(measure(typed, Path(directory)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
