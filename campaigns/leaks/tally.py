"""What was compared, and what must have been."""

from __future__ import annotations

from collections import Counter
from typing import Any

from campaigns.leaks.pairs import Pair
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


class Tally:
    """Counts of one game, or of all."""

    def __init__(self) -> None:
        self.messages: Counter[str] = Counter()
        self.viewers: Counter[str] = Counter()
        self.players: Counter[int] = Counter()
        self.positions: Counter[str] = Counter()
        self.figures: Counter[str] = Counter()  # tables, commands, reveals, identical twins

    @property
    def comparisons(self) -> int:
        """Pairs of messages that were compared."""
        return self.messages.total()

    def compared(self, pair: Pair, kind: str) -> None:
        """Two messages of this kind were compared."""
        self.messages[kind] += 1
        self.viewers[VIEWERS[bool(pair.viewer)]] += 1
        self.players[pair.players] += 1
        if pair.position:
            self.positions[pair.position] += 1

    def missing(self, game: Any) -> list[str]:
        """What of a game was never compared."""
        name, positions = game.meta.id, subjects.subject(game.meta.id).positions
        counts = range(game.meta.least_seats, game.meta.most_seats + 1)
        absent = [kind for kind in MESSAGES if not self.messages[kind]]
        absent += [f"position {position!r}" for position in positions if not self.positions[position]]
        absent += [f"a {viewer} as viewer" for viewer in VIEWERS if not self.viewers[viewer]]
        absent += [f"{players} players" for players in counts if not self.players[players]]
        return [f"{name}: {what}" for what in absent]
