"""What a client says by itself: names of seats, things and rules, from the table and the game's catalogue alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fluent.runtime import FluentBundle, FluentResource

from kontor.v1 import Game, Table

SEAT = re.compile(r"seat-(\d+)")
KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
NOBODY = "nobody"


class Words:
    """The words of one game at one table."""

    def __init__(self, game: Game, table: Table) -> None:
        self.title = game.summary.title
        self._bundle = FluentBundle(["en"], use_isolating=False)
        self._bundle.add_resource(FluentResource(game.phrases))
        self._rules = {rule.id: rule.sentence for rule in game.rules}
        self.names: dict[int, str] = {}
        self.sit(table)

    def sit(self, table: Table) -> None:
        """Take the names from a table."""
        self.names = {seat.number: seat.name for seat in table.seats}

    def name(self, seat: int) -> str:
        """Who sits on a seat."""
        return self.names.get(seat, f"Seat {seat}") if seat else NOBODY

    def key(self, key: str) -> str:
        """What a key names: a seat by its player, a thing by its phrase or else by the key's own words."""
        if seat := SEAT.fullmatch(key):
            return self.name(int(seat[1]))
        if not KEY.fullmatch(key) or key == NOBODY:
            return key
        return self._message(f"key-{key}") or " ".join(word.capitalize() for word in key.split("-"))

    def keys(self, keys: Iterable[str]) -> str:
        """Several things, equal ones together with their number."""
        numbers: dict[str, int] = {}
        for key in keys:
            numbers[key] = numbers.get(key, 0) + 1
        return ", ".join(self.key(key) if number == 1 else f"{number} × {self.key(key)}" for key, number in numbers.items())  # fmt: skip  # noqa: E501, RUF001 - times

    def source(self, source: str) -> str:
        """Where points came from."""
        return self._message(f"source-{source}") or self.key(source)

    def rule(self, rule: str) -> str:
        """A rule in words; nothing if the catalogue does not know it."""
        return self._rules.get(rule, "")

    def _message(self, key: str) -> str:
        if not self._bundle.has_message(key):
            return ""
        pattern = self._bundle.get_message(key).value
        said, errors = self._bundle.format_pattern(pattern, {}) if pattern else ("", [])
        return "" if errors else str(said)
