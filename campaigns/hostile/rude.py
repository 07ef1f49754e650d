"""Rudeness below gRPC: garbage on the port, frames that no client sends, floods of pings and resets, silence."""

from __future__ import annotations

import asyncio
import gzip
import random
import re
import struct
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import grpc

from campaigns.hostile import frames as h2
from campaigns.hostile.arena import PLAY, TABLES
from campaigns.hostile.figures import MB, Figures
from campaigns.hostile.frames import PREFACE, Wire, call, call_headers, fields, frame, settings, wire
from campaigns.hostile.house import House
from campaigns.hostile.judge import told_inside
from campaigns.hostile.shot import Answer, Shot
from campaigns.hostile.watches import steady

KIND = "rude"
LIST = f"{TABLES}/ListGames"
HELLO = bytes.fromhex("16030100c8010000c40303") + bytes(190)  # how TLS begins
STATUS = re.compile(rb"grpc-status[\x01\x02]([0-9]{1,2})")
MESSAGE = re.compile(rb"grpc-message(.)(.*)", re.DOTALL)  # its length and itself, and what comes after it
CODES = {code.value[0]: code.name for code in grpc.StatusCode}
ANSWERED = 2.0  # seconds
BATCH = 40  # acts at a time
# What gRPC itself answers, INTERNAL as a rule, to what is no gRPC at all: none of our code ever sees it.
OWN = re.compile(
    r"Failed parsing HTTP/2|Error parsing '[a-z-]+' metadata|Illegal header key|Compression bit|Decompression failed"
)

Act = Callable[[int, random.Random], Awaitable[Answer]]


