"""What a run counted, and what must not be zero."""

from __future__ import annotations

from collections import Counter

from tests.conformance.claims import demand

MOST_ITSELF = 5
"""At most one twin in so many may be the state itself, where something is hidden."""


class Tally:
    """Counts under headings."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}

    def add(self, heading: str, *names: str, times: int = 1) -> None:
        """Count something."""
        counter = self.counts.setdefault(heading, Counter())
        for name in names:
            counter[name] += times

    def of(self, heading: str, name: str) -> int:
        """How often it was counted."""
        return self.counts.get(heading, Counter())[name]

    def lines(self) -> list[str]:
        """The counts as text, a line a heading."""
        return [
            f"{heading}: " + ", ".join(f"{name} {counter[name]}" for name in sorted(counter))
            for heading, counter in sorted(self.counts.items())
        ]

    def plain(self) -> dict[str, dict[str, int]]:
        """The counts as they travel between processes."""
        return {heading: dict(counter) for heading, counter in self.counts.items()}

    def merge(self, counts: dict[str, dict[str, int]]) -> None:
        """Add what another run counted."""
        for heading, counter in counts.items():
            for name, number in counter.items():
                self.add(heading, name, times=number)

    def demand_none_missing(self, *headings: str) -> None:
        """Nothing under these headings was never met."""
        for heading in headings:
            never = [name for name, number in self.counts.get(heading, Counter()).items() if not number]
            demand(not never, f"never compared: {heading} {', '.join(never)} (add a named position, or more games)")

    def demand_real_twins(self) -> None:
        """`resample` changed every kind of hidden thing, and was seldom at a loss."""
        itself, all_twins = (
            self.of("full twins", "the state itself"),
            self.of("full twins", "where something is hidden"),
        )
        demand(all_twins, "no twin was ever drawn where something is hidden")
        share = f"{itself} of {all_twins}"
        demand(itself * MOST_ITSELF <= all_twins, f"resample gives back the state itself too often: {share}")
        for kind, number in self.counts.get("hidden things changed", Counter()).items():
            demand(number, f"resample never changed {kind}")
