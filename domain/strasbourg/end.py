"""How it ends: the ranking (STR-507)."""

from __future__ import annotations

from domain.engine import Points, Result, Standing

from .events import SOURCES
from .state import State


def result(state: State) -> Result | None:
    """Most prestige wins; a tie goes to more members in the city, and then the victory is shared."""
    if state.agenda:
        return None
    score = {seat: (state.player(seat).prestige, state.city.count(seat)) for seat in state.seats}
    ranking = sorted(state.seats, key=score.__getitem__, reverse=True)
    scores = [score[seat] for seat in ranking]
    return Result(
        tuple(Standing(seat, 1 + scores.index(score[seat]), score[seat][0], _points(state, seat)) for seat in ranking),
        "STR-507",
    )


def _points(state: State, seat: int) -> tuple[Points, ...]:
    return tuple(Points(source, points) for source, points in zip(SOURCES, state.player(seat).scored, strict=True))