async def run(house: House, figures: Figures, count: int) -> None:
    """So many acts of all kinds, in two halves: the second takes no more memory than a little."""
    memory = [house.replica.memory()]
    for half in (range(count // 2), range(count // 2, count)):
        await _acts(house, figures, half)
        await asyncio.sleep(1)
        memory.append(house.replica.memory())
    for text in steady(*memory):
        figures.wrong(KIND, text)
    figures.note(f"rude: memory in MB before, halfway and after: {', '.join(f'{one / MB:.0f}' for one in memory)}")


async def _acts(house: House, figures: Figures, wanted: range) -> None:
    """Some at a time; after each batch somebody polite is served."""
    names = list(ACTS)
    for begin in range(wanted.start, wanted.stop, BATCH):
        numbers = range(begin, min(wanted.stop, begin + BATCH))
        await asyncio.gather(*(_one(house, figures, names[number % len(names)], number) for number in numbers))
        polite = await house.gun.fire(Shot(LIST))
        if polite.code != "OK":
            figures.wrong(KIND, f"afterwards a polite client was told {polite.code}: {polite.sentence}")


async def _one(house: House, figures: Figures, name: str, number: int) -> None:
    try:
        answer = await ACTS[name](house.port, random.Random(f"{figures.seed} {KIND} {number}"))
    except (OSError, TimeoutError):
        answer = Answer("hung up")
    figures.count(KIND, answer)
    if not OWN.search(answer.sentence):
        for text in told_inside(answer):
            figures.wrong(KIND, f"{name}, number {number}: {text}")


async def _heard(one: Wire, seconds: float = ANSWERED) -> Answer:
    """What a call on a fresh connection ended with; a status spelled out, or how the connection ended."""
    ended = "silence"
    async for come in one.frames(seconds):
        if come.kind == h2.HEADERS and (found := STATUS.search(come.payload)):
            message = MESSAGE.search(come.payload)
            text = message[2][: message[1][0]].decode("latin-1") if message else ""
            return Answer(CODES[int(found[1])], text)
        if come.kind == h2.RST_STREAM:
            return Answer("reset")
        if come.kind == h2.GOAWAY:
            ended = "sent away"
    return Answer(ended)


def _raw(*first: bytes, wait: float = 0.0) -> Act:
    """Bytes on the port, and then nothing."""

    async def act(port: int, chance: random.Random) -> Answer:
        async with wire(port, *first) as one:
            await asyncio.sleep(wait)
            return await _heard(one, 0.3) if chance.random() < 0.2 else Answer("dropped")

    return act


def _spoken(*after: bytes) -> Act:
    """Frames after a proper beginning."""

    async def act(port: int, chance: random.Random) -> Answer:
        async with wire(port, PREFACE, settings()) as one:
            await one.send(*after)
            return await _heard(one, 0.3)

    return act


def _called(*more: tuple[str | bytes, str | bytes], body: bytes = b"", compressed: bool = False) -> Act:
    """A call that is answered, with odd headers or an odd body."""

    async def act(port: int, chance: random.Random) -> Answer:
        method = chance.choice((LIST, f"{PLAY}/GetView", f"{TABLES}/CreateTable"))
        async with wire(port, PREFACE, settings()) as one:
            await one.send(call(1, call_headers(method, *more), body, compressed=compressed))
            return await _heard(one)

    return act


def _messages(*data: bytes) -> Act:
    """A call whose messages are what they are."""

    async def act(port: int, chance: random.Random) -> Answer:
        async with wire(port, PREFACE, settings(), frame(h2.HEADERS, h2.END_HEADERS, 1, call_headers(LIST))) as one:
            parts = [frame(h2.DATA, 0, 1, part) for part in data]
            await one.send(*parts, frame(h2.DATA, h2.END_STREAM, 1))
            return await _heard(one, 0.5)

    return act


async def _noise(port: int, chance: random.Random) -> Answer:
    async with wire(port, chance.randbytes(chance.choice((1, 9, 24, 500, 70_000)))) as one:
        return await _heard(one, 0.2)


async def _frames(port: int, chance: random.Random) -> Answer:
    """Frames of any kind, flags, stream and content."""
    kinds = [
        frame(
            chance.randrange(14),
            chance.randrange(256),
            chance.choice((0, 1, 2, 3, 2**31 - 1)),
            chance.randbytes(chance.randrange(40)),
        )
        for _ in range(20)
    ]
    async with wire(port, PREFACE, settings(), *kinds) as one:
        return await _heard(one, 0.3)


async def _reset(port: int, chance: random.Random) -> Answer:
    """Calls, each reset at once."""
    block, cancel = call_headers(LIST), struct.pack(">I", h2.CANCEL)
    async with wire(port, PREFACE, settings()) as one:
        for number in range(1, 400, 2):
            await one.send(call(number, block, b""), frame(h2.RST_STREAM, 0, number, cancel))
        return await _heard(one, 0.3)


async def _silent(port: int, chance: random.Random) -> Answer:
    """Many connections that say hello, or half of it, and then nothing."""
    async with AsyncExitStack() as stack:
        for _ in range(20):
            await stack.enter_async_context(wire(port, PREFACE[: chance.choice((0, 3, 24))], b""))
        await asyncio.sleep(0.3)
    return Answer("dropped")


async def _begun(port: int, chance: random.Random) -> Answer:
    """Many calls that never send their message."""
    async with wire(port, PREFACE, settings()) as one:
        for number in range(1, 400, 2):
            await one.send(frame(h2.HEADERS, h2.END_HEADERS, number, call_headers(LIST)))
        await asyncio.sleep(0.2)
    return Answer("dropped")


def _head(*pairs: tuple[str | bytes, str | bytes]) -> bytes:
    return frame(h2.HEADERS, h2.END_HEADERS | h2.END_STREAM, 1, fields(pairs))


PSEUDO = ((":method", "POST"), (":scheme", "http"), (":path", f"/{LIST}"), (":authority", "x"))
CONTENT = (("content-type", "application/grpc"), ("te", "trailers"))

ACTS: dict[str, Act] = {
    "dropped": _raw(),
    "noise": _noise,
    "TLS": _raw(HELLO),
    "HTTP/1": _raw(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
    "half a preface": _raw(PREFACE[:11], wait=0.2),
    "silence": _silent,
    "any frames": _frames,
    "pings": _spoken(frame(h2.PING, 0, 0, bytes(8)) * 3000),
    "settings": _spoken(settings() * 3000),
    "resets": _reset,
    "never a message": _begun,
    "a frame too large": _spoken(b"\xff\xff\xff\x00\x00\x00\x00\x00\x01" + bytes(1000)),
    "continued for ever": _spoken(
        frame(h2.HEADERS, 0, 1, b""), frame(h2.CONTINUATION, 0, 1, fields([("x", "y" * 9000)])) * 60
    ),
    "window too large": _spoken(frame(h2.WINDOW_UPDATE, 0, 0, b"\x7f\xff\xff\xff") * 3),
    "window of nothing": _spoken(frame(h2.WINDOW_UPDATE, 0, 0, bytes(4))),
    "pushed": _spoken(frame(h2.PUSH, h2.END_HEADERS, 1, bytes(4) + call_headers(LIST))),
    "data of nothing": _spoken(frame(h2.DATA, 0, 0, b"x"), frame(h2.DATA, 0, 7, b"x")),
    "headers of noise": _spoken(frame(h2.HEADERS, h2.END_HEADERS, 1, b"\xff" * 90)),
    "an empty head": _spoken(_head()),
    "no path": _spoken(_head(PSEUDO[0], PSEUDO[1], *CONTENT)),
    "GET": _spoken(_head((":method", "GET"), *PSEUDO[1:], *CONTENT)),
    "another content": _spoken(_head(*PSEUDO, ("content-type", "text/html"))),
    "capitals": _spoken(_head(*PSEUDO, *CONTENT, ("Authorization", "Bearer x"))),
    "two paths": _spoken(_head(*PSEUDO, (":path", "/x/y"), *CONTENT)),
    "several messages": _messages(h2.message(b""), h2.message(b""), h2.message(b"x" * 90)),
    "no message": _messages(),
    "no message whole": _messages(b"\0\0\0"),
    "length beyond the end": _messages(b"\0\0\0\0\x64abc"),
    "length of 4 GiB": _messages(b"\0\xff\xff\xff\xffabc"),
    "compressed by nothing": _called(body=b"x", compressed=True),
    "compressed by whom": _called(("grpc-encoding", "xyz"), body=b"x", compressed=True),
    "no gzip": _called(("grpc-encoding", "gzip"), body=b"xyz", compressed=True),
    "gzip": _called(("grpc-encoding", "gzip"), body=gzip.compress(b""), compressed=True),
    "gzip of much": _called(("grpc-encoding", "gzip"), body=gzip.compress(bytes(40_000_000)), compressed=True),
    "a token of bytes": _called(("authorization", b"Bearer \xff\xfe\x80")),
    "a token with a tab": _called(("authorization", "Bearer\tx")),
    "a key of bytes": _called(("x-kontor-api-key", b"\xff\xfe\x80")),
    "a language of bytes": _called(("accept-language", b"\xff\xfe,\x80;q=\xff")),
    "a deadline of nothing": _called(("grpc-timeout", "0n")),
    "a deadline of words": _called(("grpc-timeout", "soon")),
    "a deadline of years": _called(("grpc-timeout", "99999999H")),
}
