"""The client: the catalogue, opening tables, taking seats."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Self

import grpc

from kontor.v1 import (
    AddBotRequest,
    CancelTableRequest,
    CreateInviteRequest,
    CreateTableRequest,
    CreateViewTokenRequest,
    Fact,
    Game,
    GameSummary,
    GetGameRequest,
    GetTableRequest,
    JoinTableRequest,
    ListGamesRequest,
    ListTablesRequest,
    Phase,
    StartTableRequest,
    Table,
    TransferSeatRequest,
)
from kontor_client.line import Line, Options, new_id, new_secret
from kontor_client.viewers import Seat, Spectator


class Client:
    """A line to a Kontor server.

    Calls that find no server, or one that can't serve now, are repeated under the same id for `patience` seconds.
    With `credentials` (`grpc.ssl_channel_credentials()`) it speaks TLS. Close it, or use it with `async with`.
    """

    def __init__(
        self,
        address: str = "127.0.0.1:50051",
        *,
        credentials: grpc.ChannelCredentials | None = None,
        language: str = "",
        api_key: str = "",
        patience: float = 30.0,
        options: Options = (),
    ) -> None:
        self._line = Line(address, credentials, language, api_key, patience, options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up; watches end."""
        await self._line.close()

    async def games(self, patience: float | None = None) -> list[GameSummary]:
        """The games there are."""
        answer = await self._line.call(self._line.tables.ListGames, ListGamesRequest(), patience=patience)
        return list(answer.games)

    async def game(self, game: str) -> Game:
        """One game, with its rules, editions and phrases."""
        return (await self._line.call(self._line.tables.GetGame, GetGameRequest(game=game))).game

    async def tables(self, game: str = "", phase: Phase.ValueType = Phase.PHASE_UNSPECIFIED) -> AsyncIterator[Table]:
        """The public tables, newest first; of one game or phase only, where that is wanted."""
        place = ""
        while True:
            request = ListTablesRequest(page_token=place, game=game, phase=phase)
            page = await self._line.call(self._line.tables.ListTables, request)
            for table in page.tables:
                yield table
            place = page.next_page_token
            if not place:
                return

    async def table(self, table_id: str, token: str = "") -> Table:
        """One table: a public one, or one that the token belongs to."""
        return (await self._line.call(self._line.tables.GetTable, GetTableRequest(table_id=table_id), token)).table

    async def create_table(
        self,
        game: str,
        *,
        seats: int = 0,
        bots: Sequence[str] = (),
        public: bool = False,
        edition: str = "",
        settings: Mapping[str, str] | None = None,
        answer_within: int = 0,
        seed: str = "",
        position: str = "",
    ) -> HostedTable:
        """Open a table, with bots ("random", "stand-in") on its first seats. Nobody else sits there yet, not even you.

        `answer_within` is how many seconds a player may think; 0: as long as he likes. A seed or a position needs the
        operator's leave, and everyone is told.
        """
        request = CreateTableRequest(
            request_id=new_id(),
            client_secret=new_secret(),
            game=game,
            edition=edition,
            settings=[Fact(name=name, value=value) for name, value in (settings or {}).items()],
            public=public,
            seats=seats,
            bots=bots,
            answer_within_seconds=answer_within,
            seed=seed,
            position=position,
        )
        answer = await self._line.call(self._line.tables.CreateTable, request)
        return HostedTable(self._line, answer.table.id, answer.host_token)

    async def join(self, table_id: str, name: str, invite: str = "") -> Seat:
        """Take the next free seat, by invite or at a public table."""
        return await join(self._line, table_id, name, invite)

    def seat(self, table_id: str, token: str) -> Seat:
        """A seat that was taken before, by its token."""
        return Seat(self._line, table_id, token)

    def spectator(self, table_id: str, token: str) -> Spectator:
        """Somebody with a link: the token that lets him see."""
        return Spectator(self._line, table_id, token)

    def hosted(self, table_id: str, token: str) -> HostedTable:
        """A table that was opened before, by its host's token."""
        return HostedTable(self._line, table_id, token)


async def join(line: Line, table_id: str, name: str, token: str) -> Seat:
    """Take the next free seat."""
    request = JoinTableRequest(table_id=table_id, request_id=new_id(), client_secret=new_secret(), name=name)
    return Seat(line, table_id, (await line.call(line.tables.JoinTable, request, token)).seat_token)


class HostedTable:
    """A table in the hands of its host. `id` and `token` are all it takes to come back later."""

    def __init__(self, line: Line, table_id: str, token: str) -> None:
        self._line = line
        self.id = table_id
        self.token = token

    def __repr__(self) -> str:
        return f"HostedTable(id={self.id!r})"  # a token is nothing to print

    async def get(self) -> Table:
        """The table as it is now."""
        request = GetTableRequest(table_id=self.id)
        return (await self._line.call(self._line.tables.GetTable, request, self.token)).table

    async def join(self, name: str) -> Seat:
        """Take a seat at the own table."""
        return await join(self._line, self.id, name, self.token)

    async def invite(self) -> str:
        """A token that lets people join: pass it on."""
        request = CreateInviteRequest(table_id=self.id)
        return (await self._line.call(self._line.tables.CreateInvite, request, self.token)).invite

    async def add_bot(self, bot: str = "stand-in", name: str = "") -> int:
        """Seat a bot; the answer is its seat."""
        request = AddBotRequest(table_id=self.id, request_id=new_id(), bot=bot, name=name)
        return (await self._line.call(self._line.tables.AddBot, request, self.token)).seat

    async def start(self) -> Table:
        """Begin the game with those who sit there."""
        request = StartTableRequest(table_id=self.id, request_id=new_id())
        return (await self._line.call(self._line.tables.StartTable, request, self.token)).table

    async def cancel(self) -> Table:
        """Give the table up before the start."""
        request = CancelTableRequest(table_id=self.id, request_id=new_id())
        return (await self._line.call(self._line.tables.CancelTable, request, self.token)).table

    async def spectator(self) -> Spectator:
        """Somebody who sees what a spectator sees; pass his token on."""
        request = CreateViewTokenRequest(table_id=self.id)
        answer = await self._line.call(self._line.tables.CreateViewToken, request, self.token)
        return Spectator(self._line, self.id, answer.view_token)

    async def hand_to_bot(self, seat: int, bot: str = "stand-in") -> Table:
        """Hand a seat whose answer is overdue to a bot."""
        request = TransferSeatRequest(table_id=self.id, request_id=new_id(), seat=seat, bot=bot)
        return (await self._line.call(self._line.tables.TransferSeat, request, self.token)).table
