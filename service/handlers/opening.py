"""Opening tables: all that a table will depend on is checked here, once."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from domain import editions, table
from domain.engine import Illegal
from domain.table import Join
from domain.values import Malformed, facts, from_json, replace, to_json
from kontor.v1 import table_service_pb2 as pb
from service import calls, errors, present
from service.auth import Principal, Role
from service.entry import Founded
from service.handlers.desk import Caller, Desk, bot_kind, bot_name, client_secret, expiry, request_id

CROCKFORD = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHJKMNPQRSTVWXYZ")
LONGEST_TO_ANSWER = 60 * 24 * 3600
SEED = 64


async def create_table(desk: Desk, caller: Caller, request: pb.CreateTableRequest) -> pb.CreateTableResponse:
    """Found a table; the same request again gives the same table and a token for it."""
    request_id(request)
    secret = client_secret(request)
    founded = _founded(desk, request)
    seated, joined = founded.table, []
    for number, kind in enumerate(request.bots):
        event = _sit(seated, Join(bot_name(seated), bot_kind(f"bots[{number}]", kind)))
        seated = event.apply(seated)
        joined.append(event)
    wanted = _new_id(request.request_id, secret)
    life, _ = await desk.host.found(wanted, calls.founding(request.request_id, secret, founded, tuple(joined)))
    token, expires = desk.keys.token(Principal(Role.HOST, wanted))
    return pb.CreateTableResponse(table=present.table(life), host_token=token, expire_time=expiry(expires))


def _founded(desk: Desk, request: pb.CreateTableRequest) -> Founded:
    """All that the table will depend on, checked."""
    game = desk.host.games.get(request.game)
    if game is None:
        raise errors.Malformed("game", f"there is {', '.join(desk.host.games)}", "UNKNOWN_GAME")
    meta = game.meta
    chosen = {setting.name: setting.value for setting in request.settings}
    if len(chosen) < len(request.settings):
        raise errors.Malformed("settings", "a table option is chosen twice")
    try:
        opened = table.open_table(meta, request.edition or meta.editions[0], facts(**chosen)).table
    except Illegal as illegal:
        valid = next((fact.value for fact in illegal.refusal.facts if fact.name == "valid"), "")
        path = "edition" if illegal.refusal.reason == "UNKNOWN_EDITION" else "settings"
        raise errors.Malformed(path, f"there is {valid}", illegal.refusal.reason) from None
    if request.seats and not meta.least_seats <= request.seats <= meta.most_seats:
        raise errors.Malformed("seats", f"{meta.title} is for {meta.least_seats} to {meta.most_seats} players")
    if not 0 <= request.answer_within_seconds <= LONGEST_TO_ANSWER:
        raise errors.Malformed("answer_within_seconds", f"between 0 (no limit) and {LONGEST_TO_ANSWER}")
    if request.seats:
        opened = replace(opened, most_seats=request.seats)
    if request.position:
        seats = _position_seats(desk, game, request.position)
        if request.seats not in (0, seats):
            raise errors.Malformed("seats", f"the position is one of {seats} players")
        opened = replace(opened, least_seats=seats, most_seats=seats)
    return Founded(
        table=opened,
        box=to_json(editions.builtin(game, opened.edition)),
        seed=_seed(desk, request.seed) if request.seed else desk.host.random(SEED // 2),
        salt=desk.host.random(16),
        public=request.public,
        answer_within=request.answer_within_seconds,
        seed_given=bool(request.seed),
        position=request.position,
    )


def _seed(desk: Desk, seed: str) -> str:
    if not desk.policy.allow_seed:
        raise errors.Forbidden("SEED_NOT_ALLOWED", "This server lets nobody give a seed: who knows it knows the decks.")
    if len(seed) != SEED or not set(seed) <= set("0123456789abcdef"):
        raise errors.Malformed("seed", "64 hex digits, in small letters")
    return seed


def _position_seats(desk: Desk, game: Any, position: str) -> int:
    if not desk.policy.allow_position:
        raise errors.Forbidden("POSITION_NOT_ALLOWED", "This server lets nobody give a position.")
    try:
        state = from_json(game.State, position)
    except Malformed as error:
        raise errors.Malformed("position", str(error)) from None
    seats = len(state.numbers)
    if not game.meta.least_seats <= seats <= game.meta.most_seats or not _playable(game, state, seats):
        raise errors.Malformed("position", "nobody could play on from it")
    return seats


def _playable(game: Any, state: Any, seats: int) -> bool:
    """Whether all can be shown where they stand, and those who are asked have an answer."""
    try:
        shown = [game.view(state, viewer) for viewer in range(seats + 1)]
        asked = [game.decision(state, seat) for seat in game.waiting(state)]
    except Exception:  # noqa: BLE001 - it is well-formed, but no state of this game
        return False
    return bool(shown and asked) and all(decision and decision.options for decision in asked)


def _new_id(request: str, secret: str) -> str:
    """The table's id: 60 bits of a hash, so that the same request finds the same table."""
    digest = hashlib.sha256(f"{request}\0{secret}".encode()).digest()
    return base64.b32encode(digest)[:12].decode().translate(CROCKFORD)


def _sit(seated: Any, command: Join) -> Any:
    try:
        return table.decide(seated, command)
    except Illegal as illegal:
        raise errors.AgainstTheRules(illegal.refusal, seated.game) from None
