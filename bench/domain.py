"""How quick the rules are, beside other engines in the same run: `python -m bench.domain` in an environment with them.

Everything is measured in CPU seconds of this process, on one core. Contenders take turns, round by round, and the
medians are printed: a busy machine then slows all of them alike.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from bench.rivals import Play, rivals
from domain.chance import SeededChance
from domain.editions import builtin
from domain.games import GAMES
from domain.options import sample
from domain.table import Bot, open_table
from domain.values import from_bytes, members, to_bytes
from service.simulate import Move, moves, seed_of, settle

QUOTED = "RLCard gin-rummy"
FAIR = """What a decision holds. Ours: list the options, sample one, check it, decide with all events; no view.
RLCard gin-rummy: env.step, as its users step it, which also encodes an observation and lists the legal actions twice;
its like is ours with a view each. Its bare game makes a plain dict of the cards instead, checks no action against the
legal ones and changes itself in place. OpenSpiel: legal_actions and apply_action, in place, of far smaller games."""
SEATS = 4
RECORDED = 5  # games whose moves are measured one by one


class Dice:
    """A source for sampling that costs as little as what the rivals use."""

    def __init__(self, seed: int) -> None:
        self.below = Random(seed).randrange


def table_of(game: Any, seats: int = SEATS) -> Any:
    """A table of four, or of as many as the game takes."""
    table = open_table(game.meta, game.meta.editions[0], ()).table
    bots = (Bot.RANDOM,) * min(seats, game.meta.most_seats)
    return settle(game, table, builtin(game, table.edition), bots)


def deciding(game: Any, *, looking: bool) -> Play:
    """Random play: list the options, sample one, decide with all events; looking, also what the next one sees."""
    settled, commands = table_of(game), members(game.Command)
    seats, settings, box = len(settled.table.sittings), settled.table.settings, settled.box

    def play(seconds: float) -> float:
        dice, number, decisions, start = Dice(7), 0, 0, process_time()
        while (spent := process_time() - start) < seconds:
            number += 1
            chance = SeededChance(seed_of(7, number))
            state = game.setup(seats, settings, box, chance).state
            while waiting := game.waiting(state):
                decision = game.decision(state, waiting[0])
                if looking:
                    game.view(state, waiting[0])
                options = decision.options
                command = sample(options[dice.below(len(options))], commands, dice)
                state = game.decide(state, decision, command, chance).state
                decisions += 1
        return decisions / spent

    return play


class Part(NamedTuple):
    """One thing to do over and over: how often it happens in one go, and doing it so often."""

    times: int
    go: Callable[[], object]


def parts(game: Any) -> dict[str, Part]:
    """What a host does with a game, on the moves of recorded random games."""
    settled = table_of(game)
    seats = len(settled.table.sittings)
    games = [list(moves(settled, seed_of(11, number))) for number in range(RECORDED)]
    asked = [(before.outcome.state, move) for one in games for before, move in pairwise(one)]
    logs = [tuple(event for move in one for event in move.outcome.events) for one in games]
    events = sum(map(len, logs))
    stored = [to_bytes(log) for log in logs]  # type: ignore[arg-type]  # a tuple of Values is stored like one
    kind = tuple[game.Event, ...]
    return {
        "decision": Part(len(asked), lambda: [game.decision(state, move.seat) for state, move in asked]),
        "decide": Part(len(asked), lambda: [_decide(game, state, move) for state, move in asked]),
        "evolve, an event": Part(events, lambda: [fold(game, log) for log in logs]),
        "view": Part(len(asked), lambda: [game.view(state, move.seat) for state, move in asked]),
        "show, an event to all": Part(
            events, lambda: [game.show(event, viewer) for log in logs for event in log for viewer in range(seats + 1)]
        ),
        "fold of a whole game": Part(len(logs), lambda: [fold(game, log) for log in logs]),
        "the same from bytes": Part(len(logs), lambda: [fold(game, from_bytes(kind, data)) for data in stored]),
    }


def _decide(game: Any, state: Any, move: Move) -> Any:
    return game.decide(state, move.decision, move.command, SeededChance(b"\0" * 32))


def fold(game: Any, log: Sequence[Any]) -> Any:
    """The state that a log leads to."""
    state = None
    for event in log:
        state = game.evolve(state, event)
    return state


def microseconds(part: Part, seconds: float) -> float:
    """How long one of it takes."""
    goes, start = 0, process_time()
    while (spent := process_time() - start) < seconds:
        part.go()
        goes += 1
    return spent * 1e6 / (goes * part.times)


def print_parts(rounds: int, seconds: float) -> None:
    """Print what each part of each game costs."""
    for game in GAMES.values():
        measured = parts(game)
        known: dict[str, list[float]] = {name: [] for name in measured}
        for _ in range(rounds):
            for name, part in measured.items():
                known[name].append(microseconds(part, seconds))
        print(f"\n{game.meta.title}, {min(SEATS, game.meta.most_seats)} players, random games: microseconds, median")
        for name, numbers in known.items():
            print(f"  {name:<24}{median(numbers):>12,.1f}")


def print_decisions(rounds: int, seconds: float) -> None:
    """Print decisions a CPU second of all contenders, and how many times a rival's each game's are."""
    others, absent = rivals()
    ours = {game.meta.title: deciding(game, looking=False) for game in GAMES.values()}
    seeing = {f"{game.meta.title}, with a view each": deciding(game, looking=True) for game in GAMES.values()}
    known: dict[str, list[float]] = {name: [] for name in (*ours, *seeing, *others)}
    for _ in range(rounds):
        for name, play in (ours | seeing | others).items():
            known[name].append(play(seconds))
    print(f"\nRandom decisions a CPU second, one core ({rounds} rounds in turn; least, median, most)")
    for name, numbers in known.items():
        print(f"  {name:<40}{min(numbers):>12,.0f}{median(numbers):>12,.0f}{max(numbers):>12,.0f}")
    for name in (*ours, *seeing):
        print(f"\n{name}: so many times the decisions of (ratios of the rounds; least, median, most)")
        for rival in others:
            ratios = [own / other for own, other in zip(known[name], known[rival], strict=True)]
            mark = "  <- the ratio we quote" if name in ours and rival == QUOTED else ""
            print(f"  {rival:<40}{min(ratios):>12.2f}{median(ratios):>12.2f}{max(ratios):>12.2f}{mark}")
    print(f"\n{FAIR}")
    for name in absent:
        print(f"\nNot compared, because not installed: {name}")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="bench.domain", description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else ""
    )
    parser.add_argument("--rounds", type=int, default=7, help="rounds that the contenders play in turn (7)")
    parser.add_argument("--seconds", type=float, default=0.6, help="CPU seconds a contender plays in a round (0.6)")
    typed = parser.parse_args(argv)
    if typed.rounds < 1 or typed.seconds <= 0:
        parser.error("--rounds is at least 1 and --seconds more than 0")
    print(f"Python {sys.version.split()[0]}")
    print_parts(typed.rounds, typed.seconds / 8)
    print_decisions(typed.rounds, typed.seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
