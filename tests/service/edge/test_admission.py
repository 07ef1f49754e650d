"""Who gets in: tokens, roles, paces, API keys, languages."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import grpc
import pytest

from kontor.v1 import table_service_pb2 as table
from service.auth import Keys, Principal, Role, new_key
from service.grpc_edge import headers
from service.grpc_edge.door import Terms
from service.grpc_edge.wire import RowsAndRpcsDiffer, rpcs
from service.handlers import ROWS, Caller, Row
from service.limits import Allowance, Open, Pace
from tests.service.edge.conftest import CREATE, LIST, START, TABLE, WATCH, edge, refused, rows

pytestmark = pytest.mark.anyio
Code = grpc.StatusCode


def asking(*roles: Role) -> tuple[Row, list[Caller]]:
    """A row for these roles, and who came."""
    came: list[Caller] = []

    async def call(desk: Any, caller: Caller, request: Any) -> bytes:
        came.append(caller)
        return b""

    return Row(frozenset(roles), call), came


async def test_every_call_has_a_row() -> None:
    """The real table: one row a call, no more, no fewer."""
    assert sum(len(calls) for _, calls in rpcs(ROWS)) == len(ROWS)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda own: own.pop(LIST), f"{LIST} has no row"),
        (
            lambda own: own.update({"kontor.v1.TableService/Fly": own[LIST]}),
            "there is no call kontor.v1.TableService/Fly",
        ),
        (lambda own: own.update({WATCH: own[LIST]}), f"{WATCH} streams in one of the two only"),
    ],
)
async def test_a_call_without_a_row_is_found_at_the_start(change: Any, complaint: str) -> None:
    """And a row without a call."""
    own = rows({})
    change(own)
    with pytest.raises(RowsAndRpcsDiffer) as caught:
        list(rpcs(own))
    assert str(caught.value) == complaint


async def test_a_token_names_the_caller() -> None:
    """Its principal reaches the handler; without a token it is nobody."""
    row, came = asking(*Role)
    async with edge({LIST: row}) as server:
        await server.call(LIST)
        await server.call(LIST, token=server.token(Role.SEAT, ticket=3))
        await server.call(LIST, headers=(("authorization", f"bearer {server.token(Role.HOST, ticket=0)}"),))
    assert [(caller.principal.role, caller.principal.ticket) for caller in came] == [
        (Role.NOBODY, 0),
        (Role.SEAT, 3),
        (Role.HOST, 0),
    ]
    assert came[1].principal.table == TABLE


async def test_a_bad_token_is_refused_everywhere() -> None:
    """Also where none is needed; and every fault of a token has the same answer."""
    other = Keys.from_pem(new_key()).token(Principal(Role.SEAT, TABLE, 1))[0]
    async with edge() as server:
        good, old = server.token(), server.token(lifetime=-1)
        bad: list[tuple[tuple[str, str], ...]] = [
            (("authorization", f"Bearer {text}"),) for text in (old, other, good[:-3], "x", "", "x" * 3000)
        ]
        bad += [(("authorization", good),), (("authorization", f"Basic {good}"),)]
        bad.append((("authorization", f"Bearer {good}"), ("authorization", f"Bearer {good}")))
        for metadata in bad:
            told = await refused(server.call(LIST, headers=metadata))
            assert (told.code, told.reason) == (Code.UNAUTHENTICATED, "BAD_TOKEN")


async def test_a_row_names_who_may_call() -> None:
    """Without a token: get one. With another one: not with that."""
    row, came = asking(Role.HOST)
    async with edge({START: row}) as server:
        told = await refused(server.call(START))
        assert (told.code, told.reason) == (Code.UNAUTHENTICATED, "NO_TOKEN")
        told = await refused(server.call(START, token=server.token(Role.SEAT)))
        assert (told.code, told.reason) == (Code.PERMISSION_DENIED, "WRONG_ROLE")
        assert told.facts == {"role": "seat", "needed": "host"}
        assert not came
        await server.call(START, token=server.token(Role.HOST))
        assert len(came) == 1


async def test_who_may_not_call_learns_nothing_about_his_request() -> None:
    """Garbage from a stranger is answered as anything else from him."""
    row, _ = asking(Role.HOST)
    async with edge({START: row}) as server:
        assert (await refused(server.call(START, b"\xff"))).reason == "NO_TOKEN"


async def test_a_token_has_a_pace() -> None:
    """Its burst, then a refusal that says when to come again; others are not slowed."""
    async with edge(terms=Terms(by_token=Allowance(2, 3))) as server:
        mine, other = server.token(ticket=1), server.token(ticket=2)
        for _ in range(3):
            await server.call(LIST, token=mine)
        told = await refused(server.call(LIST, token=mine))
        assert (told.code, told.reason) == (Code.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS")
        assert told.retry
        assert 0 < told.retry <= 0.5
        again = server.token(ticket=1, lifetime=2000)
        assert (await refused(server.call(LIST, token=again))).reason == "TOO_MANY_CALLS"
        await server.call(LIST, token=other)
        await server.call(LIST)


async def test_a_peer_has_a_pace() -> None:
    """Whatever tokens it shows, bad ones too."""
    async with edge(terms=Terms(by_peer=Allowance(1, 2))) as server:
        await server.call(LIST)
        assert (await refused(server.call(LIST, token="x"))).reason == "BAD_TOKEN"
        told = await refused(server.call(LIST, token=server.token()))
        assert (told.code, told.reason) == (Code.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS")


async def test_a_caller_has_so_many_streams() -> None:
    """One more is refused, until one ends."""
    terms = Terms(streams=1)

    async def call(desk: Any, caller: Any, request: Any) -> Any:
        yield b""
        if request.table_id:
            await grpc.aio.insecure_channel("127.0.0.1:1").channel_ready()  # never

    async with edge({WATCH: Row(frozenset(Role), call, streams=True)}, terms) as server:
        token = server.token()
        first = server.stream(WATCH, table.GetTableRequest(table_id=TABLE), token)
        await first.read()
        told = await refused(server.stream(WATCH, b"", token).read())
        assert (told.code, told.reason) == (Code.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS")
        await server.stream(WATCH, b"", server.token(ticket=2)).read()
        first.cancel()
        for _ in range(100):
            again = server.stream(WATCH, b"", token)
            try:
                await again.read()
                break
            except grpc.aio.AioRpcError:
                continue
        else:
            raise AssertionError("the stream that was cancelled still counts")


async def test_creating_a_table_may_need_an_api_key() -> None:
    """Only that, and only where keys are configured."""
    terms = Terms(api_keys=frozenset({hashlib.sha256(b"open sesame").digest()}))
    async with edge(terms=terms) as server:
        told = await refused(server.call(CREATE))
        assert (told.code, told.reason) == (Code.UNAUTHENTICATED, "NO_API_KEY")
        told = await refused(server.call(CREATE, headers=((headers.API_KEY, "sesame"),)))
        assert (told.code, told.reason) == (Code.UNAUTHENTICATED, "BAD_API_KEY")
        await server.call(CREATE, headers=((headers.API_KEY, "open sesame"),))
        await server.call(LIST)
    async with edge() as server:
        await server.call(CREATE)


async def test_there_may_be_no_room_for_new_tables() -> None:
    """Others go on."""
    async with edge(terms=Terms(full=lambda: True)) as server:
        told = await refused(server.call(CREATE))
        assert (told.code, told.reason, told.retry) == (Code.RESOURCE_EXHAUSTED, "NO_ROOM", 60)
        await server.call(LIST)


async def test_a_caller_is_spoken_to_in_his_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """The header reaches the handler as a language that we speak."""
    monkeypatch.setattr(headers, "spoken", lambda: frozenset({"en", "de"}))
    headers.language.cache_clear()
    row, came = asking(*Role)
    async with edge({LIST: row}) as server:
        for wanted in ("fr-CH, de;q=0.5, en;q=0.4", "tlh", "de-AT", "en, de"):
            await server.call(LIST, headers=(("accept-language", wanted),))
    headers.language.cache_clear()
    assert [caller.language for caller in came] == ["de", "en", "de", "en"]


@pytest.mark.parametrize(
    ("wanted", "language"),
    [("", "en"), ("*", "en"), ("en;q=0", "en"), (";;,,q=", "en"), ("EN-us", "en"), ("en" * 10_000, "en")],
)
def test_strange_languages_are_english(wanted: str, language: str) -> None:
    """No header is an error."""
    assert headers.language(wanted) == language


@pytest.mark.parametrize(
    ("peer", "origin"),
    [
        ("ipv4:10.1.2.3:4567", "10.1.2.3"),
        ("ipv6:%5B2001:db8::1%5D:4567", "2001:db8::/64"),
        ("ipv6:[2001:db8::ffff:1]:9", "2001:db8::/64"),
        ("ipv6:[fe80::1%25eth0]:9", "fe80::/64"),
        ("unix:/tmp/socket", "unix"),
        ("ipv4:nonsense", "ipv4"),
    ],
)
def test_a_peer_counts_by_its_address(peer: str, origin: str) -> None:
    """Without the port, and by the network where one client has many addresses."""
    assert headers.origin(peer) == origin


def test_a_pace_forgets_who_owes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory for callers is bounded."""
    monkeypatch.setattr("service.limits.REMEMBERED", 10)
    time = [0.0]
    pace = Pace(Allowance(1, 1), lambda: time[0])
    for caller in range(11):
        pace.take(caller)
    assert list(pace._paid) == [6, 7, 8, 9, 10]
    time[0] = 100.0
    for caller in range(20, 26):
        pace.take(caller)
    assert list(pace._paid) == [20, 21, 22, 23, 24, 25][-5:]


async def test_a_flood_of_new_tables_waits_in_a_line_of_its_own() -> None:
    """They are created one at a time; who wants something else is answered meanwhile, and nobody is forgotten."""
    come, busy, most, go = 0, 0, 0, asyncio.Event()

    async def create(desk: Any, caller: Caller, request: Any) -> bytes:
        nonlocal come, busy, most
        come, busy = come + 1, busy + 1
        most = max(most, busy)
        await go.wait()
        busy -= 1
        return b""

    async with edge({CREATE: Row(frozenset(Role), create)}) as server:
        flood = [asyncio.ensure_future(server.call(CREATE)) for _ in range(20)]
        while not busy:  # noqa: ASYNC110 - until the first has come in
            await asyncio.sleep(0.01)
        await server.call(LIST)
        assert busy == 1
        go.set()
        await asyncio.gather(*flood)
    assert (come, most) == (20, 1)


def test_what_was_never_opened_is_not_counted() -> None:
    """The count of a caller ends with his last stream."""
    streams = Open(2)
    with streams.one("a"), streams.one("a"):
        pass
    assert streams._held == {}
