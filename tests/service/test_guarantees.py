"""The promises of docs/guarantees.md: each names a test that is there, and what no other test states is stated here."""

from __future__ import annotations

import ast
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kontor.v1 import play_service_pb2 as play_pb
from service.log.port import EMPTY, verify
from tests.service.host.acknowledging import replica_in

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guarantees.md"
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def named_in(path: Path) -> set[str]:
    """The names of the tests of a module."""
    tree = ast.parse(path.read_text())
    found = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return {node.name for node in found if node.name.startswith("test_")}


def test_every_promise_names_a_test_that_is_there() -> None:
    """Each line of the table names at least one test, and each named test exists."""
    promises = [line for line in PAGE.read_text().splitlines() if line.startswith("- ")]
    assert len(promises) > 30
    for promise in promises:
        named = NAMED.findall(promise)
        assert named, f"names no test: {promise}"
        for path, name in named:
            assert (ROOT / path).exists(), path
            assert name in named_in(ROOT / path), f"{path} has no {name}"


@pytest.mark.anyio
async def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    """Service and log are killed in the midst of play: every acknowledged command is there, and answers as before."""
    command = [sys.executable, "-m", "tests.service.host.acknowledging", str(tmp_path)]
    service = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)  # noqa: ASYNC220 - it must be killed
    assert service.stdout is not None
    try:
        told = [service.stdout.readline().split() for _ in range(25)]
        _, server = map(int, (tmp_path / "log" / "lock").read_text().split())
        os.kill(server, signal.SIGKILL)
    finally:
        service.kill()
        rest = service.stdout.read().splitlines()
        service.wait()
        service.stdout.close()
    told += [line.split() for line in rest if line.count(" ") == 2]
    here = await replica_in(tmp_path)
    try:
        for token, raw, change in told:
            request = play_pb.SubmitCommandRequest.FromString(bytes.fromhex(raw))
            before = len((await here.log.read(request.table_id)).entries)
            answer = await here.call("SubmitCommand", request, token)
            assert answer.change.SerializeToString() == bytes.fromhex(change)
            entries = (await here.log.read(request.table_id)).entries
            assert verify(EMPTY, entries).version == before == len(entries)
    finally:
        await here.close()
