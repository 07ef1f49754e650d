"""Replicas of the service without a wire: desks at one real log, called as the edge calls them."""

from __future__ import annotations

import asyncio
import inspect
import itertools
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress
from types import ModuleType
from typing import Any

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from domain.chance import Stream
from domain.games import GAMES
from kontor.v1 import play_service_pb2 as play_pb
from kontor.v1 import table_service_pb2 as table_pb
from service.auth import NOBODY, Keys, new_key
from service.bots import Bots
from service.errors import Forbidden
from service.grpc_edge.wire import services
from service.handlers import ROWS, Caller, Desk, Policy
from service.host import Host
from service.index import Index
from service.log import Log, Settings, open_log
from service.log.port import Entry, key_of
from service.translate import answer_from_command
from service.watch import Watches
from tests.service.host.made import random_answer
from tests.service.log.servers import Process

SECRET = "a secret of sixteen characters"
LOBBY_TTL = 7 * 24 * 3600
RPCS = {name.partition("/")[2]: name for name in ROWS}
ANSWERS = {method.name: GetMessageClass(method.output_type) for service in services() for method in service.methods}
Wrap = Callable[[Log], Any]


class Clock:
    """A time that a test sets."""

    def __init__(self, time: int = 1_600_000_000_000) -> None:
        self.time = time

    def __call__(self) -> int:
        return self.time

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.time += int(seconds * 1000)


class Replica:
    """One server's worth of objects."""

    def __init__(self, log: Log, games: Mapping[str, ModuleType], keys: Keys, clock: Clock, cache_bytes: int) -> None:
        self.log = log
        self.host = Host(log, games, cache_bytes)
        self.host.clock = clock
        self.clock = clock
        self.watches = Watches(self.host, poll=3600)
        self.index = Index(log, LOBBY_TTL)
        self.desk = Desk(self.host, self.watches, self.index, keys, Policy(allow_seed=True, allow_position=True))
        self.bots: Bots | None = None
        self.tasks: list[asyncio.Task[None]] = []

    async def call(self, rpc: str, request: Message, token: str = "", language: str = "en") -> Any:
        """What the edge does with a call, between the bytes."""
        answer = self._called(rpc, request, token, language)
        answer = await answer if inspect.isawaitable(answer) else answer
        return ANSWERS[rpc].FromString(answer) if isinstance(answer, bytes) else answer

    async def watch(
        self, table: str, token: str, resume: Any = None
    ) -> AsyncGenerator[play_pb.WatchViewResponse, None]:
        """A stream of views."""
        request = play_pb.WatchViewRequest(table_id=table, resume=resume)
        async with aclosing(self._called("WatchView", request, token, "en")) as stream:
            async for message in stream:
                yield play_pb.WatchViewResponse.FromString(message)

    def _called(self, rpc: str, request: Message, token: str, language: str) -> Any:
        row = ROWS[RPCS[rpc]]
        principal = self.desk.keys.principal(token) if token else NOBODY
        if NOBODY.role not in row.roles and principal.role not in row.roles:
            raise Forbidden("WRONG_ROLE", "not this one's to do")
        return row.call(self.desk, Caller(principal, language), request)

    def play_bots(self, *, sweeping: bool = False) -> Bots:
        """Let bots play here."""
        self.bots = Bots(self.host, self.index)
        if sweeping:
            self.tasks.append(asyncio.create_task(self.bots.sweep()))
        return self.bots

    def listen(self) -> None:
        """Follow the hints."""
        self.tasks.append(asyncio.create_task(self.watches.listen()))

    async def close(self) -> None:
        """End everything, in good order."""
        for task in self.tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        if self.bots:
            await self.bots.close()
        await self.log.close()


