"""Two replicas on one log, as every installation runs them, without containers: a game goes on whatever ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from kontor_client import Client
from tests.deploy.playing import play
from tests.deploy.replicas import Replica
from tests.service.log.servers import Process

pytestmark = pytest.mark.anyio


async def test_a_game_goes_on_elsewhere(replica: Callable[..., Replica], server: Process) -> None:
    """The client knows both addresses; one replica is drained, the log is killed and comes back."""
    first, second = replica(server.url).ready(), replica(server.url).ready()

    async def drain() -> None:
        assert await asyncio.to_thread(first.drain) == 0

    async def kill_log() -> None:
        server.kill()
        asyncio.get_running_loop().call_later(1, server.start)

    both = f"ipv4:{first.address},{second.address}"
    async with Client(both, patience=60) as client:
        played = await play(client, troubles={15: drain, 30: kill_log})
    assert played.answers > 30
