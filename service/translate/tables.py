"""What happens around a game: the events of a table, and the final ranking."""

from __future__ import annotations

from typing import Any

from domain.engine import Result
from domain.table import Bot, Cancelled, HandedOver, Joined, Left, Opened, Started
from kontor.v1 import (
    Ranking,
    SeatHandedOver,
    SeatLeft,
    SeatTaken,
    SourcePoints,
    Standing,
    TableCancelled,
    TableEvent,
    TableOpened,
    TableStarted,
)


def table_event_to_message(event: Any) -> TableEvent:
    """Something that happened to the table itself; epochs are nobody's business."""
    match event:
        case Opened():
            return TableEvent(opened=TableOpened())
        case Joined(seat=seat, sitting=sitting):
            return TableEvent(seat_taken=SeatTaken(seat=seat, name=sitting.name, bot=bot_key(sitting.bot)))
        case Left(seat=seat):
            return TableEvent(seat_left=SeatLeft(seat=seat))
        case Started():
            return TableEvent(started=TableStarted())
        case Cancelled():
            return TableEvent(cancelled=TableCancelled())
        case HandedOver(seat=seat, name=name, bot=bot):
            return TableEvent(handed_over=SeatHandedOver(seat=seat, name=name, bot=bot_key(bot)))
    raise TypeError(f"{type(event).__name__} is no event of a table.")


def bot_key(bot: Bot) -> str:
    """The kind of a bot on the wire; empty for a person."""
    return "" if bot is Bot.NONE else bot.value


def ranking_to_message(result: Result) -> Ranking:
    """The final ranking, best first."""
    standings = [
        Standing(
            seat=standing.seat,
            place=standing.place,
            points=standing.points,
            by_source=[SourcePoints(source=part.source, points=part.points) for part in standing.by_source],
        )
        for standing in result.ranking
    ]
    return Ranking(standings=standings, rule=result.decided_by)
