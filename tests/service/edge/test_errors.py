"""Every error a call can end with, as a client reads it."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from domain.options import Refusal
from domain.values import facts
from kontor.v1 import table_service_pb2 as table
from service import errors
from service.auth import Role
from service.grpc_edge.status import status
from service.grpc_edge.wire import LARGEST, REFUSED_UNREAD
from service.handlers import Row
from service.log.port import OutcomeUnknown, Unavailable
from service.troubles import unknown_outcome
from tests.service.edge.conftest import CHANGES, LIST, START, WATCH, Refused, edge, refusal, refused

pytestmark = pytest.mark.anyio
ANYONE = frozenset(Role)
Code = grpc.StatusCode


def raising(error: Exception) -> Row:
    """A row whose handler raises this."""

    async def call(desk: Any, caller: Any, request: Any) -> Any:
        raise error

    return Row(ANYONE, call)


MAPPED = [
    (
        errors.Malformed("settings[0].value", "there is blue"),
        Refused(
            Code.INVALID_ARGUMENT,
            "settings[0].value: there is blue",
            "MALFORMED",
            {"path": "settings[0].value"},
            (("settings[0].value", "there is blue"),),
        ),
    ),
    (errors.Unauthenticated("X", "No."), Refused(Code.UNAUTHENTICATED, "No.", "X", {})),
    (errors.NotFound("X", "No.", game="a"), Refused(Code.NOT_FOUND, "No.", "X", {"game": "a"})),
    (errors.Forbidden("X", "No."), Refused(Code.PERMISSION_DENIED, "No.", "X", {})),
    (errors.AlreadyUsed("X", "No."), Refused(Code.ALREADY_EXISTS, "No.", "X", {})),
    (errors.TooMuch("X", "No.", retry=2.5), Refused(Code.RESOURCE_EXHAUSTED, "No.", "X", {}, retry=2.5)),
    (errors.TooMuch("X", "No."), Refused(Code.RESOURCE_EXHAUSTED, "No.", "X", {}, retry=1.0)),
    (errors.Unavailable("X", "No.", retry=0.25), Refused(Code.UNAVAILABLE, "No.", "X", {}, retry=0.25)),
    (
        OutcomeUnknown("gone"),
        Refused(Code.UNAVAILABLE, unknown_outcome().sentence, "OUTCOME_UNKNOWN", {}, retry=1.0),
    ),
    (
        Unavailable("redis says no"),
        Refused(Code.UNAVAILABLE, "The log can't be used now; try again.", "LOG_UNAVAILABLE", {}, retry=1.0),
    ),
]


@pytest.mark.parametrize(("error", "wanted"), MAPPED, ids=lambda value: type(value).__name__)
async def test_an_error_is_answered_with_its_details(error: Exception, wanted: Refused) -> None:
    """Status, sentence, exactly one ErrorInfo, and what helps to mend or repeat the call."""
    async with edge({LIST: raising(error)}) as server:
        assert await refused(server.call(LIST)) == wanted


async def test_a_refusal_by_the_rules_names_the_rule() -> None:
    """With its facts, and in words."""
    error = errors.AgainstTheRules(Refusal("TOY-1", "DECISION_GONE", facts(most="3")), "toy")
    async with edge({LIST: raising(error)}) as server:
        told = await refused(server.call(LIST))
        assert told.code is Code.FAILED_PRECONDITION
        assert (told.reason, told.facts) == ("DECISION_GONE", {"rule": "TOY-1", "most": "3"})
        assert told.sentence != "DECISION_GONE"


def test_the_facts_of_an_error_stand_in_one_order() -> None:
    """All replicas write the same error in the same bytes: protobuf's maps have another order in every process."""
    names = [f"fact-{number}" for number in range(12)]
    error = errors.AgainstTheRules(Refusal("", "X", facts(**dict.fromkeys(reversed(names), "1"))), "toy", ())
    ((_, details),) = status(error, "No.").trailing_metadata or ()
    places = [bytes(details).index(name.encode()) for name in sorted(names)]  # type: ignore[arg-type] # of a -bin header
    assert places == sorted(places)


