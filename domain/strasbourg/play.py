"""The sequence of play, as the rulebook tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.course import Course, Step

from .components import CHURCH, NOBILITY, ROUNDS
from .contest import Clearing, Contest, Deciding, PuttingBack, Ranking, Unused
from .council import BuildingStep, ChapelStep, Council, PlacingBuilding, PlacingChapel
from .events import RoundBegan
from .guilds import Apprentice, Journeyman, Master, Merchant, Placing, Selling, TakingChair, take_chair
from .planning import ChoosingTasks, FirstCards, Planning
from .scoring import FinalScoring

if TYPE_CHECKING:
    from .state import State


class Game(Step):
    """Two members in the council, tasks, five rounds, the final scoring (STR-101, STR-104)."""

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """The first player takes the nobility chair, his left neighbour the church chair."""
        first, left = course.state.clockwise(course.state.first)[:2]
        take_chair(course, first, NOBILITY)
        take_chair(course, left, CHURCH)
        return (ChoosingTasks(), *(Round(number) for number in range(1, ROUNDS + 1)), FinalScoring())


class Round(Step):
    """Planning, the steps A to I, the council (STR-201, STR-301, STR-401)."""

    round: int

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """The card of the round names the guilds of B, D and F."""
        course.emit(RoundBegan(self.round))
        guild_b, guild_d, guild_f = course.state.cards[self.round - 1].guilds
        return (
            FirstCards(),
            Planning(),
            Contest("A"),  # nobility and church
            Contest("B", guild_b),
            Contest("C"),  # merchants
            Contest("D", guild_d),
            Contest("E"),  # merchants
            Contest("F", guild_f),
            Contest("G"),  # merchants
            Unused(),
            ChapelStep(),  # H
            BuildingStep(),  # I
            Council(),
        )


AgendaItem = (
    Game | ChoosingTasks | Round | FirstCards | Planning
    | Contest | Deciding | Ranking | PuttingBack | Clearing | Unused
    | TakingChair | Master | Journeyman | Placing | Apprentice | Merchant | Selling
    | ChapelStep | PlacingChapel | BuildingStep | PlacingBuilding | Council | FinalScoring
)  # fmt: skip
