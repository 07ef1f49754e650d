"""Labelled, seeded randomness: what is drawn depends on the seed and the label alone.

A label names one draw of a table's life (`supply:2`: the second shuffle of the supply), built from counters in the
state. So deciding again after a conflict or a lost answer draws the same cards, and anyone who is given the seed can
check every draw. Outcomes are stored in events; folding never draws.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")

SEED_BYTES = 32


class Source(Protocol):
    """Something that gives numbers below a bound, each equally likely."""

    def below(self, bound: int, /) -> int:
        """Give a number from 0 to bound - 1."""


class Chance(Protocol):
    """What rules draw from."""

    def shuffle(self, label: str, things: Iterable[T], /) -> tuple[T, ...]:
        """Give the things in a random order."""


class Stream:
    """An endless stream of numbers from HMAC-SHA-256 over the seed, a label and a block number."""

    def __init__(self, seed: bytes, label: str) -> None:
        self._seed = seed
        self._label = label.encode()
        self._block = 0
        self._bits = 0
        self._left = 0

    def below(self, bound: int, /) -> int:
        """Give a number from 0 to bound - 1, by rejection, so that none is likelier than another."""
        if bound < 1:
            raise ValueError(f"no number from 0 to {bound - 1}")
        width = (bound - 1).bit_length()
        while True:
            number = self._take(width)
            if number < bound:
                return number

    def _take(self, width: int) -> int:
        while self._left < width:
            block = hmac.digest(self._seed, b"%s/%d" % (self._label, self._block), "sha256")
            self._bits = (self._bits << 256) | int.from_bytes(block, "big")
            self._left += 256
            self._block += 1
        self._left -= width
        number = self._bits >> self._left
        self._bits &= (1 << self._left) - 1
        return number


def shuffled(things: Iterable[T], source: Source) -> tuple[T, ...]:
    """Shuffle by Fisher and Yates: every order is equally likely."""
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        other = source.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


class RepeatedLabelError(Exception):
    """A label was drawn from twice: the second draw would repeat the first."""


class SeededChance:
    """The chance of one table. It refuses a label used twice while it lives."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self.labels: list[str] = []

    def shuffle(self, label: str, things: Iterable[T], /) -> tuple[T, ...]:
        """Give the things in the order that the seed and this label decide."""
        if label in self.labels:
            raise RepeatedLabelError(label)
        self.labels.append(label)
        return shuffled(things, Stream(self._seed, label))
