"""Prometheus' own tool reads the rules, and plays a few hours with them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.deploy.rendered import OVERLAYS, TOOLS, containers, documents, of_kind, run
from tests.deploy.test_monitoring import MONITORING


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """The operator's object holds a rule file."""
    (whole,) = documents((MONITORING / "rules.yaml").read_text())
    file = tmp_path / "rules.yaml"
    file.write_text(json.dumps(whole["spec"]))  # JSON is YAML
    return file


def test_rules_are_rules(rules: Path) -> None:
    """Syntax, and what the linter thinks of it."""
    assert "SUCCESS" in run(TOOLS / "promtool", "check", "rules", "--lint-fatal", rules)


def test_rules_in_made_up_hours(rules: Path) -> None:
    """Quiet on a quiet day, loud when the log is down, after a restore, and when nobody is there."""
    shutil.copy(Path(__file__).parent / "rules_test.yaml", rules.parent / "test.yaml")
    assert "SUCCESS" in run(TOOLS / "promtool", "test", "rules", rules.parent / "test.yaml")


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_monitors_scrape_ports_that_exist(overlay: str) -> None:
    """By the names of the containers' ports."""
    names = {port["name"] for _, one in containers(overlay) for port in one["ports"]}
    for monitor in of_kind(overlay, "PodMonitor"):
        assert monitor["spec"].keys() == {"selector", "podMetricsEndpoints"}
        for end in monitor["spec"]["podMetricsEndpoints"]:
            assert end.keys() == {"port", "path", "interval"}
            assert end["port"] in names
