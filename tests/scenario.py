"""Tests state rules: given a state, when a seat answers, then these events.

given(augsburg, state, Bidding(...)).when(2, Bid(3)).then(BidMade(2, 3)).asks(3)
given(augsburg, state, Bidding(...)).when(2, Bid(9)).refused("AUG-206", "BID_EXCEEDS_CARDS")
"""

from __future__ import annotations

from typing import Any

from domain import course
from domain.chance import SeededChance
from domain.course import Asked
from domain.engine import Game, Illegal, play
from domain.values import replace

SEED = bytes(range(32))


class Scenario:
    """A game in the middle of play."""

    def __init__(self, game: Game, state: Any, events: tuple[Any, ...] = (), refusal: Any = None) -> None:
        self.game = game
        self.state = state
        self.events = events
        self.refusal = refusal

    def when(self, seat: int, command: Any) -> Scenario:
        """Let a seat answer; what an earlier answer caused must not have been refused."""
        assert self.refusal is None, self.refusal
        try:
            outcome = play(self.game, self.state, seat, command, SeededChance(SEED))
        except Illegal as illegal:
            return Scenario(self.game, self.state, (), illegal.refusal)
        return Scenario(self.game, outcome.state, tuple(e for e in outcome.events if not isinstance(e, Asked)))

    def then(self, *events: Any) -> Scenario:
        """Exactly these events happened."""
        assert self.refusal is None, self.refusal
        assert self.events == events
        return self

    def happened(self, *events: Any) -> Scenario:
        """These events happened among others, in this order."""
        assert self.refusal is None, self.refusal
        rest = iter(self.events)
        for event in events:
            assert any(event == other for other in rest), f"{event} not among {self.events}"
        return self

    def refused(self, rule: str, reason: str) -> Scenario:
        """The answer was refused by this rule, and nothing changed."""
        assert self.refusal is not None, self.events
        assert (self.refusal.rule, self.refusal.reason) == (rule, reason)
        return Scenario(self.game, self.state)

    def asks(self, *seats: int) -> Scenario:
        """These seats are asked now."""
        assert self.game.waiting(self.state) == seats
        return self

    def offers(self, seat: int, *commands: str) -> Scenario:
        """A seat is offered exactly these commands."""
        decision = self.game.decision(self.state, seat)
        assert decision is not None
        assert {option.command for option in decision.options} == set(commands)
        return self


def given(game: Game, state: Any, *agenda: Any) -> Scenario:
    """Start in the middle of a turn: a state, and the agenda from here on (none: the state's own)."""
    if not agenda:
        return Scenario(game, state)
    outcome = course.begin(replace(state, agenda=(), waiting=(), answers=()), None, agenda, SeededChance(SEED))
    events = tuple(event for event in outcome.events if event is not None and not isinstance(event, Asked))
    return Scenario(game, outcome.state, events)
