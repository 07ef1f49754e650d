"""Games end; cards and tiles stay the same in number; a game's own invariants hold."""

from __future__ import annotations

from typing import Any

from domain.engine import Result
from tests.conformance.claims import alike, demand, holding
from tests.conformance.walk import Passage


def ends(passage: Passage) -> None:
    """A random game ends within its bound, with a ranking of all seats."""
    passage.most = passage.subject.bound + 1
    state, number = passage.state, 0
    for step in passage.steps():
        demand(passage.game.result(state) is None, "a game that still asks has no result")
        state, number = step.after, number + 1
    demand(number <= passage.subject.bound, f"a game ends within {passage.subject.bound} commands")
    demand(not passage.game.waiting(state), "a game that is over asks nobody")
    result = passage.game.result(state)
    demand(result is not None, "a game that asks nobody has a result")
    _ranks(result, len(passage.viewers) - 1)
    if passage.start:
        passage.tally.add("commands in games", f"{passage.start.players} players", times=number)
        passage.tally.add("games", f"{passage.start.players} players")


def _ranks(result: Any, seats: int) -> None:
    """Every seat has a place, best first, shared places are equal, and the points are the sum of their sources."""
    assert isinstance(result, Result)
    ranking = result.ranking
    demand(sorted(s.seat for s in ranking) == list(range(1, seats + 1)), "everybody has a place", ranking)
    places = [standing.place for standing in ranking]
    demand(
        all(p == 1 + sum(q < p for q in places) for p in places), "who shares a place leaves the next ones out", places
    )
    demand(places == sorted(places), "the best comes first", places)
    demand(result.decided_by, "a result names the rule that decided", result)
    for standing in ranking:
        total = sum(part.points for part in standing.by_source)
        demand(total == standing.points, "points are the sum of their sources", standing)


def keeps(passage: Passage) -> None:
    """What is conserved never changes in number, and the invariants hold at every version."""
    game, invariants = passage.game, passage.subject.invariants
    kept = game.conserved(passage.state)
    demand(kept, "something is conserved")
    holding("the invariants hold at the start", lambda: invariants(passage.state))
    for step in passage.steps():
        alike(f"nothing is lost or gained by {step.command!r}", game.conserved(step.after), kept)
        holding(f"the invariants hold after {step.command!r}", lambda state=step.after: invariants(state))  # type: ignore[misc]
