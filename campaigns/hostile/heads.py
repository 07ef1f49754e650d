"""Headers, deadlines and paths that nobody would send."""

from __future__ import annotations

import random

from campaigns.hostile.arena import Arena
from campaigns.hostile.shot import ANYTHING, Headers, Shot, bearer

LANGUAGES = (
    "",
    "*",
    "de;q=0",
    "de;q=9,en;q=1.0001",
    "x" * 7000,
    "de," * 2000,
    ",,;;q=",
    "de-DE-x-" + "a-" * 900,
    "en;q=nan",
    "tlh",
    "../../de",
    "DE",
)
PATHS = (
    "",
    "/",
    "//",
    "kontor.v1.PlayService",
    "kontor.v1.PlayService/",
    "kontor.v1.PlayService/getview",
    "kontor.v1.PlayService/GetView/",
    "kontor.v1.PlayService/GetView?x=1",
    "kontor.v1.PlayService/Get%56iew",
    "KONTOR.V1.PlayService/GetView",
    "../kontor.v1.PlayService/GetView",
    "a" * 5000,
)
SCHEMES = ("bearer {}", "BEARER {}", "Bearer  {}", "Basic {}", "{}", "Bearer", "Bearer ", "Bearer {} {}")


def shot(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """A valid request with something odd around it."""
    method, request, token = chance.choice([one for one in arena.valid(chance, number) if "/Resign" not in one[0]])
    body, own = bytes(request.SerializeToString()), bearer(token) if token else ()
    kind = chance.randrange(9)
    if kind == 0:
        size = chance.choice((100, 4000, 8000, 12_000, 20_000, 200_000))
        return Shot(method, body, (*own, ("x-huge", "h" * size)), unread=True)
    if kind == 1:
        several: Headers = tuple((f"x-many-{place}", "v") for place in range(chance.choice((10, 100, 1000))))
        return Shot(method, body, (*own, *several), unread=True)
    if kind == 2:
        raw = chance.randbytes(chance.choice((0, 1, 30, 3000)))
        return Shot(
            method, body, (*own, ("authorization-bin", raw), ("x-kontor-api-key-bin", raw), ("x-bin", raw)), unread=True
        )
    if kind == 3:
        return Shot(method, body, (*bearer(arena.tokens["view"]), *bearer(token or arena.tokens["host"])))
    if kind == 4:
        return Shot(method, body, (*own, ("accept-language", chance.choice(LANGUAGES))))
    if kind == 5:
        key = chance.choice(("", "x", "k" * 6000, "' OR 1=1", "key key", "~" * 40))
        return Shot(method, body, (*own, ("x-kontor-api-key", key), ("x-kontor-api-key", "again")))
    if kind == 6:
        return Shot(chance.choice(PATHS), body, own, frozenset({"UNIMPLEMENTED"}))
    if kind == 7:
        value = chance.choice(SCHEMES).format(arena.tokens["seat1"], "x")
        return Shot(method, body, (("authorization", value),))
    if chance.random() < 0.7:
        seconds = chance.choice((0.0001, 0.001, 0.005, 0.02))
        return Shot(method, body, own, ANYTHING | {"DEADLINE_EXCEEDED"}, timeout=seconds, hasty=True)
    # A call of no message at all is never answered by gRPC: its own deadline ends it.
    return Shot(method, b"", own, timeout=0.3, messages=0, hasty=True)
