"""What an operator can count: Prometheus metrics, none of which tells anything about a hand or a deck."""

from __future__ import annotations

from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY = CollectorRegistry()


def _counter(name: str, text: str, labels: tuple[str, ...] = ()) -> Counter:
    return Counter(f"kontor_{name}", text, labels, registry=REGISTRY)


def _gauge(name: str, text: str) -> Gauge:
    return Gauge(f"kontor_{name}", text, registry=REGISTRY)


@dataclass(frozen=True, slots=True)
class Metrics:
    """All of them, by name."""

    calls: Counter = field(
        default_factory=lambda: _counter("calls", "Calls, by method and status", ("method", "status"))
    )
    seconds: Histogram = field(
        default_factory=lambda: Histogram("kontor_call_seconds", "How long calls took", ("method",), registry=REGISTRY)
    )
    commits: Counter = field(default_factory=lambda: _counter("commits", "Entries appended to the log"))
    conflicts: Counter = field(default_factory=lambda: _counter("conflicts", "Appends that others forestalled"))
    repeated: Counter = field(default_factory=lambda: _counter("repeated", "Calls that came again under their id"))
    unknown: Counter = field(default_factory=lambda: _counter("outcome_unknown", "Appends nobody knew the outcome of"))
    folded: Counter = field(default_factory=lambda: _counter("folded", "Log entries folded"))
    cached: Gauge = field(default_factory=lambda: _gauge("tables_cached", "Tables in memory"))
    rewinds: Counter = field(default_factory=lambda: _counter("rewinds", "Tables whose log went back in time"))
    watchers: Gauge = field(default_factory=lambda: _gauge("watchers", "Open watches"))
    lag: Histogram = field(
        default_factory=lambda: Histogram(
            "kontor_watch_lag_seconds", "From the commit to the message of a watch", registry=REGISTRY
        )
    )
    hints_lost: Counter = field(default_factory=lambda: _counter("hints_lost", "Times the hints were lost"))
    bot_answers: Counter = field(default_factory=lambda: _counter("bot_answers", "Answers given by bots"))
    clock_answers: Counter = field(default_factory=lambda: _counter("clock_answers", "Answers given for the late"))


METRICS = Metrics()
