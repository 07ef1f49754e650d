"""Health by gRPC's own protocol: alive without the log, ready with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from grpc_health.v1 import health_pb2  # type: ignore[import-untyped]

from service.grpc_edge.probes import SERVING, STREAMS, Probes
from service.grpc_edge.wire import services
from service.log.port import Finding, LogError

LIVENESS = "liveness"
READINESS = "readiness"
POLL = 2.0  # seconds
PATIENCE = 3.0
# Findings with which nothing can be written, or what is written may be forgotten: never a silent degradation.
FATAL = frozenset({"unreachable", "version", "replica", "replicas", "durability", "eviction"})
MEMORY = "memory"

NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING

log = structlog.get_logger()


class Health:
    """What probes and load balancers are told."""

    def __init__(self, ready: Callable[[], Awaitable[tuple[Finding, ...]]], streams: int = STREAMS) -> None:
        self.servicer = Probes(streams)
        self.full = False  # no room for new tables
        self._ready = ready
        self._known: tuple[Finding, ...] = ()
        self._leaving = False

    async def look(self) -> bool:
        """Ask the log once; whether all that is needed is there."""
        try:
            async with asyncio.timeout(PATIENCE):
                findings = await self._ready()
        except (TimeoutError, LogError, OSError):
            findings = (Finding("unreachable", "The log does not answer."),)
        self._tell(findings)
        self.full = any(finding.kind == MEMORY for finding in findings)
        ready = not self._leaving and not any(finding.kind in FATAL for finding in findings)
        self._set(ready)
        return ready

    async def watch(self) -> None:
        """Ask again and again."""
        while True:
            await asyncio.sleep(POLL)
            await self.look()

    async def leave(self) -> None:
        """Send everybody elsewhere, for good. It stays alive: who goes down in good order needs no killing."""
        self._leaving = True
        self._set(ready=False)

    def _set(self, ready: bool) -> None:
        self.servicer.set(LIVENESS, SERVING)
        for name in (READINESS, *(service.full_name for service in services())):
            self.servicer.set(name, SERVING if ready else NOT_SERVING)

    @property
    def trouble(self) -> str:
        """What is wrong with the log, as far as it was asked."""
        return " ".join(finding.sentence for finding in self._known)

    def _tell(self, findings: tuple[Finding, ...]) -> None:
        """Log what is found, once."""
        if findings == self._known:
            return
        self._known = findings
        for finding in findings:
            log.warning("log finding", kind=finding.kind, finding=finding.sentence)
        if not findings:
            log.info("log well again")
