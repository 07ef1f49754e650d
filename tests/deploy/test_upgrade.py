"""A rolling upgrade with tables in play: two versions of the service on one log."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kontor_client import Client, Unavailable
from tests.deploy.playing import answer_once, seated
from tests.deploy.rendered import ROOT
from tests.deploy.replicas import Replica
from tests.service.log.servers import Process

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the service in which Augsburg's rules are one version ahead, with the upcaster that a release has."""
    place = tmp_path_factory.mktemp("newer")
    leave = shutil.ignore_patterns("__pycache__")
    for name in ("domain", "service", "clients/python"):
        shutil.copytree(ROOT / name, place / name, ignore=leave)
    file = place / "domain/augsburg/__init__.py"
    text = file.read_text()
    (number,) = re.findall(r"rules_version=(\d+)", text)
    text = text.replace(f"rules_version={number}", f"rules_version={int(number) + 1}")
    file.write_text(f"{text}\nupcasts = {{**globals().get('upcasts', {{}}), {number}: lambda entry: entry}}\n")
    raise_stored(place / "domain/augsburg/stored")
    return place


def raise_stored(folder: Path) -> None:
    """The lock files of the stored values, where a version has them, for the raised version too."""
    for file in sorted(folder.glob("*")) if folder.exists() else ():
        number, _, kind = file.name.partition(".")
        if number.isdigit() and not (folder / f"{int(number) + 1}.{kind}").exists():
            shutil.copy(file, folder / f"{int(number) + 1}.{kind}")


async def test_old_and_new_on_one_log(replica: Callable[..., Replica], server: Process, newer: Path) -> None:
    """The new one plays tables of the old; then the old one sends callers on (UNAVAILABLE), and nothing is lost."""
    old, new = replica(server.url).ready(), replica(server.url, source=newer).ready()
    chance = random.Random(5)
    async with Client(old.address, patience=60) as at_old, Client(new.address, patience=60) as at_new:
        table, seats = await seated(at_old)
        for _ in range(5):
            assert await answer_once(seats, chance)
        before = (await seats[0].look()).moment
        moved = [at_new.seat(table.id, seat.token) for seat in seats]
        assert (await moved[0].look()).moment == before
        assert await answer_once(moved, chance)
        after = (await moved[0].look()).moment
        assert after.version > before.version

        hasty = Client(old.address, patience=0)
        with pytest.raises(Unavailable) as caught:
            await hasty.seat(table.id, seats[0].token).look()
        assert caught.value.reason == "NEWER_RULES"
        assert caught.value.retry
        await hasty.close()
        # The old replica goes on serving what it knows, and is neither dead nor unready.
        assert old.health() == old.health("liveness") == "SERVING"
        other, others = await seated(at_old)
        assert await answer_once(others, chance)
        assert old.drain() == 0
        # Both tables are played to their end by the new one.
        for each in (moved, [at_new.seat(other.id, seat.token) for seat in others]):
            while await answer_once(each, chance):
                pass
    assert "Traceback" not in old.said + new.said


async def test_a_client_that_knows_both_never_notices(
    replica: Callable[..., Replica], server: Process, newer: Path
) -> None:
    """Calls that the old replica sends on are repeated and reach the new one."""
    old, new = replica(server.url).ready(), replica(server.url, source=newer).ready()
    policy = '{"loadBalancingConfig": [{"round_robin": {}}]}'
    both = f"ipv4:{old.address},{new.address}"
    async with Client(both, patience=60, options=(("grpc.service_config", policy),)) as client:
        _, seats = await seated(client)
        chance = random.Random(6)
        for number in range(12):
            if number == 6:
                assert old.drain() == 0
            assert await answer_once(seats, chance)
