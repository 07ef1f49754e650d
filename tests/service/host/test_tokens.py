"""Tokens: what they are worth, how they are renewed, and which are worth nothing."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

import jwt
import pytest

from kontor.v1 import play_service_pb2 as play_pb
from kontor.v1 import table_service_pb2 as table_pb
from service.auth import ALGORITHM, ISSUER, Keys, Principal, Role, new_key
from service.errors import Forbidden, Unauthenticated
from tests.service.host.house import House

pytestmark = pytest.mark.anyio


async def test_tokens_are_renewed(house: House) -> None:
    """A host, a seat and a spectator get fresh tokens for the same rights."""
    here = await house.replica()
    table = await house.playing(here)
    view = table_pb.CreateViewTokenRequest(table_id=table.id)
    spectator = (await here.call("CreateViewToken", view, table.host)).view_token
    for token in (table.host, table.seats[0], spectator):
        fresh = (await here.call("RenewToken", table_pb.RenewTokenRequest(), token)).token
        old, new = here.desk.keys.principal(token), here.desk.keys.principal(fresh)
        assert (old.role, old.table, old.ticket, old.epoch) == (new.role, new.table, new.ticket, new.epoch)
    assert (await table.view(here, spectator)).seat == 0


TOKENS: dict[str, Any] = {
    "nothing": "x",
    "three parts of nothing": "a.b.c",
    "deep": base64.urlsafe_b64encode(b"[" * 60000).decode().rstrip("=") + ".x.y",
    "not text": "\ud800.a.b",
}


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
async def test_tokens_that_are_none(house: House, token: str) -> None:
    """Whatever is wrong with a token, it is told the same."""
    with pytest.raises(Unauthenticated) as refused:
        house.keys.principal(token)
    assert refused.value.reason == "BAD_TOKEN"


async def test_tokens_of_other_keys_and_other_times(house: House) -> None:
    """A token of a key that is not in the set, or that has expired, is worth nothing; a rotated key still verifies."""
    principal = Principal(Role.SEAT, "0123456789AB", 1)
    with pytest.raises(Unauthenticated):
        house.keys.principal(Keys.from_pem(new_key()).token(principal)[0])
    with pytest.raises(Unauthenticated):
        house.keys.principal(house.keys.token(principal, lifetime=-1)[0])
    old, new = new_key(), new_key()
    token, expires = Keys.from_pem(old).token(principal)
    assert expires > time.time()
    assert Keys.from_pem(new + old).principal(token).ticket == 1
    with pytest.raises(Unauthenticated):
        Keys.from_pem(new).principal(token)


CLAIMS: dict[str, dict[str, Any]] = {
    "an end that never comes": {"exp": float("inf")},
    "no end": {"exp": None},
    "no number": {"exp": float("nan")},
    "a ticket beyond all": {"ticket": float("inf")},
    "a ticket of digits": {"ticket": "9" * 5000},
    "an epoch beyond all": {"epoch": float("-inf")},
    "a role in a list": {"role": ["host"]},
    "not yet": {"nbf": 2**40},
}


@pytest.mark.parametrize("claims", CLAIMS.values(), ids=CLAIMS)
async def test_signed_nonsense_is_worth_nothing(house: House, claims: dict[str, Any]) -> None:
    """Not even our own signature makes sense of it, and it is told the same as all else."""
    usual = {"iss": ISSUER, "role": "host", "table": "0123456789AB", "ticket": 0, "epoch": 0, "exp": 2**40}
    kid = {"kid": house.keys._signing_id}

    def signed(says: dict[str, Any]) -> str:
        return jwt.PyJWS().encode(json.dumps(says).encode(), house.keys._signing, ALGORITHM, kid)

    assert house.keys.principal(signed(usual)).role is Role.HOST
    with pytest.raises(Unauthenticated) as refused:
        house.keys.principal(signed({**usual, **claims}))
    assert refused.value.reason == "BAD_TOKEN"


async def test_a_spectator_may_not_play(house: House) -> None:
    """A token that only sees is refused by every call that changes something."""
    here = await house.replica()
    table = await house.playing(here)
    view = table_pb.CreateViewTokenRequest(table_id=table.id)
    second = (await here.call("CreateViewToken", view, table.seats[0])).view_token
    with pytest.raises(Forbidden):
        await here.call("SubmitCommand", play_pb.SubmitCommandRequest(table_id=table.id), second)
    with pytest.raises(Forbidden):
        await here.call("Resign", table_pb.ResignRequest(table_id=table.id, request_id="x"), second)
