"""The counts of a series, laid out for a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from domain.course import phrase
from service.cli.screen import screen, table


def print_report(game: Any, counts: Mapping[str, Any]) -> None:
    """Print everything that was counted."""
    console = screen()
    games = counts["games"]
    console.print(Text(_headline(game, counts), style="bold"))
    for made in (_length(counts), _by_seat(counts), _by_bot(counts), _commands(counts), _rules(counts)):
        console.print()
        console.print(made)
    decided = ", ".join(f"{rule} {number / games:.0%}" for rule, number in counts["decided_by"].items())
    console.print()
    console.print(f"The winner was decided by {decided}.")
    console.print("A shared victory counts as a share of one. The intervals are Wilson's, at 95 %.")


def _headline(game: Any, counts: Mapping[str, Any]) -> str:
    settings = "".join(f", {name}={value}" for name, value in counts["settings"].items())
    number = "1 game" if counts["games"] == 1 else f"{counts['games']:,} games"
    return (
        f"{game.meta.title} ({counts['edition']}{settings}): {number} of {counts['players']} players, "
        f"seed {counts['seed']}, bots {', '.join(counts['bots'])}"
    )


def _spread(numbers: Mapping[str, float]) -> tuple[str, ...]:
    least, middle, most = (f"{numbers[name]:,g}" for name in ("min", "median", "max"))
    return least, middle, most, f"{numbers['mean']:,.1f}"


def _length(counts: Mapping[str, Any]) -> Any:
    made = table("Length of a game", "", "least", "median", "most", "mean")
    for name, numbers in counts["length"].items():
        made.add_row(name, *_spread(numbers))
    return made


def _won(row: Mapping[str, Any]) -> tuple[str, ...]:
    interval = f"{row['win_rate_low']:.1%} to {row['win_rate_high']:.1%}"
    return (*_spread(row["points"]), f"{row['wins']:,.4g}", f"{row['win_rate']:.1%}", interval)


SCORES = ("least", "median", "most", "mean", "wins", "rate", "95 % interval")


def _by_seat(counts: Mapping[str, Any]) -> Any:
    made = table("Points and victories by seat", "seat", *SCORES)
    for row in counts["by_seat"]:
        made.add_row(str(row["seat"]), *_won(row))
    return made


def _by_bot(counts: Mapping[str, Any]) -> Any:
    share = 1 / counts["players"]
    made = table(f"Points and victories by bot (an equal share is {share:.1%})", "bot", *SCORES, "")
    for row in counts["by_bot"]:
        better, worse = row["win_rate_low"] > share, row["win_rate_high"] < share
        made.add_row(row["bot"], *_won(row), "above" if better else "below" if worse else "")
    return made


def _times(row: Mapping[str, Any], games: int) -> tuple[str, ...]:
    return f"{row['times']:,}", f"{row['times'] / games:,.1f}", f"{row['in_games'] / games:.0%}"


def _mark(row: Mapping[str, Any]) -> str:
    return "never" if not row["times"] else "rare" if row["rare"] else ""


def _commands(counts: Mapping[str, Any]) -> Any:
    made = table("Commands", "command", "times", "a game", "in games", "")
    for row in counts["commands"]:
        name, mark = phrase(row["command"]).replace("-", " "), _mark(row)
        made.add_row(name, *_times(row, counts["games"]), mark, style="yellow" if mark else None)
    return made


def _rules(counts: Mapping[str, Any]) -> Any:
    made = table("Rules by which something happened", "rule", "says", "times", "a game", "in games", "", left=2)
    for row in counts["rules"]:
        mark = _mark(row)
        made.add_row(row["rule"], row["says"], *_times(row, counts["games"]), mark, style="yellow" if mark else None)
    return made
