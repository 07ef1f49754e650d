"""Whole tables made without a store: entries as the host would write them, from a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, cast

from domain import editions
from domain.chance import Source, Stream
from domain.options import sample
from domain.table import Bot, HandOver, Join, Leave, Resign, Start, open_table
from domain.values import Fact, members, to_json
from service import calls
from service.calls import Call
from service.entry import Cause, Founded, LogEntry
from service.host import Host
from service.life import Life
from service.log.port import Log

NAMES = ("Anna", "Bartl", "Clara", "Dietz", "Elsbeth")


class Known:
    """Chance and time that are the same at every run."""

    def __init__(self, seed: str, time: int = 1_500_000_000_000) -> None:
        self._stream = Stream(hashlib.sha256(seed.encode()).digest(), "known")
        self.time = time

    def hex(self, count: int) -> str:
        """So many bytes."""
        return "".join(f"{self._stream.below(256):02x}" for _ in range(count))

    def clock(self) -> int:
        """A time that goes on by itself."""
        self.time += 1_000 + self._stream.below(20_000)
        return self.time


def known_host(game: Any, seed: str, log: Log | None = None) -> tuple[Host, Known]:
    """A host whose tags, salts and times come from a seed."""
    host, known = Host(cast("Log", log), {game.meta.id: game}), Known(seed)
    host.random, host.clock = known.hex, known.clock
    return host, known


def founded(game: Any, seed: str, settings: tuple[Fact, ...] = (), **more: Any) -> Founded:
    """A table that is about to be founded."""
    opened = open_table(game.meta, game.meta.editions[0], settings).table
    plain: dict[str, Any] = {"public": False, "answer_within": 0, "seed_given": True, "position": ""}
    box = to_json(editions.builtin(game, opened.edition))
    return Founded(table=opened, box=box, seed=seed, salt="5a" * 16, **(plain | more))


def whole_table(game: Any, players: int, seed: str, settings: tuple[Fact, ...] = ()) -> Iterator[LogEntry[Any, Any]]:
    """All entries of a table, from its founding to the end of the game: answers at random, and all that may happen."""
    host, known = known_host(game, seed)
    life = Life("0123456789AB", {game.meta.id: game})

    def made(call: Call) -> LogEntry[Any, Any]:
        entry = host._entry(life, call, call.decide(life))
        life.step(entry)
        return entry

    yield made(calls.founding("found", "a secret of a client", founded(game, known.hex(32), settings), ()))
    yield made(joining(NAMES[0]))
    yield made(calls.at_table("1:leave", lambda _: (1, Leave(1))))
    for name in NAMES[: players - 1]:
        yield made(joining(name))
    yield made(calls.at_table("host:bot", lambda _: (0, Join("Anton", Bot.RANDOM)), Cause.HOST))
    yield made(calls.at_table("host:start", lambda _: (0, Start()), Cause.HOST))
    answers = Stream(bytes.fromhex(known.hex(32)), "answers")
    happens = {
        10: lambda _: (1, HandOver(1, "Gerda")),
        12: lambda _: (1, Resign(1)),
        14: lambda _: (1, HandOver(1, "Anna", Bot.RANDOM)),
    }
    while life.waiting:
        if life.version in happens:
            yield made(calls.at_table(f"2:{life.version}", happens[life.version]))
        seat = life.waiting[answers.below(len(life.waiting))]
        bot = seat in life.bots()
        yield made(random_answer(life, seat, answers, "" if bot else known.hex(8)))


def joining(name: str, bot: Bot = Bot.NONE) -> Call:
    """Somebody sits down."""
    return calls.at_table(f"join:{name}", lambda _: (0, Join(name, bot)), secret=f"the secret of {name}")


def random_answer(life: Life, seat: int, source: Source, request: str = "") -> Call:
    """What a seat could answer now; without a request's id as a bot would."""
    decision = life.game.decision(life.play, seat)
    option = decision.options[source.below(len(decision.options))]
    command = sample(option, members(life.game.Command), source)
    cause = Cause.PLAYER if request else Cause.BOT
    return calls.answer(
        seat, f"{seat}:{request}" if request else f"bot:{seat}:{decision.number}", decision.number, command, cause
    )
