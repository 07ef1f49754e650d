"""Arguments checked: what is wrong is told in one sentence that names what is valid."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from domain.engine import Illegal
from domain.table import Bot, Table, open_table
from domain.values import Fact
from service.phrases import Phrases
from service.simulate import KINDS


class UsageError(Exception):
    """Arguments that can't be served, in one sentence."""


def number(least: int, most: int) -> Callable[[str], int]:
    """An argument that is a whole number in a range."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 20 or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")
        return int(text)

    return read


def known_game(games: Mapping[str, Any], name: str) -> Any:
    """The game of this id."""
    if name not in games:
        raise UsageError(f"there is no game {name!r}; valid: {', '.join(sorted(games))}")
    return games[name]


def known_seats(game: Any, seats: int | None) -> int:
    """A number of players that the game is made for; four, or as many as it takes, if none was named."""
    least, most = game.meta.least_seats, game.meta.most_seats
    if seats is None:
        return min(4, int(most))
    if not least <= seats <= most:
        raise UsageError(f"{game.meta.title} is not for {seats} players; valid: {least} to {most}")
    return seats


def known_bots(text: str, seats: int) -> tuple[Bot, ...]:
    """Kinds of bots, not more than there are seats."""
    valid = {str(kind): kind for kind in KINDS}
    kinds = [part.strip() for part in text.split(",")]
    for kind in kinds:
        if kind not in valid:
            raise UsageError(f"there is no bot {kind!r}; valid: {', '.join(valid)}")
    if len(kinds) > seats:
        raise UsageError(f"{len(kinds)} bots are too many for {seats} players; valid: 1 to {seats}")
    return tuple(valid[kind] for kind in kinds)


def opened(game: Any, edition: str | None, settings: list[str]) -> Table:
    """A table of this edition with these settings, each written as `name=value`."""
    chosen = []
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"--set {setting!r} has no value; write it as name=value")
        chosen.append(Fact(name, value))
    try:
        return open_table(game.meta, edition or game.meta.editions[0], tuple(chosen)).table
    except Illegal as illegal:
        sentence = Phrases(game).refusal(illegal.refusal)
        raise UsageError(f"{game.meta.title}: {sentence[:1].lower()}{sentence[1:].rstrip('.')}") from None
