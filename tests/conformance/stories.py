"""What a viewer is told: in two worlds the same, until something is revealed to him by a rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.chance import SeededChance
from domain.engine import Game, Outcome
from domain.values import fields
from tests.conformance import subjects, twins
from tests.conformance.claims import alike, breaks, demand, handling
from tests.conformance.walk import Passage


def same_now(game: Game, state: Any, twin: Any, viewer: int, why: str) -> None:
    """All that a viewer can ask about this moment is the same."""
    alike(f"{why}: who is asked, for viewer {viewer}", game.waiting(state), game.waiting(twin))
    alike(f"{why}: the view of {viewer}", game.view(state, viewer), game.view(twin, viewer))
    alike(f"{why}: what {viewer} is asked", game.decision(state, viewer), game.decision(twin, viewer))
    alike(f"{why}: the result, for viewer {viewer}", game.result(state), game.result(twin))


def same_story(passage: Passage, first: Outcome, second: Outcome, viewer: int) -> None:
    """What a viewer is shown in two worlds: equal up to a reveal; without one, the views after are equal too."""
    game, tally = passage.game, passage.tally
    with handling("show fails"):
        told = [game.show(event, viewer) for event in first.events]
        told_there = [game.show(event, viewer) for event in second.events]
    differ = int(first != second)  # else it is one world, and there is nothing to compare
    for event, one, other in zip(first.events, told, told_there, strict=False):
        tally.add("events", type(event).__name__, times=differ)
        if one != other:
            _revealed(one, other, viewer)
            tally.add("reveals", type(event).__name__)
            return
    demand(len(told) == len(told_there), f"viewer {viewer} is shown as many events in both worlds", told, told_there)
    same_now(game, first.state, second.state, viewer, "the view tells nothing that no event told")


def _revealed(one: Any, other: Any, viewer: int) -> None:
    """The difference between two shown events lies in fields that are revealed to this viewer."""
    if type(one) is not type(other):
        breaks(f"viewer {viewer} is shown events of the same type", one, other)
    for field in fields(one.__class__):
        if getattr(one, field.name) != getattr(other, field.name) and not _told(
            field.reveals, field.to, (one, other), viewer
        ):
            breaks(f"{type(one).__name__}.{field.name} may not differ for viewer {viewer}", one, other)


def _told(rule: str, to: str, shown: Sequence[Any], viewer: int) -> bool:
    """Whether a field is revealed to the viewer, in both worlds."""
    if not rule or to == "all":
        return bool(rule)
    audiences = (getattr(event, to) for event in shown)
    return all(viewer in audience if isinstance(audience, tuple) else viewer == audience for audience in audiences)


def setups(passage: Passage) -> None:
    """What is told when a game begins differs by what chance decided, and only in what that reveals to each viewer."""
    assert passage.start
    given = (passage.start.players, passage.start.facts, subjects.edition(passage.game, passage.start.edition))
    spy = _Spy(passage.seed)
    first = passage.game.setup(*given, spy)
    picked = twins.Pairs(spy.asked).pick(passage.source)
    chances: list[Any] = [SeededChance(passage.other_seed)]
    if picked:
        chances.append(twins.Exchanging(*picked, SeededChance(passage.seed)))
    for chance in chances:
        with handling("setup fails"):
            second = passage.game.setup(*given, chance)
        for viewer in passage.viewers:
            same_story(passage, first, second, viewer)


class _Spy(SeededChance):
    """A table's chance that remembers what it gave."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.asked: list[tuple[Any, ...]] = []

    def shuffle(self, label: str, things: Any, /) -> tuple[Any, ...]:
        order = super().shuffle(label, things)
        self.asked.append(order)
        return order
