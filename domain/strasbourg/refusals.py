"""Why a command was refused, told better than by the options: from what the offender sees himself."""

from __future__ import annotations

from typing import Any

from domain.options import Refusal, Why
from domain.values import facts

from .commands import Build, BuildChapel, Draw, Place, Wait
from .contest import ALL_DECIDED, NO_PRIVILEGE, Deciding
from .council import PlacingBuilding, PlacingChapel
from .guilds import Apprentice, Placing
from .planning import DECK_EMPTY, Planning
from .state import State

NO_FIELD = Why("STR-311", "NO_SUCH_FIELD")
TAKEN = Why("STR-311", "FIELD_TAKEN")
OTHER_GUILD = Why("STR-311", "FIELD_OF_ANOTHER_GUILD")
TOO_DEAR = Why("STR-311", "FIELD_TOO_DEAR")
NO_CHAPEL_SITE = Why("STR-316", "NO_SUCH_CHAPEL_SITE")
CHAPEL_TAKEN = Why("STR-316", "CHAPEL_SITE_TAKEN")
NO_SITE = Why("STR-317", "NO_SUCH_BUILDING_SITE")
SITE_TAKEN = Why("STR-317", "BUILDING_SITE_TAKEN")


def explain(state: State, seat: int, command: Any) -> Refusal | None:
    """A better refusal than that it was not offered, where the command belongs to the question."""
    match state.agenda[0], command:
        case Planning(), Draw():
            return _refuse(DECK_EMPTY)
        case Deciding(), Wait():
            return _refuse(ALL_DECIDED if state.player(seat).privileges else NO_PRIVILEGE)
        case (Placing() | Apprentice()) as question, Place(field):
            return _field(state, seat, question.guild, field)
        case PlacingChapel(), BuildChapel(site):
            return _refuse(CHAPEL_TAKEN if site in state.chapels else NO_CHAPEL_SITE)
        case PlacingBuilding(), Build(site):
            taken = any(built.site == site for built in state.built)
            return _refuse(SITE_TAKEN if taken else NO_SITE)
    return None


def _field(state: State, seat: int, guild: str, key: object) -> Refusal:
    place = state.plan.place.get(key) if isinstance(key, str) else None
    if place is None:
        return _refuse(NO_FIELD, guild=guild)
    field, money = state.plan.fields[place], state.player(seat).money
    if field.guild != guild:
        return _refuse(OTHER_GUILD, field=field.key, guild=guild)
    if state.city[place]:
        return _refuse(TAKEN, field=field.key)
    return _refuse(TOO_DEAR, field=field.key, price=field.price, money=money)


def _refuse(why: Why, **named: object) -> Refusal:
    return Refusal(why.rule, why.reason, facts(**named))
