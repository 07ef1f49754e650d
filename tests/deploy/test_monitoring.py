"""What is measured, what alerts and dashboard ask for, and what the docs explain are the same things."""

from __future__ import annotations

import json
import re
from typing import Any

from prometheus_client import Histogram

from service.metrics import METRICS, REGISTRY
from tests.deploy.rendered import KUBERNETES, ROOT

MONITORING = KUBERNETES / "components/monitoring"
ASKED = re.compile(r"\bkontor_[a-z_]+\b")


def measured() -> set[str]:
    """The series that a running service shows."""
    names: set[str] = set()
    for family in REGISTRY.collect():
        if family.type == "counter":
            names.add(f"{family.name}_total")
        elif family.type == "histogram":
            names |= {f"{family.name}_{end}" for end in ("bucket", "sum", "count")}
        else:
            names.add(family.name)
    return names


def dashboard() -> Any:
    """Grafana's."""
    return json.loads((MONITORING / "dashboard.json").read_text())


def test_alerts_and_dashboard_ask_for_what_is_measured() -> None:
    """A name that nobody writes would be silent for ever."""
    expressions = [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]
    rules = "\n".join(re.findall(r"expr: \|-\n\s+(.*)", (MONITORING / "rules.yaml").read_text()))
    asked = set(ASKED.findall("\n".join(expressions) + rules))
    assert asked - measured() == set()


def test_everything_that_is_measured_is_shown() -> None:
    """On the dashboard; of a histogram its buckets are enough."""
    shown = set(ASKED.findall(json.dumps(dashboard())))
    wanted = {name for name in measured() if not name.endswith(("_sum", "_count"))}
    assert wanted - shown == set()


def test_every_alert_is_explained() -> None:
    """The docs have a heading for each, and for no other."""
    alerts = re.findall(r"- alert: (\w+)", (MONITORING / "rules.yaml").read_text())
    assert len(alerts) == len(set(alerts)) > 5
    headings = re.findall(r"^#+ (Kontor[A-Z]\w+)$", (ROOT / "docs/operating.md").read_text(), re.MULTILINE)
    assert headings == alerts


def test_thresholds_lie_between_buckets() -> None:
    """A quantile beyond the last bucket would never be reported as slow."""
    for histogram, threshold in ((METRICS.seconds, 1.0), (METRICS.lag, 2.5)):
        assert isinstance(histogram, Histogram)
        assert any(bound > threshold for bound in histogram._upper_bounds if bound != float("inf"))
