"""One call as the log and the metrics tell it: who, what, how it ended, how long it took. Never what was in it."""

from __future__ import annotations

import re
import time
from functools import cache
from typing import Any

from service.auth import NOBODY, Principal
from service.metrics import METRICS

NOTEWORTHY = {"INTERNAL", "UNAVAILABLE", "UNKNOWN"}
TABLE = re.compile(r"[0-9A-Za-z]{1,20}")  # longer or stranger ones are no table's: a client may send anything

_counted = cache(METRICS.calls.labels)
_timed = cache(METRICS.seconds.labels)


class Visit:
    """A call from its arrival to its end."""

    __slots__ = ("_began", "_log", "method", "peer", "principal", "streams", "table", "writing")

    def __init__(self, method: str, peer: str, log: Any, *, streams: bool = False) -> None:
        self._log = log
        self.method = method
        self.peer = peer
        self.streams = streams
        self.principal: Principal = NOBODY
        self.table = ""
        self.writing = False  # a stream's message is on its way: what fails now is the connection
        self._began = time.perf_counter()

    def about(self, message: Any) -> None:
        """Note which table a request or an answer is about."""
        if not self.table:
            table = getattr(message, "table_id", "") or getattr(getattr(message, "table", None), "id", "")
            self.table = table if isinstance(table, str) and TABLE.fullmatch(table) else ""

    def end(self, status: str = "OK", reason: str = "") -> None:
        """The call is over."""
        took = time.perf_counter() - self._began
        _counted(self.method, status).inc()
        if not self.streams:
            _timed(self.method).observe(took)
        tell = self._log.warning if status in NOTEWORTHY else self._log.info
        tell(
            "call",
            method=self.method,
            table=self.principal.table or self.table,
            role=self.principal.role.value,
            ticket=self.principal.ticket,
            status=status,
            reason=reason,
            ms=round(took * 1000, 2),
            peer=self.peer,
        )
