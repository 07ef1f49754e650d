"""A service that tells each answer it has acknowledged, until it is killed: run by the test of durability.

python -m tests.service.host.acknowledging DIRECTORY
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from domain.games import GAMES
from service.auth import Keys
from service.log import Settings, open_log
from tests.service.host.house import Clock, House, Replica


async def replica_in(directory: Path) -> Replica:
    """A replica at the embedded log of a directory, with the keys that lie there."""
    log = await open_log("embedded:", directory / "log", Settings())
    return Replica(log, GAMES, Keys.in_file(directory / "keys.pem"), Clock(), 2**26)


async def main(directory: Path) -> None:
    """Play, and tell what was acknowledged: table, token, request and change, a line each."""
    here = await replica_in(directory)
    house = House()
    table = await house.playing(here, "Anna", "Bartl", "Clara")
    while True:
        seat = (await here.host.fresh(table.id)).waiting[0]
        request = await table.answer(here, seat)
        answer = await table.submit(here, request, seat)
        told = (request.SerializeToString().hex(), answer.change.SerializeToString().hex())
        sys.stdout.write(" ".join((table.seats[seat - 1], *told)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
