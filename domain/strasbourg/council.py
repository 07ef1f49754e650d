"""Chapels and buildings, and the council at the end of a round (STR-316, STR-317, chapter 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from domain.course import Course, Step, Turn
from domain.options import Option, PickOne, Why
from domain.values import Fact, facts

from .commands import Build, BuildChapel
from .components import CHAIRS, CHURCH, NOBILITY
from .events import BuildingBuilt, ChapelBuilt, PrivilegesGranted, Scored, StepBegan

if TYPE_CHECKING:
    from .play import AgendaItem
    from .state import State

NOT_A_CHAPEL_SITE = Why("STR-316", "NOT_OFFERED")  # `explain` tells which: taken, or no such site
NOT_A_SITE = Why("STR-317", "NOT_OFFERED")


class ChapelStep(Step):
    """Step H: the owner of the church chair builds a chapel (STR-316)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """That chair is never empty (STR-104, STR-403)."""
        course.emit(StepBegan("H", ""))
        return (PlacingChapel(course.state.council[CHAIRS.index(CHURCH)]),)


class PlacingChapel(Turn):
    """On which site (STR-316)?"""

    rule: ClassVar[str] = "STR-316"

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Any free one."""
        sites = tuple(site.key for site in state.plan.chapel_sites if site.key not in state.chapels)
        return (Option("BuildChapel", self.rule, slots=(PickOne("site", sites, NOT_A_CHAPEL_SITE),)),)

    def answered(self, course: Course[State], command: BuildChapel) -> tuple[AgendaItem, ...]:
        """Build it."""
        course.emit(ChapelBuilt(self.seat, command.site))
        return ()


class BuildingStep(Step):
    """Step I: the owner of the nobility chair puts up this round's building (STR-317)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """That chair is never empty (STR-104, STR-403)."""
        course.emit(StepBegan("I", ""))
        return (PlacingBuilding(course.state.council[CHAIRS.index(NOBILITY)]),)


class PlacingBuilding(Turn):
    """On which site (STR-317)?"""

    rule: ClassVar[str] = "STR-317"

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Any free one."""
        taken = {built.site for built in state.built}
        sites = tuple(site.key for site in state.plan.building_sites if site.key not in taken)
        return (Option("Build", self.rule, slots=(PickOne("site", sites, NOT_A_SITE),)),)

    def facts(self, state: State, seat: int) -> tuple[Fact, ...]:
        """Which building."""
        return facts(building=state.buildings[state.round - 1].key)

    def answered(self, course: Course[State], command: Build) -> tuple[AgendaItem, ...]:
        """Build it."""
        state = course.state
        course.emit(BuildingBuilt(self.seat, state.buildings[state.round - 1], command.site))
        return ()


class Council(Step):
    """A prestige for each member in the council, a privilege for whoever has most; all stay (STR-401..403)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Count them; all who are tied get one."""
        state = course.state
        members = tuple(state.council.count(seat) for seat in state.seats)
        course.emit(Scored("STR-401", "council", members))
        course.emit(PrivilegesGranted(tuple(seat for seat in state.seats if members[seat - 1] == max(members))))
        return ()
