"""What is shown of a table: messages made from a life, for one viewer, in one language.

One function makes a view, one a change; answers, streams, history and repetition all come from these two. A message is
made once a version, viewer and language, and kept beside the life that it shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from domain.course import phrase
from domain.table import Opened, Phase
from kontor.v1 import ask_pb2, table_pb2, view_pb2
from service import translate
from service.calls import commitment
from service.entry import Founded, Placed
from service.errors import AgainstTheRules
from service.life import Life
from service.phrases import Phrases
from service.translate.tables import bot_key

PHASES = {
    Phase.LOBBY: table_pb2.PHASE_LOBBY,
    Phase.PLAYING: table_pb2.PHASE_PLAYING,
    Phase.CANCELLED: table_pb2.PHASE_CANCELLED,
}

SENTENCES = {
    "opened": "table-opened",
    "seat_taken": "seat-taken",
    "seat_left": "seat-left",
    "started": "table-started",
    "cancelled": "table-cancelled",
    "handed_over": "seat-handed-over",
}


def table(life: Life) -> table_pb2.Table:
    """A table, as everybody at it sees it."""
    known = life.shown.get("table")
    if known is None:
        known = life.shown["table"] = _table(life)
    assert isinstance(known, table_pb2.Table)
    return known


def _table(life: Life) -> table_pb2.Table:
    founded, state = life.founded, life.table
    assert founded is not None
    assert state is not None
    return table_pb2.Table(
        id=life.id,
        game=state.game,
        edition=state.edition,
        settings=[ask_pb2.Fact(name=setting.name, value=setting.value) for setting in state.settings],
        phase=table_pb2.PHASE_OVER if life.over else PHASES[state.phase],
        seats=[
            table_pb2.Seat(number=number, name=sitting.name, bot=bot_key(sitting.bot))
            for number, sitting in enumerate(state.sittings, 1)
        ],
        least_seats=state.least_seats,
        most_seats=state.most_seats,
        public=founded.public,
        create_time=_time(life.entries[0].time),
        answer_within_seconds=founded.answer_within,
        seed_given=founded.seed_given,
        position_given=bool(founded.position),
        commitment=commitment(founded),
        rules_version=life.game.meta.rules_version,
        version=life.version,
    )


def view(life: Life, seat: int, language: str) -> view_pb2.View:
    """Everything one viewer may see of a table now."""
    known = life.shown.get(("view", seat, language))
    if known is None:
        known = life.shown["view", seat, language] = _view(life, seat, language)
    assert isinstance(known, view_pb2.View)
    return known


def _view(life: Life, seat: int, language: str) -> view_pb2.View:
    message = view_pb2.View(
        moment=view_pb2.Moment(version=life.version, tag=life.tag),
        table=table(life),
        seat=seat,
        waiting_for=[_waiting(life, other) for other in life.waiting],
    )
    if life.play is None:
        return message
    game = life.game
    message.game.CopyFrom(translate.view_to_message(game, game.view(life.play, seat)))
    decision = game.decision(life.play, seat) if seat else None
    if decision is not None:
        words = phrases(game, language)
        message.decision.CopyFrom(translate.decision_to_message(decision, words, life.names))
    result = game.result(life.play)
    if result is not None:
        message.ranking.CopyFrom(translate.ranking_to_message(result))
    return message


def _waiting(life: Life, seat: int) -> view_pb2.Waiting:
    assert life.founded is not None
    limit = life.founded.answer_within * 1000
    return view_pb2.Waiting(seat=seat, deadline_time=_time(life.since[seat] + limit) if limit else None)


def change(life: Life, version: int, seat: int, language: str) -> view_pb2.Change:
    """What one log entry showed a viewer."""
    known = life.shown.get(("change", version, seat, language))
    if known is None:
        known = life.shown["change", version, seat, language] = _change(life, version, seat, language)
    assert isinstance(known, view_pb2.Change)
    return known


def _change(life: Life, version: int, seat: int, language: str) -> view_pb2.Change:
    entry = life.entries[version - 1]
    return view_pb2.Change(
        moment=view_pb2.Moment(version=version, tag=entry.tag),
        cause=view_pb2.Cause.Value(f"CAUSE_{entry.cause.value.upper()}"),
        seat=entry.seat,
        accept_time=_time(entry.time),
        events=[shown for event in entry.events if (shown := _event(life, version, event, seat, language)) is not None],
    )


def _event(life: Life, version: int, event: Any, seat: int, language: str) -> view_pb2.ShownEvent | None:
    """One event as the viewer saw it; of a given position nothing is shown but the view."""
    if isinstance(event, Placed):
        return None
    words = phrases(life.game, language)
    if not hasattr(event, "show"):
        happened = translate.table_event_to_message(Opened(event.table) if isinstance(event, Founded) else event)
        key = SENTENCES[happened.WhichOneof("event") or ""]
        said = ask_pb2.Sentence(text=words.say(key, _arguments(life, version, event)), key=key)
        return view_pb2.ShownEvent(sentence=said, table=happened)
    shown = life.game.show(event, seat)
    return view_pb2.ShownEvent(
        sentence=ask_pb2.Sentence(text=words.event(shown, life.names_at(version)), key=phrase(type(shown).__name__)),
        rule=getattr(event, "rule", ""),
        game=translate.event_to_message(life.game, shown),
    )


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


def _time(milliseconds: int) -> Timestamp:
    return Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)
