"""The campaign: pairs of all games in turn, several at a time, until enough was compared."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from campaigns.leaks.books import differences, settled
from campaigns.leaks.difference import Difference
from campaigns.leaks.pairs import Pair
from campaigns.leaks.servers import Servers
from campaigns.leaks.table import Table
from campaigns.leaks.tally import Tally
from campaigns.leaks.visit import visit
from campaigns.leaks.wire import Ends

AT_A_TIME = 12  # tables


@dataclass
class Found:
    """Something that differs, and the pair by which it is seen again."""

    text: str
    pair: str = ""


@dataclass
class Outcome:
    """What a run compared and what it found."""

    tallies: dict[str, Tally] = field(default_factory=dict)  # by game
    found: list[Found] = field(default_factory=list)
    lines: int = 0
    figures: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def comparisons(self) -> int:
        """Pairs of messages that were compared."""
        return sum(tally.comparisons for tally in self.tallies.values())

    def tally(self, pair: Pair) -> Tally:
        """Where a pair is counted."""
        return self.tallies.setdefault(pair.game.meta.id, Tally())


async def run(
    servers: Servers,
    pairs: Iterator[Pair],
    more: Callable[[Outcome], bool],
    *,
    at_a_time: int = AT_A_TIME,
    proven: bool = True,
) -> Outcome:
    """Compare pairs while there are more to be compared, then the books; the first difference ends it.

    That the servers are where the true rules have led is proven, unless only what differs between them shall count.
    """
    outcome, tables, ends, books = Outcome(), dict[str, str](), Ends(servers.addresses), servers.books()
    secret = servers.secret()

    async def work() -> None:
        for pair in pairs:
            if not more(outcome):
                return
            if pair.identical:
                outcome.tally(pair).figures["identical twins"] += 1
                continue
            table = Table(pair, ends, outcome.tally(pair), secret)
            try:
                await visit(table, proven=proven)
            except Difference as difference:
                outcome.found.append(Found(str(difference), pair.name))
                raise
            tables[table.id] = pair.name

    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(at_a_time):
                workers.create_task(work())
    except* Difference:
        pass  # it is in the outcome
    finally:
        await ends.close()
    pages = await settled(books, broken_off=bool(outcome.found))
    if not outcome.found:
        outcome.lines, outcome.figures = pages[0].lines.total(), len(pages[0].figures)
        outcome.found += [Found(text, tables.get(table, "")) for table, text in differences(pages)]
    return outcome
