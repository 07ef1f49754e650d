"""A table played through the API by players who know no rules, and watched while things break."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from kontor.v1 import Moment
from kontor_client import (
    Client,
    DecisionGone,
    HostedTable,
    KontorError,
    Seat,
    Update,
    Viewer,
    finished,
    random_answer,
)

Trouble = Callable[[], Awaitable[None]]


@dataclass
class Watched:
    """What one watcher was told: every version once, in order, whatever broke meanwhile."""

    viewer: Viewer
    versions: list[int] = field(default_factory=list)
    first: int = 0
    rewound: int = 0
    cut: int = 0

    async def run(self) -> None:
        """Watch until the game is over.

        A stream whose replica dies behind a proxy ends with INTERNAL, without a reason: the proxy can't say more than
        RST_STREAM once a stream has begun. Whoever watches comes back with his cursor.
        """
        moment: Moment | None = None
        while True:
            try:
                async for update in self.viewer.updates(moment):
                    self._take(update)
                    moment = update.view.moment
            except KontorError as error:
                if error.reason:
                    raise
                self.cut += 1
                await asyncio.sleep(0.2)
            else:
                return

    def _take(self, update: Update) -> None:
        if update.rewound:
            self.rewound += 1
            self.versions.clear()
        if not self.first or update.rewound:
            self.first = update.view.moment.version
            return
        self.versions += [change.moment.version for change in update.changes]

    def check(self, last: int) -> None:
        """No version is missing, none came twice."""
        assert self.versions == list(range(self.first + 1, last + 1))


@dataclass
class Played:
    """How a game went."""

    version: int
    answers: int
    watched: list[Watched]


async def seated(client: Client, game: str = "augsburg", seats: int = 2) -> tuple[HostedTable, list[Seat]]:
    """A table that has begun, and its seats."""
    table = await client.create_table(game, seats=seats)
    players = [await table.join(f"Player {number}") for number in range(1, seats + 1)]
    await table.start()
    return table, players


async def answer_once(seats: list[Seat], chance: random.Random) -> bool:
    """One answer by whoever is asked; False when the game is over."""
    while True:
        for seat in seats:
            view = await seat.look()
            if finished(view):
                return False
            if seat.decision:
                try:
                    await seat.submit(random_answer(seat.decision, chance), patience=90)
                except DecisionGone:
                    continue
                return True
        await asyncio.sleep(0.05)


async def play(
    client: Client,
    *,
    troubles: Mapping[int, Trouble] | None = None,
    most: int = 5000,
    game: str = "augsburg",
    watching: Client | None = None,
) -> Played:
    """A whole game, with troubles before the answers of these numbers; seats and a spectator watch all of it."""
    table, seats = await seated(client, game)
    watchers = watching or client
    viewers: list[Viewer] = [watchers.seat(seat.table_id, seat.token) for seat in seats]
    viewers.append(watchers.spectator(table.id, (await table.spectator()).token))
    watched = [Watched(viewer) for viewer in viewers]
    tasks = [asyncio.create_task(one.run()) for one in watched]
    chance = random.Random(7)
    answers = 0
    while answers < most:
        if troubles and answers in troubles:
            await troubles[answers]()
        if not await answer_once(seats, chance):
            break
        answers += 1
    else:
        raise AssertionError(f"the game did not end within {most} answers")
    await asyncio.wait_for(asyncio.gather(*tasks), 60)
    last = (await seats[0].look()).moment.version
    for one in watched:
        one.check(last)
    return Played(last, answers, watched)
