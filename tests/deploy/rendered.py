"""The overlays as Kubernetes would get them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
OVERLAYS = tuple(sorted(one.name for one in (KUBERNETES / "overlays").iterdir()))
TOOLS = Path(os.environ.get("KONTOR_TOOLS", ROOT / "build" / "tools"))

Object = dict[str, Any]

# YAML is read by the tools' own Python: our environment needs it for nothing else.
_TO_JSON = "import sys, yaml, json; json.dump(list(yaml.safe_load_all(sys.stdin)), sys.stdout)"


def run(*command: str | Path, given: str = "") -> str:
    """The output of a tool that ends well; else its words are the failure."""
    done = subprocess.run([str(part) for part in command], input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def documents(text: str) -> list[Any]:
    """The documents of a YAML text."""
    return list(json.loads(run(TOOLS / "venv/bin/python", "-c", _TO_JSON, given=text)))


@cache
def manifest(overlay: str) -> str:
    """An overlay, rendered, as text."""
    return run(TOOLS / "kustomize", "build", KUBERNETES / "overlays" / overlay)


@cache
def objects(overlay: str) -> tuple[Object, ...]:
    """An overlay's objects."""
    return tuple(documents(manifest(overlay)))


def of_kind(overlay: str, *kinds: str) -> list[Object]:
    """The objects of these kinds."""
    return [one for one in objects(overlay) if one["kind"] in kinds]


def named(overlay: str, kind: str, name: str) -> Object:
    """The one object of this name."""
    (found,) = [one for one in of_kind(overlay, kind) if one["metadata"]["name"] == name]
    return found


def workloads(overlay: str) -> list[Object]:
    """All that makes pods."""
    return of_kind(overlay, "Deployment", "StatefulSet")


def pod(workload: Object) -> Object:
    """The pod of a workload."""
    return dict(workload["spec"]["template"]["spec"])


def labels(workload: Object) -> dict[str, str]:
    """The labels of its pods."""
    return dict(workload["spec"]["template"]["metadata"]["labels"])


def containers(overlay: str) -> Iterator[tuple[Object, Object]]:
    """Every container with its workload."""
    for workload in workloads(overlay):
        for one in (*pod(workload).get("initContainers", ()), *pod(workload)["containers"]):
            yield workload, one


def environment(overlay: str, workload: Object, container: Object) -> dict[str, str | None]:
    """A container's variables; None for the value of a secret."""
    found: dict[str, str | None] = {}
    for source in container.get("envFrom", ()):
        found |= named(overlay, "ConfigMap", source["configMapRef"]["name"])["data"]
    for one in container.get("env", ()):
        found[one["name"]] = one.get("value")
    return found


def seconds(text: str) -> float:
    """A duration as our settings write it."""
    return float(text.removesuffix("s"))
