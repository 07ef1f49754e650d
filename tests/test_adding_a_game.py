"""docs/adding-a-game.md, followed to the letter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "adding-a-game.md"


def test_the_page_can_be_followed(tmp_path: Path) -> None:
    """Whoever types what the page says has a game that passes the whole conformance suite."""
    unwanted = shutil.ignore_patterns("__pycache__", "service", "system", "clients", "deploy")
    for folder in ("domain", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=unwanted)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    before = _files(tmp_path / "domain")
    commands = "\n".join(re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KONTOR_", "PYTEST_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    run = subprocess.run(
        ["bash", "-euc", commands],  # noqa: S607 - whichever bash a developer has
        cwd=tmp_path,
        env={**kept, "PATH": path, "PYTHONPATH": str(tmp_path), "PYTEST_ADDOPTS": "-p no:randomly"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert " passed" in run.stdout
    after = _files(tmp_path / "domain")
    changed = {name for name, content in before.items() if after.get(name) != content}
    assert changed == {"games.py"}
    assert len(after["games.py"].splitlines()) == len(before["games.py"].splitlines()) + 1


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and "fair" not in file.parts
    }
