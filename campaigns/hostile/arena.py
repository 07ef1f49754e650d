"""The tables that attackers know: some are theirs, some are not."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from campaigns.chaos.replica import Replica
from campaigns.hostile.shot import bearer
from kontor.v1 import (
    AddBotRequest,
    CancelTableRequest,
    CreateInviteRequest,
    CreateTableRequest,
    CreateViewTokenRequest,
    Decision,
    GetGameRequest,
    GetTableRequest,
    GetViewRequest,
    JoinTableRequest,
    LeaveTableRequest,
    ListChangesRequest,
    ListGamesRequest,
    ListTablesRequest,
    Moment,
    RenewTokenRequest,
    ResignRequest,
    StartTableRequest,
    SubmitCommandRequest,
    TransferSeatRequest,
    View,
    WatchViewRequest,
)
from kontor_client.answers import random_answer

GAMES = ("augsburg", "strasbourg", "diefugger")
SEATS = {"augsburg": 2, "strasbourg": 3, "diefugger": 2}
PLAY, TABLES = "kontor.v1.PlayService", "kontor.v1.TableService"


@dataclass(slots=True)
class Arena:
    """A private table in play, with every token there is for it, and a lobby beside it."""

    name: str
    game: str
    table: str = ""
    lobby: str = ""
    tokens: dict[str, str] = field(default_factory=dict)  # host, seat1, seat2, …, view, invite, lobby host, lobby seat
    view: View = field(default_factory=View)
    asked: str = ""  # the token of a seat that is asked
    decision: Decision = field(default_factory=Decision)
    over: Arena | None = None  # a game that has ended, and a lobby that was given up
    left: Arena | None = None  # a table that its first seat has left
    signing: Any = None  # the server's own key: even what it signed itself may be worth nothing

    def request(self, what: str) -> str:
        """A request id, the same at every run."""
        return f"{self.name}-{what}"

    def secret(self, what: str) -> str:
        """A client secret, the same at every run."""
        return f"{random.Random(self.request(what)).getrandbits(128):032x}"

    def valid(self, chance: random.Random, number: int) -> list[tuple[str, Any, str]]:
        """Every call as an honest client makes it: method, request, token."""
        made = f"{self.name}-n{number}"
        here: dict[str, Any] = {"table_id": self.table}
        lobby: dict[str, Any] = {"table_id": self.lobby, "request_id": made}
        tokens = self.tokens
        moment = Moment(version=chance.randint(1, max(1, self.view.moment.version)), tag=self.view.moment.tag)
        answer = random_answer(self.decision, chance)
        secret = self.secret(made)
        return [
            (f"{TABLES}/ListGames", ListGamesRequest(), ""),
            (f"{TABLES}/GetGame", GetGameRequest(game=self.game), ""),
            (
                f"{TABLES}/CreateTable",
                CreateTableRequest(request_id=made, client_secret=secret, game=self.game, bots=["random"]),
                "",
            ),
            (f"{TABLES}/GetTable", GetTableRequest(**here), tokens["host"]),
            (f"{TABLES}/ListTables", ListTablesRequest(page_size=3, game=self.game), ""),
            (f"{TABLES}/CreateInvite", CreateInviteRequest(**here), tokens["host"]),
            (f"{TABLES}/JoinTable", JoinTableRequest(**lobby, client_secret=secret, name="Eva"), tokens["lobby host"]),
            (f"{TABLES}/LeaveTable", LeaveTableRequest(**lobby), tokens["lobby seat"]),
            (f"{TABLES}/Resign", ResignRequest(**here, request_id=made), tokens["seat2"]),
            (f"{TABLES}/TransferSeat", TransferSeatRequest(**here, request_id=made, name="Ida"), tokens["seat2"]),
            (f"{TABLES}/AddBot", AddBotRequest(**lobby, bot="stand-in", name="Bert"), tokens["lobby host"]),
            (f"{TABLES}/StartTable", StartTableRequest(**lobby), tokens["lobby host"]),
            (f"{TABLES}/CancelTable", CancelTableRequest(**lobby), tokens["lobby host"]),
            (f"{TABLES}/CreateViewToken", CreateViewTokenRequest(**here), tokens["seat1"]),
            (f"{TABLES}/RenewToken", RenewTokenRequest(), tokens["view"]),
            (
                f"{PLAY}/SubmitCommand",
                SubmitCommandRequest(**here, request_id=made, decision=self.decision.number, answer=answer),
                self.asked,
            ),
            (f"{PLAY}/GetView", GetViewRequest(**here, version=chance.randint(0, 3)), tokens["seat1"]),
            (f"{PLAY}/WatchView", WatchViewRequest(**here, resume=moment), tokens["view"]),
            (f"{PLAY}/ListChanges", ListChangesRequest(**here, page_size=5, with_views=True), tokens["seat1"]),
        ]


async def call(method: Any, request: Any, token: str = "") -> Any:
    """What an honest client calls; on a busy machine the first connection takes its time."""
    return await method(request, metadata=bearer(token) if token else (), timeout=30, wait_for_ready=True)


async def opened(replica: Replica, name: str, game: str) -> Arena:
    """Open both tables, seat everyone, start the first."""
    arena = Arena(name, game)
    tables, play, tokens = replica.tables, replica.play, arena.tokens

    async def founded(what: str) -> Any:
        request = CreateTableRequest(request_id=arena.request(what), client_secret=arena.secret(what), game=game)
        return await call(tables.CreateTable, request)

    async def joined(table: str, token: str, what: str) -> str:
        request = JoinTableRequest(
            table_id=table, request_id=arena.request(what), client_secret=arena.secret(what), name=what.title()
        )
        return str((await call(tables.JoinTable, request, token)).seat_token)

    made, lobby = await founded("table"), await founded("lobby")
    arena.table, tokens["host"] = made.table.id, made.host_token
    arena.lobby, tokens["lobby host"] = lobby.table.id, lobby.host_token
    tokens["lobby seat"] = await joined(arena.lobby, lobby.host_token, "guest")
    for number in range(1, SEATS[game] + 1):
        tokens[f"seat{number}"] = await joined(arena.table, made.host_token, f"seat{number}")
    here: dict[str, Any] = {"table_id": arena.table}
    await call(tables.StartTable, StartTableRequest(**here, request_id="start"), made.host_token)
    tokens["view"] = (await call(tables.CreateViewToken, CreateViewTokenRequest(**here), made.host_token)).view_token
    tokens["invite"] = (await call(tables.CreateInvite, CreateInviteRequest(**here), made.host_token)).invite
    for number in range(1, SEATS[game] + 1):
        token = tokens[f"seat{number}"]
        view = (await call(play.GetView, GetViewRequest(**here), token)).view
        if view.HasField("decision"):
            arena.view, arena.asked, arena.decision = view, token, view.decision
    return arena
