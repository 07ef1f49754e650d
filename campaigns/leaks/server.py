"""`kontor serve` in a known world: what is otherwise drawn or read from the clock depends on the table alone.

It takes the time at which the world stands still. A line on standard input names a leak to plant, an empty one takes it
away again; each is acknowledged on standard output.
"""

from __future__ import annotations

import hashlib
import sys
import threading
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

from campaigns.leaks.plants import PLANTS
from domain.values import replace
from service import auth, cli, host, main
from service.calls import Call, Decided
from service.entry import Founded, LogEntry
from service.life import Life

PLANTED = "planted"


def known(life: Life, what: str, count: int) -> str:
    """So many bytes in hex, the same for this moment of this table in every world."""
    return hashlib.sha256(f"{life.id}/{life.version}/{what}".encode()).hexdigest()[: 2 * count]


class Host(host.Host):
    """A host whose tags and salts are known, and whose clock stands still."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.clock = lambda: Keys.now * 1000

    def _entry(self, life: Life, call: Call, decided: Decided) -> LogEntry[Any, Any]:
        entry = super()._entry(life, call, decided)
        events = tuple(
            replace(event, salt=known(life, "seed", 16)) if isinstance(event, Founded) else event
            for event in entry.events
        )
        return replace(entry, tag=known(life, "tag", 6), salt=known(life, "salt", 16), events=events)


class Keys(auth.Keys):
    """Keys whose tokens all expire at the same time."""

    now = 0

    def __init__(self, private: list[Any]) -> None:
        super().__init__(private)
        self.clock = lambda: self.now


def obey() -> None:
    """Plant what is asked for, in the place of what was planted before."""
    with ExitStack() as planted:
        for line in sys.stdin:
            planted.close()
            if line.strip():
                PLANTS[line.strip()](planted)
            print(PLANTED, flush=True)


if __name__ == "__main__":
    Keys.now = int(sys.argv[1])
    threading.Thread(target=obey, daemon=True).start()
    with patch.object(main, "Host", Host), patch.object(main, "Keys", Keys):
        sys.exit(cli.main(["serve"]))
