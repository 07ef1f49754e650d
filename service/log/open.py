"""Which store keeps the log: told by one URL.

| URL | store |
| --- | --- |
| `embedded:` | a server of our own, its data in `data_dir` |
| `redis://`, `rediss://` `user:password@host:port/db` | one server, `rediss` with TLS |
| `unix:///path/to/socket` | one server on this machine |
| `redis+sentinel://user:password@host:port,host:port/service` | the master that Sentinels name |
| `redis+cluster://user:password@host:port,host:port` | a Cluster |

`rediss+…` speaks TLS. Options of redis-py follow a question mark (`?ssl_ca_certs=…`); to the Sentinels go those that
begin with `sentinel_` (`?sentinel_password=…`). No error repeats the URL: it may hold a password.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from redis.asyncio.connection import parse_url

from service.log.cluster import ClusterLog
from service.log.embedded import EmbeddedLog
from service.log.port import Log, Misconfigured, Settings
from service.log.redis import RedisLog, SentinelLog, single

PORTS = {"sentinel": 26379, "cluster": 6379}


async def open_log(url: str = "embedded:", data_dir: Path | None = None, settings: Settings | None = None) -> Log:
    """The log at this URL; `ready` tells whether it can be used."""
    settings = settings or Settings()
    parts = urlsplit(url)
    match parts.scheme.split("+"):
        case ["embedded"]:
            if data_dir is None:
                raise Misconfigured("The embedded log needs a data directory.")
            return await EmbeddedLog.open(data_dir, settings)
        case ["redis" | "rediss" | "unix"]:
            return RedisLog(*single(_options(url), settings), settings)
        case ["redis" | "rediss" as scheme, "sentinel"]:
            service = parts.path.strip("/")
            if not service:
                raise Misconfigured("The log's URL names no service after the Sentinels: …/mymaster.")
            own, theirs = _split_query(parts)
            options = _options(_one_host(scheme, parts, own))
            return SentinelLog(_hosts(parts, "sentinel"), service, options, theirs, settings)
        case ["redis" | "rediss" as scheme, "cluster"]:
            return ClusterLog(_hosts(parts, "cluster"), _options(_one_host(scheme, parts, parts.query)), settings)
        case _:
            raise Misconfigured(
                f"The log's URL begins with {parts.scheme or 'nothing'}:, not with embedded, redis, rediss, unix, "
                "redis+sentinel or redis+cluster."
            )


def _options(url: str) -> dict[str, Any]:
    try:
        return dict(parse_url(url))
    except ValueError as error:
        raise Misconfigured(f"The log's URL cannot be read: {error}") from None


def _one_host(scheme: str, parts: SplitResult, query: str) -> str:
    """The URL of one server with the same credentials and options: redis-py reads no other kind."""
    user, at, _ = parts.netloc.rpartition("@")
    return f"{scheme}://{user}{at}?{query}"


def _hosts(parts: SplitResult, kind: str) -> list[tuple[str, int]]:
    hosts = []
    for host in parts.netloc.rpartition("@")[2].split(","):
        one = urlsplit(f"//{host}")
        try:
            hosts.append((one.hostname or "localhost", one.port or PORTS[kind]))
        except ValueError:
            raise Misconfigured("The log's URL has a port that is no number.") from None
    return hosts


def _split_query(parts: SplitResult) -> tuple[str, dict[str, Any]]:
    query = parse_qsl(parts.query)
    own = urlencode([(name, value) for name, value in query if not name.startswith("sentinel_")])
    return own, {name.removeprefix("sentinel_"): value for name, value in query if name.startswith("sentinel_")}
