"""Counting: how many ways there are to pick some things or to part them, and which is the one of a number."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from domain.options import Item, PickSome


class Ways:
    """Counts the answers of a pick by item: how many there are once so much is picked, weighed and still needed."""

    def __init__(self, slot: PickSome) -> None:
        self.slot = slot
        self.known: dict[tuple[int, int, int, tuple[int, ...]], int] = {}
        self.weighs = slot.limit is not None and sum(i.count * i.weight for i in slot.items) > slot.limit
        self.left = [0]  # how many things there are from each item on
        for item in reversed(slot.items):
            self.left.append(self.left[-1] + item.count)
        self.left.reverse()

    def total(self) -> int:
        """How many answers there are."""
        return self._ways(0, 0, 0, tuple(need.least for need in self.slot.needs))

    def answer(self, index: int) -> tuple[str, ...]:
        """The answer with this number, counted from 0."""
        picked: list[str] = []
        size, weight, needs = 0, 0, tuple(need.least for need in self.slot.needs)
        for place, item in enumerate(self.slot.items):
            for count in range(item.count + 1):
                after = self._after(item, count, size, weight, needs)
                ways = self._ways(place + 1, *after)
                if index < ways:
                    picked += [item.key] * count
                    size, weight, needs = after
                    break
                index -= ways
        return tuple(sorted(picked))

    def _after(
        self, item: Item, count: int, size: int, weight: int, needs: tuple[int, ...]
    ) -> tuple[int, int, tuple[int, ...]]:
        if needs and count:
            kinds = (need.kind for need in self.slot.needs)
            needs = tuple(max(0, n - count) if kind == item.kind else n for kind, n in zip(kinds, needs, strict=True))
        return size + count, weight + count * item.weight if self.weighs else 0, needs

    def _ways(self, place: int, size: int, weight: int, needs: tuple[int, ...]) -> int:
        slot = self.slot
        if size > slot.most or size + self.left[place] < slot.least or (self.weighs and weight > (slot.limit or 0)):
            return 0
        if place == len(slot.items):
            return 0 if any(needs) else 1
        known = self.known.get((place, size, weight, needs))
        if known is None:
            item = slot.items[place]
            known = sum(
                self._ways(place + 1, *self._after(item, count, size, weight, needs)) for count in range(item.count + 1)
            )
            self.known[place, size, weight, needs] = known
        return known


def bell(most: int) -> list[int]:
    """The numbers of partitions of 0, 1, 2 ... things."""
    numbers = [1]
    for size in range(most):
        numbers.append(sum(comb(size, part) * numbers[part] for part in range(size + 1)))
    return numbers


def partitions(whole: tuple[int, ...], largest: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to part a multiset of counts into parts none of which comes after `largest`, greatest part first."""
    if not any(whole):
        yield ()
        return
    for part in product(*(range(n, -1, -1) for n in whole)):
        if any(part) and part <= largest:
            rest = tuple(n - p for n, p in zip(whole, part, strict=True))
            for parts in partitions(rest, part):
                yield (part, *parts)
