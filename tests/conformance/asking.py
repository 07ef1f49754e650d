"""Who is asked, what, and for how long."""

from __future__ import annotations

from typing import Any

from domain.engine import SPECTATOR, Decision
from domain.options import Why, check, count
from tests.conformance.claims import alike, demand, handling
from tests.conformance.walk import Passage


def asks(passage: Passage) -> None:
    """Who is waited for has an answer, nobody else is asked, and what was asked stays as it is until it is answered.

    That no label of chance is used twice shows here too: all commands of the passage draw from one chance.
    """
    asked = _all_asked(passage, passage.state)
    for step in passage.steps():
        seat = step.decision.seat
        demand(step.events, "an accepted command causes an event", step.command)
        for event in step.events:
            demand(
                hasattr(event, "rule") or type(event).__name__ in ("Answered", "Asked"),
                "an event names its rule",
                event,
            )
        now = _all_asked(passage, step.after)
        gone = asked.keys() - now.keys() - {seat}
        demand(not gone, f"another's answer never closes an open decision: {step.command!r}", *gone)
        for other, decision in now.items():
            before = asked.get(other)
            if other == seat:
                demand(
                    decision.number == step.decision.number + 1, "an answer is counted once", step.decision, decision
                )
            elif before is not None:
                _unchanged(before, decision)
        asked = now


def _unchanged(before: Decision, now: Decision) -> None:
    """What a seat is asked stays the same while it is open."""
    alike("an open decision keeps its number", before.number, now.number)
    alike("the options of an open decision never change", before.options, now.options)
    alike("the question of an open decision never changes", before.question, now.question)


def _all_asked(passage: Passage, state: Any) -> dict[int, Decision]:
    """What everybody is asked now."""
    game, waiting = passage.game, passage.game.waiting(state)
    seats = set(passage.viewers) - {SPECTATOR}
    demand(len(set(waiting)) == len(waiting) and set(waiting) <= seats, "those who are waited for are seats", waiting)
    demand(bool(waiting) == (game.result(state) is None), "a game that is not over waits for somebody", waiting)
    found = {}
    for viewer in passage.viewers:
        decision = game.decision(state, viewer)
        demand((decision is not None) == (viewer in waiting), "only who is waited for is asked", viewer, decision)
        if decision is not None:
            _answerable(passage, state, viewer, decision)
            found[viewer] = decision
    return found


def _answerable(passage: Passage, state: Any, seat: int, decision: Decision) -> None:
    demand(decision.seat == seat, "a decision names its seat", decision)
    demand(decision.question and decision.rule, "a decision has a question and a rule", decision)
    for option in decision.options:
        demand(count(option).number > 0, "every option has an answer", option)
    with handling("stand_in fails"):
        answer = passage.game.stand_in(passage.game.view(state, seat), decision)
    refused = check(decision.options, answer, Why(decision.rule, "NOT_OFFERED"))
    demand(refused is None, "the stand-in answers within the options", answer, refused)
