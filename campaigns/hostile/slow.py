"""Readers who do not read: streams whose window is shut, or whose socket nobody empties, while the table goes on."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from campaigns.hostile.arena import PLAY
from campaigns.hostile.crowd import Crowd
from campaigns.hostile.figures import MB, Figures
from campaigns.hostile.frames import DATA, PREFACE, WINDOW_UPDATE, Wire, call, call_headers, frame, settings, wire
from campaigns.hostile.house import House
from campaigns.hostile.shot import HEALTH, Answer
from kontor.v1 import WatchViewRequest

KIND = "slow"
A_CONNECTION = 50  # streams
SHUT, OPEN = 0, 65535
ROOM = (1 << 20).to_bytes(4, "big")
BOUND = 40 * MB  # that the server may hold more after a while than when all had come
FIRST = 10.0  # seconds until a revived reader hears something


async def run(house: House, figures: Figures, crowd: Crowd, readers: int, seconds: float) -> None:
    """So many readers at the tables of honest players, for so long; in the end one of each connection reads again."""
    before = house.replica.memory()
    async with AsyncExitStack() as stack:
        wires = [
            await stack.enter_async_context(wire(house.port, PREFACE, settings(window=(SHUT, OPEN)[number % 2])))
            for number in range(max(2, readers // A_CONNECTION))
        ]
        for one in wires:
            await _open(one, crowd, readers // len(wires))
        await asyncio.sleep(1)
        opened = house.replica.memory()
        end = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.5)
            figures.progress(KIND)
        held = house.replica.memory()
        revived = [await _revived(one) for one in wires]
    for _ in range(readers):
        figures.count(KIND, Answer("CANCELLED"))
    if not all(revived):
        figures.wrong(KIND, f"{revived.count(False)} of {len(revived)} readers heard nothing when they read again")
    if held - opened > BOUND:
        figures.wrong(KIND, f"memory grew by {(held - opened) / MB:.1f} MB while {readers} readers read nothing")
    figures.note(
        f"slow: {readers} readers took {(opened - before) / MB:.1f} MB, "
        f"{(held - opened) / MB:+.1f} MB more in {seconds:.0f} s of play"
    )


async def _open(one: Wire, crowd: Crowd, streams: int) -> None:
    tables = list(crowd.playing.items())
    for number in range(streams):
        table, token = tables[number % len(tables)]
        block = call_headers(f"{PLAY}/WatchView", ("authorization", f"Bearer {token}"))
        await one.send(call(2 * number + 1, block, WatchViewRequest(table_id=table).SerializeToString()))
    await one.send(call(2 * streams + 1, call_headers(HEALTH[1]), b"\x0a\x09readiness"))


async def _revived(one: Wire) -> bool:
    """Open the window of the first stream: whether anything comes by it."""
    await one.send(frame(WINDOW_UPDATE, 0, 0, ROOM), frame(WINDOW_UPDATE, 0, 1, ROOM))
    async for come in one.frames(FIRST):
        if come.kind == DATA and come.stream == 1 and come.payload:
            return True
    return False
