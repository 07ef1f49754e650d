"""Well-formed requests that mean nothing: every message of every call, filled at random; huge and deep ones."""

from __future__ import annotations

import random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from campaigns.hostile.arena import GAMES, Arena
from campaigns.hostile.mutated import field, varint
from campaigns.hostile.shot import METHODS, Headers, Shot, bearer
from service.grpc_edge.wire import LARGEST, REFUSED_UNREAD

NUMBERS = (0, 1, 2, 3, 5, 50, 200, 201, -1, 2**31 - 1, -(2**31), 65536)
WORDS = (
    "",
    " ",
    "\0",
    "random",
    "stand-in",
    "joker",
    "nobody",
    "-",
    "Anna",
    "{table}",
    "en",
    "0",
    "1",
    "\u202e",
    "\U0001d50e" * 9,
)
BROAD = 10_000  # elements of a list
LONG = 60_000  # characters
DEEP = (10, 99, 101, 500, 10_000)  # messages within messages
SIZES = (LARGEST - 1, LARGEST, LARGEST + 1, LARGEST + 1024, REFUSED_UNREAD - 1, REFUSED_UNREAD, 5_000_000)


def shot(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """A request made of a description alone, with some token."""
    method = chance.choice(tuple(METHODS))
    token = chance.choice((*arena.tokens.values(), ""))
    headers: Headers = bearer(token) if token else ()
    kind = chance.random()
    if kind < 0.04:
        return Shot(method, _sized(chance), headers)
    if kind < 0.1:
        return Shot(method, chance.choice((nested, groups))(chance), headers)
    message = GetMessageClass(METHODS[method].input_type)()
    _fill(message, arena, chance, 0)
    if chance.random() < 0.8:  # far enough in to be looked at
        _address(message, arena, chance, number)
    return Shot(method, bytes(message.SerializeToString())[:LARGEST], headers)


def _address(message: Message, arena: Arena, chance: random.Random, number: int) -> None:
    """Let a request name a table, a request id and a decision that are there."""
    known: dict[str, Any] = {
        "table_id": chance.choice((arena.table, arena.table, arena.lobby)),
        "request_id": f"{arena.name}-n{number}",
        "client_secret": arena.secret(str(number)),
        "decision": arena.decision.number,
        "game": chance.choice(GAMES),
    }
    for name, value in known.items():
        if name in message.DESCRIPTOR.fields_by_name and message.DESCRIPTOR.fields_by_name[name].message_type is None:
            setattr(message, name, value)


def _fill(message: Message, arena: Arena, chance: random.Random, depth: int) -> None:
    for one in message.DESCRIPTOR.fields:
        if chance.random() < 0.3 + 0.1 * depth:
            continue
        if one.is_repeated:
            held = getattr(message, one.name)
            for _ in range(_how_many(chance, depth)):
                if one.message_type is None:
                    held.append(_value(one, arena, chance))
                else:
                    _fill(held.add(), arena, chance, depth + 1)
        elif one.message_type is not None:
            getattr(message, one.name).SetInParent()
            _fill(getattr(message, one.name), arena, chance, depth + 1)
        else:
            setattr(message, one.name, _value(one, arena, chance))


def _how_many(chance: random.Random, depth: int) -> int:
    if chance.random() < 0.005 and depth < 3:
        return BROAD
    return chance.choice((0, 1, 1, 2, 3, 7))


def _value(one: Any, arena: Arena, chance: random.Random) -> Any:
    if one.type == FieldDescriptor.TYPE_STRING:
        return _word(one, arena, chance)
    if one.type == FieldDescriptor.TYPE_BOOL:
        return chance.random() < 0.5
    if one.type == FieldDescriptor.TYPE_ENUM:
        return chance.choice((0, 1, 2, 3, 4, 5, 99, -1, 2**31 - 1))
    return chance.choice(NUMBERS)


def _word(one: Any, arena: Arena, chance: random.Random) -> str:
    kind = chance.random()
    if one.name == "position" and kind < 0.7:
        return _position(chance)
    if kind < 0.003:
        return chance.choice("a\0é\U0001d50e") * (LONG // 4)
    if kind < 0.5:  # a word of the open decision
        option = chance.choice(arena.decision.options)
        asked = [slot.field for slot in option.slots] + [given.name for given in option.given]
        keys = [key for slot in option.slots for key in slot.pick_one.keys]
        keys += [item.key for slot in option.slots for item in (*slot.pick_some.items, *slot.split.items)]
        return chance.choice((option.command, *asked, *keys))
    if kind < 0.6:
        return chance.choice((arena.table, arena.lobby, arena.game, *GAMES, *arena.tokens.values()))
    return chance.choice(WORDS)


def _position(chance: random.Random) -> str:
    """JSON that is no position, or hardly one."""
    deep = chance.choice(DEEP)
    made = (
        "{}",
        "null",
        "[]",
        "1e999",
        "NaN",
        '"\\ud800"',
        "{" * deep,
        "[" * deep + "]" * deep,
        '{"a":' * deep + "1" + "}" * deep,
        '{"numbers":{"1":1,"2":1}}',
        '{"type":"Playing","numbers":[1,2]}',
        "9" * chance.choice((400, 5000)),
    )
    return chance.choice(made)


def _sized(chance: random.Random) -> bytes:
    """A request that is filled up to a size, by a field nobody knows or by a text."""
    number = chance.choice((1, 2, 3, 99))
    wanted = chance.choice(SIZES)
    return field(number, 2, b"A" * (wanted - len(varint(wanted)) - len(varint(number << 3 | 2))))


def nested(chance: random.Random) -> bytes:
    """Messages within messages, in a field that may be one, or that nobody knows."""
    number, body = chance.choice((1, 2, 4, 5, 77)), b""
    for _ in range(chance.choice(DEEP)):
        body = field(number, 2, body)
        if len(body) > LARGEST - 10:
            break
    return body


def groups(chance: random.Random) -> bytes:
    """Groups within groups, perhaps never closed."""
    number, deep = chance.choice((1, 4, 77)), chance.choice(DEEP)
    close = chance.choice((deep, deep, deep - 1, 0))
    return varint(number << 3 | 3) * deep + varint(number << 3 | 4) * close
