"""The nemesis: one fault after the other, chosen by a seed, each healed before the next."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from campaigns.chaos.proxy import Link
from campaigns.chaos.replica import Replica
from campaigns.chaos.stores import Single, Spread, Store, Watched


@dataclass(slots=True)
class Scene:
    """What there is to break."""

    store: Store
    replicas: Sequence[Replica]
    chance: random.Random
    tables: Callable[[], Sequence[str]]  # those being played at
    faults: Counter[str] = field(default_factory=Counter)
    kills: int = 0  # processes ended by kill -9

    async def hold(self, least: float, most: float) -> None:
        """Let a fault last."""
        await asyncio.sleep(self.chance.uniform(least, most))

    def some(self) -> Replica:
        """Some replica."""
        return self.chance.choice(self.replicas)


Fault = Callable[[Scene], Awaitable[None]]


async def kill_service(scene: Scene) -> None:
    """Kill -9 of a replica, under load."""
    victim = scene.some()
    await victim.kill()
    scene.kills += 1
    await scene.hold(0, 0.3)
    await victim.start()


async def kill_all_services(scene: Scene) -> None:
    """Nobody is left for a moment."""
    await asyncio.gather(*(one.kill() for one in scene.replicas))
    scene.kills += len(scene.replicas)
    await asyncio.gather(*(one.start() for one in scene.replicas))


async def drain_service(scene: Scene) -> None:
    """A replica is told to go, as in a rolling deploy."""
    victim = scene.some()
    await victim.drain()
    await victim.start()


async def stop_service(scene: Scene) -> None:
    """SIGSTOP: what it was at goes on later, when others have long been faster."""
    victim = scene.some()
    victim.freeze()
    await scene.hold(0.3, 3)
    victim.thaw()


async def kill_log(scene: Scene) -> None:
    """Kill -9 of the log."""
    assert isinstance(scene.store, Single)
    await scene.store.kill()
    scene.kills += 1
    await scene.hold(0, 1)
    await scene.store.restart()


async def kill_both(scene: Scene) -> None:
    """Kill -9 of the log and of a replica at once."""
    assert isinstance(scene.store, Single)
    victim = scene.some()
    await asyncio.gather(victim.kill(), scene.store.kill())
    scene.kills += 2
    await scene.store.restart()
    await victim.start()


async def stop_log(scene: Scene) -> None:
    """SIGSTOP of the log."""
    assert isinstance(scene.store, Single)
    scene.store.server.freeze()
    await scene.hold(0.3, 3)
    scene.store.server.thaw()


def on_link(of: Callable[[Replica], Link | None], what: Callable[[Link, random.Random], None], most: float) -> Fault:
    """Something befalls a link."""

    async def fault(scene: Scene) -> None:
        link = of(scene.some())
        assert link is not None
        what(link, scene.chance)
        await scene.hold(most / 3, most)
        link.heal()

    return fault


def _log(replica: Replica) -> Link | None:
    return replica.store_link


def _clients(replica: Replica) -> Link | None:
    return replica.link


def _slow(link: Link, chance: random.Random) -> None:
    link.delay = chance.uniform(0.01, 0.3)


def _cut(link: Link, chance: random.Random) -> None:
    link.down = True
    link.cut()


def _mute(link: Link, chance: random.Random) -> None:
    link.mute = True


async def kill_master(scene: Scene) -> None:
    """Kill -9 of the master; a Sentinel promotes another."""
    assert isinstance(scene.store, Watched)
    scene.kills += 1
    await scene.store.promote(lambda old: old.kill(), lambda old, new: old.start(replicaof=f"127.0.0.1 {new.port}"))


async def kill_master_and_service(scene: Scene) -> None:
    """Both at once."""
    victim = scene.some()
    await victim.kill()
    scene.kills += 1
    await (kill_master if isinstance(scene.store, Watched) else kill_primary)(scene)
    await victim.start()


async def stop_master(scene: Scene) -> None:
    """SIGSTOP of the master until another is promoted: it comes back believing that it is one."""
    assert isinstance(scene.store, Watched)
    await scene.store.promote(lambda old: old.freeze(), lambda old, new: old.thaw())


async def promote(scene: Scene) -> None:
    """A living master is replaced under load."""
    store = scene.store
    assert isinstance(store, Watched)
    await store.promote(lambda _: store.hand_over(), lambda old, new: None, store.hand_over)


async def kill_primary(scene: Scene) -> None:
    """Kill -9 of a primary of the Cluster; its replica takes over."""
    assert isinstance(scene.store, Spread)
    if tables := scene.tables():
        scene.kills += 1
        await scene.store.promote(scene.chance.choice(tables), lambda old, new: old.kill(), lambda old: old.start())


async def stop_primary(scene: Scene) -> None:
    """SIGSTOP of a primary until its replica has taken over."""
    assert isinstance(scene.store, Spread)
    if tables := scene.tables():
        await scene.store.promote(scene.chance.choice(tables), lambda old, new: old.freeze(), lambda old: old.thaw())


async def hand_over_primary(scene: Scene) -> None:
    """A living primary hands over to its replica."""
    assert isinstance(scene.store, Spread)
    if tables := scene.tables():
        await scene.store.promote(
            scene.chance.choice(tables),
            lambda old, new: new.client.execute_command("CLUSTER FAILOVER"),
            lambda old: None,
        )


async def move_slot(scene: Scene) -> None:
    """A table moves to another primary under load."""
    assert isinstance(scene.store, Spread)
    if tables := scene.tables():
        await scene.store.move(scene.chance.choice(tables))


SERVICES: dict[str, Fault] = {
    "kill service": kill_service,
    "stop service": stop_service,
    "drain service": drain_service,
    "cut clients": on_link(_clients, _cut, 0.5),
    "mute clients": on_link(_clients, _mute, 1.0),
    "slow clients": on_link(_clients, _slow, 1.5),
}
SINGLE: dict[str, Fault] = SERVICES | {
    "kill log": kill_log,
    "kill both": kill_both,
    "kill all services": kill_all_services,
    "stop log": stop_log,
    "cut log": on_link(_log, _cut, 0.5),
    "mute log": on_link(_log, _mute, 1.5),
    "slow log": on_link(_log, _slow, 1.5),
}
WATCHED: dict[str, Fault] = SERVICES | {
    "kill master": kill_master,
    "kill both": kill_master_and_service,
    "stop master": stop_master,
    "promote": promote,
}
SPREAD: dict[str, Fault] = SERVICES | {
    "kill primary": kill_primary,
    "kill both": kill_master_and_service,
    "stop primary": stop_primary,
    "hand over": hand_over_primary,
    "move slot": move_slot,
}


async def torment(scene: Scene, faults: dict[str, Fault], pause: float, more: Callable[[], bool]) -> None:
    """One fault after the other: first each once, in an order of chance, then any."""
    waiting: list[str] = []
    while more():
        if not waiting:
            waiting = scene.chance.sample(sorted(faults), len(faults))
        name = waiting.pop()
        scene.faults[name] += 1
        await faults[name](scene)
        await scene.hold(0, 2 * pause)
