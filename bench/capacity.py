"""The units of docs/capacity.md, measured on a real service: bytes a table, CPU a command, bytes and CPU a watcher.

    python -m bench.capacity [--tables 40] [--watchers 1000] [--moves 60] [--rounds 3] [--game augsburg]

A service with its embedded log runs in a process of its own; this one plays and watches. CPU is the kernel's account of
the service and of its log, apart. Rounds are repeated and medians count; a busy machine makes CPU dearer (caches), so
take the figures as upper bounds. At the end stands the table of sizes, computed from the medians.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import grpc

from bench import serving
from bench.serving import Server
from kontor.v1 import WatchViewRequest
from kontor.v1.play_service_pb2_grpc import PlayServiceStub
from kontor_client import Client, HostedTable, Seat, finished, random_answer
from service.log.script import CHANNEL, hint_of

STREAMS = 500  # a connection


class Units(NamedTuple):
    """What was measured."""

    entries: float  # of a finished game
    entry_bytes: float  # of a finished game, as KONTOR_CACHE_BYTES counts them
    log_bytes: float  # of a finished game, in the log's memory
    cached_bytes: float  # of a finished game, in the service's memory
    command: float  # seconds of the service's CPU, a submitted command
    append: float  # seconds of the log's CPU, a submitted command
    look: float  # seconds of the service's CPU, a view looked at
    watcher_bytes: float
    idle: float  # seconds of CPU an hour and watcher, signs of life included
    message: float  # seconds of CPU a message to a watcher
    hint: float  # seconds of CPU a hint of a table that nobody here watches: every replica hears of every move


async def seated(client: Client, game: str) -> tuple[HostedTable, list[Seat]]:
    """A table for two that has begun."""
    table = await client.create_table(game, seats=2)
    seats = [await table.join(f"Player {number}") for number in (1, 2)]
    await table.start()
    return table, seats


async def moves(seats: list[Seat], chance: random.Random, most: int = 10_000) -> int:
    """Answer until the game is over, or so often; by the view that came with the last answer, as a frontend does."""
    done = 0
    for seat in seats:
        await seat.look()
    while done < most:
        asked = [seat for seat in seats if seat.decision]
        if not asked:
            for seat in seats:
                await seat.look()
            if finished(seats[0].view):  # type: ignore[arg-type]
                break
            continue
        decision = asked[0].decision
        assert decision is not None
        await asked[0].submit(random_answer(decision, chance))
        done += 1
    return done


async def commands(service: Server, client: Client, game: str, tables: int, chance: random.Random) -> dict[str, float]:
    """Whole games, many at a time."""
    memory, log_memory = service.memory(), service.log.info("memory")["used_memory"]
    hosted = [await seated(client, game) for _ in range(tables)]
    before, done = service.cpu(), 0
    done = sum(await asyncio.gather(*(moves(seats, random.Random(chance.random())) for _, seats in hosted)))
    after = service.cpu()
    keys = [f"kontor:{{{table.id}}}:log" for table, _ in hosted]
    looks = 2000
    start = service.cpu()[0]
    for number in range(looks):
        await hosted[number % tables][1][0].look()
    look = (service.cpu()[0] - start) / looks
    return {
        "entries": sum(service.log.xlen(key) for key in keys) / tables,
        "entry_bytes": sum(_stored(service.log, key) for key in keys) / tables,
        "log_bytes": (service.log.info("memory")["used_memory"] - log_memory) / tables,
        "cached_bytes": max(0, service.memory() - memory) / tables,
        "command": (after[0] - before[0]) / done,
        "append": (after[1] - before[1]) / done,
        "look": look,
    }


def _stored(log: Any, key: str) -> int:
    """The bytes of a table's entries, their hashes (32 bytes each) left out."""
    return sum(max(len(value) for value in fields.values()) for _, fields in log.xrange(key))


async def _until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - thousands of watchers count up; an event each would be measured too
        await asyncio.sleep(0.05)


