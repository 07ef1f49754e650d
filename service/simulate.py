"""Games played by bots: the same seed plays the same game on any machine, in any number of processes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from domain import record
from domain.chance import SeededChance, Stream
from domain.engine import Decision, Game, Outcome
from domain.options import sample
from domain.table import Bot, Sitting, Table
from domain.values import members, replace

KINDS = (Bot.RANDOM, Bot.STAND_IN)


class Move(NamedTuple):
    """One answer of a bot, and what came of it. The first move of a game is its setup, which nobody was asked."""

    seat: int
    decision: Decision | None
    command: Any
    outcome: Outcome


class Settled(NamedTuple):
    """A table as the bots find it: all that a game depends on besides its seed."""

    game: Game
    table: Table
    box: Any  # the edition's content


Player = Callable[[Any, Decision], Any]
"""A bot: a command from the state, of which it looks only at its own view, and its decision."""


def random_bot(game: Game, source: Stream) -> Player:
    """Any option is as likely as any other, and so is any answer of it."""
    commands = members(game.Command)

    def answer(_: Any, decision: Decision) -> Any:
        return sample(decision.options[source.below(len(decision.options))], commands, source)

    return answer


def stand_in_bot(game: Game) -> Player:
    """What the game itself does for an absent player."""

    def answer(state: Any, decision: Decision) -> Any:
        return game.stand_in(game.view(state, decision.seat), decision)

    return answer


def seed_of(seed: int, index: int) -> bytes:
    """The seed of one game of a series."""
    return hashlib.sha256(f"kontor/{seed}/{index}".encode()).digest()


def seated(kinds: Sequence[Bot], seats: int, index: int) -> tuple[Bot, ...]:
    """The bots of one game of a series: repeated over all seats, and one seat further from game to game."""
    return tuple(kinds[(seat + index) % seats % len(kinds)] for seat in range(seats))


def settle(game: Game, table: Table, box: Any, bots: Sequence[Bot]) -> Settled:
    """A table with these bots at it."""
    sittings = tuple(Sitting(f"Seat {seat}", bot) for seat, bot in enumerate(bots, 1))
    return Settled(game, replace(table, sittings=sittings), box)


def moves(settled: Settled, seed: bytes) -> Iterator[Move]:
    """A whole game. Where several are asked, chance decides who answers first."""
    game, chance, order = settled.game, SeededChance(seed), Stream(seed, "bots/order")
    sittings = settled.table.sittings
    players = [
        stand_in_bot(game) if sitting.bot is Bot.STAND_IN else random_bot(game, Stream(seed, f"bots/{seat}"))
        for seat, sitting in enumerate(sittings, 1)
    ]
    outcome = game.setup(len(sittings), settled.table.settings, settled.box, chance)
    yield Move(0, None, None, outcome)
    while waiting := game.waiting(outcome.state):
        seat = waiting[order.below(len(waiting))]
        decision = game.decision(outcome.state, seat)
        if decision is None:
            raise RuntimeError(f"{game.meta.title} waits for seat {seat} but asks it nothing.")
        command = players[seat - 1](outcome.state, decision)
        outcome = game.decide(outcome.state, decision, command, chance)
        yield Move(seat, decision, command, outcome)


class Played(NamedTuple):
    """What is counted of one game."""

    number: int  # in its series, counted from 0
    bots: tuple[Bot, ...]
    commands: Counter[str]
    events: int
    rules: Counter[str]
    points: tuple[int, ...]  # by seat
    shares: tuple[float, ...]  # of the victory, by seat
    decided_by: str


def counted(number: int, settled: Settled, played: Sequence[Move]) -> Played:
    """Count a game that was played to its end."""
    result = settled.game.result(played[-1].outcome.state)
    if result is None:
        raise RuntimeError(f"{settled.game.meta.title} asks nobody but has no result.")
    events = [event for move in played for event in move.outcome.events]
    points = {standing.seat: standing.points for standing in result.ranking}
    winners = [standing.seat for standing in result.ranking if standing.place == 1]
    seats = range(1, len(points) + 1)
    return Played(
        number=number,
        bots=tuple(sitting.bot for sitting in settled.table.sittings),
        commands=Counter(type(move.command).__name__ for move in played[1:]),
        events=len(events),
        rules=Counter(rule for event in events if (rule := getattr(event, "rule", ""))),
        points=tuple(points[seat] for seat in seats),
        shares=tuple(1 / len(winners) if seat in winners else 0.0 for seat in seats),
        decided_by=result.decided_by,
    )


def saved(settled: Settled, seed: bytes, played: Sequence[Move]) -> str:
    """The text of a saved game."""
    steps = (record.Step(n, move.seat, move.command, move.outcome.events) for n, move in enumerate(played))
    return "".join(record.write(record.header(settled.game, settled.table, settled.box, seed), steps))
