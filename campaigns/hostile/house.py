"""The server under attack, and what it must still be able to say for itself afterwards."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from redis.asyncio import Redis

from campaigns.chaos.replica import Replica
from campaigns.hostile.shot import Gun
from domain.games import GAMES
from service.cli.admin_check import Wrong, folded, prove
from service.entry import Cause
from service.log import Log, Settings, open_log

PROVEN = 300  # tables whose log is proven, besides those of honest players
SECRET = re.compile(r"[0-9a-f]{32}")  # as arenas make them
TOKEN = re.compile(r"eyJ[0-9A-Za-z_-]{8,}")
UNDECODABLE = '"event": "Invalid encoding on %s"'  # gRPC says so of every header that is no text
NO_LIMITS = {"KONTOR_STREAMS": "1000000"}  # a replica of a campaign has no other ones


class House:
    """One server, its log, and a line to it."""

    def __init__(self, directory: Path, settings: dict[str, str]) -> None:
        self.replica = Replica(
            directory,
            {
                "KONTOR_LOG_LEVEL": "info",
                "KONTOR_REFLECTION": "yes",
                "KONTOR_ALLOW_SEED": "yes",
                "KONTOR_ALLOW_POSITION": "yes",
                **settings,
            },
        )
        self.secrets: set[str] = set()  # what no line of its log may hold

    async def open(self) -> House:
        """Start it."""
        await self.replica.open()
        self.pid = self.replica.pid
        socket = self.replica.directory / "data" / "log" / "valkey.sock"
        self.log: Log = await open_log(f"unix://{socket}", None, Settings())
        self._store: Any = Redis(unix_socket_path=str(socket))
        self.signing = serialization.load_pem_private_key(
            (self.replica.directory / "data" / "keys.pem").read_bytes(), password=None
        )
        self.gun = Gun(f"127.0.0.1:{self.replica.port}")
        return self

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.replica.port

    async def close(self) -> None:
        """End it."""
        await self.gun.close()
        await self.log.close()
        await self._store.aclose()
        await self.replica.close()

    async def metrics(self) -> str:
        """What it has counted."""
        return await asyncio.to_thread(self.replica.metrics)

    async def log_memory(self) -> int:
        """Bytes that its log holds in memory."""
        return int((await self._store.info("memory"))["used_memory"])

    async def said_by_people(self, table: str) -> int:
        """How many entries of a table come from calls: bots and clocks write by themselves."""
        life = folded(table, GAMES, (await self.log.read(table)).entries)
        return sum(entry.cause in (Cause.PLAYER, Cause.HOST) for entry in life.entries)

    async def wrong(self, honest: set[str], chance: random.Random) -> list[str]:
        """What is wrong with the process, its log of calls, and its tables."""
        found = list(self.said_wrong())
        if not self.replica.running or self.replica.pid != self.pid:
            found.append("the server died")
            return found
        tables = {table async for table in self.log.tables()}
        if missing := honest - tables:
            found.append(f"tables of honest players are gone: {', '.join(missing)}")
        some = chance.sample(sorted(tables), min(PROVEN, len(tables)))
        for table in {*some, *(honest & tables)}:
            try:
                entries = (await self.log.read(table)).entries
                await asyncio.to_thread(prove, table, GAMES, entries)
            except Wrong as wrong:
                found.append(f"table {table}: {wrong}")
        return found

    def said_wrong(self) -> Iterator[str]:
        """What it must never have to say, and what it must never tell."""
        for line in self.replica.said().splitlines():
            grave = "Traceback" in line or '"unexpected"' in line or '"level": "error"' in line
            if grave and UNDECODABLE not in line:
                yield f"it logged {line[:800]}"
            if TOKEN.search(line) or not self.secrets.isdisjoint(SECRET.findall(line)):
                yield f"a secret stands in its log: {line[:200]}"
