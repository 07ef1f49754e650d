"""The contract of a game: a decider with a point of view.

A game is a module (a folder of `domain/`) with the names of `Game`. It knows no table, no player's name, no clock; it
is handed seats, settings, an edition and a chance, and answers with events. Everything it says is a `Value`.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from domain.chance import Chance
from domain.options import Option, Refusal, Slot
from domain.values import Component, Fact, Seat, Value

SPECTATOR = 0
"""The viewer who holds no seat."""


class Meta(Value):
    """What a catalogue tells about a game."""

    id: str
    title: str
    least_seats: int
    most_seats: int
    settings: tuple[Slot, ...]  # the table options; the first answer of each is the usual one
    editions: tuple[str, ...]  # ids; the first is the usual one
    rules_version: int


class Decision(Value):
    """What a seat is asked now, with exactly what it may answer. The number counts the seat's decisions."""

    seat: Seat
    number: int
    question: str
    rule: str
    options: tuple[Option, ...]
    facts: tuple[Fact, ...] = ()


class Points(Value):
    """So many points from one source."""

    source: str
    points: int


class Standing(Value):
    """A seat's place in the final ranking; who shares a victory shares the place."""

    seat: Seat
    place: int
    points: int
    by_source: tuple[Points, ...]


class Result(Value):
    """The ranking, best first, and the rule that decided who won."""

    ranking: tuple[Standing, ...]
    decided_by: str


class Outcome(NamedTuple):
    """The events that one command caused, and the state they lead to."""

    events: tuple[Any, ...]
    state: Any


class Illegal(Exception):
    """A command against the rules. It names the rule, a stable reason and facts, all known to the offender."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.rule} {refusal.reason}".strip())
        self.refusal = refusal


class Game(Protocol):
    """What a game's module offers."""

    meta: Meta
    Command: Any  # the unions of its values, for reading them back
    Event: Any
    State: Any
    View: Any
    Shown: Any
    Edition: Any

    def check_edition(self, edition: Any, /) -> None:
        """Raise `EditionError`, naming the cell, where a table of the edition can't be."""

    def components(self, edition: Any, /) -> tuple[Component, ...]:
        """All there is to name by a key: the vocabulary of this game's commands and views."""

    def setup(self, seats: int, settings: tuple[Fact, ...], edition: Any, chance: Chance, /) -> Outcome:
        """The first events; they end with somebody asked."""

    def decide(self, state: Any, decision: Decision, command: Any, chance: Chance, /) -> Outcome:
        """What one command causes, or `Illegal`. The decision's options alone say what is accepted."""

    def evolve(self, state: Any, event: Any, /) -> Any:
        """Apply one event: no choice, no chance; `evolve(None, first)` makes the first state."""

    def decision(self, state: Any, seat: int, /) -> Decision | None:
        """What this seat is asked now; nothing if it is not asked."""

    def waiting(self, state: Any, /) -> tuple[int, ...]:
        """The seats that owe an answer; nobody when the game is over."""

    def view(self, state: Any, viewer: int, /) -> Any:
        """What this seat, or a spectator, sees: built up from nothing."""

    def show(self, event: Any, viewer: int, /) -> Any:
        """The event as this viewer sees it: exactly one shown event, from the event alone."""

    def resample(self, state: Any, viewer: int, chance: Chance, /) -> Any:
        """Another state that `view` must not tell apart, varying all that this viewer is not shown now.

        Place-preserving: with a chance that leaves every order as it is, it returns the state itself.
        """

    def stand_in(self, view: Any, decision: Decision, /) -> Any:
        """A sensible answer for an absent player, from what he himself may know."""

    def conserved(self, state: Any, /) -> tuple[Fact, ...]:
        """Things that never change in number, counted."""

    def result(self, state: Any, /) -> Result | None:
        """Nothing while the game goes on, else the ranking."""


def play(game: Game, state: Any, seat: int, command: Any, chance: Chance) -> Outcome:
    """Let a seat answer whatever it is asked."""
    decision = game.decision(state, seat)
    if decision is None:
        raise Illegal(Refusal("", "NOT_ASKED"))
    return game.decide(state, decision, command, chance)
