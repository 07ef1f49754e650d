"""Random games, command by command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from domain.chance import SeededChance, Stream
from domain.engine import Decision, Game, Illegal, Outcome
from domain.options import sample
from domain.values import members
from tests.conformance import subjects
from tests.conformance.claims import Broken, demand, handling
from tests.conformance.subjects import LONG, Start, Subject
from tests.conformance.tally import Tally

AFTER_POSITION = 8
"""So many commands are played on from a named position, where it need not be to the end."""


@dataclass(frozen=True, slots=True)
class Step:
    """One command in a random game: who answered what, and what came of it."""

    before: Any
    decision: Decision
    command: Any
    events: tuple[Any, ...]
    after: Any


@dataclass
class Passage:
    """A game from its beginning, or from a named position, on; it is played while one goes through its steps."""

    subject: Subject
    game: Game
    label: str
    seed: bytes
    events: tuple[Any, ...]  # of the setup; none in a position
    state: Any
    tally: Tally
    chance: SeededChance
    most: int
    start: Start | None = None
    source: Stream = field(init=False)  # for the choices of a property; the play has its own

    def __post_init__(self) -> None:
        self.source = Stream(self.seed, "choices")

    @property
    def other_seed(self) -> bytes:
        """A seed by which chance decides otherwise."""
        return bytes(255 - byte for byte in self.seed)

    @property
    def viewers(self) -> range:
        """The spectator and all seats."""
        return range(len(self.state.numbers) + 1)

    def steps(self) -> Iterator[Step]:
        """Play at random, until the game is over."""
        commands, play, state = members(self.game.Command), Stream(self.seed, "play"), self.state
        for _ in range(self.most):
            waiting = self.game.waiting(state)
            if not waiting:
                return
            seat = waiting[play.below(len(waiting))]
            decision = self.game.decision(state, seat)
            demand(decision and decision.options, f"who is waited for has an answer: seat {seat}", decision)
            assert decision is not None
            with handling(f"sampling fails in {decision!r}"):
                command = sample(decision.options[play.below(len(decision.options))], commands, play)
            outcome = accept(self.game, state, decision, command, self.chance)
            yield Step(state, decision, command, outcome.events, outcome.state)
            state = outcome.state


def decide(game: Game, state: Any, decision: Decision, command: Any, chance: Any) -> Outcome:
    """Let a command take effect, or be refused."""
    with handling(f"decide fails on {command!r}"):
        return game.decide(state, decision, command, chance)


def accept(game: Game, state: Any, decision: Decision, command: Any, chance: Any) -> Outcome:
    """Let a command take effect that was offered, and so can't be refused."""
    try:
        return decide(game, state, decision, command, chance)
    except Illegal as illegal:
        raise Broken(f"what is offered is accepted: {command!r} {illegal.refusal!r}") from illegal


def bytes_of(seed: int) -> bytes:
    """A seed as a table has it."""
    return seed.to_bytes(32, "big")


def from_start(subject: Subject, game: Game, start: Start, tally: Tally) -> Passage:
    """A whole game."""
    seed = bytes_of(start.seed)
    chance = SeededChance(seed)
    with handling("setup fails"):
        outcome = game.setup(start.players, start.facts, subjects.edition(game, start.edition), chance)
    most = subject.bound + 1
    return Passage(subject, game, str(start), seed, outcome.events, outcome.state, tally, chance, most, start)


def from_position(subject: Subject, game: Game, name: str, seed: int, tally: Tally) -> Passage:
    """A game from a named position on, for a while."""
    state, secret = subject.positions[name](), bytes_of(seed)
    label = f"position {name!r}, seed {seed}"
    return Passage(subject, game, label, secret, (), state, tally, SeededChance(secret), AFTER_POSITION)


Property = Callable[[Passage], None]


def drive(
    subject: Subject, prop: Property, games: int, *, game: Game | None = None, seed: int | None = None, visits: int = 2
) -> Tally:
    """Let a property hold in all named positions, each visited so often, and in so many random games.

    One game a player count always comes first. Hypothesis chooses the others and prints the one that fails; without a
    seed it chooses the same ones every time.
    """
    tally = Tally()
    tested = game or subject.game
    for name in subject.positions:
        for visit in range(visits if not LONG else visits + games // 10):
            _hold(prop, from_position(subject, tested, name, visit, tally))

    @settings(
        max_examples=games,
        deadline=None,
        derandomize=seed is None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(subjects.starts(tested)), st.integers(0, 2**64 - 1))
    def holds(start: Start, number: int) -> None:
        _hold(prop, from_start(subject, tested, Start(start.players, start.edition, start.settings, number), tally))

    for players, start in {start.players: start for start in subjects.starts(tested)}.items():
        holds = example(start, players)(holds)
    (holds if seed is None else hypothesis.seed(seed)(holds))()
    return tally


def _hold(prop: Property, passage: Passage) -> None:
    try:
        prop(passage)
    except AssertionError as error:
        error.add_note(f"in {passage.label}")
        raise
    passage.tally.add("passages", "from the start" if passage.start else "from a position")