async def test_an_error_of_a_stream_has_its_details_too() -> None:
    """Also after messages were sent."""

    async def call(desk: Any, caller: Any, request: Any) -> Any:
        yield b""
        raise errors.NotFound("GONE", "It is gone.", table="T")

    async with edge({WATCH: Row(ANYONE, call, streams=True)}) as server:
        stream = server.stream(WATCH)
        assert await stream.read() == b""
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stream.read()
        assert refusal(caught.value) == Refused(Code.NOT_FOUND, "It is gone.", "GONE", {"table": "T"})


@pytest.mark.parametrize("method", [LIST, START, CHANGES])
@pytest.mark.parametrize("garbage", [b"\xff\xff\xff", b"\x0a\x05ab", b"\x0a\x02\xff\xfe", b"\x0b" * 2000])
async def test_bytes_that_are_no_message_are_malformed(method: str, garbage: bytes) -> None:
    """Never UNKNOWN, and never with the text of an exception; ListGames has no field that could be wrong UTF-8."""
    async with edge() as server:
        if method == LIST and garbage == b"\x0a\x02\xff\xfe":
            assert await server.call(method, garbage) == b""
            return
        told = await refused(server.call(method, garbage))
        assert (told.code, told.reason) == (Code.INVALID_ARGUMENT, "UNDECODABLE")
        assert len(told.violations) == 1


async def test_bytes_that_are_no_message_end_a_stream() -> None:
    """The same for a watch."""
    async with edge() as server:
        stream = server.stream(WATCH, b"\xff")
        told = await refused(stream.read())
        assert (told.code, told.reason) == (Code.INVALID_ARGUMENT, "UNDECODABLE")


async def test_a_request_has_a_size() -> None:
    """Up to 64 KiB it is read; a larger one is told so; one that is much larger gRPC itself refuses."""
    async with edge() as server:

        def request(size: int) -> bytes:
            """A CreateTable request of exactly this size."""
            for length in range(size - 10, size):
                found = table.CreateTableRequest(position="x" * length).SerializeToString()
                if len(found) == size:
                    return found
            raise AssertionError

        create = "kontor.v1.TableService/CreateTable"
        assert await server.call(create, request(LARGEST)) == b""
        told = await refused(server.call(create, request(LARGEST + 1)))
        assert (told.code, told.reason) == (Code.INVALID_ARGUMENT, "REQUEST_TOO_LARGE")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.call(create, request(REFUSED_UNREAD + 1))
        assert caught.value.code() is Code.RESOURCE_EXHAUSTED


async def test_a_page_that_is_too_large_is_refused() -> None:
    """Who asked for a page can ask for a smaller one."""

    async def call(desk: Any, caller: Any, request: Any) -> Any:
        return bytes(LARGEST + 1)

    async with edge({CHANGES: Row(ANYONE, call), LIST: Row(ANYONE, call)}) as server:
        told = await refused(server.call(CHANGES))
        assert (told.code, told.facts) == (Code.INVALID_ARGUMENT, {"path": "page_size"})
        assert len(await server.call(LIST)) == LARGEST + 1


async def test_an_unexpected_error_tells_the_client_an_id_only() -> None:
    """A fixed sentence; what was in the error stays here."""
    async with edge({LIST: raising(ValueError("leo-15"))}) as server:
        told = await refused(server.call(LIST))
        assert (told.code, told.reason) == (Code.INTERNAL, "INTERNAL")
        assert told.sentence == f"Something went wrong here. The operator finds it under {told.facts['id']}."


async def test_an_error_of_any_size_arrives() -> None:
    """Sentences and facts are cut to what the headers of a status may hold, whatever they are made of."""
    for text in ("x" * 20_000, "\u20ac" * 20_000, "\ud800" * 20_000):
        error = errors.NotFound("X", text, None, **{f"fact{n}": text for n in range(20)})
        async with edge({LIST: raising(error)}) as server:
            told = await refused(server.call(LIST))
            assert told.reason == "X"
            assert len(told.facts) == 20


@pytest.mark.parametrize("method", ["kontor.v1.TableService/Fly", "kontor.v2.TableService/ListGames", "x"])
async def test_a_call_that_does_not_exist_has_an_error_info_too(method: str) -> None:
    """UNIMPLEMENTED, whether the call is unary or a stream."""
    async with edge() as server:
        told = await refused(server.call(method))
        assert (told.code, told.reason) == (Code.UNIMPLEMENTED, "UNKNOWN_METHOD")
        assert (await refused(server.stream(method).read())).reason == "UNKNOWN_METHOD"
