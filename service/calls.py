"""What changes a table: each kind of call as the host commits it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from domain import table
from domain.engine import Illegal
from domain.options import Refusal, canonical
from domain.table import Started
from domain.values import from_json, replace
from service.entry import Cause, Found, Founded, LogEntry, Placed
from service.errors import AgainstTheRules, AlreadyUsed, CallError
from service.life import Life

Same = Callable[[LogEntry[Any, Any], Callable[[], Life]], bool]
"""Whether an entry under the same id is this very call; the life before it is folded only where it matters."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What a call comes to at a table as it is now."""

    command: Any
    events: tuple[Any, ...]
    seat: int = 0  # whose it is; 0: the host's, or the service's own
    decision: int = 0
    secret: str = ""
    play: Any = None  # the state that the events lead to, where they are the game's alone


@dataclass(frozen=True, slots=True)
class Call:
    """A call that wants to change a table."""

    request: str  # the client's id of it, made unique at this table
    cause: Cause
    decide: Callable[[Life], Decided]
    same: Same


Guard = Callable[[Life], None]
"""Refuses a call by the table as it is now: a token of an older epoch, say."""

Says = Callable[[Life], tuple[int, Any]]
"""Whose seat it is and what he says, at the table as it is now: in a lobby seats move up."""


def nothing(life: Life) -> None:
    """No guard."""


def hashed(secret: str) -> str:
    """What the log keeps of a client's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def answer(
    seat: int, request: str, number: int, command: Any, cause: Cause = Cause.PLAYER, guard: Guard = nothing
) -> Call:
    """A seat answers its decision of this number."""
    command = canonical(command)

    def decide(life: Life) -> Decided:
        guard(life)
        decision = life.game.decision(life.play, seat) if life.play is not None else None
        if decision is None or decision.number != number:
            raise refused(life, Refusal("", "DECISION_GONE"))
        try:
            outcome = life.game.decide(life.play, decision, command, life.chance())
        except Illegal as illegal:
            raise refused(life, illegal.refusal) from None
        return Decided(command, outcome.events, seat, number, play=outcome.state)

    def same(entry: LogEntry[Any, Any], before: Callable[[], Life]) -> bool:
        return (entry.decision, entry.seat) == (number, seat) and alike(entry.command, command)

    return Call(request, cause, decide, same)


def at_table(request: str, says: Says, cause: Cause = Cause.PLAYER, secret: str = "") -> Call:
    """Something happens to the table itself: joining, leaving, starting, resigning, handing over."""
    kept = hashed(secret) if secret else ""

    def decide(life: Life) -> Decided:
        assert life.table is not None
        seat, command = says(life)
        try:
            event = table.decide(life.table, command)
        except Illegal as illegal:
            raise refused(life, illegal.refusal) from None
        if life.over:
            raise refused(life, Refusal("", "GAME_OVER"))
        begun = beginning(life) if isinstance(event, Started) else ()
        return Decided(command, (event, *begun), seat, secret=kept)

    def same(entry: LogEntry[Any, Any], before: Callable[[], Life]) -> bool:
        try:
            seat, command = says(before())
        except CallError:  # it could not have been said then
            return False
        return (entry.secret, entry.seat) == (kept, seat) and alike(entry.command, command)

    return Call(request, cause, decide, same)


def beginning(life: Life) -> tuple[Any, ...]:
    """The first events of a game: its setup, or the given position."""
    assert life.founded is not None
    assert life.table is not None
    if life.founded.position:
        return (Placed(from_json(life.game.State, life.founded.position)),)
    seats = len(life.table.sittings)
    events: tuple[Any, ...] = life.game.setup(seats, life.table.settings, life.edition(), life.chance()).events
    return events


def founding(request: str, secret: str, founded: Founded, others: tuple[Any, ...]) -> Call:
    """A table is founded, with its bots."""
    kept = hashed(secret)

    def decide(life: Life) -> Decided:
        if life.version:  # another's, under the same hash
            raise AlreadyUsed("TABLE_ID_TAKEN", "Another table has this id already; make a new request id.")
        return Decided(Found(founded.table.game), (founded, *others), secret=kept)

    def same(entry: LogEntry[Any, Any], before: Callable[[], Life]) -> bool:
        known, *joined = entry.events
        seed = founded.seed if founded.seed_given else known.seed  # drawn anew at every try
        again = replace(founded, seed=seed, salt=known.salt, box=known.box)  # an edition may be corrected meanwhile
        return entry.secret == kept and bool(known == again) and tuple(joined) == others

    return Call(request, Cause.HOST, decide, same)


def alike(one: Any, other: Any) -> bool:
    """Whether two commands are the same, of the same type."""
    return type(one) is type(other) and bool(one == other)


def refused(life: Life, refusal: Refusal) -> AgainstTheRules:
    """A refusal, with what its sentence needs."""
    return AgainstTheRules(refusal, life.game.meta.id, life.names)


def commitment(founded: Founded) -> str:
    """What everybody sees of the seed from the beginning."""
    return hashlib.sha256(bytes.fromhex(founded.salt) + bytes.fromhex(founded.seed)).hexdigest()


def decided_again(entry: LogEntry[Any, Any], before: Life) -> tuple[Any, ...]:
    """The events that an entry's command causes today, at the life before it; a founding stands as it was."""
    if isinstance(entry.command, Found):
        return entry.events
    if entry.decision:
        call = answer(entry.seat, entry.request, entry.decision, entry.command)
    else:
        call = at_table(entry.request, lambda _: (entry.seat, entry.command))
    return call.decide(before).events
