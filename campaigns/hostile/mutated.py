"""Bytes that are almost a request, or nothing at all."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from campaigns.hostile.arena import Arena
from campaigns.hostile.shot import HEALTH, METHODS, REFLECTION, Headers, Shot, bearer

EXTREMES = (0, 1, -1, 127, 128, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, -(2**31), -(2**63))
# Invalid UTF-8, a lone surrogate, an overlong form, NUL, directions turned, a character of four bytes, a long word.
TEXTS = (b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\x80", b"\0", "\u202etxt".encode(), "\U0001d50e".encode(), b"A" * 3000)
ELSEWHERE = ("kontor.v1.PlayService/Nothing", "kontor.v2.PlayService/GetView", "x/y", *HEALTH, REFLECTION)
DEEPEST = 3  # fields within fields


class Part(NamedTuple):
    """A field as it is on the wire."""

    number: int
    form: int  # 0 number, 1 eight bytes, 2 text, bytes or message, 5 four bytes
    value: bytes


def shot(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """A mutated request to its own method, now and then to another; or random bytes."""
    method, request, token = chance.choice(arena.valid(chance, number))
    headers: Headers = bearer(token) if token else ()
    if chance.random() < 0.05:
        method = chance.choice((*ELSEWHERE, *METHODS))
    if chance.random() < 0.1:
        return Shot(method, chance.randbytes(chance.choice((0, 1, 2, 7, 40, 300))), headers)
    body = bytes(request.SerializeToString())
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        body = chance.choice(MUTATIONS)(body, chance)
    return Shot(method, body, headers)


def varint(value: int) -> bytes:
    """A number as the wire has it; a negative one has ten bytes."""
    value &= 2**64 - 1
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes((*out, value))


def field(number: int, form: int, value: bytes) -> bytes:
    """A field; of a text the length comes first."""
    return varint(number << 3 | form) + (varint(len(value)) + value if form == 2 else value)


def parts(body: bytes) -> list[Part]:
    """The fields of a message; nothing where it is none."""
    found, place = [], 0

    def number() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = body[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    try:
        while place < len(body):
            tag = number()
            begin = place
            if tag & 7 == 0:
                number()
            elif tag & 7 == 2:
                length = number()
                begin = place
                place += length
            else:
                place += {1: 8, 5: 4}[tag & 7]
            found.append(Part(tag >> 3, tag & 7, body[begin:place]))
    except (IndexError, KeyError):
        return []
    return found


def joined(pieces: list[Part]) -> bytes:
    """The message of these fields."""
    return b"".join(field(*piece) for piece in pieces)


def _flip(body: bytes, chance: random.Random) -> bytes:
    out = bytearray(body or b"\0")
    for _ in range(chance.choice((1, 1, 2, 8))):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def _cut(body: bytes, chance: random.Random) -> bytes:
    return body[: chance.randint(0, len(body))]


def _insert(body: bytes, chance: random.Random) -> bytes:
    place = chance.randint(0, len(body))
    return body[:place] + chance.randbytes(chance.choice((1, 2, 5, 60))) + body[place:]


def _drop(body: bytes, chance: random.Random) -> bytes:
    place = chance.randint(0, len(body))
    return body[:place] + body[place + chance.randint(1, 5) :]


def _repeat(body: bytes, chance: random.Random) -> bytes:
    return body * chance.choice((2, 3, 50))


def _fields(body: bytes, chance: random.Random, depth: int = 0) -> bytes:
    """One field of the message, or of one within it, becomes another."""
    pieces = parts(body)
    if not pieces:
        return _insert(body, chance)
    place = chance.randrange(len(pieces))
    piece = pieces[place]
    if piece.form == 2 and depth < DEEPEST and chance.random() < 0.5 and parts(piece.value):
        pieces[place] = piece._replace(value=_fields(piece.value, chance, depth + 1))
        return joined(pieces)
    change = chance.randrange(8)
    if change == 0:
        pieces.insert(chance.randint(0, len(pieces)), piece)
    elif change == 1:
        pieces[place] = piece._replace(number=chance.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 19000, 2**29 - 1)))
    elif change == 2:
        pieces[place] = _other_form(piece, chance)
    elif change == 3:
        other = chance.randrange(len(pieces))
        pieces[place], pieces[other] = piece._replace(number=pieces[other].number), pieces[other]
    elif change == 4:
        chance.shuffle(pieces)
    elif change == 5:
        del pieces[place]
    elif change == 6:
        pieces[place] = Part(piece.number, 0, varint(chance.choice(EXTREMES)))
    else:
        text = chance.choice(TEXTS)
        pieces[place] = Part(piece.number, 2, chance.choice((text, piece.value + text, text + piece.value, b"")))
    return joined(pieces)


def _other_form(piece: Part, chance: random.Random) -> Part:
    form = chance.choice((0, 1, 2, 3, 4, 5, 6, 7))
    value = {
        0: varint(chance.choice(EXTREMES)),
        1: chance.randbytes(8),
        5: chance.choice((b"\0\0\xc0\x7f", b"\xff" * 4)),
    }
    return piece._replace(form=form, value=value.get(form, piece.value))


Mutation = Callable[[bytes, random.Random], bytes]
MUTATIONS: tuple[Mutation, ...] = (_flip, _cut, _insert, _drop, _repeat, _fields, _fields, _fields, _fields)
