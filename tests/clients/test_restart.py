"""The server goes away in the middle of a game, and comes back: the client goes on, nothing missed, nothing twice."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from domain.games import GAMES
from kontor.v1 import Moment, Phase
from kontor_client import Client, Viewer, random_answer

from .serving import Server

pytestmark = pytest.mark.anyio


async def followed(viewer: Viewer, after: Moment) -> list[int]:
    """The version of every change after a moment."""
    return [change.moment.version async for change in viewer.changes(after)]


async def interrupted(server: Server, end: Callable[[], None], times: int) -> None:
    """End the server and start it again, a few times, whatever the clients do meanwhile."""
    for _ in range(times):
        await asyncio.sleep(0.3)
        await asyncio.to_thread(end)
        await asyncio.sleep(0.2)
        await asyncio.to_thread(server.start)


@pytest.mark.parametrize(("game", "end"), [*((game, "kill") for game in sorted(GAMES)), ("augsburg", "stop")])
async def test_a_game_goes_on_over_restarts(tmp_path: Path, game: str, end: str) -> None:
    """Killed as by the power, or stopped by an operator: both seats and a spectator see every version once."""
    server = Server(tmp_path, "--token-rate", "0", "--peer-rate", "0").start()
    try:
        async with Client(server.address, patience=60) as client, asyncio.timeout(120):
            table = await client.create_table(game, bots=["stand-in"] * (GAMES[game].meta.least_seats - 1))
            seat, spectator = await table.join("Ada"), await table.spectator()
            start = (await seat.look()).moment
            looking = asyncio.create_task(followed(spectator, start))
            trouble = asyncio.create_task(interrupted(server, getattr(server, end), 2))
            await table.start()
            told: list[int] = []
            async for update in seat.updates(start):
                told += [change.moment.version for change in update.changes]
                if seat.decision:
                    await asyncio.sleep(0 if trouble.done() else 0.05)  # so that the game outlasts the trouble
                    await seat.submit(random_answer(seat.decision))
            await trouble
            seen = await looking
        assert seat.view is not None
        assert seat.view.table.phase == Phase.PHASE_OVER
        everything = list(range(start.version + 1, seat.view.moment.version + 1))
        assert told == everything
        assert seen == everything
    finally:
        server.stop()
