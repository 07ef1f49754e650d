"""A store of one or two servers: what one writes reaches the other a little later, and either may become the master."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass

from campaigns.sim.node import Node
from service.log.hints import Mailbox

WAIT = 1.0  # seconds in which the replica must have an entry


@dataclass(frozen=True, slots=True)
class Weather:
    """How often something goes wrong, of all calls of the store."""

    refused: float = 0.0  # before the write, and told
    unsent: float = 0.0  # before the write, and nobody can tell
    unheard: float = 0.0  # after the write: the answer is lost
    late: float = 0.0  # nobody can tell, and the write comes later
    unread: float = 0.0  # reads that fail
    slow: float = 0.0  # calls that take long
    muffled: float = 0.0  # hints that are lost without a word
    deaf: float = 0.0  # hints in whose place the subscription breaks


CALM = Weather()
FOUL = Weather(refused=0.03, unsent=0.02, unheard=0.04, late=0.02, unread=0.03, slow=0.02, muffled=0.05, deaf=0.003)


class Store:
    """The servers, and who listens to them."""

    def __init__(self, chance: random.Random, weather: Weather = CALM, *, replicated: bool = False) -> None:
        self.chance = chance
        self.weather = weather
        self.master = Node()
        self.replica: Node | None = Node() if replicated else None
        self.replicated = replicated
        self.tally: Counter[str] = Counter()
        self.mailboxes: list[Mailbox] = []
        self.stalled = False  # the replica hears nothing

    def happens(self, share: float) -> bool:
        """Whether something of this likelihood happens now."""
        return share > 0 and self.chance.random() < share

    async def travel(self) -> None:
        """The way of a message."""
        slow = self.happens(self.weather.slow)
        await asyncio.sleep(self.chance.uniform(0.2, 6) if slow else self.chance.uniform(0.0005, 0.01))

    async def safe(self, node: Node) -> bool:
        """Wait until the replica has all that a server holds now; whether it does in time."""
        if not self.replicated:
            return True
        await asyncio.sleep(self.chance.uniform(0.0005, 0.01))
        if node is not self.master or self.replica is None or self.stalled:
            await asyncio.sleep(WAIT)
            return False
        for table, entries in node.streams.items():
            known = self.replica.streams.setdefault(table, [])
            known += entries[len(known) :]
        return True

    async def fail_over(self) -> None:
        """The replica is promoted with what it has; the old master comes back as its replica, a while later."""
        assert self.replica is not None
        self.tally["failovers"] += 1
        old, self.master, self.replica = self.master, self.replica, None
        self.master.sets = old.sets
        await asyncio.sleep(self.chance.uniform(0.05, 1))
        self.replica = self.master.copy()

    def publish(self, table: str, version: int) -> None:
        """Tell all who listen, each in his time, or not at all."""
        for mailbox in list(self.mailboxes):
            if self.happens(self.weather.muffled):
                self.tally["hints lost"] += 1
            elif self.happens(self.weather.deaf):
                self.tally["subscriptions broken"] += 1
                mailbox.lost()
                self.later(self.chance.uniform(0.1, 3), mailbox.live)
            else:
                self.later(self.chance.choice((0.001, 0.001, 0.02, 2.0)), mailbox.hint, table, version)

    def later(self, seconds: float, work: object, *arguments: object) -> None:
        """Do something when some time has passed."""
        asyncio.get_running_loop().call_later(seconds, work, *arguments)  # type: ignore[arg-type] # as asyncio takes it
