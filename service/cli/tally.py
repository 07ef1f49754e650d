"""What a series of games comes to: plain numbers under stable names, the same on any machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import resources
from math import sqrt
from statistics import mean, median
from typing import Any

from domain.rulebook import parse
from domain.table import Bot, Table
from domain.values import members
from service.simulate import Played

Z = 1.959964  # 95 % of a normal distribution lie within so many deviations
RARE = 0.1  # of the games
SENTENCE = 64


def tally(game: Any, table: Table, kinds: Sequence[Bot], seed: int, played: Sequence[Played]) -> dict[str, Any]:
    """All counts of a series."""
    seats = len(played[0].points)
    return {
        "game": game.meta.id,
        "rules_version": game.meta.rules_version,
        "edition": table.edition,
        "settings": {setting.name: setting.value for setting in table.settings},
        "players": seats,
        "games": len(played),
        "seed": seed,
        "bots": [str(kind) for kind in kinds],
        "length": {
            "commands": spread(one.commands.total() for one in played),
            "events": spread(one.events for one in played),
        },
        "by_seat": [
            {"seat": seat + 1, **_won([(one.points[seat], one.shares[seat]) for one in played])}
            for seat in range(seats)
        ],
        "by_bot": [{"bot": str(kind), **_won(list(_of_kind(kind, played)))} for kind in dict.fromkeys(kinds)],
        "commands": [
            {"command": name, **counts}
            for name, counts in _occurred([one.commands for one in played], members(game.Command)).items()
        ],
        "rules": _rules(game, [one.rules for one in played]),
        "decided_by": dict(sorted(Counter(one.decided_by for one in played).items())),
    }


def spread(numbers: Iterable[int]) -> dict[str, float]:
    """Least, middle, most and mean."""
    known = list(numbers)
    return {"min": min(known), "median": median(known), "max": max(known), "mean": round(mean(known), 3)}


def wilson(wins: float, tries: int) -> tuple[float, float]:
    """The interval that holds the true rate with 95 % confidence, by Wilson's score."""
    rate, square = wins / tries, Z * Z
    middle = rate + square / (2 * tries)
    half = Z * sqrt(rate * (1 - rate) / tries + square / (4 * tries * tries))
    scale = 1 + square / tries
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def _of_kind(kind: Bot, played: Iterable[Played]) -> Iterable[tuple[int, float]]:
    for one in played:
        for bot, points, share in zip(one.bots, one.points, one.shares, strict=True):
            if bot == kind:
                yield points, share


def _won(scores: Sequence[tuple[int, float]]) -> dict[str, Any]:
    """Points and victories of so many seats in so many games; a shared victory counts as a share."""
    wins = sum(share for _, share in scores)
    low, high = wilson(wins, len(scores))
    return {
        "played": len(scores),
        "points": spread(points for points, _ in scores),
        "wins": round(wins, 6),
        "win_rate": round(wins / len(scores), 6),
        "win_rate_low": round(low, 6),
        "win_rate_high": round(high, 6),
    }


def _occurred(counters: Sequence[Counter[str]], known: Iterable[str]) -> dict[str, dict[str, int | bool]]:
    """How often each thing occurred, in how many games, and whether in few of them; also what never did."""
    whole: Counter[str] = Counter()
    games: Counter[str] = Counter()
    for counter in counters:
        whole.update(counter)
        games.update(counter.keys())
    names = [*known, *sorted(whole.keys() - set(known))]
    few = RARE * len(counters)
    return {name: {"times": whole[name], "in_games": games[name], "rare": games[name] < few} for name in names}


def _rules(game: Any, counters: Sequence[Counter[str]]) -> list[dict[str, Any]]:
    """The rules by which something happened, in the order of the rules page."""
    sentences = {
        rule.id: rule.sentence for rule in parse(resources.files(game).joinpath("rules.md").read_text("utf-8"))
    }
    named = (getattr(event, "rule", None) for event in members(game.Event).values())
    occurred = _occurred(counters, {rule for rule in named if isinstance(rule, str)})
    return [
        {
            "rule": rule,
            **occurred[rule],
            "rare": occurred[rule]["in_games"] < RARE * len(counters),
            "says": _short(says),
        }
        for rule, says in sentences.items()
        if rule in occurred
    ]


def _short(sentence: str) -> str:
    """The beginning of a rule's sentence, cut between words."""
    if len(sentence) <= SENTENCE:
        return sentence
    return f"{sentence[:SENTENCE].rsplit(' ', 1)[0].rstrip(',;:')} …"
