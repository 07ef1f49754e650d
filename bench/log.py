"""Appends a second and client CPU an append: the log's lane beside one redis-py call an append.

    python -m bench.log [--rounds 5] [--seconds 1.5] [--callers 64] [--uvloop]

Both send the same script to the same embedded server (AOF always) with the same number of callers, each of whom appends
to a table of his own. Rounds alternate; medians count. On a tmpfs, where an fsync is nothing, the figures mean nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

from redis.asyncio import Redis

from service.log import EMPTY, Head, Settings, chain
from service.log.embedded import EmbeddedLog
from service.log.port import key_of
from service.log.script import APPEND, append_arguments, hint_of

ENTRY = bytes(range(150))  # as long as an entry of a real game

Append = Callable[[str, Head], Awaitable[Head]]


class Round(NamedTuple):
    """What one contender did in one round."""

    rate: float  # appends a second
    cpu: float  # microseconds of this process an append


async def one_round(append: Append, label: str, callers: int, seconds: float) -> Round:
    """Let all callers append for a while."""
    done = 0
    end = time.perf_counter() + seconds

    async def caller(number: int) -> None:
        nonlocal done
        table, head = f"{label}-{number}", EMPTY
        while time.perf_counter() < end:
            head = await append(table, head)
            done += 1

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(caller(number) for number in range(callers)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Round(done / wall, cpu / done * 1e6)


async def compare(arguments: argparse.Namespace, directory: Path) -> dict[str, list[Round]]:
    """Both contenders, in turns."""
    log = await EmbeddedLog.open(directory, Settings())
    client: Any = Redis(
        unix_socket_path=str(log.server.socket), protocol=2, max_connections=2 * arguments.callers, socket_timeout=None
    )
    await client.script_load(APPEND.source)

    async def lane(table: str, head: Head) -> Head:
        answer = await log.append(table, head, ENTRY)
        assert isinstance(answer, Head)  # nobody else writes
        return answer

    async def call(table: str, head: Head) -> Head:
        digest = chain(head.hash, ENTRY)
        argv = append_arguments(head, ENTRY, digest, hint_of(table, head.version + 1))
        assert await client.evalsha(APPEND.sha, 1, key_of(table), *argv) == 1  # nobody else writes
        return Head(head.version + 1, digest)

    contenders: dict[str, Append] = {"lane": lane, "call": call}
    rounds: dict[str, list[Round]] = {name: [] for name in contenders}
    try:
        for number in range(-1, arguments.rounds):  # the first to warm up
            for name, append in contenders.items():
                result = await one_round(append, f"{name}{number}", arguments.callers, arguments.seconds)
                if number >= 0:
                    rounds[name].append(result)
    finally:
        await client.aclose()
        await log.close()
    return rounds


def main() -> None:
    """Print a line a contender and the ratio of their medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--callers", type=int, default=64)
    parser.add_argument("--uvloop", action="store_true")
    parser.add_argument("--directory", type=Path, help="where the server keeps its data (default: a temporary one)")
    arguments = parser.parse_args()
    if arguments.uvloop:
        import uvloop  # noqa: PLC0415 optional

        uvloop.install()
    with tempfile.TemporaryDirectory(dir=arguments.directory, prefix="kontor-bench-") as directory:
        rounds = asyncio.run(compare(arguments, Path(directory)))
    medians = {}
    for name, results in rounds.items():
        rate, cpu = (statistics.median(values) for values in zip(*results, strict=True))
        medians[name] = Round(rate, cpu)
        spread = ", ".join(f"{result.rate:.0f}" for result in results)
        print(f"{name}: {rate:7.0f} appends/s, {cpu:5.0f} µs client CPU an append  (rounds: {spread})")
    lane, call = medians["lane"], medians["call"]
    print(f"lane / call: {lane.rate / call.rate:.2f} x the appends, {lane.cpu / call.cpu:.2f} x the client CPU")


if __name__ == "__main__":
    main()
