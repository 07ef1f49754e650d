"""A player who types: he reads a prompt, then types some number that it names. He knows no rule either."""

from __future__ import annotations

import os
import pty
import random
import re
import select
import subprocess
import time
from pathlib import Path

from tests.clients.serving import KONTOR, environment

PROMPTS = re.compile(
    r"(?P<choice>Your choice \(1-(?P<choices>\d+)\))|(?P<answer>Your answer \(1(-(?P<answers>\d+))?, \? for help\))"
    r"|(?P<one>: one of 1-(?P<ones>\d+))|(?P<number>: a number from (?P<least>-?\d+) to (?P<most>-?\d+))"
    r"|(?P<some>: pick (?P<few>\d+)( to (?P<many>\d+))? of 1-(?P<things>\d+)[^\n]*)|(?P<split>: groups of 1-\d+)"
)
EXAMPLE = re.compile(r"For example: (.*)")
PATIENCE = 60.0  # seconds without a prompt, after which the player gives up


class Player:
    """Somebody before a terminal (or a pipe) in which `kontor play` runs."""

    def __init__(self, *typed: str, seed: int = 1, terminal: bool = False, cwd: Path | None = None) -> None:
        self.chance = random.Random(seed)
        self.said = ""
        self._pending = ""
        self._last = ""
        self._tries = 0
        command = [str(KONTOR), "play", *typed]
        settings = environment(TERM="xterm", COLUMNS="100", LINES="40", PYTHONUNBUFFERED="1")
        if terminal:
            self._read, other = pty.openpty()
            self._write = self._read
            self.process = subprocess.Popen(
                command, stdin=other, stdout=other, stderr=other, env=settings, close_fds=True, start_new_session=True
            )
            os.close(other)
        else:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=settings
            )
            assert self.process.stdin
            assert self.process.stdout
            self._read, self._write = self.process.stdout.fileno(), self.process.stdin.fileno()

    def read(self, patience: float = 1.0) -> bool:
        """Read what is there, or comes soon; whether there can be more."""
        ready, _, _ = select.select([self._read], [], [], patience)
        if not ready:
            return True
        try:
            data = os.read(self._read, 65536)
        except OSError:  # a terminal whose program has ended
            data = b""
        text = data.decode(errors="replace")
        self.said += text
        self._pending += text
        return bool(data)

    def prompt(self) -> str:
        """Read on to the next prompt; nothing at the end."""
        shown = self.soon(PATIENCE)
        assert shown is not None, f"No prompt came: {self.said[-3000:]}"
        return shown

    def soon(self, patience: float) -> str | None:
        """The next prompt if it comes soon; empty at the end."""
        end = time.monotonic() + patience
        while not re.search(r": \Z", self._pending):
            if time.monotonic() > end:
                return None
            if not self.read(min(1.0, patience)):
                return ""
        shown, self._pending = self._pending, ""
        return shown

    def type(self, text: str) -> None:
        """Type a line."""
        self.said += f"«{text}»"
        os.write(self._write, f"{text}\n".encode())

    def play(self, moves: int = 5000) -> str:
        """Answer every prompt until the end; everything that was said."""
        for _ in range(moves):
            shown = self.prompt()
            if not shown:
                break
            self.type(self.answer(shown))
        else:
            raise AssertionError(f"The game does not end: {self.said[-3000:]}")
        return self.close()

    def close(self) -> str:
        """Let go of the program, which has ended or ends now."""
        if self.process.stdin:
            self.process.stdin.close()
        self.process.wait(PATIENCE)
        if self.process.stdout:
            self.process.stdout.close()
        else:
            os.close(self._read)
        return self.said

    def answer(self, shown: str) -> str:
        """Something to type at a prompt: by chance, and after a refusal what the help gives as an example."""
        if example := EXAMPLE.search(shown):
            return example[1].strip()
        found = None
        for found in PROMPTS.finditer(shown):  # noqa: B007 - the last one counts
            pass
        assert found is not None, shown
        again = found[0] == self._last
        self._last, self._tries = found[0], self._tries + 1 if again else 0
        if self._tries > 3 and not found["answer"]:
            self._tries = 0
            return "?"
        return self._chosen(found)

    def _chosen(self, found: re.Match[str]) -> str:
        if found["split"]:
            return self.chance.choice(["each", "all"])
        if found["number"]:
            return str(self.chance.randint(int(found["least"]), int(found["most"])))
        if found["some"]:
            things, few = int(found["things"]), int(found["few"])
            if things < few:  # some of them several times: the help shows how
                return "?"
            number = self.chance.randint(few, min(things, int(found["many"] or few)))
            return " ".join(str(each) for each in self.chance.sample(range(1, things + 1), number)) or "none"
        most = found["choices"] or found["answers"] or found["ones"] or "1"
        return str(self.chance.randint(1, int(most)))
