"""Two worlds at the wire: the same table twice, begun from a position and from its resample, as one viewer sees it."""

from __future__ import annotations

from typing import Any

from domain import editions
from domain.chance import SeededChance, Stream
from domain.options import sample
from domain.values import members, to_json
from kontor.v1 import play_service_pb2 as play_pb
from kontor.v1 import table_service_pb2 as table_pb
from service.errors import CallError
from service.handlers import sentence
from service.translate import answer_from_command
from tests.service.host.house import House, Replica
from tests.service.host.made import NAMES, Known
from tests.service.log.servers import Process

SECRET = "the secret of both worlds"


class World:
    """One of the two: a server of its own, with the same ids, tags and times as the other."""

    def __init__(self, house: House, replica: Replica, table: str, token: str, tokens: list[str]) -> None:
        self.house, self.replica, self.table = house, replica, table
        self.token = token  # the viewer's
        self.tokens = tokens  # of all seats
        self.stream = replica.watch(table, token)

    @classmethod
    async def begun(cls, process: Process, number: int, game: Any, state: Any, viewer: int) -> World:
        """A table that begins from a state."""
        house = House(process, database=number)
        replica = await house.replica()
        replica.host.random = Known("both").hex
        create = table_pb.CreateTableRequest(
            request_id="create", client_secret=SECRET, game=game.meta.id, position=to_json(state)
        )
        made = await replica.call("CreateTable", create)
        tokens = []
        for name in NAMES[: len(state.numbers)]:
            join = table_pb.JoinTableRequest(
                table_id=made.table.id, request_id=f"join-{name}", client_secret=SECRET, name=name
            )
            tokens.append((await replica.call("JoinTable", join, made.host_token)).seat_token)
        start = table_pb.StartTableRequest(table_id=made.table.id, request_id="start")
        await replica.call("StartTable", start, made.host_token)
        look = table_pb.CreateViewTokenRequest(table_id=made.table.id)
        spectator = (await replica.call("CreateViewToken", look, made.host_token)).view_token
        return cls(house, replica, made.table.id, tokens[viewer - 1] if viewer else spectator, tokens)

    @property
    def state(self) -> Any:
        """Where the game stands."""
        life = self.replica.host.cached(self.table)
        assert life is not None
        return life.play

    async def told(self) -> list[bytes]:
        """All that the viewer can ask for now, and what his stream sends next, as bytes."""
        changes = play_pb.ListChangesRequest(table_id=self.table, with_views=True, page_size=200)
        messages = [
            await self.replica.call("GetView", play_pb.GetViewRequest(table_id=self.table), self.token),
            await self.replica.call("ListChanges", changes, self.token),
            await self.replica.call("GetTable", table_pb.GetTableRequest(table_id=self.table), self.token),
            await anext(self.stream),
        ]
        return [message.SerializeToString() for message in messages]

    async def submit(self, seat: int, number: int, command: Any, request: str) -> tuple[bool, bytes]:
        """Whether a command was accepted, and its answer, or its refusal in all its parts, as bytes."""
        asked = play_pb.SubmitCommandRequest(
            table_id=self.table, request_id=request, decision=number, answer=answer_from_command(command)
        )
        try:
            answer = await self.replica.call("SubmitCommand", asked, self.tokens[seat - 1])
        except CallError as error:
            rule = getattr(getattr(error, "refusal", None), "rule", "")
            text = sentence(self.replica.desk, error, "en")
            return False, repr((error.status, error.reason, rule, error.facts, text)).encode()
        return True, answer.SerializeToString()

    async def close(self) -> None:
        """End this world."""
        await self.stream.aclose()
        await self.house.close()


def positions(game: Any, seed: int) -> Any:
    """States of a random game, step by step."""
    secret = seed.to_bytes(32, "big")
    chance, source = SeededChance(secret), Stream(secret, "play")
    seats = game.meta.least_seats + seed % (game.meta.most_seats - game.meta.least_seats + 1)
    state = game.setup(seats, (), editions.builtin(game, game.meta.editions[0]), chance).state
    while game.waiting(state):
        yield state
        waiting = game.waiting(state)
        seat = waiting[source.below(len(waiting))]
        decision = game.decision(state, seat)
        state = game.decide(state, decision, answer_for(game, decision, source), chance).state


