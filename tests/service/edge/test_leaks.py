"""Two servers, a position and its resample: the bytes on the wire are the same for whoever can not tell them apart."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from domain.games import GAMES
from kontor.v1 import play_service_pb2 as play_pb
from kontor.v1 import table_service_pb2 as table_pb
from service.grpc_edge import Server
from service.grpc_edge.door import Door, Terms
from service.grpc_edge.health import Health
from service.handlers import ROWS
from service.translate import answer_from_command
from tests.service.edge.conftest import LOOPBACK
from tests.service.host.worlds import Comparison, Difference, World
from tests.service.log.servers import Process
from tests.service.test_guarantees_wire import in_change, in_refusal, in_size, in_view, twins

pytestmark = pytest.mark.anyio


class WiredWorld(World):
    """A world behind a gRPC server of its own; what is compared are the bytes a client receives."""

    server: Server | None = None
    channel: Any = None
    watching: Any = None

    async def _wired(self) -> Any:
        if self.server is None:
            self.server = Server(Door(self.replica.desk, Terms()), ROWS, Health(self.replica.log.ready).servicer)
            self.channel = grpc.aio.insecure_channel(str(await self.server.start(LOOPBACK, None)))
        return self.channel

    async def _call(self, method: str, request: Any, token: str) -> bytes:
        channel = await self._wired()
        answer: bytes = await channel.unary_unary(f"/kontor.v1.{method}")(
            request.SerializeToString(), metadata=(("authorization", f"Bearer {token}"),)
        )
        return answer

    async def told(self) -> list[bytes]:
        """All that the viewer can ask for now, and what his stream sends next."""
        changes = play_pb.ListChangesRequest(table_id=self.table, with_views=True, page_size=200)
        messages = [
            await self._call("PlayService/GetView", play_pb.GetViewRequest(table_id=self.table), self.token),
            await self._call("PlayService/ListChanges", changes, self.token),
            await self._call("TableService/GetTable", table_pb.GetTableRequest(table_id=self.table), self.token),
        ]
        if self.watching is None:
            request = play_pb.WatchViewRequest(table_id=self.table).SerializeToString()
            headers = (("authorization", f"Bearer {self.token}"),)
            self.watching = self.channel.unary_stream("/kontor.v1.PlayService/WatchView")(request, metadata=headers)
        return [*messages, await self.watching.read()]

    async def submit(self, seat: int, number: int, command: Any, request: str) -> tuple[bool, bytes]:
        """Whether a command was accepted, and its answer; or its status with all that trails it."""
        asked = play_pb.SubmitCommandRequest(
            table_id=self.table, request_id=request, decision=number, answer=answer_from_command(command)
        )
        try:
            return True, await self._call("PlayService/SubmitCommand", asked, self.tokens[seat - 1])
        except grpc.aio.AioRpcError as error:
            return False, repr((error.code(), error.details(), tuple(error.trailing_metadata()))).encode()

    async def close(self) -> None:
        """End this world."""
        if self.watching is not None:
            self.watching.cancel()
        if self.server is not None:
            await self.channel.close()
            await self.server.stop(None)
        await super().close()


async def compared(valkey: Process, game: Any, most: int) -> dict[str, int]:
    """What was compared over the wire, for spectators and all seats."""
    done = {"positions": 0, "messages": 0, "refusals": 0, "commands": 0}
    for viewer in range(game.meta.most_seats + 1):
        for state, twin in list(twins(game, 2, viewer))[:most]:
            comparison = Comparison(game, viewer, 2, WiredWorld)
            await comparison.run(valkey, state, twin, 2)
            done["positions"] += 1
            for name in ("messages", "refusals", "commands"):
                done[name] += getattr(comparison, name)
    return done


@pytest.mark.parametrize("name", GAMES)
async def test_two_servers_send_the_same_bytes(valkey: Process, name: str) -> None:
    """Answers, errors and stream messages of two servers are byte-equal for every viewer of every game."""
    done = await compared(valkey, GAMES[name], 2)
    assert all(done.values()), done


@pytest.mark.parametrize("plant", [in_view, in_size, in_change, in_refusal])
async def test_a_leak_on_the_wire_is_caught(valkey: Process, plant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: in a view, in its size, in a change, in a status."""
    plant(monkeypatch)
    with pytest.raises(Difference):
        await compared(valkey, GAMES["augsburg"], 3)
