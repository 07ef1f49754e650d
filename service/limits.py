"""How much one caller may ask for: calls a second with a burst, and streams at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from service.errors import TooMuch

REMEMBERED = 100_000  # callers; one that is forgotten starts with a full burst


class Allowance(NamedTuple):
    """Calls a second, and how many of them may come at once; 0 a second: any number."""

    rate: float
    burst: int


ANY_NUMBER = Allowance(0, 1)


class Pace:
    """Holds every caller to an allowance.

    Of each caller one number is kept: the time up to which his calls are paid for. (The generic cell rate algorithm:
    a leaky bucket that nobody has to empty.)
    """

    def __init__(self, allowance: Allowance, clock: Callable[[], float] = time.monotonic) -> None:
        self._interval = 1 / allowance.rate if allowance.rate else 0.0
        self._ahead = self._interval * (allowance.burst - 1)
        self._clock = clock
        self._paid: dict[Hashable, float] = {}

    def take(self, caller: Hashable) -> None:
        """Count a call, or refuse it and say when it may come again."""
        if not self._interval:
            return
        now = self._clock()
        paid = max(self._paid.get(caller, now), now)
        if paid - now > self._ahead:
            wait = paid - now - self._ahead
            raise TooMuch("TOO_MANY_CALLS", "Too many calls in too short a time; try again a little later.", retry=wait)
        self._paid[caller] = paid + self._interval
        if len(self._paid) > REMEMBERED:
            self._forget(now)

    def _forget(self, now: float) -> None:
        """Forget those who owe nothing; if all do, those who are known longest."""
        self._paid = {caller: paid for caller, paid in self._paid.items() if paid > now}
        while len(self._paid) > REMEMBERED // 2:
            del self._paid[next(iter(self._paid))]


class Open:
    """Counts what every caller has open."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: dict[Hashable, int] = {}

    @contextmanager
    def one(self, caller: Hashable) -> Iterator[None]:
        """One more, until the end of the block."""
        held = self._held.get(caller, 0)
        if held >= self._most:
            raise TooMuch("TOO_MANY_STREAMS", f"At most {self._most} streams may be open at a time.", retry=10)
        self._held[caller] = held + 1
        try:
            yield
        finally:
            self._held[caller] -= 1
            if not self._held[caller]:
                del self._held[caller]
