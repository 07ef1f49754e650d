"""Every overlay against the schemas of Kubernetes, and against checkov's list of what is good practice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.deploy.rendered import DEPLOY, OVERLAYS, TOOLS, manifest, objects, run

OLDEST = "1.30"  # preStop.sleep
BIN = TOOLS / "venv/bin"

# Kinds of the Prometheus Operator, whose schemas Kubernetes does not have: check_monitoring.py looks at them.
FOREIGN = {"PodMonitor", "PrometheusRule"}

SKIPS = {
    "CKV_K8S_15": "images are meant to be named by digest, and then IfNotPresent pulls exactly what Always would",
    "CKV_K8S_43": "we publish no registry: the digest is of the operator's build (overlays say where to put it)",
    "CKV_K8S_35": "the Redis URL holds the password and is read from the environment; it is in no file or flag instead",
}


IMAGE_SKIPS = {
    "CKV_DOCKER_7": "it does not follow an argument whose default is another: the base is python:3.13-slim-bookworm"
}


def newest() -> str:
    """The newest Kubernetes the tool has schemas of."""
    program = "import importlib.metadata as m; print('.'.join(m.version('kubernetes-validate').split('.')[:2]))"
    return run(BIN / "python", "-c", program).strip()


@pytest.mark.parametrize("overlay", OVERLAYS)
@pytest.mark.parametrize("version", [OLDEST, "newest"])
def test_schemas(overlay: str, version: str, tmp_path: Path) -> None:
    """Strictly: a misspelt field is an error; only the operator's kinds have no schema."""
    file = tmp_path / "all.yaml"
    file.write_text(manifest(overlay))
    wanted = newest() if version == "newest" else version
    said = run(BIN / "kubernetes-validate", "--strict", "-k", wanted, file).splitlines()
    unknown = [line for line in said if "find schema" in line]
    assert len(unknown) == sum(one["kind"] in FOREIGN for one in objects(overlay))


def test_strict_means_strict(tmp_path: Path) -> None:
    """A planted misspelling fails, so the test above says something."""
    file = tmp_path / "all.yaml"
    file.write_text(manifest("dev").replace("readOnlyRootFilesystem", "readOnlyRootFileSystem"))
    with pytest.raises(AssertionError, match="readOnlyRootFileSystem"):
        run(BIN / "kubernetes-validate", "--strict", "-k", OLDEST, file)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_checkov(overlay: str, tmp_path: Path) -> None:
    """Nothing is found but what we skip, each for a reason."""
    file = tmp_path / "all.yaml"
    file.write_text(manifest(overlay))
    skips = ",".join(SKIPS)
    run(BIN / "checkov", "--framework", "kubernetes", "--skip-download", "--compact", "--quiet", "--skip-check", skips, "-f", file)  # fmt: skip  # noqa: E501


def test_checkov_on_the_image() -> None:
    """The Dockerfile too."""
    run(BIN / "checkov", "--framework", "dockerfile", "--skip-download", "--compact", "--quiet", "--skip-check", ",".join(IMAGE_SKIPS), "-f", DEPLOY / "Dockerfile")  # fmt: skip  # noqa: E501
