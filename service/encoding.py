"""Messages put together from encodings: a message is its fields one after the other, so a part is encoded once for all.

A view is sent as an answer, to watchers and to whoever looks; it is neither made anew for each of these nor copied.
"""

from __future__ import annotations

from collections.abc import Callable

from google.protobuf.message import Message

LENGTH_DELIMITED = 2  # the wire type of messages and strings
ONE_BYTE = 0x80  # a number below takes one byte


def holder(message: type[Message], name: str) -> Callable[[bytes], bytes]:
    """A function that makes this field of the message from the encoding of what it holds."""
    field = message.DESCRIPTOR.fields_by_name[name]
    assert field.message_type is not None
    tag = _number(field.number << 3 | LENGTH_DELIMITED)
    return lambda encoded: b"%b%b%b" % (tag, _number(len(encoded)), encoded)


def _number(number: int) -> bytes:
    """A number as protobuf writes it: seven bits a byte, the lowest first."""
    if number < ONE_BYTE:
        return bytes((number,))
    return bytes((number & 0x7F | ONE_BYTE,)) + _number(number >> 7)
