"""Right tokens in the wrong place: other seats, other tables, stale decisions, ids that were used before."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from campaigns.hostile.arena import PLAY, TABLES, Arena
from campaigns.hostile.shot import CHANGES, Shot, bearer
from kontor.v1 import (
    GetTableRequest,
    JoinTableRequest,
    ListChangesRequest,
    Moment,
    SubmitCommandRequest,
    TransferSeatRequest,
    WatchViewRequest,
)
from kontor_client.answers import random_answer

NOWHERE = "000000000000"  # a table that is not there


def shot(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """One of the ways to be wrong."""
    return chance.choice(WAYS)(arena, foreign, chance, number)


def _submit(arena: Arena, chance: random.Random, number: int, **other: Any) -> bytes:
    request: dict[str, Any] = {
        "table_id": arena.table,
        "request_id": f"{arena.name}-w{number}",
        "decision": arena.decision.number,
        "answer": random_answer(arena.decision, chance),
        **other,
    }
    return SubmitCommandRequest(**request).SerializeToString()


def _other_seat(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """Another seat answers what he was not asked."""
    others = [token for name, token in arena.tokens.items() if name.startswith("seat") and token != arena.asked]
    body = _submit(arena, chance, number, decision=arena.decision.number + chance.choice((1000, 2**31 - 1000)))
    return Shot(f"{PLAY}/SubmitCommand", body, bearer(chance.choice(others)), frozenset({"FAILED_PRECONDITION"}))


def _other_role(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """A spectator, the host, or an invite answers."""
    token = arena.tokens[chance.choice(("view", "host", "invite"))]
    body = _submit(arena, chance, number)
    return Shot(f"{PLAY}/SubmitCommand", body, bearer(token), frozenset({"PERMISSION_DENIED"}))


def _stale(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """A decision that was, will be, or never can be."""
    decision = chance.choice((-1, 0, -(2**31), arena.decision.number + 999, 2**31 - 1))
    allowed = frozenset({"FAILED_PRECONDITION", "INVALID_ARGUMENT"})
    body = _submit(arena, chance, number, decision=decision)
    return Shot(f"{PLAY}/SubmitCommand", body, bearer(arena.asked), allowed)


def _reused(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """The id of the start, from the host; of a founding, from anyone, with another body."""
    request = JoinTableRequest(
        table_id=arena.lobby,
        request_id=arena.request("guest"),
        client_secret=arena.secret("guest"),
        name=f"Other {chance.random()}",
    )
    token = arena.tokens["lobby host"]
    return Shot(f"{TABLES}/JoinTable", request.SerializeToString(), bearer(token), frozenset({"ALREADY_EXISTS"}))


def _foreign(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """A table of others must look as one that is not there, to every call."""
    calls = [one for one in arena.valid(chance, number) if "table_id" in one[1].DESCRIPTOR.fields_by_name]
    method, request, token = chance.choice(calls)
    headers = bearer(token) if token and chance.random() < 0.8 else ()
    there, nowhere = type(request)(), type(request)()
    there.CopyFrom(request)
    nowhere.CopyFrom(request)
    there.table_id, nowhere.table_id = foreign.table, NOWHERE
    allowed = frozenset({"NOT_FOUND", "UNAUTHENTICATED"})
    twin = Shot(method, nowhere.SerializeToString(), headers, allowed)
    return Shot(method, there.SerializeToString(), headers, allowed, twin=twin)


def _uninvited(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """Joining a private table with nothing, with a seat's or a spectator's token, or an invite to another."""
    request = JoinTableRequest(
        table_id=foreign.lobby, request_id=f"w{number}", client_secret="s" * 20, name="Uninvited"
    )
    token = chance.choice(("", arena.tokens["invite"], arena.tokens["seat1"], foreign.tokens["view"]))
    headers = bearer(token) if token else ()
    return Shot(f"{TABLES}/JoinTable", request.SerializeToString(), headers, frozenset({"NOT_FOUND"}))


def _late(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """An invite to a table that has begun."""
    request = JoinTableRequest(table_id=arena.table, request_id=f"w{number}", client_secret="s" * 20, name="Late")
    token = arena.tokens["invite"]
    return Shot(f"{TABLES}/JoinTable", request.SerializeToString(), bearer(token), frozenset({"FAILED_PRECONDITION"}))


def _seat_of_another(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """Handing over a seat that is not one's own, by a seat or by the host, who may only after a deadline."""
    token, seat = chance.choice(((arena.tokens["seat1"], 2), (arena.tokens["host"], 1), (arena.tokens["host"], -1)))
    request = TransferSeatRequest(table_id=arena.table, request_id=f"w{number}", seat=seat, bot="random")
    allowed = frozenset({"PERMISSION_DENIED", "FAILED_PRECONDITION", "INVALID_ARGUMENT"})
    return Shot(f"{TABLES}/TransferSeat", request.SerializeToString(), bearer(token), allowed)


def _from_nowhere(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """Moments, pages and versions that never were."""
    token, odd = bearer(arena.tokens["seat1"]), chance.choice((2**31 - 1, -1, 10**6, 0))
    word = chance.choice(("", "x", "9" * 9, "9" * 10, "-1", "0", "\0", "1-0", arena.view.moment.tag))
    if chance.random() < 0.5:
        watch = WatchViewRequest(table_id=arena.table, resume=Moment(version=odd, tag=word))
        return Shot(f"{PLAY}/WatchView", watch.SerializeToString(), token)
    listed = ListChangesRequest(table_id=arena.table, after_version=odd, page_token=word, with_views=True)
    return Shot(f"{PLAY}/ListChanges", listed.SerializeToString(), token)


def _no_id(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """Ids that no table has, of every form."""
    odd = chance.choice(("", "0", arena.table.lower(), arena.table[:-1], arena.table + "0", "{x}", "O" * 12, "\n" * 12))
    method = chance.choice((f"{TABLES}/GetTable", f"{PLAY}/GetView", f"{PLAY}/WatchView"))
    body = GetTableRequest(table_id=odd).SerializeToString()
    return Shot(method, body, bearer(arena.tokens["seat1"]), frozenset({"INVALID_ARGUMENT"}))


def _after_the_end(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """Whatever changes a table, where nothing can be changed any more."""
    assert foreign.over
    calls = [one for one in foreign.over.valid(chance, number) if one[0] in CHANGES - {f"{TABLES}/CreateTable"}]
    method, request, token = chance.choice(calls)
    return Shot(method, request.SerializeToString(), bearer(token), frozenset({"FAILED_PRECONDITION"}))


def _after_resigning(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """A seat's token, after it was given up: worth nothing, whatever is called."""
    assert foreign.left
    token = foreign.left.tokens["seat1"]
    calls = [one for one in foreign.left.valid(chance, number) if one[2] == token or one[0] == f"{PLAY}/WatchView"]
    method, request, _ = chance.choice(calls)
    return Shot(method, request.SerializeToString(), bearer(token), frozenset({"UNAUTHENTICATED"}))


Way = Callable[[Arena, Arena, random.Random, int], Shot]
WAYS: tuple[Way, ...] = (
    _other_seat,
    _other_role,
    _stale,
    _reused,
    _foreign,
    _foreign,
    _foreign,
    _uninvited,
    _late,
    _seat_of_another,
    _from_nowhere,
    _no_id,
    _after_the_end,
    _after_resigning,
)
