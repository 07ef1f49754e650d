"""Where two worlds begin: at every named position, and along whole random games, for all viewers in turn."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from domain.chance import Stream
from tests.conformance import subjects, twins
from tests.conformance.subjects import Start, Subject
from tests.conformance.tally import Tally
from tests.conformance.walk import from_start
from tests.conformance.worlds import VARIANTS, Worlds

DIFFERENT = tuple(variant for variant in VARIANTS if variant.twin != "itself" or variant.seed)
"""Worlds that differ from the beginning; what differs only by a secret answer begins as a twin here."""

AFTER_POSITION = 12
"""So many commands are played on from a named position: it has its name because it matters."""

AFTER_STEP = 3
"""And so many from a step of a game, which itself goes on."""

SOME_STEP = 20
"""A step that is in the middle of every game."""


@dataclass(frozen=True)
class Pair:
    """A position and its twin for a viewer, and with them all that is to be drawn: it can be made again by its name."""

    name: str
    request: str  # by which its table is founded
    where: str
    game: Any
    start: Start  # edition and settings of the table
    viewer: int
    variant: Worlds
    states: tuple[Any, Any]
    seeds: tuple[bytes, bytes]
    source: Stream
    walk: int
    position: str = ""

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.states[0].numbers)

    @property
    def hides(self) -> str:
        """What is otherwise in the second world."""
        twins = self.states[0] != self.states[1]
        return f"tables with a {self.variant.twin} twin" if twins else "tables with another seed"

    @property
    def identical(self) -> bool:
        """Whether there is nothing to tell apart: nothing was hidden, or could be otherwise."""
        return self.states[0] == self.states[1] and self.seeds[0] == self.seeds[1]

    def __str__(self) -> str:
        who = f"seat {self.viewer}" if self.viewer else "a spectator"
        world = f"{self.variant.twin} twin{', secrets drawn anew' * self.variant.secrets}"
        return f"{self.where}, seen by {who}, {world}{', another seed' * self.variant.seed}"


def endless(game: str, seed: int, stride: int) -> Iterator[Pair]:
    """Pairs of a game, round by round: all named positions, then a whole game of the next start, step by step."""
    subject = subjects.subject(game)
    for number in count():
        for place in range(len(subject.positions)):
            yield at_position(subject, seed, number, place)
        for step, pair in enumerate(along(subject, seed, number)):
            if step % stride == number % stride:
                yield pair()


def brief(game: str, seed: int) -> Iterator[Pair]:
    """Every named position, and a step of a game of every start."""
    subject = subjects.subject(game)
    for place in range(len(subject.positions)):
        yield at_position(subject, seed, 0, place)
    for number in range(len(starts(subject))):
        yield named(f"{game}/{number}/{SOME_STEP + number}", seed)


def starts(subject: Subject) -> list[Start]:
    """How games begin, all player counts before other settings."""
    return sorted(subjects.starts(subject.game), key=lambda start: (start.edition, start.settings))


def named(name: str, seed: int) -> Pair:
    """The pair of this name."""
    game, number, place = name.split("/")
    subject = subjects.subject(game)
    if place.startswith("p"):
        return at_position(subject, seed, int(number), int(place[1:]))
    return next(pair() for step, pair in enumerate(along(subject, seed, int(number))) if step == int(place))


def at_position(subject: Subject, seed: int, number: int, place: int) -> Pair:
    """A named position; the viewer is another one in every round."""
    game, position = subject.game, list(subject.positions)[place]
    state = subject.positions[position]()
    viewer = (number + place) % (len(state.numbers) + 1)
    start = Start(len(state.numbers), game.meta.editions[0], ())
    made = _pair(f"{game.meta.id}/{number}/p{place}", seed, game, start, state, viewer)
    where = f"{game.meta.id}, position {position!r} ({begun(start)})"
    return replace(made, where=where, position=position, walk=AFTER_POSITION)


def along(subject: Subject, seed: int, number: int) -> Iterator[Callable[[], Pair]]:
    """The pairs at all steps of a random game, each made when it is asked for."""
    game, known = subject.game, starts(subject)
    start = known[number % len(known)]
    drawn = int.from_bytes(_digest(f"{seed}/{game.meta.id}/{number}")[:8], "big")
    passage = from_start(subject, game, replace(start, seed=drawn), Tally())
    for step, played in enumerate(passage.steps()):

        def made(step: int = step, state: Any = played.before) -> Pair:
            viewer = (number + step) % (start.players + 1)
            pair = _pair(f"{game.meta.id}/{number}/{step}", seed, game, start, state, viewer)
            return replace(pair, where=f"{game.meta.id}, game {number} ({begun(start)}), step {step}")

        yield made


def begun(start: Start) -> str:
    """How a game began, in words."""
    return ", ".join((f"{start.players} players", start.edition, *(" ".join(each) for each in start.settings)))


def _pair(name: str, seed: int, game: Any, start: Start, state: Any, viewer: int) -> Pair:
    source = Stream(_digest(f"{seed}/{name}"), "pair")
    variant = DIFFERENT[source.below(len(DIFFERENT))]
    twin = state
    if variant.twin == "full":
        twin = twins.full(game, state, viewer, source)
    elif variant.twin == "near":
        twin = twins.near(game, state, viewer, source)
    first, other = _digest(f"{seed}/{name}/seed"), _digest(f"{seed}/{name}/other seed")
    return Pair(
        name=name,
        request=f"{seed}-{name}".replace("/", "-"),
        where="",
        game=game,
        start=start,
        viewer=viewer,
        variant=variant,
        states=(state, twin),
        seeds=(first, other if variant.seed else first),
        source=source,
        walk=AFTER_STEP,
    )


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
