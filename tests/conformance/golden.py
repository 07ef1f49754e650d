"""Golden playthroughs: whole games as text, one a player count, in `tests/corpus/<game>/<players>p.txt`.

    python -m tests.conformance.golden --write [--game toy]

A step shows who is asked what, the options in short, the answer, and what happened; where viewers see something else,
each one's version (0 is a spectator). A test replays the answers (the lines with `>`) and expects the same text.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any

from domain.chance import SeededChance, Stream
from domain.engine import Decision, Game
from domain.options import Given, Group, Item, Option, PickNumber, PickOne, PickSome, Slot, Split, sample
from domain.values import Component, Value, from_json, members, to_json
from tests.conformance import subjects, walk
from tests.conformance.subjects import Start

CORPUS = Path(__file__).parents[1] / "corpus"
HEADER = re.compile(
    r"# (?P<game>\w+) edition=(?P<edition>\S+) players=(?P<players>\d+) seed=(?P<seed>\d+)(?P<settings>.*)"
)
ANSWER = re.compile(r"  > (?P<seat>\d+) (?P<command>.*)")


def path(game: str, players: int) -> Path:
    """Where a playthrough stands."""
    return CORPUS / game / f"{players}p.txt"


def written(game: Game, players: int) -> str:
    """A random game as text; from one player count to the next the settings change."""
    choices = [start for start in subjects.starts(game) if start.players == players]
    chosen = choices[players % len(choices)]
    start = Start(players, chosen.edition, chosen.settings, seed=players)
    return "\n".join(_lines(game, start, _random(game, start))) + "\n"


def replayed(game: Game, text: str) -> str:
    """The text that the same start and the same answers give today."""
    header = HEADER.fullmatch(text.split("\n", 1)[0])
    assert header, "a playthrough begins with a line that tells its start"
    settings = tuple((name, value) for name, _, value in (part.partition("=") for part in header["settings"].split()))
    start = Start(int(header["players"]), header["edition"], settings, int(header["seed"]))
    answers = (
        (int(m["seat"]), from_json(game.Command, m["command"])) for m in map(ANSWER.fullmatch, text.split("\n")) if m
    )
    return "\n".join(_lines(game, start, _Told(answers))) + "\n"


class _Told:
    """The answers of a text, one after the other."""

    def __init__(self, answers: Iterable[tuple[int, Any]]) -> None:
        self._answers = iter(answers)

    def __call__(self, state: Any) -> tuple[int, Any]:
        return next(self._answers)


def _random(game: Game, start: Start) -> Any:
    """Answers at random."""
    play, commands = Stream(walk.bytes_of(start.seed), "golden"), members(game.Command)

    def answer(state: Any) -> tuple[int, Any]:
        waiting = game.waiting(state)
        seat = waiting[play.below(len(waiting))]
        decision = game.decision(state, seat)
        assert decision is not None
        return seat, sample(decision.options[play.below(len(decision.options))], commands, play)

    return answer


def _lines(game: Game, start: Start, answer: Any) -> Iterator[str]:
    settings = "".join(f" {name}={value}" for name, value in start.settings)
    yield f"# {game.meta.id} edition={start.edition} players={start.players} seed={start.seed}{settings}"
    yield f"# {game.meta.title}. Rewritten only by `make golden`; the answers (>) are replayed by a test."
    chance = SeededChance(walk.bytes_of(start.seed))
    outcome = game.setup(start.players, start.facts, subjects.edition(game, start.edition), chance)
    version = 0
    while True:
        yield from _happened(game, outcome.events, start.players)
        state, version = outcome.state, version + 1
        if not game.waiting(state):
            break
        yield ""
        yield f"[{version}] waiting for {_some(game.waiting(state))}"
        seat, command = answer(state)
        decision = game.decision(state, seat)
        assert decision is not None
        yield from _asked(decision)
        yield f"  > {seat} {to_json(command)}"
        outcome = game.decide(state, decision, command, chance)
    yield ""
    result = game.result(state)
    assert result is not None
    yield f"over, decided by {result.decided_by}"
    for standing in result.ranking:
        parts = ", ".join(f"{part.source} {part.points}" for part in standing.by_source)
        yield f"  {standing.place}. seat {standing.seat} with {standing.points} ({parts})"
    for viewer in range(start.players + 1):
        yield f"  view of {viewer}: {short(game.view(state, viewer))}"


def _asked(decision: Decision) -> Iterator[str]:
    facts = "".join(f" {fact.name}={fact.value}" for fact in decision.facts)
    asked = f"{decision.question} ({decision.rule}), its decision {decision.number}{facts}"
    yield f"  seat {decision.seat} is asked {asked}"
    for option in decision.options:
        yield f"    {_option(option)}"


def _option(option: Option) -> str:
    facts = [f"({fact.name} {fact.value})" for fact in option.facts]
    given = [_given(part) for part in option.given]
    return " ".join((option.command, *given, *map(_slot, option.slots), *facts, option.rule))


def _given(given: Given) -> str:
    return f"{given.field}={given.key}"


def _slot(slot: Slot) -> str:
    """A slot in short."""
    match slot:
        case PickOne():
            return f"{slot.field}=one of {_some(slot.keys)}"
        case PickNumber():
            return f"{slot.field}={slot.least}..{slot.most}"
        case PickSome():
            needs = "".join(f", {need.least} {need.kind} at least" for need in slot.needs)
            limit = "" if slot.limit is None else f", worth {slot.limit} at most"
            return f"{slot.field}={slot.least}..{slot.most} of {_some(map(_item, slot.items))}{needs}{limit}"
        case Split():
            return f"{slot.field}=groups of {_some(map(_item, slot.items))}"


def _item(item: Item) -> str:
    return f"{item.count}x {item.key}" if item.count > 1 else item.key


def _happened(game: Game, events: tuple[Any, ...], players: int) -> Iterator[str]:
    """The events, and where viewers see them otherwise, each version with its viewers."""
    for event in events:
        whole = short(event)
        yield f"  {whole}"
        versions: dict[str, list[int]] = {}
        for viewer in range(players + 1):
            versions.setdefault(short(game.show(event, viewer)), []).append(viewer)
        if len(versions) > 1:
            for version, viewers in versions.items():
                yield f"    {_some(viewers)}: {version}"
        elif whole not in versions:
            yield f"    all: {next(iter(versions))}"


def short(value: Any) -> str:
    """A value in a few words: components by their keys, an edition by its name alone."""
    if value is None:
        return "-"
    if isinstance(value, Component):
        return str(value.key)  # type: ignore[attr-defined]
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return _some(map(short, value))
    if isinstance(value, Group):
        return "+".join(value.items)
    if isinstance(value, Value):
        name = type(value).__name__
        if name == "Edition":
            return name
        parts = (f"{field}={short(getattr(value, field))}" for field in value.__struct_fields__)
        return f"{name}({' '.join(parts)})"
    return str(value)


def _some(things: Iterable[object]) -> str:
    return ",".join(map(str, things)) or "none"


def main(arguments: list[str]) -> None:
    """Write the playthroughs of all games, or of one."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance.golden", description="Writes golden playthroughs."
    )
    parser.add_argument("--write", action="store_true", required=True, help="rewrite them; read their diff afterwards")
    parser.add_argument("--game", choices=subjects.names(), help="of one game only")
    asked = parser.parse_args(arguments)
    for name in [asked.game] if asked.game else subjects.names():
        game = subjects.subject(name).game
        for players in range(game.meta.least_seats, game.meta.most_seats + 1):
            target = path(name, players)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(written(game, players), "utf-8")
            sys.stdout.write(f"{target}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
