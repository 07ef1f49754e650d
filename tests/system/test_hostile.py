"""Hostility, in short: all kinds of it at real servers, and faults planted for the judge. At length: `make hostile`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]

from campaigns.hostile import floods, watches
from campaigns.hostile.arena import GAMES, TABLES, Arena, opened
from campaigns.hostile.campaign import AIMED
from campaigns.hostile.figures import MB, Fault, Figures
from campaigns.hostile.house import NO_LIMITS, House
from campaigns.hostile.judge import differ, faults, grown, told_inside
from campaigns.hostile.scenario import KINDS, Size, one_shot, run
from campaigns.hostile.shot import METHODS, REFUSED, Answer, Shot, bearer
from kontor.v1 import AddBotRequest

pytestmark = pytest.mark.anyio

SHORT = Size(requests=1500, quiet=20, tables=2, readers=40, seconds=1)
LIST = "kontor.v1.TableService/ListGames"


async def test_whatever_is_sent_nothing_comes_of_it(tmp_path: Path) -> None:
    """No INTERNAL, no UNKNOWN, no crash, no word of the program, no entry that nobody was told; honest games go on."""
    figures = Figures(1)
    await run(tmp_path, figures, SHORT)
    assert [fault.told(1) for fault in figures.faults] == []
    assert figures.statuses.keys() == set(KINDS)
    assert figures.statuses["limited"]["RESOURCE_EXHAUSTED"]


async def test_one_shot_can_be_repeated_alone(tmp_path: Path) -> None:
    """What failed says how it is sent again, by its number."""
    figures = Figures(1)
    await one_shot(tmp_path, figures, "wrong", 7)
    assert figures.faults == []
    assert 1 <= figures.requests <= 2
    assert "--seed 1 --only wrong --number 7" in Fault("wrong", "it failed", 7, Shot(LIST)).told(1)


async def test_what_is_mutated_was_valid(tmp_path: Path) -> None:
    """Each call of an arena is accepted as it stands, else its mutations would never come far."""
    house = await House(tmp_path, NO_LIMITS).open()
    try:
        methods = [method for method, _, _ in (await opened(house.replica, "0", GAMES[0])).valid(random.Random(1), 1)]
        assert set(methods) == set(METHODS)
        for place, method in enumerate(methods):
            arena = await opened(house.replica, f"{place}-valid", GAMES[place % len(GAMES)])
            _, request, token = arena.valid(random.Random(place), place)[place]
            if method.endswith("/StartTable"):
                request.table_id, token = await lobby_of_enough(house, arena)
            answer = await house.gun.fire(Shot(method, request.SerializeToString(), bearer(token) if token else ()))
            assert (method, answer.code) == (method, "OK"), answer.sentence
    finally:
        await house.close()


async def lobby_of_enough(house: House, arena: Arena) -> tuple[str, str]:
    """Seat bots in the lobby until it may begin."""
    for number in range(2):
        body = AddBotRequest(table_id=arena.lobby, request_id=f"bot{number}", bot="random").SerializeToString()
        await house.gun.fire(Shot(f"{TABLES}/AddBot", body, bearer(arena.tokens["lobby host"])))
    return arena.lobby, arena.tokens["lobby host"]


def refusal(code: str, *details: object, number: int = 3, sentence: str = "It is refused.") -> Answer:
    """A refusal with these details."""
    packed = [Packed() for _ in details]
    for box, detail in zip(packed, details, strict=True):
        box.Pack(detail)  # type: ignore[arg-type]
    raw = Status(code=number, message=sentence, details=packed).SerializeToString()
    return Answer(code, sentence, raw)


OURS = ErrorInfo(reason="MALFORMED", domain="kontor")
VIOLATION = BadRequest()
FAIR = refusal("INVALID_ARGUMENT", OURS, VIOLATION)
PLANTED = {
    "INTERNAL": refusal("INTERNAL", OURS),
    "UNKNOWN": Answer("UNKNOWN", "Unexpected error"),
    "nothing explained": Answer("INVALID_ARGUMENT", "It is refused."),
    "no ErrorInfo": refusal("INVALID_ARGUMENT", VIOLATION),
    "two ErrorInfos": refusal("INVALID_ARGUMENT", OURS, OURS, VIOLATION),
    "another's ErrorInfo": refusal("INVALID_ARGUMENT", ErrorInfo(reason="X", domain="other"), VIOLATION),
    "no field named": refusal("INVALID_ARGUMENT", OURS),
    "a trace": refusal("INVALID_ARGUMENT", OURS, VIOLATION, sentence="Traceback (most recent call last):"),
    "a file": refusal("INVALID_ARGUMENT", OURS, VIOLATION, sentence="service/host.py, line 7"),
    "a type": refusal("INVALID_ARGUMENT", OURS, VIOLATION, sentence="KeyError: 'x'"),
    "an object": refusal("INVALID_ARGUMENT", OURS, VIOLATION, sentence="<Life object at 0x7f00>"),
    "a type among the facts": refusal(
        "INVALID_ARGUMENT", ErrorInfo(reason="X", domain="kontor", metadata={"why": "ValueError"}), VIOLATION
    ),
    "other words inside": FAIR._replace(sentence="Something else."),
    "a status that does not belong": refusal("UNAVAILABLE", OURS, RetryInfo()),
    "accepted": Answer("OK"),
    "too slow": FAIR._replace(seconds=60.0),
}


def test_a_fair_refusal_is_no_fault() -> None:
    """The judge lets pass what is as it should be, and what gRPC refuses unread."""
    assert list(faults(Shot(LIST, allowed=REFUSED), FAIR)) == []
    unread = Answer("RESOURCE_EXHAUSTED", "SERVER: Received message larger than max (300000 vs. 262144)")
    assert list(faults(Shot(LIST, b"x" * 300_000, allowed=REFUSED), unread)) == []
    assert list(faults(Shot(LIST, allowed=REFUSED), unread)) != []


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name: str) -> None:
    """The judge can fail."""
    assert list(faults(Shot(LIST, allowed=REFUSED), PLANTED[name])) != []


def test_an_answer_that_can_not_be_read_is_found() -> None:
    """OK alone is no answer."""
    assert list(faults(Shot(LIST), Answer("OK", body=b""))) == []
    assert list(faults(Shot(LIST), Answer("OK", body=b"\xff\xff"))) == ["its answer can't be read"]


def test_a_table_that_goes_on_by_itself_is_found() -> None:
    """A log grows by what was accepted, and never shrinks."""
    assert list(grown(5, 7, 2)) == []
    assert list(grown(5, 8, 2)) == ["its log has grown by 3 entries, and 2 were accepted"]
    assert list(grown(5, 4, 0)) == ["its log had 5 entries and has 4"]


def test_a_foreign_table_that_can_be_told_is_found() -> None:
    """The same code is not enough: every byte counts."""
    other = refusal("NOT_FOUND", OURS, sentence="It is another's.", number=5)
    one = refusal("NOT_FOUND", OURS, sentence="It is not there.", number=5)
    assert list(differ(one, one._replace(seconds=3.0))) == []
    assert list(differ(one, other)) != []


def test_memory_that_grows_and_limits_that_do_not_hold_are_found() -> None:
    """A little is tolerated in the second half, whatever the first took."""
    assert watches.steady(80 * MB, 120 * MB, 130 * MB) == []
    assert watches.steady(80 * MB, 120 * MB, 145 * MB) != []
    assert floods.held_to(floods.BURST + floods.RATE, 10_000, seconds=1.0) == []
    assert floods.held_to(floods.BURST + floods.RATE + 2, 10_000, seconds=1.0) != []
    assert floods.held_to(10, 10, seconds=1.0) == ["nobody was refused"]


LINES = {
    "a trace": "Traceback (most recent call last):",
    "a fault": '{"event": "unexpected", "level": "error"}',
    "an error": '{"event": "something", "level": "error"}',
    "a token": '{"event": "call", "peer": "eyJhbGciOiJFZERTQSJ9"}',
    "a secret": '{"event": "call", "table": "0123456789abcdef0123456789abcdef"}',
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_what_the_log_must_not_hold_is_found(tmp_path: Path, line: str) -> None:
    """Errors, and what attackers and players had to keep to themselves."""
    house = House(tmp_path, {})
    house.secrets = {"0123456789abcdef0123456789abcdef"}
    log = tmp_path / "serve.log"
    log.write_text('{"event": "call", "level": "info"}\n{"event": "Invalid encoding on %s", "level": "error"}\n')
    assert list(house.said_wrong()) == []
    log.write_text(f"{log.read_text()}{line}\n")
    assert len(list(house.said_wrong())) == 1


def test_rude_callers_are_told_nothing_of_the_program() -> None:
    """Below gRPC the words alone are judged."""
    assert list(told_inside(Answer("reset"))) == []
    assert list(told_inside(Answer("UNKNOWN", "x"))) != []
    assert list(told_inside(Answer("CANCELLED", "DecodeError"))) != []


def test_every_aimed_kind_can_be_asked_for_alone() -> None:
    """The command line knows them all."""
    assert set(AIMED) <= set(KINDS)
