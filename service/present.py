"""What is shown of a table: messages made from a life, for one viewer, in one language.

One function makes a view, one a change; answers, streams, history and repetition all come from these two. Each is
encoded once a version, viewer and language, and kept beside the life that it shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any

from domain.course import phrase
from domain.table import Opened, Phase
from kontor.v1 import Sentence, table_pb2, view_pb2
from service import translate
from service.calls import commitment
from service.encoding import holder
from service.entry import Cause, Founded, Placed
from service.errors import AgainstTheRules
from service.life import Life
from service.phrases import Names, Phrases
from service.translate.tables import bot_key

PHASES = {
    Phase.LOBBY: table_pb2.PHASE_LOBBY,
    Phase.PLAYING: table_pb2.PHASE_PLAYING,
    Phase.CANCELLED: table_pb2.PHASE_CANCELLED,
}

CAUSES = {cause: view_pb2.Cause.Value(f"CAUSE_{cause.value.upper()}") for cause in Cause}

SENTENCES = {
    "opened": "table-opened",
    "seat_taken": "seat-taken",
    "seat_left": "seat-left",
    "started": "table-started",
    "cancelled": "table-cancelled",
    "handed_over": "seat-handed-over",
}

_HAPPENED = holder(view_pb2.Change, "events")

Plain = dict[str, Any]
"""What a message is made from: nested dicts, and one constructor at the end."""


def table(life: Life) -> table_pb2.Table:
    """A table, as everybody at it sees it."""
    known = life.shown.get("table")
    if known is None:
        known = life.shown["table"] = table_pb2.Table(**_table(life))
    assert isinstance(known, table_pb2.Table)
    return known


def _table(life: Life) -> Plain:
    """Only the version changes with every entry; the rest is made anew when somebody comes or goes, or at the end."""
    basis = life.table, life.over
    if life.lasting is None or life.lasting[0] is not basis[0] or life.lasting[1] is not basis[1]:
        life.lasting = (*basis, _lasting(life))
    return {**life.lasting[2], "version": life.version}


def _lasting(life: Life) -> Plain:
    founded, state = life.founded, life.table
    assert founded is not None
    assert state is not None
    return {
        "id": life.id,
        "game": state.game,
        "edition": state.edition,
        "settings": [{"name": setting.name, "value": setting.value} for setting in state.settings],
        "phase": table_pb2.PHASE_OVER if life.over else PHASES[state.phase],
        "seats": [
            {"number": number, "name": sitting.name, "bot": bot_key(sitting.bot)}
            for number, sitting in enumerate(state.sittings, 1)
        ],
        "least_seats": state.least_seats,
        "most_seats": state.most_seats,
        "public": founded.public,
        "create_time": _time(life.entries[0].time),
        "answer_within_seconds": founded.answer_within,
        "seed_given": founded.seed_given,
        "position_given": bool(founded.position),
        "commitment": commitment(founded),
        "rules_version": life.game.meta.rules_version,
    }


def view(life: Life, seat: int, language: str) -> bytes:
    """Everything one viewer may see of a table now: a `View`, encoded."""
    known: bytes | None = life.shown.get(("view", seat, language))
    if known is None:
        known = view_pb2.View(**_view(life, seat, language)).SerializeToString()
        life.shown["view", seat, language] = known
    return known


def _view(life: Life, seat: int, language: str) -> Plain:
    plain: Plain = {
        "moment": {"version": life.version, "tag": life.tag},
        "table": _table(life),
        "seat": seat,
        "waiting_for": [_waiting(life, other) for other in life.waiting],
    }
    if life.play is None:
        return plain
    game = life.game
    plain["game"] = translate.view_to_dict(game, game.view(life.play, seat))
    decision = game.decision(life.play, seat) if seat else None
    if decision is not None:
        plain["decision"] = translate.decision_to_dict(decision, phrases(game, language), life.names)
    result = game.result(life.play)
    if result is not None:
        plain["ranking"] = translate.ranking_to_message(result)
    return plain


def _waiting(life: Life, seat: int) -> Plain:
    assert life.founded is not None
    limit = life.founded.answer_within * 1000
    return {"seat": seat, "deadline_time": _time(life.since[seat] + limit)} if limit else {"seat": seat}


def change(life: Life, version: int, seat: int, language: str) -> bytes:
    """What one log entry showed a viewer: a `Change`, encoded."""
    known: bytes | None = life.shown.get(("change", version, seat, language))
    if known is None:
        # Of a given position nothing is shown but the view.
        events = (event for event in life.entries[version - 1].events if not isinstance(event, Placed))
        parts = [_HAPPENED(_event(life, version, event, seat, language)) for event in events]
        head = view_pb2.Change(**_change(life, version)).SerializeToString()
        known = life.shown["change", version, seat, language] = head + b"".join(parts)
    return known


def _change(life: Life, version: int) -> Plain:
    """What everybody knows of an entry."""
    entry = life.entries[version - 1]
    return {
        "moment": {"version": version, "tag": entry.tag},
        "cause": CAUSES[entry.cause],
        "seat": entry.seat,
        "accept_time": _time(entry.time),
    }


def _event(life: Life, version: int, event: Any, seat: int, language: str) -> bytes:
    """One event as the viewer saw it: a `ShownEvent`, encoded."""
    if hasattr(event, "show"):
        shown, rule = life.game.show(event, seat), getattr(event, "rule", "")
        return _shown(life.game, language, shown, life.names_at(version), rule)
    happened = translate.table_event_to_message(Opened(event.table) if isinstance(event, Founded) else event)
    key = SENTENCES[happened.WhichOneof("event") or ""]
    text = phrases(life.game, language).say(key, _arguments(life, version, event))
    return view_pb2.ShownEvent(sentence=Sentence(text=text, key=key), table=happened).SerializeToString()


@lru_cache(maxsize=20_000)
def _shown(game: Any, language: str, shown: Any, names: Names, rule: str) -> bytes:
    """A shown event, remembered: most are shown to all at a table alike, and the same happens again and again."""
    plain: Plain = {
        "sentence": {"text": phrases(game, language).event(shown, names), "key": phrase(type(shown).__name__)},
        "rule": rule,
        "game": translate.event_to_dict(game, shown),
    }
    return view_pb2.ShownEvent(**plain).SerializeToString()


def _arguments(life: Life, version: int, event: Any) -> dict[str, str | int]:
    """What the sentence about something that happened to the table names: a seat and a player, nothing else."""
    name = type(event).__name__
    if name == "Joined":
        return {"name": event.sitting.name, "bot": event.sitting.bot.value}
    if name == "HandedOver":
        return {"seat": event.seat, "name": event.name, "bot": event.bot.value}
    if name == "Left":
        return {"name": life.names_at(version - 1)[event.seat - 1]}
    return {}


def refusal_sentence(games: Mapping[str, ModuleType], error: AgainstTheRules, language: str) -> str:
    """A refusal in words."""
    game = games.get(error.game) or next(iter(games.values()))
    return phrases(game, language).refusal(error.refusal, error.names)


@lru_cache(maxsize=64)
def phrases(game: Any, language: str) -> Phrases:
    """The sentences of a game in a language."""
    return Phrases(game, language)


def _time(milliseconds: int) -> Plain:
    return {"seconds": milliseconds // 1000, "nanos": milliseconds % 1000 * 1_000_000}
