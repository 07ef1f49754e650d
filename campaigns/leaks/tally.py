"""What was compared, and what must have been."""

from __future__ import annotations

from collections import Counter
from typing import Any

from campaigns.leaks.pairs import Pair, begun
from tests.conformance import subjects

MESSAGES = (
    "CreateTable", "JoinTable", "StartTable", "CreateViewToken", "RenewToken", "GetTable", "GetView",
    "GetView of an earlier version", "GetView of a second screen", "ListChanges", "ListChanges with views",
    "WatchView", "WatchView resumed", "WatchView of another history", "SubmitCommand", "SubmitCommand repeated",
    "refused: another's answer", "refused: a decision gone", "refused: an answer changed", "refused: a foreign key",
    "refused: undecodable", "refused: an id used before", "refused: a view token", "refused: no such version",
)  # fmt: skip
"""All kinds of messages that are compared."""

VIEWERS = ("spectator", "seat")

FIGURES = ("tables", "tables seen to differ by another", "commands", "commands with other secrets", "reveals")


class Tally:
    """Counts of one game, or of all."""

    def __init__(self) -> None:
        self.messages: Counter[str] = Counter()
        self.viewers: Counter[str] = Counter()
        self.starts: Counter[str] = Counter()  # of the games that were compared along
        self.positions: Counter[str] = Counter()
        self.figures: Counter[str] = Counter()

    @property
    def comparisons(self) -> int:
        """Pairs of messages that were compared."""
        return self.messages.total()

    def compared(self, pair: Pair, kind: str) -> None:
        """Two messages of this kind were compared."""
        self.messages[kind] += 1
        self.viewers[VIEWERS[bool(pair.viewer)]] += 1
        if pair.position:
            self.positions[pair.position] += 1
        else:
            self.starts[begun(pair.start)] += 1

    def missing(self, game: Any) -> list[str]:
        """What of a game was never compared."""
        positions = subjects.subject(game.meta.id).positions
        needed = [
            *((kind, self.messages[kind]) for kind in MESSAGES),
            *((f"position {position!r}", self.positions[position]) for position in positions),
            *((f"a {viewer} as viewer", self.viewers[viewer]) for viewer in VIEWERS),
            *((f"a game of {start}", self.starts[start]) for start in map(begun, subjects.starts(game))),
            *((name, self.figures[name]) for name in FIGURES),
        ]
        return [f"{game.meta.id}: {what}" for what, times in needed if not times]
