"""Kinds of settings: how a text is read, and in words what is valid."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

SCHEMES = ("redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel", "redis+cluster", "rediss+cluster")


class Kind(NamedTuple):
    """How a value is read from a text (ValueError if it can't be), and what is valid, in words."""

    read: Callable[[str], Any]
    valid: str
    metavar: str


class Address(NamedTuple):
    """Where to listen, or to connect to."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def _address(text: str) -> Address:
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9A-Za-z._-]+)):([0-9]{1,5})", text)
    if not found or int(found[3]) > 65535:
        raise ValueError(text)
    return Address(found[1] or found[2], int(found[3]))


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise ValueError(text)
    return int(text)


def _url(text: str) -> str:
    if text and urlsplit(text).scheme not in SCHEMES:
        raise ValueError
    return text


def _path(text: str) -> Path:
    if not text or "\0" in text:
        raise ValueError(text)
    return Path(text).expanduser()


def _switch(text: str) -> bool:
    word = text.lower()
    if word not in YES and word not in NO:
        raise ValueError(text)
    return word in YES


def _bounded(number: float, least: float, most: float) -> Any:
    if not least <= number <= most:
        raise ValueError(number)
    return number


YES = ("yes", "true", "on", "1")
NO = ("no", "false", "off", "0")
UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 24 * 3600}
SIZES = {"": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}


def _seconds(text: str) -> float:
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)(ms|s|m|h|d)", text)
    if not found:
        raise ValueError(text)
    return float(found[1]) * UNITS[found[2]]


def _bytes(text: str) -> int:
    found = re.fullmatch(r"([0-9]{1,15})(|KiB|MiB|GiB|TiB)", text)
    if not found:
        raise ValueError(text)
    return int(found[1]) * SIZES[found[2]]


def _unit(number: float, units: dict[str, Any]) -> str:
    """A number in the largest unit in which it is whole."""
    unit = max((unit for unit in units if number % units[unit] == 0), key=units.__getitem__, default="")
    return f"{number / units[unit]:g}{unit}"


def count(least: int, most: int) -> Kind:
    """A whole number in a range."""
    return Kind(lambda text: _bounded(_number(text), least, most), f"a whole number from {least} to {most}", "N")


def duration(least: float, most: float) -> Kind:
    """A length of time in a range, in seconds."""
    shortest = f"{least * 1000:g}ms" if least < 1 and least else _unit(least, UNITS) if least else "0s"
    valid = f"a time from {shortest} to {_unit(most, UNITS)}, in ms, s, m, h or d"
    return Kind(lambda text: _bounded(_seconds(text), least, most), valid, "TIME")


def size(least: int, most: int) -> Kind:
    """A number of bytes in a range."""
    valid = f"a size from {_unit(least, SIZES)} to {_unit(most, SIZES)}, in bytes, KiB, MiB, GiB or TiB"
    return Kind(lambda text: _bounded(_bytes(text), least, most), valid, "SIZE")


def choice(*words: str) -> Kind:
    """One of these words."""

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(text)
        return text

    return Kind(read, ", ".join(words), "|".join(words))


def _optional(kind: Kind) -> Kind:
    return Kind(lambda text: kind.read(text) if text else None, f"{kind.valid}, or nothing", kind.metavar)


address = Kind(_address, "HOST:PORT with a port from 0 to 65535, as 127.0.0.1:50051 or [::1]:50051", "HOST:PORT")
address_or_none = _optional(address)
path = Kind(_path, "the path of a file or directory", "PATH")
path_or_none = _optional(path)
switch = Kind(_switch, "yes or no", "yes|no")
url = Kind(_url, f"a URL that begins with {', '.join(f'{scheme}:' for scheme in SCHEMES)}, or nothing", "URL")
