"""Whole games, known before they are played: a given seed deals the same cards, so every answer is a line to send."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from bench.domain import table_of
from domain.games import GAMES
from kontor.v1 import (
    Answer,
    CreateTableRequest,
    CreateViewTokenRequest,
    JoinTableRequest,
    StartTableRequest,
    SubmitCommandRequest,
)
from kontor.v1.table_service_pb2_grpc import TableServiceStub
from service.simulate import moves, seed_of
from service.translate import answer_from_command

SEATS = 4
AT_ONCE = 16  # tables being set up
SCRIPTS = 20  # games to choose from; tables are many, and may play the same
SECRET = "a secret of the benchmark's own"  # noqa: S105 - it keeps nothing
NAMES = ("Anna", "Bartl", "Clara", "Dietz", "Elsbeth")

_numbers = itertools.count()


class Line(NamedTuple):
    """One answer of a game: who gives it, to which decision."""

    seat: int
    decision: int
    answer: Answer


class Sent(NamedTuple):
    """One request, ready to be sent: through whose connection, its bytes, its headers."""

    seat: int
    request: bytes
    headers: tuple[tuple[str, str], ...]


class Seated(NamedTuple):
    """A table at which the game has begun, with all that will be said there."""

    id: str
    requests: Sequence[Sent]
    viewers: tuple[tuple[tuple[str, str], ...], ...]  # headers of all seats and a spectator


@cache
def script(game: str, seats: int, number: int) -> tuple[Line, ...]:
    """All answers of one random game."""
    played = itertools.islice(moves(table_of(GAMES[game], seats), seed_of(1, number)), 1, None)
    return tuple(
        Line(move.seat, move.decision.number, answer_from_command(move.command)) for move in played if move.decision
    )


def headers(token: str) -> tuple[tuple[str, str], ...]:
    """The headers of a call with this token."""
    return (("authorization", f"Bearer {token}"),)


async def seated(tables: TableServiceStub, game: str, seats: int = SEATS) -> Seated:
    """A new table at which one of the known games begins."""
    stub: Any = tables
    number = next(_numbers)
    lines = script(game, seats, number % SCRIPTS)
    create = CreateTableRequest(
        request_id=f"bench-{number}",
        client_secret=SECRET,
        game=game,
        seats=seats,
        seed=seed_of(1, number % SCRIPTS).hex(),
    )
    made = await stub.CreateTable(create)
    host, table = headers(made.host_token), made.table.id
    tokens = []
    for name in NAMES[:seats]:
        join = JoinTableRequest(table_id=table, request_id=f"join-{name}", client_secret=SECRET, name=name)
        tokens.append(headers((await stub.JoinTable(join, metadata=host)).seat_token))
    await stub.StartTable(StartTableRequest(table_id=table, request_id="start"), metadata=host)
    looks = await stub.CreateViewToken(CreateViewTokenRequest(table_id=table), metadata=host)
    requests = [
        Sent(
            line.seat,
            SubmitCommandRequest(
                table_id=table, request_id=f"{place}", decision=line.decision, answer=line.answer
            ).SerializeToString(),
            tokens[line.seat - 1],
        )
        for place, line in enumerate(lines)
    ]
    return Seated(table, requests, (*tokens, headers(looks.view_token)))


async def many(tables: TableServiceStub, game: str, count: int) -> list[Seated]:
    """So many new tables."""
    found: list[Seated] = []
    while len(found) < count:
        some = min(AT_ONCE, count - len(found))
        found += await asyncio.gather(*(seated(tables, game) for _ in range(some)))
    return found