class House:
    """All replicas of a test, one clock and one set of keys."""

    def __init__(self, process: Process | None = None) -> None:
        self.client: Any = process.client if process else None
        self.url = process.url if process else ""
        self.clock = Clock()
        self.keys = Keys.from_pem(new_key())
        self._replicas: list[Replica] = []
        self._numbers = itertools.count(1)

    async def replica(
        self, games: Mapping[str, ModuleType] = GAMES, wrap: Wrap = lambda log: log, cache_bytes: int = 2**26
    ) -> Replica:
        """One more replica."""
        log = await open_log(self.url, None, Settings())
        replica = Replica(wrap(log), games, self.keys, self.clock, cache_bytes)
        self._replicas.append(replica)
        return replica

    async def close(self) -> None:
        """End all."""
        for replica in self._replicas:
            await replica.close()

    def id(self) -> str:
        """A request id that was not there before."""
        return f"r{next(self._numbers)}"

    def entries(self, table: str) -> list[tuple[bytes, dict[bytes, bytes]]]:
        """What the log holds, by the back door."""
        found: list[tuple[bytes, dict[bytes, bytes]]] = self.client.xrange(key_of(table))
        return found

    def restore(self, table: str, entries: list[Entry]) -> None:
        """Put another history in the place of a table's, as an operator does who restores a copy."""
        self.client.delete(key_of(table))
        for entry in entries:
            self.client.xadd(key_of(table), {"e": entry.data, "h": entry.hash}, id=f"{entry.version}-0")

    async def open(self, at: Replica, game: str = "augsburg", **more: Any) -> Table:
        """A new table."""
        request = table_pb.CreateTableRequest(request_id=self.id(), client_secret=SECRET, game=game, **more)
        answer = await at.call("CreateTable", request)
        return Table(self, answer.table.id, answer.host_token)

    async def playing(self, at: Replica, *names: str, adding: tuple[str, ...] = (), **more: Any) -> Table:
        """A table at which the game has begun, bots behind the persons."""
        table = await self.open(at, **more)
        for name in names or ("Anna", "Bartl"):
            await table.join(at, name)
        for kind in adding:
            request = table_pb.AddBotRequest(table_id=table.id, request_id=self.id(), bot=kind)
            await at.call("AddBot", request, table.host)
        await table.start(at)
        return table


class Table:
    """A table as those at it know it."""

    def __init__(self, house: House, table: str, host_token: str) -> None:
        self._house = house
        self.id = table
        self.host = host_token
        self.seats: list[str] = []  # tokens
        self._source = Stream(b"\7" * 32, "answers")

    async def join(self, at: Replica, name: str, token: str = "") -> table_pb.JoinTableResponse:
        """Somebody sits down, by the host's own token where none is given."""
        request = table_pb.JoinTableRequest(
            table_id=self.id, request_id=self._house.id(), client_secret=f"{SECRET} of {name}", name=name
        )
        answer: table_pb.JoinTableResponse = await at.call("JoinTable", request, token or self.host)
        self.seats.append(answer.seat_token)
        return answer

    async def start(self, at: Replica) -> table_pb.StartTableResponse:
        """The host lets it begin."""
        request = table_pb.StartTableRequest(table_id=self.id, request_id=self._house.id())
        answer: table_pb.StartTableResponse = await at.call("StartTable", request, self.host)
        return answer

    async def view(self, at: Replica, token: str, version: int = 0) -> Any:
        """What a token shows."""
        request = play_pb.GetViewRequest(table_id=self.id, version=version)
        return (await at.call("GetView", request, token)).view

    async def asked(self, at: Replica) -> tuple[int, Any]:
        """A seat that is asked, and its view."""
        first = await self.view(at, self.seats[0])
        seat = first.waiting_for[0].seat
        return seat, first if seat == 1 else await self.view(at, self.seats[seat - 1])

    async def answer(self, at: Replica, seat: int = 0) -> play_pb.SubmitCommandRequest:
        """A request that answers what a seat is asked; it is not sent."""
        life = await at.host.fresh(self.id)
        seat = seat or life.waiting[0]
        decision = life.game.decision(life.play, seat)
        command = random_answer(life, seat, self._source).decide(life).command
        return play_pb.SubmitCommandRequest(
            table_id=self.id,
            request_id=self._house.id(),
            decision=decision.number,
            answer=answer_from_command(command),
        )

    async def submit(self, at: Replica, request: play_pb.SubmitCommandRequest, seat: int) -> Any:
        """A seat sends its answer."""
        return await at.call("SubmitCommand", request, self.seats[seat - 1])

    async def turn(self, at: Replica) -> int:
        """Play on until one seat alone is asked: which."""
        while len(waiting := (await at.host.fresh(self.id)).waiting) > 1:
            await self.submit(at, await self.answer(at, waiting[0]), waiting[0])
        return waiting[0]

    async def play(self, at: Replica, answers: int) -> None:
        """So many answers are given, by whom it is up to."""
        for _ in range(answers):
            seat = (await at.host.fresh(self.id)).waiting[0]
            await self.submit(at, await self.answer(at, seat), seat)


def variant(game: ModuleType, **parts: Any) -> ModuleType:
    """A game with some parts exchanged."""
    other = ModuleType(game.__name__)
    other.__dict__.update(game.__dict__ | parts)
    return other


async def until(condition: Callable[[], Any], seconds: float = 10.0) -> Any:
    """The first true value of the condition."""
    async with asyncio.timeout(seconds):
        while not (found := condition()):  # noqa: ASYNC110 - it may ask another process
            await asyncio.sleep(0.005)
    return found
