"""Twins: states that a viewer must not be able to tell from the one he is in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from domain.chance import Chance, Stream, shuffled
from domain.engine import Game
from tests.conformance.claims import alike, demand, handling, holding
from tests.conformance.tally import Tally
from tests.conformance.walk import Passage

T = TypeVar("T")

NEAR_TRIES = 12


class Full:
    """A chance that shuffles everything; it may be asked twice under one label, and answers anew."""

    def __init__(self, source: Stream) -> None:
        self._source = source

    def shuffle(self, label: str, things: Iterable[T], /) -> tuple[T, ...]:
        """Give the things in a random order."""
        return shuffled(things, self._source)


class Still:
    """A chance that leaves every order as it is, and remembers what it was asked to shuffle."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []

    def shuffle(self, label: str, things: Iterable[T], /) -> tuple[T, ...]:
        """Give the things as they are."""
        order = tuple(things)
        self.asked.append(order)
        return order


class Exchanging:
    """A chance that exchanges a single pair, in one of all its shuffles; others are as the chance beneath has them."""

    def __init__(self, call: int, pair: tuple[int, int], beneath: Chance) -> None:
        self._left = call
        self._pair = pair
        self._beneath = beneath

    def shuffle(self, label: str, things: Iterable[T], /) -> tuple[T, ...]:
        """Give the things as the chance beneath does, but for the pair."""
        order = list(self._beneath.shuffle(label, things))
        one, other = self._pair
        if self._left == 0 and other < len(order):
            order[one], order[other] = order[other], order[one]
        self._left -= 1
        return tuple(order)


class Pairs:
    """The pairs of unequal things in what was shuffled."""

    def __init__(self, asked: list[tuple[Any, ...]]) -> None:
        self._asked = [(call, things) for call, things in enumerate(asked) if any(t != things[0] for t in things)]

    def pick(self, source: Stream) -> tuple[int, tuple[int, int]] | None:
        """One of them: a shuffle, and two places in it."""
        if not self._asked:
            return None
        call, things = self._asked[source.below(len(self._asked))]
        while True:
            one, other = sorted((source.below(len(things)), source.below(len(things))))
            if things[one] != things[other]:
                return call, (one, other)


def resampled(game: Game, state: Any, viewer: int, chance: Chance) -> Any:
    """What the game's `resample` gives."""
    with handling(f"resample fails for viewer {viewer}"):
        return game.resample(state, viewer, chance)


def still(game: Game, state: Any, viewer: int) -> Still:
    """A chance that changes nothing gives the state itself."""
    chance = Still()
    alike(
        "with a chance that changes nothing, resample gives the state itself",
        resampled(game, state, viewer, chance),
        state,
    )
    return chance


def full(game: Game, state: Any, viewer: int, source: Stream) -> Any:
    """A twin in which everything hidden may be otherwise."""
    return resampled(game, state, viewer, Full(source))


def near(game: Game, state: Any, viewer: int, source: Stream) -> Any:
    """A twin in which a single pair of unequal things has changed places; the state itself if none can."""
    pairs = Pairs(still(game, state, viewer).asked)
    for _ in range(NEAR_TRIES):
        picked = pairs.pick(source)
        if picked is None:
            break
        twin = resampled(game, state, viewer, Exchanging(*picked, Still()))
        if twin != state:
            return twin
    return state


def count_full(passage: Passage, state: Any, twin: Any, viewer: int) -> None:
    """Count what a full twin changed of what is hidden."""
    tally: Tally = passage.tally
    before = {kind: hidden(state, viewer) for kind, hidden in passage.subject.hidden.items()}
    for kind, thing in before.items():
        changed = thing is not None and passage.subject.hidden[kind](twin, viewer) != thing
        tally.add("hidden things changed", kind, times=int(changed))
        tally.add("hidden things", kind, times=int(thing is not None))
    if any(thing is not None for thing in before.values()):
        tally.add("full twins", "where something is hidden")
        tally.add("full twins", "the state itself", times=int(twin == state))


def sound(passage: Passage, state: Any, twin: Any) -> None:
    """A twin is a state that could be: nothing lost, invariants kept, the same seats asked, each with an answer."""
    game = passage.game
    alike("a twin keeps what is conserved", game.conserved(state), game.conserved(twin))
    holding("the invariants hold in a twin", lambda: passage.subject.invariants(twin))
    alike("in a twin the same seats are asked", game.waiting(state), game.waiting(twin))
    for seat in game.waiting(twin):
        decision = game.decision(twin, seat)
        demand(decision and decision.options, "who is asked has an answer in a twin too", seat, decision)