async def watchers(service: Server, client: Client, game: str, count: int, most: int) -> dict[str, float]:
    """Many spectators of a few tables, silent for a while and then told of every move."""
    hosted = [await seated(client, game) for _ in range(10)]
    tokens = [(table.id, (await table.spectator()).token) for table, _ in hosted]
    channels = [
        grpc.aio.insecure_channel(service.address, options=(("grpc.use_local_subchannel_pool", 1),))
        for _ in range(-(-count // STREAMS))
    ]
    memory = service.memory()
    got, changes = [0], [0]  # messages with a view; changes in them, of which a message may bring several

    async def watch(number: int) -> None:
        table, token = tokens[number % len(tokens)]
        stub: Any = PlayServiceStub(channels[number // STREAMS])
        call = stub.WatchView(WatchViewRequest(table_id=table), metadata=[("authorization", f"Bearer {token}")])
        try:
            while (message := await call.read()) is not grpc.aio.EOF:
                got[0] += message.HasField("view")
                changes[0] += len(message.changes)
        finally:
            call.cancel()

    tasks = [asyncio.create_task(watch(number)) for number in range(count)]
    await _until(lambda: got[0] >= count)
    held = (service.memory() - memory) / count
    before, begin = service.cpu()[0], time.monotonic()
    await asyncio.sleep(21)  # one sign of life each
    idle = (service.cpu()[0] - before) / (time.monotonic() - begin) * 3600 / count
    told, before = got[0], service.cpu()[0]
    changes[0] = 0
    chance = random.Random(1)
    done = sum([await moves(seats, chance, most // len(hosted)) for _, seats in hosted])
    await _until(lambda: changes[0] >= done * count // len(hosted))
    spent, messages = service.cpu()[0] - before, got[0] - told
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for channel in channels:
        await channel.close()
    return {"watcher_bytes": held, "idle": idle, "spent": spent, "moves": done, "messages": messages}


async def hints(service: Server, count: int = 20_000) -> float:
    """Hints of tables that are watched elsewhere, at a pace that a replica can follow."""
    before = service.cpu()[0]
    for number in range(0, count, 100):
        pipeline = service.log.pipeline(transaction=False)
        for each in range(100):
            pipeline.publish(CHANNEL, hint_of(f"T{number + each}", 7))
        pipeline.execute()
        await asyncio.sleep(0.01)
    await asyncio.sleep(1)
    return (service.cpu()[0] - before) / count


async def measure(typed: argparse.Namespace, directory: Path) -> Units:
    """All units, medians of the rounds."""
    service = serving.service(directory, LOG_LEVEL="warning")
    try:
        service.wait()
        chance = random.Random(0)
        rounds: list[dict[str, float]] = []
        async with Client(service.address) as client:
            await commands(service, client, typed.game, 4, chance)  # warm
            for number in range(typed.rounds):
                one = await commands(service, client, typed.game, typed.tables, chance)
                many = await watchers(service, client, typed.game, typed.watchers, typed.moves)
                one["message"] = max(0.0, many["spent"] - many["moves"] * one["command"]) / many["messages"]
                one["hint"] = await hints(service)
                rounds.append({**one, "watcher_bytes": many["watcher_bytes"], "idle": many["idle"]})
                print(f"round {number + 1}:", *(f"{name} {value:.6g}" for name, value in rounds[-1].items()))
    finally:
        service.stop()
    # Memory that an earlier round gave back is used again, so of memory the largest growth counts.
    medians = {name: statistics.median(each[name] for each in rounds) for name in Units._fields}
    grown = {name: max(each[name] for each in rounds) for name in ("cached_bytes", "watcher_bytes")}
    return Units(**(medians | grown))


def report(units: Units) -> None:
    """The units, and what they come to at three sizes."""
    print(f"""
| unit | measured |
| --- | --- |
| entries of a game for two | {units.entries:.0f} |
| bytes of its entries (`KONTOR_CACHE_BYTES` counts these) | {units.entry_bytes / 1024:.1f} KiB |
| the log's memory, a finished game | {units.log_bytes / 1024:.1f} KiB |
| the service's memory, a cached game | {units.cached_bytes / 1024:.1f} KiB |
| the service's CPU, a command | {units.command * 1e6:.0f} us |
| the log's CPU, a command | {units.append * 1e6:.0f} us |
| the service's CPU, a view | {units.look * 1e6:.0f} us |
| the service's memory, a watcher | {units.watcher_bytes / 1024:.1f} KiB |
| the service's CPU, a silent watcher | {units.idle:.2f} s an hour |
| the service's CPU, a message to a watcher | {units.message * 1e6:.0f} us |
| each replica's CPU, a move at any table (the hint) | {units.hint * 1e6:.1f} us |
""")
    print(
        "| tables | watchers | commands/s | cores, service | replicas | cores, log | memory, log | memory, watchers |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for tables, watching in ((1000, 3000), (100_000, 300_000), (100_000, 1_000_000)):
        rate = tables / 15  # a move every 15 s at each table
        messages = rate * watching / tables
        cores = rate * units.command + messages * units.message + watching * units.idle / 3600
        # A replica is one core, used to 60 %; the hints of all tables are its rent.
        rent = rate * units.hint
        replicas = max(2, math.ceil(cores / (0.6 - rent))) if rent < 0.6 else 0
        sizes = tables * units.log_bytes / 2**30, watching * units.watcher_bytes / 2**30
        print(f"| {tables:,} | {watching:,} | {rate:,.0f} | {cores + replicas * rent:.1f} | {replicas or 'none is enough'} | {rate * units.append:.2f} | {sizes[0]:.2f} GiB | {sizes[1]:.2f} GiB |")  # fmt: skip  # noqa: E501


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in (("tables", 40), ("watchers", 1000), ("moves", 60), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--game", default="augsburg")
    typed = parser.parse_args()
    with tempfile.TemporaryDirectory(
        prefix="kontor-capacity-", dir="/var/tmp"
    ) as directory:  # not /tmp: it may be memory, where an fsync is nothing
        report(asyncio.run(measure(typed, Path(directory))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
