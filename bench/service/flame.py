"""Where the time of a command goes: a flame graph of the service under load, by py-spy.

    python -m bench.service.flame [--game augsburg] [--seconds 12] [--in-flight 16] [--output docs/command-path.svg]

Samples are taken of whoever holds the interpreter's lock. What gRPC and the loop do in C stands as `Runner.run` itself.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import serving
from bench.service.commands import Games, Shape
from domain.games import GAMES

RATE = 400  # samples a second
MOST = 2000  # commands a second


async def record(server: serving.Server, typed: argparse.Namespace) -> None:
    """Play, and look on."""
    games = Games(typed.game, server)
    shape = Shape(typed.in_flight, each=False)
    await games.round(shape, 2)  # what is loaded once is not shown
    tables = await games.ready(typed.seconds * MOST, 2 * typed.in_flight)
    spy = await asyncio.create_subprocess_exec(
        *(str(Path(sys.executable).with_name("py-spy")), "record", "--gil", "--function", "--pid"),
        *(str(server.process.pid), "--duration", str(typed.seconds), "--rate", str(RATE)),
        *("--output", str(typed.output)),
        stdout=subprocess.DEVNULL,
    )
    await games.play(tables, shape, typed.seconds + 2)
    if await spy.wait():
        raise SystemExit("py-spy has failed; it may need to be root to look into another process")
    told = f"{typed.game}, {typed.in_flight} commands in flight: where the interpreter's time goes"
    typed.output.write_text(re.sub(r"py-spy record[^<]*|[^<>]*/py-spy record[^<]*", told, typed.output.read_text()))
    print(f"The flame graph stands in {typed.output}.")


def main() -> int:
    """Record one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, default="augsburg")
    parser.add_argument("--seconds", type=int, default=12)
    parser.add_argument("--in-flight", type=int, default=16)
    parser.add_argument("--output", type=Path, default=Path("docs/command-path.svg"))
    typed = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kontor-flame-", dir="/var/tmp") as directory:
        server = serving.service(Path(directory))
        try:
            server.wait()
            asyncio.run(record(server, typed))
        finally:
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
