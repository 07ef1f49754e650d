"""Stored events give the live state again, and everything comes back equal from its bytes."""

from __future__ import annotations

from typing import Any

from domain.chance import SeededChance
from domain.engine import Decision, Game, Result
from domain.values import Malformed, from_bytes, from_json, to_bytes, to_json
from tests.conformance.claims import alike, breaks, demand, handling
from tests.conformance.walk import Passage, accept


def folds(passage: Passage) -> None:
    """At every version the fold of the events read from bytes is the live state; so are views, decisions, positions."""
    game = passage.game
    state = _fold(game, None, passage.events) if passage.events else passage.state
    alike("folding the first events gives the first state", state, passage.state)
    _all_told(passage, state, passage.events)
    for step in passage.steps():
        command = comes_back("a command", game.Command, step.command)
        state = _fold(game, state, step.events)
        alike(f"folding {step.command!r} gives the live state", state, step.after)
        _all_told(passage, state, step.events)
        again = accept(game, step.before, step.decision, command, SeededChance(passage.seed))
        demand(
            again == (step.events, step.after), "deciding again gives the same", step.command, step.events, again.events
        )


def _fold(game: Game, state: Any, events: tuple[Any, ...]) -> Any:
    for event in events:
        stored = comes_back("an event", game.Event, event)
        with handling(f"evolve fails on {event!r}"):
            state = game.evolve(state, stored)
    return state


def _all_told(passage: Passage, state: Any, events: tuple[Any, ...]) -> None:
    """Everything that is said about this version comes back from its bytes; a state is its position."""
    game = passage.game
    comes_back("a position", game.State, state)
    for viewer in passage.viewers:
        comes_back("a view", game.View, game.view(state, viewer))
        decision = game.decision(state, viewer)
        if decision is not None:
            comes_back("a decision", Decision, decision)
        for event in events:
            comes_back("a shown event", game.Shown, game.show(event, viewer))
    result = game.result(state)
    if result is not None:
        comes_back("a result", Result, result)


def comes_back(what: str, wanted: Any, value: Any) -> Any:
    """The value as read from its bytes, which is the same as before; its JSON has one form."""
    try:
        read = from_bytes(wanted, to_bytes(value))
        text = to_json(value)
        spoken = from_json(wanted, text)
    except (Malformed, TypeError) as error:
        breaks(f"{what} can be read from its bytes: {error}", value)
    demand(_same(read, value), f"{what} comes back equal from bytes", value, read)
    demand(_same(spoken, value), f"{what} comes back equal from JSON", value, spoken)
    demand(to_json(spoken) == text, f"{what} has one form as JSON", text, to_json(spoken))
    return read


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other
