"""The final scoring (chapter 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.course import Course, Step

from .events import PrivilegesScored, Scored, TaskScore, TasksScored
from .tasks import met

if TYPE_CHECKING:
    from .play import AgendaItem
    from .state import State

MISSED = -3
"""What a kept task costs that is not met (STR-505)."""


class FinalScoring(Step):
    """Members, chapels, buildings, privileges, tasks; money and goods give nothing (STR-501..506)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Source by source, so that all can count along."""
        state, beside = course.state, course.state.plan.beside
        own = [state.members(seat) for seat in state.seats]
        course.emit(Scored("STR-501", "members", tuple(len(members) for members in own)))
        chapels = (sum(len(members & beside[site]) for site in state.chapels) for members in own)
        course.emit(Scored("STR-502", "chapels", tuple(chapels)))
        buildings = (
            sum(built.building.number * len(members & beside[built.site]) for built in state.built) for members in own
        )
        course.emit(Scored("STR-503", "buildings", tuple(buildings)))
        course.emit(PrivilegesScored(tuple(player.privileges for player in state.players)))
        for seat in state.clockwise(state.first):
            scores = ((task, met(state, seat, task)) for task in state.player(seat).tasks)
            shown = tuple(TaskScore(task, holds, task.points if holds else MISSED) for task, holds in scores)
            course.emit(TasksScored(seat, shown))
        return ()