def answer_for(game: Any, decision: Any, source: Stream) -> Any:
    """Some answer to a decision."""
    return sample(decision.options[source.below(len(decision.options))], members(game.Command), source)


class Difference(AssertionError):
    """The viewer can tell the worlds apart."""


class Comparison:
    """Plays two worlds side by side and counts what was compared."""

    def __init__(self, game: Any, viewer: int, seed: int, world: type[World] = World) -> None:
        self.game, self.viewer, self.world = game, viewer, world
        self.source = Stream(seed.to_bytes(32, "big"), "compare")
        self.messages = self.refusals = self.commands = 0

    async def run(self, process: Process, state: Any, twin: Any, commands: int) -> None:
        """Compare the beginning, then along so many commands, as long as the rules reveal nothing to this viewer."""
        process.client.flushall()
        begun = self.world.begun
        worlds = [await begun(process, n, self.game, each, self.viewer) for n, each in enumerate((state, twin))]
        try:
            await self._same_told(worlds)
            for number in range(commands):
                await self._same_refusals(worlds, number)
                if not await self._step(worlds, f"c{number}"):
                    break
        finally:
            for world in worlds:
                await world.close()

    async def _same_told(self, worlds: list[World]) -> None:
        one, other = [await world.told() for world in worlds]
        self._same(one, other)
        self.messages += len(one)

    def _same(self, one: Any, other: Any) -> None:
        if one != other:
            raise Difference(f"{self.game.meta.id}: viewer {self.viewer} tells the worlds apart: {one!r} {other!r}")

    async def _same_refusals(self, worlds: list[World], number: int) -> None:
        """What the viewer may not say is refused in the same words: another's answer, and one to a decision gone."""
        if not self.viewer:
            return
        state = worlds[0].state
        own = self.game.decision(state, self.viewer)
        asked = [self.game.decision(state, seat) for seat in self.game.waiting(state)]
        tried = [(own.number if own else 1, answer_for(self.game, each, self.source)) for each in asked if each != own]
        tried += [(99, answer_for(self.game, asked[0], self.source))]
        for place, (decision, command) in enumerate(tried):
            if own and decision == own.number and _legal(self.game, state, own, command):
                continue  # he may say so himself
            ends = [await world.submit(self.viewer, decision, command, f"r{number}-{place}") for world in worlds]
            self._same(*ends)
            self.refusals += 1

    async def _step(self, worlds: list[World], request: str) -> bool:
        """One command in both worlds; whether it told the viewer the same in both, so that they can be compared on."""
        before = [world.state for world in worlds]
        waiting = self.game.waiting(before[0])
        if not waiting:
            return False
        seat = self.viewer if self.viewer in waiting else waiting[self.source.below(len(waiting))]
        decisions = [self.game.decision(state, seat) for state in before]
        command = answer_for(self.game, decisions[0], self.source)
        if not _legal(self.game, before[1], decisions[1], command):
            return False  # another's hidden cards decide that, and he would not say it there
        ends = [await world.submit(seat, decisions[0].number, command, request) for world in worlds]
        if self._revealed(worlds):
            return False
        if seat == self.viewer:
            self._same(*ends)
        await self._same_told(worlds)
        self.commands += 1
        return True

    def _revealed(self, worlds: list[World]) -> bool:
        """Whether the rules tell the viewer different things; that they may is for the conformance suite to judge."""
        shown = []
        for world in worlds:
            life = world.replica.host.cached(world.table)
            assert life is not None
            events = [self.game.show(event, self.viewer) for event in life.entries[-1].events]
            shown.append((events, self.game.view(life.play, self.viewer), self.game.decision(life.play, self.viewer)))
        return bool(shown[0] != shown[1])


def _legal(game: Any, state: Any, decision: Any, command: Any) -> bool:
    try:
        game.decide(state, decision, command, SeededChance(bytes(32)))
    except Exception:  # noqa: BLE001 - Illegal, or no answer of this decision at all
        return False
    return True
