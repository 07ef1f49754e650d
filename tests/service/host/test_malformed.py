"""Requests nobody can have meant: each refused with the path of its fault, and without a trace in the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.message import Message

from domain import augsburg
from domain.values import replace, to_json
from kontor.v1 import ask_pb2, game_pb2
from kontor.v1 import play_service_pb2 as play
from kontor.v1 import table_service_pb2 as tables
from service.errors import CallError, Forbidden, Malformed, NotFound
from tests.service.host.house import SECRET, House

pytestmark = pytest.mark.anyio

NO_TABLE = "0123456789AB"
Make = Callable[[str], Message]


def create(**more: Any) -> Make:
    """A request to create a table, with something in it."""
    good = {"request_id": "x", "client_secret": SECRET, "game": "augsburg"}
    return lambda _: tables.CreateTableRequest(**(good | more))


def submit(**more: Any) -> Make:
    """An answer, with something in it."""
    good: dict[str, Any] = {"request_id": "x", "decision": 1, "answer": ask_pb2.Answer(command="Pass")}
    return lambda table: play.SubmitCommandRequest(**({"table_id": table} | good | more))


def answer(command: str, *fields: ask_pb2.Field) -> Make:
    """An answer made of these fields."""
    return submit(answer=ask_pb2.Answer(command=command, fields=fields))


def field(name: str, **value: Any) -> ask_pb2.Field:
    """One field of an answer."""
    return ask_pb2.Field(name=name, **value)


def by(kind: Any, **more: Any) -> Make:
    """A request about the table."""
    return lambda table: kind(**({"table_id": table} | more))


def setting(name: str, value: str) -> ask_pb2.Fact:
    """A table option."""
    return ask_pb2.Fact(name=name, value=value)


BAD: dict[str, tuple[str, str, Make, str]] = {
    # name: rpc, whose token, request, path
    "create without id": ("CreateTable", "", create(request_id=""), "request_id"),
    "create with a strange id": ("CreateTable", "", create(request_id="a:b"), "request_id"),
    "create with a long id": ("CreateTable", "", create(request_id="a" * 65), "request_id"),
    "create with an id of two lines": ("CreateTable", "", create(request_id="a\n"), "request_id"),
    "create with a short secret": ("CreateTable", "", create(client_secret="short"), "client_secret"),
    "create with a long secret": ("CreateTable", "", create(client_secret="x" * 257), "client_secret"),
    "create without game": ("CreateTable", "", create(game=""), "game"),
    "create another game": ("CreateTable", "", create(game="chess"), "game"),
    "create another edition": ("CreateTable", "", create(edition="second"), "edition"),
    "create with a strange option": ("CreateTable", "", create(settings=[setting("x", "y")]), "settings"),
    "create with a strange choice": ("CreateTable", "", create(settings=[setting("hands", "y")]), "settings"),
    "create with an option twice": ("CreateTable", "", create(settings=[setting("hands", "open")] * 2), "settings"),
    "create with one seat": ("CreateTable", "", create(seats=1), "seats"),
    "create with six seats": ("CreateTable", "", create(seats=6), "seats"),
    "create with minus one seat": ("CreateTable", "", create(seats=-1), "seats"),
    "create with a strange bot": ("CreateTable", "", create(bots=["random", "clever"]), "bots[1]"),
    "create with negative time": ("CreateTable", "", create(answer_within_seconds=-1), "answer_within_seconds"),
    "create with years of time": ("CreateTable", "", create(answer_within_seconds=2**31 - 1), "answer_within_seconds"),
    "create with a short seed": ("CreateTable", "", create(seed="ab"), "seed"),
    "create with a strange seed": ("CreateTable", "", create(seed="Z" * 64), "seed"),
    "create from nothing": ("CreateTable", "", create(position="{"), "position"),
    "create from another type": ("CreateTable", "", create(position='{"type":"Bid","cards":1}'), "position"),
    "create from depths": ("CreateTable", "", create(position="[" * 20000), "position"),
    "get by a bad id": ("GetTable", "", lambda _: tables.GetTableRequest(table_id="x"), "table_id"),
    "get by a small id": ("GetTable", "", lambda _: tables.GetTableRequest(table_id=NO_TABLE.lower()), "table_id"),
    "get by an id with a brace": ("GetTable", "", lambda _: tables.GetTableRequest(table_id="{}" * 6), "table_id"),
    "list with a negative page": ("ListTables", "", lambda _: tables.ListTablesRequest(page_size=-1), "page_size"),
    "list with a great page": ("ListTables", "", lambda _: tables.ListTablesRequest(page_size=201), "page_size"),
    "list from nowhere": ("ListTables", "", lambda _: tables.ListTablesRequest(page_token="x"), "page_token"),
    "list from a power": ("ListTables", "", lambda _: tables.ListTablesRequest(page_token="²"), "page_token"),
    "list from far": ("ListTables", "", lambda _: tables.ListTablesRequest(page_token="9" * 5000), "page_token"),
    "list another game": ("ListTables", "", lambda _: tables.ListTablesRequest(game="chess"), "game"),
    "join without id": ("JoinTable", "host", by(tables.JoinTableRequest, client_secret=SECRET, name="A"), "request_id"),
    "join without secret": ("JoinTable", "host", by(tables.JoinTableRequest, request_id="x"), "client_secret"),
    "leave without id": ("LeaveTable", "seat", by(tables.LeaveTableRequest), "request_id"),
    "resign without id": ("Resign", "seat", by(tables.ResignRequest), "request_id"),
    "transfer without id": ("TransferSeat", "seat", by(tables.TransferSeatRequest), "request_id"),
    "transfer to no bot": ("TransferSeat", "seat", by(tables.TransferSeatRequest, request_id="x", bot="y"), "bot"),
    "transfer by the host to a person": ("TransferSeat", "host", by(tables.TransferSeatRequest, request_id="x"), "bot"),
    "transfer no seat": (
        "TransferSeat", "host", by(tables.TransferSeatRequest, request_id="x", bot="random", seat=9), "seat",
    ),
    "transfer a negative seat": (
        "TransferSeat", "host", by(tables.TransferSeatRequest, request_id="x", bot="random", seat=-1), "seat",
    ),
    "add no bot": ("AddBot", "host", by(tables.AddBotRequest, request_id="x"), "bot"),
    "add a person as a bot": ("AddBot", "host", by(tables.AddBotRequest, request_id="x", bot="none"), "bot"),
    "start without id": ("StartTable", "host", by(tables.StartTableRequest), "request_id"),
    "cancel without id": ("CancelTable", "host", by(tables.CancelTableRequest), "request_id"),
    "submit without id": ("SubmitCommand", "seat", submit(request_id=""), "request_id"),
    "submit without decision": ("SubmitCommand", "seat", submit(decision=0), "decision"),
    "submit a negative decision": ("SubmitCommand", "seat", submit(decision=-1), "decision"),
    "submit nothing": ("SubmitCommand", "seat", submit(answer=None), "body"),
    "submit another command": ("SubmitCommand", "seat", answer("Checkmate"), "answer.command"),
    "submit without a field": ("SubmitCommand", "seat", answer("Bid"), "answer.fields"),
    "submit another field": ("SubmitCommand", "seat", answer("Pass", field("x", number=1)), "answer.fields[0].name"),
    "submit a field twice": (
        "SubmitCommand", "seat", answer("Bid", *[field("cards", number=1)] * 2), "answer.fields[1].name",
    ),
    "submit a key for a number": (
        "SubmitCommand", "seat", answer("Bid", field("cards", key="leo-15")), "answer.fields[0].value",
    ),
    "submit an empty field": ("SubmitCommand", "seat", answer("Bid", field("cards")), "answer.fields[0].value"),
    "submit an unknown key": (
        "SubmitCommand", "seat",
        answer("PresentCertificates", field("cards", keys=ask_pb2.Keys(keys=["leo-999"]))), "answer",
    ),
    "submit an empty typed command": (
        "SubmitCommand", "seat",
        submit(answer=None, command=game_pb2.GameCommand()), "command.game",
    ),
    "look at a negative version": ("GetView", "seat", by(play.GetViewRequest, version=-1), "version"),
    "look at the future": ("GetView", "seat", by(play.GetViewRequest, version=1000), "version"),
    "list changes from a power": ("ListChanges", "seat", by(play.ListChangesRequest, page_token="²"), "page_token"),
    "list changes from far": ("ListChanges", "seat", by(play.ListChangesRequest, page_token="9" * 5000), "page_token"),
    "list changes after less": ("ListChanges", "seat", by(play.ListChangesRequest, after_version=-1), "after_version"),
    "list changes by thousands": ("ListChanges", "seat", by(play.ListChangesRequest, page_size=1000), "page_size"),
}  # fmt: skip


async def refusal(house: House, rpc: str, whose: str, make: Make) -> CallError:
    """What a call at a playing table is refused with; neither the log nor the index knows of it."""
    here = await house.replica()
    table = await house.playing(here)
    token = {"": "", "host": table.host, "seat": table.seats[0]}[whose]
    before = (house.entries(table.id), sorted(house.client.keys()))
    with pytest.raises(CallError) as refused:
        await here.call(rpc, make(table.id), token)
    assert (house.entries(table.id), sorted(house.client.keys())) == before
    return refused.value


@pytest.mark.parametrize(("rpc", "whose", "make", "path"), BAD.values(), ids=BAD)
async def test_every_malformed_request_is_refused_with_its_path(
    house: House, rpc: str, whose: str, make: Make, path: str
) -> None:
    """INVALID_ARGUMENT, with the place and a sentence."""
    error = await refusal(house, rpc, whose, make)
    assert isinstance(error, Malformed), error
    assert error.path == path
    assert error.description


async def test_a_resume_from_no_version(house: House) -> None:
    """A watch goes on from a moment, and a moment has a version."""
    here = await house.replica()
    table = await house.playing(here)
    with pytest.raises(Malformed) as refused:
        await anext(here.watch(table.id, table.seats[0], {"version": 0, "tag": "x"}))
    assert refused.value.path == "resume.version"


POLITE: dict[str, tuple[str, str, Make, type[CallError], str]] = {
    "no such table": (
        "GetTable", "", lambda _: tables.GetTableRequest(table_id=NO_TABLE), NotFound, "TABLE_NOT_FOUND",
    ),
    "another's table": (
        "GetView", "seat", lambda _: play.GetViewRequest(table_id=NO_TABLE), NotFound, "TABLE_NOT_FOUND",
    ),
    "no token": ("StartTable", "", by(tables.StartTableRequest, request_id="x"), Forbidden, "WRONG_ROLE"),
    "not the host": ("StartTable", "seat", by(tables.StartTableRequest, request_id="x"), Forbidden, "WRONG_ROLE"),
    "not a seat": ("Resign", "host", by(tables.ResignRequest, request_id="x"), Forbidden, "WRONG_ROLE"),
    "a host sees no hand": ("GetView", "host", by(play.GetViewRequest), Forbidden, "WRONG_ROLE"),
}  # fmt: skip


@pytest.mark.parametrize(("rpc", "whose", "make", "kind", "reason"), POLITE.values(), ids=POLITE)
async def test_what_is_not_the_callers(
    house: House, rpc: str, whose: str, make: Make, kind: type[CallError], reason: str
) -> None:
    """The right kind of refusal, and no trace."""
    error = await refusal(house, rpc, whose, make)
    assert (type(error), error.reason) == (kind, reason)


@pytest.mark.parametrize(
    ("rpc", "whose", "make", "reason"),
    [
        ("StartTable", "host", by(tables.StartTableRequest, request_id="x"), "TABLE_STARTED"),
        ("CancelTable", "host", by(tables.CancelTableRequest, request_id="x"), "TABLE_STARTED"),
        ("AddBot", "host", by(tables.AddBotRequest, request_id="x", bot="random"), "TABLE_STARTED"),
        ("LeaveTable", "seat", by(tables.LeaveTableRequest, request_id="x"), "TABLE_STARTED"),
        ("CreateTable", "", create(bots=["random"] * 6), "TABLE_FULL"),
        ("SubmitCommand", "seat", submit(decision=7), "DECISION_GONE"),
    ],
)
async def test_what_is_against_the_rules_of_a_table(
    house: House, rpc: str, whose: str, make: Make, reason: str
) -> None:
    """FAILED_PRECONDITION with a stable reason, and no trace."""
    error = await refusal(house, rpc, whose, make)
    assert (error.status, error.reason) == ("FAILED_PRECONDITION", reason)


async def test_seeds_and_positions_need_the_operators_leave(house: House) -> None:
    """Where the operator has not allowed it nobody gives a seed or a position."""
    here = await house.replica()
    here.desk.policy = type(here.desk.policy)()
    for given in ({"seed": "0" * 64}, {"position": "{}"}):
        with pytest.raises(Forbidden):
            await here.call("CreateTable", create(**given)(""))


@pytest.mark.parametrize("change", ["nobody sits", "nobody is asked", "too many"])
async def test_positions_that_nobody_can_play_on_from(house: House, change: str) -> None:
    """A well-formed position that is none is refused when the table is created, not when it starts."""
    here = await house.replica()
    table = await house.playing(here)
    state = (await here.host.fresh(table.id)).play
    if change == "nobody sits":
        state = replace(state, numbers=())
    elif change == "too many":
        state = replace(state, numbers=(0,) * 9)
    else:
        state = replace(state, waiting=())
    with pytest.raises(Malformed) as refused:
        await here.call("CreateTable", create(position=to_json(state))(""))
    assert refused.value.path == "position"
    assert augsburg.meta.most_seats < 9
