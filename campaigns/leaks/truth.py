"""Both worlds by the true rules: what is said in them, and whether the viewer is told the same of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from campaigns.leaks.pairs import Pair
from domain.chance import SeededChance
from domain.engine import Decision, Outcome, play
from tests.conformance.worlds import REDRAWN, any_answer, both_say


class Step(NamedTuple):
    """What a seat says in each world, and where that leads."""

    seat: int
    number: int  # of the decision
    commands: tuple[Any, Any]
    states: tuple[Any, Any]


class Truth:
    """Where both worlds stand."""

    def __init__(self, pair: Pair) -> None:
        self.game, self.viewer, self.source = pair.game, pair.viewer, pair.source
        self.states = pair.states
        self.reveals = 0  # commands that told the viewer something, by a rule
        self._pair = pair

    def step(self) -> Step | None:
        """The next command: one that tells the viewer the same in both worlds; nothing if none is found."""
        waiting = self.game.waiting(self.states[0])
        for _ in range(REDRAWN if waiting else 0):
            seat = waiting[self.source.below(len(waiting))]
            if self.viewer in waiting and self.source.below(2):
                seat = self.viewer
            decisions = (self.game.decision(self.states[0], seat), self.game.decision(self.states[1], seat))
            seeds, variant = self._pair.seeds, self._pair.variant
            said = both_say(self.game, self.states, decisions, self.viewer, seeds, variant, self.source)
            if said.second is None:
                continue
            if self._told(said.first) == self._told(said.second):
                states = (said.first.state, said.second.state)
                return Step(seat, decisions[0].number, (said.command, said.other), states)
            self.reveals += 1
        return None

    def _told(self, outcome: Outcome) -> object:
        """All that the viewer is shown of a command, and of where it leads."""
        game, state, viewer = self.game, outcome.state, self.viewer
        shown = [game.show(event, viewer) for event in outcome.events]
        return shown, game.view(state, viewer), game.decision(state, viewer), game.waiting(state), game.result(state)

    def asked(self, seat: int) -> Decision | None:
        """What a seat is asked in the first world."""
        decision: Decision | None = self.game.decision(self.states[0], seat)
        return decision

    def others(self) -> list[Any]:
        """What others might answer now, one answer each: in the viewer's mouth they are refused."""
        waiting = self.game.waiting(self.states[0])
        asked = (self.asked(seat) for seat in waiting if seat != self.viewer)
        return [any_answer(self.game, decision, self.source) for decision in asked if decision]

    def accepts(self, number: int, command: Any) -> bool:
        """Whether the rules take this from the viewer, as an answer to this decision, in either world."""
        decision = self.asked(self.viewer)
        if decision is None or decision.number != number:
            return False
        for state in self.states:
            try:
                play(self.game, state, self.viewer, command, SeededChance(bytes(32)))
            except Exception:  # noqa: BLE001, S112 - Illegal, or no command at all: either is a refusal
                continue
            return True
        return False
