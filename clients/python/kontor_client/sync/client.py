"""The client, each call of which waits for its answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

import grpc

from kontor.v1 import Game, GameSummary, Phase, Table
from kontor_client import client as later
from kontor_client.line import Options
from kontor_client.sync.background import Background
from kontor_client.sync.viewers import Seat, Spectator


class Client:
    """A line to a Kontor server; see `kontor_client.Client`."""

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
        self._loop = Background()
        self._client = later.Client(
            address, credentials=credentials, language=language, api_key=api_key, patience=patience, options=options
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hang up; watches end."""
        self._loop.wait(self._client.close())
        self._loop.stop()

    def games(self, patience: float | None = None) -> list[GameSummary]:
        """The games there are."""
        return self._loop.wait(self._client.games(patience))

    def game(self, game: str) -> Game:
        """One game, with its rules, editions and phrases."""
        return self._loop.wait(self._client.game(game))

    def tables(self, game: str = "", phase: Phase.ValueType = Phase.PHASE_UNSPECIFIED) -> Iterator[Table]:
        """The public tables, newest first."""
        return self._loop.each(self._client.tables(game, phase))

    def table(self, table_id: str, token: str = "") -> Table:
        """One table: a public one, or one that the token belongs to."""
        return self._loop.wait(self._client.table(table_id, token))

    def create_table(
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
        """Open a table, with bots on its first seats; see `kontor_client.Client.create_table`."""
        made = self._client.create_table(
            game,
            seats=seats,
            bots=bots,
            public=public,
            edition=edition,
            settings=settings,
            answer_within=answer_within,
            seed=seed,
            position=position,
        )
        return HostedTable(self._loop, self._loop.wait(made))

    def join(self, table_id: str, name: str, invite: str = "") -> Seat:
        """Take the next free seat, by invite or at a public table."""
        return Seat(self._loop, self._loop.wait(self._client.join(table_id, name, invite)))

    def seat(self, table_id: str, token: str) -> Seat:
        """A seat that was taken before, by its token."""
        return Seat(self._loop, self._client.seat(table_id, token))

    def spectator(self, table_id: str, token: str) -> Spectator:
        """Somebody with a link: the token that lets him see."""
        return Spectator(self._loop, self._client.spectator(table_id, token))

    def hosted(self, table_id: str, token: str) -> HostedTable:
        """A table that was opened before, by its host's token."""
        return HostedTable(self._loop, self._client.hosted(table_id, token))


class HostedTable:
    """A table in the hands of its host; see `kontor_client.HostedTable`."""

    def __init__(self, loop: Background, table: later.HostedTable) -> None:
        self._loop = loop
        self._table = table
        self.id = table.id
        self.token = table.token

    def __repr__(self) -> str:
        return repr(self._table)

    def get(self) -> Table:
        """The table as it is now."""
        return self._loop.wait(self._table.get())

    def join(self, name: str) -> Seat:
        """Take a seat at the own table."""
        return Seat(self._loop, self._loop.wait(self._table.join(name)))

    def invite(self) -> str:
        """A token that lets people join: pass it on."""
        return self._loop.wait(self._table.invite())

    def add_bot(self, bot: str = "stand-in", name: str = "") -> int:
        """Seat a bot; the answer is its seat."""
        return self._loop.wait(self._table.add_bot(bot, name))

    def start(self) -> Table:
        """Begin the game with those who sit there."""
        return self._loop.wait(self._table.start())

    def cancel(self) -> Table:
        """Give the table up before the start."""
        return self._loop.wait(self._table.cancel())

    def spectator(self) -> Spectator:
        """Somebody who sees what a spectator sees; pass his token on."""
        return Spectator(self._loop, self._loop.wait(self._table.spectator()))

    def hand_to_bot(self, seat: int, bot: str = "stand-in") -> Table:
        """Hand a seat whose answer is overdue to a bot."""
        return self._loop.wait(self._table.hand_to_bot(seat, bot))
