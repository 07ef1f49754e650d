"""What a campaign has counted, and how it is told."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from campaigns.hostile.crowd import Crowd, Pace
from campaigns.hostile.shot import Answer, Shot

PROGRESS = 5.0
MB = 1_000_000
SHOWN = 200  # bytes of a request that failed
KEPT = 50  # faults
QUIET = "quiet"  # the phase that the others are compared with
STARVED = 10.0  # seconds without any answer
LATE = 1000.0  # ms of half of the answers: on two cores that attackers share, anything below is the machine's affair


@dataclass(slots=True)
class Fault:
    """One thing that must not be."""

    kind: str
    text: str
    number: int | None = None
    shot: Shot | None = None

    def told(self, seed: int) -> str:
        """What is wrong, what was sent, and what repeats it."""
        lines = [f"WRONG {self.kind}: {self.text}"]
        if self.shot is not None:
            body, more = self.shot.body[:SHOWN].hex(), " ..." if len(self.shot.body) > SHOWN else ""
            headers = ", ".join(f"{name}: {value[:20]!r}" for name, value in self.shot.headers[:6])
            lines.append(f"  {self.shot.method}, {len(self.shot.body)} bytes: {body}{more}; {headers or 'no headers'}")
        if self.number is not None:
            lines.append(
                f"  repeat it: python -m campaigns.hostile --seed {seed} --only {self.kind} --number {self.number}"
            )
        return "\n".join(lines)


@dataclass(slots=True)
class Figures:
    """All that was counted."""

    seed: int
    statuses: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))  # of each kind
    slowest: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    phases: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)  # of a house, by name
    paces: dict[tuple[str, str], Pace] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    _told: float = field(default_factory=time.monotonic)
    _began: float = field(default_factory=time.monotonic)

    @property
    def requests(self) -> int:
        """All that was sent."""
        return sum(counter.total() for counter in self.statuses.values())

    def count(self, kind: str, answer: Answer) -> None:
        """One more."""
        self.statuses[kind][answer.code] += 1
        self.slowest[kind] = max(self.slowest[kind], answer.seconds)
        self.progress(kind)

    def progress(self, kind: str) -> None:
        """A line now and then."""
        now = time.monotonic()
        if now > self._told + PROGRESS:
            self._told = now
            print(
                f"{kind:10} {now - self._began:5.0f} s  {self.requests:7} requests  {len(self.faults):3} wrong",
                flush=True,
            )

    def wrong(self, kind: str, text: str, number: int | None = None, shot: Shot | None = None) -> None:
        """Something is wrong; of thousands of the same, the first are enough."""
        if len(self.faults) < KEPT:
            self.faults.append(Fault(kind, text, number, shot))

    def note(self, text: str) -> None:
        """A figure for the summary, said at once as well."""
        self.notes.append(text)
        print(f"  {text}", flush=True)

    @contextmanager
    def phase(self, house: str, name: str) -> Iterator[None]:
        """Whatever happens to the honest players of a house in here is counted under this name."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.phases[house, name] = (began, time.monotonic())

    def measure(self, house: str, crowd: Crowd) -> None:
        """How the honest players of a house fared in its phases."""
        for (where, name), (begin, end) in self.phases.items():
            if where != house:
                continue
            pace = crowd.pace(begin, end)
            if pace is None:
                if end - begin > STARVED:
                    self.wrong(name, f"honest players got no answer in {end - begin:.0f} s")
                continue
            self.paces[house, name] = pace
            if pace.p50 > LATE:
                self.wrong(name, f"half of the answers to honest players took more than {pace.p50:.0f} ms")

    def tell(self) -> None:
        """The summary."""
        print(f"\n{'kind':10} {'requests':>8}  slowest   statuses")
        for kind, counter in self.statuses.items():
            shares = ", ".join(f"{code} {number}" for code, number in counter.most_common())
            print(f"{kind:10} {counter.total():8} {self.slowest[kind]:6.2f} s   {shares}")
        print(f"\n{'honest players':24} answers   p50 ms  ratio    p99 ms  ratio   slowest ms")
        for (house, name), pace in self.paces.items():
            quiet = self.paces.get((house, QUIET), pace)
            print(
                f"{house:10} {name:13} {pace.answers:7} {pace.p50:8.1f} {pace.p50 / quiet.p50:6.1f} "
                f"{pace.p99:9.1f} {pace.p99 / quiet.p99:6.1f} {pace.most:12.1f}"
            )
        print()
        for text in self.notes:
            print(text)
        for fault in self.faults:
            print(fault.told(self.seed))
