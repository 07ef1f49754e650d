"""What whole games leave in the logs and metrics of a server: nothing that anybody hid."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from domain.editions import builtin
from domain.games import GAMES
from kontor_client import Client, random_answer
from service.host import Host
from service.log import open_log
from service.metrics import REGISTRY

from .serving import Server

pytestmark = pytest.mark.anyio


async def played(server: Server, name: str) -> tuple[str, list[str]]:
    """A whole game of two people and bots; its table, and the tokens that were given out."""
    async with Client(server.address) as client:
        table = await client.create_table(name, bots=["random"] * (GAMES[name].meta.least_seats - 1))
        seat = await table.join("Ada")
        await table.start()
        async for _ in seat.updates():
            if seat.decision:
                await seat.submit(random_answer(seat.decision))
        return table.id, [seat.token, table.token]


@pytest.mark.parametrize("name", GAMES)
async def test_the_log_of_a_whole_game_tells_no_secret(tmp_path: Path, name: str) -> None:
    """No card, seed, salt, tag, token or answer of a game stands in any line that the server logged."""
    server = Server(tmp_path, "--token-rate", "0", "--peer-rate", "0", "--log-level", "debug").start()
    table, tokens = await asyncio.wait_for(played(server, name), 60)
    server.stop()
    lines = server.log
    assert lines.count(table) > 10  # the game was logged
    log = await open_log("embedded:", tmp_path / "data" / "log")
    life = await Host(log, GAMES).fresh(table)
    await log.close()
    assert life.founded is not None
    hidden = [life.founded.seed, life.founded.salt, *tokens, *(entry.salt for entry in life.entries)]
    hidden += [component.key for component in _components(GAMES[name])]
    assert [secret for secret in hidden if secret in lines] == []


def test_metrics_have_few_labels_and_no_secret_in_them() -> None:
    """A metric counts calls by method and status; no label could hold a card, a seat or a table."""
    labels = {label for metric in REGISTRY.collect() for sample in metric.samples for label in sample.labels}
    assert labels <= {"method", "status", "le"}


def _components(game: Any) -> list[Any]:
    """What has a name of its own: short plain words, `5` or `inn`, would be found anywhere."""
    every = game.components(builtin(game, game.meta.editions[0]))
    return [component for component in every if "-" in component.key]


def test_lines_are_json(tmp_path: Path) -> None:
    """So that a machine can read them: the search above goes over whole lines."""
    server = Server(tmp_path).start()
    server.stop()
    assert all(json.loads(line)["event"] for line in server.log.splitlines())
