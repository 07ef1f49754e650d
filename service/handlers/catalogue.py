"""The catalogue: which games there are, and all there is to know about them."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from domain import editions, rulebook
from domain.course import phrase
from kontor.v1 import ask_pb2
from kontor.v1 import table_service_pb2 as pb
from service import errors, translate
from service.handlers.desk import Caller, Desk
from service.phrases import texts


async def list_games(desk: Desk, caller: Caller, request: pb.ListGamesRequest) -> pb.ListGamesResponse:
    """The games in short."""
    return pb.ListGamesResponse(games=[_summary(game) for game in desk.host.games.values()])


async def get_game(desk: Desk, caller: Caller, request: pb.GetGameRequest) -> pb.GetGameResponse:
    """One game whole."""
    game = desk.host.games.get(request.game)
    if game is None:
        raise errors.NotFound("UNKNOWN_GAME", f"There is no such game; there is {', '.join(desk.host.games)}.")
    return pb.GetGameResponse(game=_whole(game, caller.language))


def _summary(game: Any) -> pb.GameSummary:
    meta = game.meta
    return pb.GameSummary(id=meta.id, title=meta.title, least_seats=meta.least_seats, most_seats=meta.most_seats)


@cache
def _whole(game: Any, language: str) -> pb.Game:
    meta = game.meta
    page = resources.files(game).joinpath("rules.md").read_text("utf-8")
    usual = editions.builtin(game, meta.editions[0])
    return pb.Game(
        summary=_summary(game),
        settings=[translate.slot_to_message(slot) for slot in meta.settings],
        editions=meta.editions,
        rules_version=meta.rules_version,
        rules=[
            pb.Rule(id=rule.id, chapter=rule.chapter, sentence=rule.sentence, source=rule.source)
            for rule in rulebook.parse(page)
        ],
        phrases="\n".join(texts(game, language)),
        components=[_component(component) for component in game.components(usual)],
    )


def _component(component: Any) -> pb.Component:
    """What is printed on a component: all its fields but the key."""
    printed = {name: getattr(component, name) for name in component.__struct_fields__ if name != "key"}
    facts = [ask_pb2.Fact(name=name, value=_text(value)) for name, value in printed.items() if value is not None]
    return pb.Component(key=component.key, kind=phrase(type(component).__name__), facts=facts)


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(_text(part) for part in value)
    return str(getattr(value, "key", value))
