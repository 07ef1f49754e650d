"""Backup and restore: a restore that goes back in time is said by everyone who knew better."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kontor_client import Client
from service.auth import new_key
from tests.deploy.playing import answer_once, seated
from tests.deploy.replicas import Replica
from tests.service.log.servers import Process

pytestmark = pytest.mark.anyio
Start = Callable[..., Replica]


def backup(server: Process, place: Path) -> Path:
    """As docs/operating.md tells: no rewrite meanwhile, then the folder of the AOF as it is.

    The newest file is only ever appended to, so a copy of it ends at some entry; a torn last one is cut at the start.
    """
    before = server.client.config_get("auto-aof-rewrite-percentage")["auto-aof-rewrite-percentage"]
    server.client.config_set("auto-aof-rewrite-percentage", "0")
    shutil.copytree(server.directory / "appendonlydir", place)
    server.client.config_set("auto-aof-rewrite-percentage", before)
    return place


def restore(server: Process, place: Path) -> None:
    """The server down, its folder replaced, the server up."""
    server.kill()
    shutil.rmtree(server.directory / "appendonlydir")
    shutil.copytree(place, server.directory / "appendonlydir")
    server.start()


async def test_a_restore_is_told_to_everyone(replica: Start, server: Process, tmp_path: Path) -> None:
    """Replicas that had the table cached log and count it; a watcher and a client with a newer cursor are told."""
    one, other = replica(server.url).ready(), replica(server.url).ready()
    chance = random.Random(3)
    async with Client(one.address, patience=60) as client, Client(other.address, patience=60) as elsewhere:
        table, seats = await seated(client)
        for _ in range(6):
            assert await answer_once(seats, chance)
        kept = backup(server, tmp_path / "backup")
        at_backup = (await seats[0].look()).moment
        for _ in range(6):
            assert await answer_once(seats, chance)
        newest = (await seats[0].look()).moment
        assert newest.version > at_backup.version
        watcher = client.seat(table.id, seats[0].token)
        updates = watcher.updates()
        assert (await anext(updates)).view.moment == newest
        there = elsewhere.seat(table.id, seats[1].token)
        await there.look()

        restore(server, kept)
        one.ready()
        other.ready()

        told = await anext(updates)
        assert told.rewound
        assert told.view.moment == at_backup
        assert (await there.look()).moment == at_backup
        # A third replica never saw what is gone; the client's cursor tells it all the same.
        third = replica(server.url).ready()
        async with Client(third.address, patience=60) as fresh:
            seat = fresh.seat(table.id, seats[0].token)
            first = await anext(seat.updates(newest))
            assert first.rewound
            assert first.view.moment == at_backup
        # The game goes on from there.
        for _ in range(3):
            assert await answer_once([client.seat(table.id, seat.token) for seat in seats], chance)
    for each in (one, other):
        assert "rewound" in each.said
        assert _metric(each, "kontor_rewinds_total") >= 1


async def test_a_backup_of_a_running_server_is_whole(replica: Start, server: Process, tmp_path: Path) -> None:
    """Taken in the middle of play: what was acknowledged before the copy began is in it."""
    one = replica(server.url).ready()
    async with Client(one.address, patience=60) as client:
        table, seats = await seated(client)
        chance = random.Random(4)
        for _ in range(10):
            await answer_once(seats, chance)
        acknowledged = (await seats[0].look()).moment
        kept = backup(server, tmp_path / "backup")
    copy = Process(tmp_path / "copy")
    shutil.copytree(kept, copy.directory / "appendonlydir")
    copy.start()
    try:
        second = replica(copy.url).ready()
        async with Client(second.address, patience=60) as client:
            assert (await client.seat(table.id, seats[0].token).look()).moment == acknowledged
    finally:
        copy.stop()


async def test_keys_are_rotated_without_logging_anyone_out(replica: Start, server: Process, tmp_path: Path) -> None:
    """In three steps, as docs/operating.md tells; only the last one ends old tokens."""
    old, new = new_key(), new_key()
    file = tmp_path / "rotated.pem"

    async def works(token: str, table_id: str) -> bool:
        one = replica(server.url, keys_file=str(file)).ready()
        async with Client(one.address, patience=5) as client:
            try:
                await client.seat(table_id, token).look()
            except Exception:  # noqa: BLE001 - whatever it is, it does not work
                return False
            return True

    file.write_text(old)
    first = replica(server.url, keys_file=str(file)).ready()
    async with Client(first.address, patience=60) as client:
        table, seats = await seated(client)
        token = seats[0].token
    for text, expected in ((old + new, True), (new + old, True), (new, False)):
        file.write_text(text)
        assert await works(token, table.id) is expected


def _metric(one: Replica, name: str) -> float:
    import urllib.request  # noqa: PLC0415

    with urllib.request.urlopen(f"http://127.0.0.1:{one.metrics_port}/metrics", timeout=5) as page:
        lines = page.read().decode().splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(name))
