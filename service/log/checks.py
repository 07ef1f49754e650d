"""What is wrong with a server that is to keep a log: one sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from service.log.port import Finding, Settings

OLDEST = (7, 0)  # Redis 7.0; every Valkey calls itself 7.2.4 here


def findings(server: str, info: Mapping[str, Any], appendfsync: str | None, settings: Settings) -> Iterator[Finding]:
    """What INFO and `CONFIG GET appendfsync` (None if the server keeps it to itself) say about a server."""
    version = str(info.get("redis_version", "0"))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        yield Finding("version", f"{server} runs Redis {version}, but 7.0 or newer is needed.")
    if info.get("role") != "master":
        yield Finding("replica", f"{server} is a replica: appends are refused until the master is found.")
        return
    yield from _durability(server, info, appendfsync)
    yield from _replicas(server, int(info.get("connected_slaves", 0)), settings.wait_replicas)
    policy = info.get("maxmemory_policy")
    if policy != "noeviction":
        yield Finding("eviction", f"{server} has maxmemory-policy {policy}, which deletes tables: set noeviction.")
    yield from _memory(server, info, settings.memory)


def _durability(server: str, info: Mapping[str, Any], appendfsync: str | None) -> Iterator[Finding]:
    if not info.get("aof_enabled"):
        yield Finding("durability", f"{server} has no AOF and forgets tables when it ends: set appendonly yes.")
    elif appendfsync is None:
        yield Finding("untold", f"{server} does not tell its appendfsync: it should be always.")
    elif appendfsync != "always":
        yield Finding(
            "durability", f"{server} has appendfsync {appendfsync}, which can lose the last entries: set always."
        )
    if info.get("aof_last_write_status", "ok") != "ok":
        yield Finding("durability", f"{server} cannot write its AOF: look at its disk.")


def _replicas(server: str, connected: int, wanted: int) -> Iterator[Finding]:
    if connected < wanted:
        yield Finding("replicas", f"{server} has {connected} replicas, but appends wait for {wanted}.")
    elif connected > wanted:
        yield Finding(
            "failover",
            f"{server} has {connected} replicas, but appends wait for {wanted}: a failover can lose entries.",
        )


def _memory(server: str, info: Mapping[str, Any], threshold: float) -> Iterator[Finding]:
    limit = int(info.get("maxmemory", 0)) or int(info.get("total_system_memory", 0))
    used = int(info.get("used_memory", 0))
    if limit and used > threshold * limit:
        yield Finding("memory", f"{server} uses {used / limit:.0%} of its memory: no new tables.")
