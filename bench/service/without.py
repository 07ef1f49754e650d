"""The service without one of its parts: what is missing from its CPU is what the part costs.

    python -m bench.service.without 'the view' serve

It runs `kontor` with whatever follows the name of the part. What comes of it is no service: it is for measuring alone.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

from service import present
from service.cli import main
from service.entry import pack
from service.grpc_edge.visit import Visit
from service.handlers import ROWS
from service.log.port import EMPTY, Head
from service.watch import Watches

SUBMIT = "kontor.v1.PlayService/SubmitCommand"
ENTRY = bytes(200)


def no_view() -> None:
    """An answer has no view in it."""
    _exchange(present, "view", lambda *_: b"")


def no_change() -> None:
    """An answer has no change in it."""
    _exchange(present, "change", lambda *_: b"")


def no_line() -> None:
    """Calls are neither logged nor counted."""
    _exchange(Visit, "end", lambda *_: None)


def no_hints() -> None:
    """Nobody hears of what others, or oneself, have appended."""

    async def listen(_: Watches) -> None:
        await asyncio.Event().wait()

    _exchange(Watches, "listen", listen)


def no_packing() -> None:
    """Of every entry the same bytes are stored."""
    from service import host  # noqa: PLC0415 - where it is called

    _exchange(host, "pack", lambda entry, game=None: ENTRY if game and entry.decision else pack(entry, game))


def no_game() -> None:
    """A command is 200 bytes to append: what is left is the way in and out, and the log."""
    heads: dict[str, Head] = {}

    async def submit(desk: Any, caller: Any, request: Any) -> bytes:
        table = f"{request.table_id}-bare"
        head = await desk.host.log.append(table, heads.get(table, EMPTY), ENTRY)
        heads[table] = head
        return b""

    ROWS[SUBMIT] = ROWS[SUBMIT]._replace(call=submit)


def _exchange(place: Any, name: str, other: Callable[..., Any]) -> None:
    setattr(place, name, other)


PARTS = {
    "the view": no_view,
    "the change": no_change,
    "the log line and the counters of a call": no_line,
    "the hints": no_hints,
    "packing the entry": no_packing,
    "the game, the host, and all they show": no_game,
}


if __name__ == "__main__":
    PARTS[sys.argv.pop(1)]()
    main()
