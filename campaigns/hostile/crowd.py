"""The honest players as the campaign sees them: what they told, and how long their answers took."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from campaigns.hostile import honest

ENDING = 120.0  # seconds that games may take to their end


class Pace(NamedTuple):
    """How long answers took, in milliseconds."""

    answers: int
    p50: float
    p99: float
    most: float


class Crowd:
    """Their process."""

    def __init__(self, port: int, tables: int, seed: int, directory: Path, api_key: str = "") -> None:
        self.answers: list[tuple[float, float]] = []  # when, and how many seconds it took
        self.opened: dict[str, str] = {}  # tables, each with a token to watch it
        self.over: set[str] = set()
        self._errors = directory / "honest.log"
        self._arguments = [str(port), "--tables", str(tables), "--seed", str(seed), "--api-key", api_key]

    async def start(self) -> Crowd:
        """Let them in."""
        with self._errors.open("wb") as errors:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                honest.__name__,
                *self._arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
            )
        self._listening = asyncio.create_task(self._listen())
        return self

    async def _listen(self) -> None:
        assert self._process.stdout
        while line := await self._process.stdout.readline():
            self._heard(json.loads(line))

    def _heard(self, told: dict[str, Any]) -> None:
        if "took" in told:
            self.answers.append((told["at"], told["took"]))
        elif "table" in told:
            self.opened[told["table"]] = told["view"]
        else:
            self.over.add(told["over"])

    @property
    def playing(self) -> dict[str, str]:
        """The tables that are not over yet, each with its token."""
        return {table: token for table, token in self.opened.items() if table not in self.over}

    async def answered(self, number: int) -> None:
        """Wait until they have answered so often, or are gone."""
        while len(self.answers) < number and self._process.returncode is None:
            await asyncio.sleep(0.05)

    async def end(self) -> str:
        """Let them finish their games; what went wrong with them, if anything did."""
        assert self._process.stdin
        self._process.stdin.close()
        try:
            async with asyncio.timeout(ENDING):
                await self._listening
                code = await self._process.wait()
        except TimeoutError:
            await self.stop()
            return "honest players did not come to the end of their games"
        said = self._errors.read_text(errors="replace").strip()
        if code or "Traceback" in said:
            return f"honest players failed ({code}): {said[-600:]}"
        left = self.opened.keys() - self.over
        return f"honest games did not end: {', '.join(left)}" if left else ""

    async def stop(self) -> None:
        """Send them home at once, if they are still there."""
        if self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        self._listening.cancel()

    def pace(self, begin: float, end: float) -> Pace | None:
        """How long the answers took that were asked for between two moments."""
        took = sorted(1000 * seconds for at, seconds in self.answers if begin <= at <= end)
        if not took:
            return None
        return Pace(len(took), took[len(took) // 2], took[int(len(took) * 0.99)], took[-1])
