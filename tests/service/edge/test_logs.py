"""What the log tells of a call, and what it never tells."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from grpc._cython.cygrpc import ExecuteBatchError  # type: ignore[import-not-found] # gRPC names it nowhere else

from campaigns.hostile.frames import PREFACE, call, call_headers, settings, wire
from kontor.v1 import play_service_pb2 as play
from kontor.v1 import table_pb2
from kontor.v1 import table_service_pb2 as table
from service import logs
from service.auth import Role
from service.handlers import Row
from tests.service.edge.conftest import CREATE, LIST, START, TABLE, WATCH, edge, nothing, refused

pytestmark = pytest.mark.anyio
ANYONE = frozenset(Role)


@pytest.fixture
def told() -> Iterator[io.StringIO]:
    """What is logged."""
    kept = structlog.get_config()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    text = io.StringIO()
    logs.set_up("debug", "json", text)
    yield text
    structlog.configure(**kept)
    root.handlers[:] = handlers
    root.setLevel(level)


def lines(text: io.StringIO) -> list[dict[str, Any]]:
    """The lines of a log."""
    return [json.loads(line) for line in text.getvalue().splitlines()]


async def test_a_call_is_one_line_of_the_log(told: io.StringIO) -> None:
    """Method, table, role, ticket, status, reason, milliseconds, peer."""
    async with edge({START: Row(frozenset({Role.HOST}), nothing)}) as server:
        await server.call(LIST, token=server.token(ticket=2))
        await refused(server.call(START, table.StartTableRequest(table_id="ABC")))
    one, other = lines(told)
    assert one["peer"].startswith("ipv4:127.0.0.1:")
    assert one["ms"] >= 0
    kept = ("event", "level", "method", "table", "role", "ticket", "status", "reason")
    assert [one[name] for name in kept] == ["call", "info", LIST, TABLE, "seat", 2, "OK", ""]
    assert [other[name] for name in kept[2:]] == [START, "ABC", "nobody", 0, "UNAUTHENTICATED", "NO_TOKEN"]


async def test_the_log_names_a_new_table(told: io.StringIO) -> None:
    """Its id is in the answer only."""

    async def call(desk: Any, caller: Any, request: Any) -> Any:
        return table.CreateTableResponse(table=table_pb2.Table(id=TABLE), host_token="hush")

    async with edge({CREATE: Row(ANYONE, call)}) as server:
        await server.call(CREATE)
    assert lines(told)[0]["table"] == TABLE


async def test_the_log_keeps_secrets(told: io.StringIO) -> None:
    """No token, API key or part of a request, also where a handler fails with them in its error."""

    async def call(desk: Any, caller: Any, request: Any) -> Any:
        try:
            {}[request.client_secret]
        except KeyError as error:
            raise ValueError(f"card leo-15 of {request.seed}") from error

    async with edge({CREATE: Row(ANYONE, call)}) as server:
        token = server.token()
        request = table.CreateTableRequest(client_secret="s3cret-s3cret-s3", seed="f00d" * 16, game="augsburg")
        await refused(server.call(CREATE, request, token, headers=(("x-kontor-api-key", "open-sesame"),)))
        odd = play.GetViewRequest(table_id="leo-15 and a token " + token)
        await server.call("kontor.v1.PlayService/GetView", odd)
        await refused(server.call(LIST, token=token[:-2]))
        await refused(server.call("kontor.v1.TableService/" + token))
    text = told.getvalue()
    for secret in (token, token[:-2], token.split(".")[2], "s3cret", "f00d", "leo-15", "open-sesame"):
        assert secret not in text
    unexpected = next(line for line in lines(told) if line["event"] == "unexpected")
    assert unexpected["error"] == "ValueError"
    assert unexpected["trace"][0] == "ValueError"
    assert any(place.startswith("service/grpc_edge/door.py:") for place in unexpected["trace"])
    assert unexpected["trace"][-2:][0] == "KeyError"


def test_libraries_log_the_same_way(told: io.StringIO) -> None:
    """Warnings of others are lines too, and their traces hold no text."""
    try:
        int("leo-15")
    except ValueError:
        logging.getLogger("grpc").exception("failed")
    logging.getLogger("grpc").info("chatter")
    (line,) = lines(told)
    assert (line["event"], line["level"], line["error"]) == ("failed", "error", "ValueError")
    assert "leo-15" not in told.getvalue()


async def test_what_fails_in_the_background_is_logged_without_its_text(told: io.StringIO) -> None:
    """The own handler of asyncio would print it."""
    loop = asyncio.get_running_loop()
    logs.background(loop, {"message": "Task exception was never retrieved", "exception": ValueError("leo-15")})
    logs.background(loop, {"message": "Unclosed transport"})
    assert [line.get("error", line.get("what")) for line in lines(told)] == ["ValueError", "Unclosed transport"]
    assert "leo-15" not in told.getvalue()


def test_text_is_for_terminals() -> None:
    """JSON elsewhere; each can be asked for."""
    kept = structlog.get_config()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    for form, begins in (("auto", "{"), ("text", "2"), ("json", "{")):
        text = io.StringIO()
        logs.set_up("info", form, text)
        structlog.get_logger().info("event")
        assert text.getvalue().startswith(begins)
    structlog.configure(**kept)
    root.handlers[:] = handlers
    root.setLevel(level)


async def test_a_header_that_is_no_text_is_not_quoted(told: io.StringIO) -> None:
    """What gRPC can't decode it would log, with the token in it; it says that it could not, and no more."""
    token = b"Bearer a-token-and-a-stray-byte \xff"
    async with edge() as server, wire(server.listen.port, PREFACE, settings()) as one:
        await one.send(call(1, call_headers(LIST, ("authorization", token)), b""))
        async with asyncio.timeout(20):
            async for _ in one.frames(20):
                if "BAD_TOKEN" in told.getvalue():
                    break
    assert "Invalid encoding" in told.getvalue()
    assert "stray" not in told.getvalue()


async def test_a_client_who_left_in_the_middle_of_a_word_is_no_error(told: io.StringIO) -> None:
    """What gRPC could not write any more, before it noticed that nobody reads, is not logged; other errors are."""
    for error in (ExecuteBatchError("Failed"), ValueError("a card")):
        try:
            raise error
        except (ExecuteBatchError, ValueError):
            logging.getLogger("grpc._cython.cygrpc").exception("raised by servicer method [%s]", WATCH)
    (line,) = lines(told)
    assert (line["level"], line["error"]) == ("error", "ValueError")
