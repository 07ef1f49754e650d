"""A saved game: what was set up, then one line a step, each chained to the one before by its hash.

Text in, values out; where the text lies is the caller's to know. The lines are canonical JSON: a `Header`, the `Step`s
(step 0 is the setup, which nobody commanded), an `End`. Reading finds a text that breaks off or was changed, and lets
the rules decide every step again: what they cause must be what is stored.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from domain.chance import SEED_BYTES, SeededChance
from domain.editions import EditionError
from domain.engine import Game, Illegal, Outcome, play
from domain.table import Sitting, Table
from domain.values import Fact, Malformed, Seat, Value, from_json, replace, to_json

E = TypeVar("E")  # the edition of a game
C = TypeVar("C")  # its commands
V = TypeVar("V")  # its events

FORMAT = 1


class Header(Value, Generic[E]):
    """What was agreed before the first card was dealt."""

    format: int
    game: str
    rules_version: int
    edition: str
    box: E  # all that the edition says, so that a later correction of it changes no saved game
    settings: tuple[Fact, ...]
    sittings: tuple[Sitting, ...]
    seed: str
    hash: str = ""


class Step(Value, Generic[C, V]):
    """One command and what it caused."""

    number: int
    seat: Seat
    command: C | None
    events: tuple[V, ...]
    hash: str = ""


class End(Value):
    """Nothing is missing before this line."""

    steps: int
    hash: str


class Record(NamedTuple):
    """A saved game as read."""

    header: Header[Any]
    steps: tuple[Step[Any, Any], ...]


class RecordError(ValueError):
    """A saved game that can't be believed: in one sentence, where and why."""


def header(game: Game, table: Table, box: Any, seed: bytes) -> Header[Any]:
    """The first line of a game that begins now at this table."""
    version = game.meta.rules_version
    return Header(FORMAT, table.game, version, table.edition, box, table.settings, table.sittings, seed.hex())


def write(head: Header[Any], steps: Iterable[Step[Any, Any]]) -> Iterator[str]:
    """The lines of a saved game, each with its end of line."""
    last = _sealed(head, "")
    yield f"{to_json(last)}\n"
    number = 0
    for step in steps:
        last = _sealed(step, last.hash)
        number += 1
        yield f"{to_json(last)}\n"
    yield f"{to_json(End(number, last.hash))}\n"


def read(text: str, games: Mapping[str, Game]) -> Record:
    """The saved game, if all of it is there, unchanged, and as the rules decide it."""
    lines = text.rstrip("\n").split("\n")
    head = _header(lines[0], games)
    game = games[head.game]
    steps: list[Step[Any, Any]] = []
    chained = head.hash
    for number, line in enumerate(lines[1:]):
        if number and _tag(line) == "End":
            _check_end(line, number, chained, lines[number + 2 :])
            break
        if number + 2 == len(lines) and not _whole(line):
            raise _truncated(number)
        step = _step(line, number, game, chained)
        chained = step.hash
        steps.append(step)
    else:
        raise _truncated(len(steps))
    record = Record(head, tuple(steps))
    for _ in replay(game, record):
        pass
    return record


def replay(game: Game, record: Record) -> Iterator[tuple[Step[Any, Any], Any]]:
    """Every step with the state it led to, decided again by the rules of today."""
    head, state = record.header, None
    chance = SeededChance(bytes.fromhex(head.seed))
    for step in record.steps:
        try:
            if step.number:
                outcome = play(game, state, step.seat, step.command, chance)
            else:
                outcome = game.setup(len(head.sittings), head.settings, head.box, chance)
        except Illegal as illegal:
            raise RecordError(f"Step {step.number} is against the rules ({illegal}).") from None
        _compare(step, outcome)
        state = outcome.state
        yield step, state


def _compare(step: Step[Any, Any], outcome: Outcome) -> None:
    if step.events == outcome.events:
        return
    pairs = zip(step.events, outcome.events, strict=False)
    place = next((n for n, (old, new) in enumerate(pairs) if old != new), min(len(step.events), len(outcome.events)))
    names = [type(event).__name__ for event in (*step.events[place : place + 1], *outcome.events[place : place + 1])]
    raise RecordError(
        f"Step {step.number} differs from what the rules decide: event {place + 1} of it ({' / '.join(names)})."
    )


def _header(line: str, games: Mapping[str, Game]) -> Header[Any]:
    if not _whole(line) or _tag(line) != "Header":
        raise RecordError("This is no saved game: its first line is not the header of one.")
    found = json.loads(line)
    game = games.get(str(found.get("game")))
    if game is None:
        raise RecordError(f"The saved game is of {found.get('game')!r}; known games: {', '.join(sorted(games))}.")
    saved, known = (found.get("format"), found.get("rules_version")), (FORMAT, game.meta.rules_version)
    if saved != known:
        raise RecordError(
            f"The saved game has format {saved[0]} and rules version {saved[1]}; "
            f"this Kontor reads format {known[0]} and rules version {known[1]}."
        )
    try:
        head: Header[Any] = from_json(Header[game.Edition], line)  # type: ignore[name-defined]  # a type of the game
        game.check_edition(head.box)
        good = len(bytes.fromhex(head.seed)) == SEED_BYTES and _sealed(head, "") == head
    except (Malformed, EditionError, ValueError) as error:
        raise RecordError(f"The header of the saved game was altered: {error}.") from None
    if not good or not game.meta.least_seats <= len(head.sittings) <= game.meta.most_seats:
        raise RecordError("The header of the saved game was altered: it does not fit its hash.")
    return head


def _step(line: str, number: int, game: Game, chained: str) -> Step[Any, Any]:
    try:
        step: Step[Any, Any] = from_json(Step[game.Command, game.Event], line)  # type: ignore[name-defined]  # the same
    except Malformed as error:
        raise RecordError(f"Step {number} of the saved game was altered: {error}.") from None
    if step.number != number:
        raise RecordError(f"Step {number} of the saved game is missing: step {step.number} stands in its place.")
    if _sealed(step, chained) != step:
        raise RecordError(f"Step {number} of the saved game was altered: it does not fit its hash.")
    return step


def _check_end(line: str, number: int, chained: str, after: list[str]) -> None:
    try:
        end: End = from_json(End, line)
    except Malformed as error:
        raise RecordError(f"The last line of the saved game was altered: {error}.") from None
    if end != End(number, chained):
        raise RecordError(f"The last line of the saved game was altered: it does not fit the {number} steps before it.")
    if any(after):
        raise RecordError("The saved game was altered: something stands after its last line.")


def _sealed(line: Any, chained: str) -> Any:
    """A line with the hash over itself and over the hash before it."""
    bare = replace(line, hash="")
    return replace(line, hash=hashlib.sha256(f"{chained}\n{to_json(bare)}".encode()).hexdigest())


def _whole(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _tag(line: str) -> str:
    return str(json.loads(line).get("type")) if _whole(line) else ""


def _truncated(number: int) -> RecordError:
    place = f"after step {number - 1}" if number else "after its header"
    return RecordError(f"The saved game is truncated: it breaks off {place}, before its last line.")
