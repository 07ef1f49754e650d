"""Two worlds: what a viewer is told must be the same in both, until something is revealed to him by a rule."""

from __future__ import annotations

from typing import Any, NamedTuple

from domain.chance import SeededChance, Stream
from domain.course import Answered
from domain.engine import Decision, Game, Illegal, Outcome, play
from domain.options import Option, refusal, sample
from domain.values import fields, members, replace
from tests.conformance import stories, twins
from tests.conformance.claims import alike, demand, handling
from tests.conformance.mutations import mutants
from tests.conformance.walk import Passage, accept

REDRAWN = 6
"""So often another command is drawn when the twin does not take it."""

LOOKS = 10
"""So often a named position is compared each time it is visited: it has its name because it matters."""


class Worlds(NamedTuple):
    """How the second world differs from the first."""

    twin: str  # full, near, or the state itself
    secrets: bool  # are another seat's secret fields drawn anew?
    seed: bool  # is the seed another?


VARIANTS = tuple(
    Worlds(twin, secrets, seed)
    for twin in ("full", "near", "itself")
    for secrets in (False, True)
    for seed in (False, True)
    if twin != "itself" or secrets or seed
)


def hides(passage: Passage) -> None:
    """At every version, for every viewer: twins look the same, and so does what a command does in two worlds."""
    _expect(passage)
    if passage.start:
        stories.setups(passage)
    else:
        for _ in range(LOOKS):
            compare(passage, passage.state)
    state = passage.state
    for step in passage.steps():
        compare(passage, step.before)
        state = step.after
    if passage.start and not passage.game.waiting(state):
        compare(passage, state)


def _expect(passage: Passage) -> None:
    """Whatever the game has must be met: it stands in the tally from the beginning, with nought."""
    passage.tally.add("commands", *members(passage.game.Command), times=0)
    passage.tally.add("events", *members(passage.game.Event), times=0)
    passage.tally.add("hidden things changed", *passage.subject.hidden, times=0)


def compare(passage: Passage, state: Any) -> None:
    """Compare this state with a twin, for every viewer, and let one command act in both."""
    game, source = passage.game, passage.source
    for viewer in passage.viewers:
        variant = VARIANTS[source.below(len(VARIANTS))]
        twin = state
        if variant.twin == "full":
            twin = twins.full(game, state, viewer, source)
            twins.count_full(passage, state, twin, viewer)
        elif variant.twin == "near":
            twin = twins.near(game, state, viewer, source)
        if twin != state:
            twins.sound(passage, state, twin)
            looks_the_same(passage, state, twin, viewer)
        if game.waiting(state):
            acts_the_same(passage, state, twin, viewer, variant)


# --- one moment ---------------------------------------------------------------------------------------------------


def looks_the_same(passage: Passage, state: Any, twin: Any, viewer: int) -> None:
    """A state and its twin give this viewer equal views, decisions and refusals."""
    game, source = passage.game, passage.source
    stories.same_now(game, state, twin, viewer, "a twin looks the same")
    decision = game.decision(state, viewer)
    if decision is None:
        return
    option = decision.options[source.below(len(decision.options))]
    answer = sample(option, members(game.Command), source)
    changed = list(mutants(game, option, answer, source))
    for name, mutant in (changed[source.below(len(changed))], changed[-2]):
        told, told_in_twin = _refusal(game, state, viewer, mutant), _refusal(game, twin, viewer, mutant)
        alike(f"a twin refuses the same in the same words ({name})", told, told_in_twin)
    passage.tally.add("decisions compared", option.command)


def _refusal(game: Game, state: Any, seat: int, command: Any) -> object:
    try:
        with handling(f"decide fails on {command!r}"):
            play(game, state, seat, command, SeededChance(bytes(32)))
    except Illegal as illegal:
        return illegal.refusal
    return None


# --- one command --------------------------------------------------------------------------------------------------


def acts_the_same(passage: Passage, state: Any, twin: Any, viewer: int, variant: Worlds) -> None:
    """One command in two worlds: what the viewer is shown differs first where something is revealed to him."""
    game, source, waiting = passage.game, passage.source, passage.game.waiting(state)
    seat = waiting[source.below(len(waiting))]
    decision, in_twin = game.decision(state, seat), game.decision(twin, seat)
    assert decision is not None
    demand(in_twin, "who is asked is asked in a twin too", seat)
    assert in_twin is not None
    seeds = (passage.seed, passage.other_seed if variant.seed else passage.seed)
    for _ in range(REDRAWN):
        said = both_say(game, (state, twin), (decision, in_twin), viewer, seeds, variant, source)
        if said.second is not None:
            stories.same_story(passage, said.first, said.second, viewer)
            name = type(said.command).__name__
            passage.tally.add("commands", name, times=int(said.first != said.second))
            return
        passage.tally.add("commands drawn anew", type(said.command).__name__)
    passage.tally.add("commands drawn anew", "given up")


class Said(NamedTuple):
    """What a seat says in each of two worlds, and what comes of it; in the second it may have nothing that fits."""

    command: Any
    first: Outcome
    other: Any
    second: Outcome | None


def both_say(
    game: Game,
    states: tuple[Any, Any],
    decisions: tuple[Decision, Decision],
    viewer: int,
    seeds: tuple[bytes, bytes],
    variant: Worlds,
    source: Stream,
) -> Said:
    """Let a seat answer in two worlds: the viewer says the same in both, another one what must look the same to him."""
    (state, twin), (decision, in_twin) = states, decisions
    command = any_answer(game, decision, source)
    first = accept(game, state, decision, command, SeededChance(seeds[0]))
    other, free = command, False
    if decision.seat != viewer:
        free = variant.secrets and _sealed(first) and source.below(2) == 0
        other = any_answer(game, in_twin, source) if free else counterpart(game, in_twin, command, source, variant)
    if other is None:
        return Said(command, first, None, None)
    second = accept(game, twin, in_twin, other, SeededChance(seeds[1]))
    return Said(command, first, other, second if not free or _sealed(second) else None)


def _sealed(outcome: Outcome) -> bool:
    return any(isinstance(event, Answered) for event in outcome.events)


def any_answer(game: Game, decision: Decision, source: Stream) -> Any:
    """Whatever a seat may say; while it is sealed, all of an answer is a secret."""
    return sample(decision.options[source.below(len(decision.options))], members(game.Command), source)


def counterpart(game: Game, decision: Decision, command: Any, source: Stream, variant: Worlds) -> Any | None:
    """What another seat says in the second world: the same in public, secrets kept if they can be, or drawn anew."""
    hidden = {field.name for field in fields(command.__class__) if field.secret}
    if not (variant.secrets and hidden) and any(_takes(option, command, set()) for option in decision.options):
        return command
    open_to = [option for option in decision.options if _takes(option, command, hidden)]
    if not open_to:
        return None
    drawn = sample(open_to[source.below(len(open_to))], members(game.Command), source)
    return replace(command, **{name: getattr(drawn, name) for name in hidden})


def _takes(option: Option, command: Any, hidden: set[str]) -> bool:
    """Whether the option takes the command, its hidden fields apart."""
    return (
        option.command == type(command).__name__
        and all(getattr(command, given.field) == given.key for given in option.given if given.field not in hidden)
        and all(
            refusal(slot, getattr(command, slot.field)) is None for slot in option.slots if slot.field not in hidden
        )
    )
