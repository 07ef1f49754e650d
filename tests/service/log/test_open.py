"""URLs, the checks of a server, and the small parts of the log."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest
import redis

from service.log import EMPTY, Corrupt, Entry, Head, Hint, Misconfigured, Settings, Signal, chain, open_log, verify
from service.log.checks import findings
from service.log.cluster import ClusterLog
from service.log.hints import Mailbox
from service.log.port import key_of
from service.log.redis import SentinelLog
from service.log.script import hint_from, hint_of
from tests.service.log.servers import Process, SentinelSet, eventually

pytestmark = pytest.mark.anyio

GOOD = {
    "redis_version": "7.0.15",
    "role": "master",
    "aof_enabled": 1,
    "maxmemory_policy": "noeviction",
    "maxmemory": 1000,
    "used_memory": 700,
    "connected_slaves": 1,
}


@pytest.mark.parametrize(
    "url",
    [
        "http://user:hidden@host",
        "user:hidden@host:6379",
        "",
        "redis+magic://user:hidden@host",
        "redis+sentinel://user:hidden@host:1",
        "redis+sentinel://user:hidden@host:no/service",
        "redis+cluster://user:hidden@host:99999999",
        "redis://user:hidden@host?socket_timeout=never",
        "embedded:",
    ],
)
async def test_an_unusable_url_is_explained(url: str) -> None:
    """A wrong URL is Misconfigured, in a sentence that repeats no password."""
    with pytest.raises(Misconfigured) as error:
        await open_log(url)
    assert "hidden" not in str(error.value)
    assert str(error.value).endswith(".") or ":" in str(error.value)


async def test_urls_of_many_hosts() -> None:
    """Hosts, ports, credentials and options of a URL reach those they are meant for."""
    log = await open_log("redis+sentinel://me:pw@a:1,[::1]:2,c/mine?db=3&sentinel_password=other")
    assert isinstance(log, SentinelLog)
    kwargs = [one.connection_pool.connection_kwargs for one in log._sentinel.sentinels]
    assert [(one["host"], one["port"]) for one in kwargs] == [("a", 1), ("::1", 2), ("c", 26379)]
    assert kwargs[0]["password"] == "other"
    master = log._client.connection_pool
    assert (master.service_name, master.connection_kwargs["password"]) == ("mine", "pw")
    assert master.connection_kwargs["db"] == 3
    await log.close()
    cluster = await open_log("rediss+cluster://me:pw@a:1,b?ssl_cert_reqs=none")
    assert isinstance(cluster, ClusterLog)
    assert [(one.host, one.port) for one in cluster._cluster.startup_nodes] == [("a", 1), ("b", 6379)]
    assert cluster._options["password"] == "pw"
    assert cluster._options["ssl_cert_reqs"] == "none"
    assert cluster._kind.__name__ == "SSLConnection"
    await cluster.close()


async def test_sentinels_with_passwords(sentinel_set: SentinelSet, tmp_path: Path, table: str) -> None:
    """A master with a password behind Sentinels without one is written with the password of the URL."""
    master = Process(tmp_path / "master", requirepass="pw")
    master.client.close()
    master.client = redis.Redis(port=master.port, password="pw", protocol=2)
    master.start()
    sentinel = sentinel_set.sentinels[0]
    sentinel.client.execute_command("SENTINEL MONITOR", "guarded", "127.0.0.1", master.port, 2)
    try:
        sentinel.client.execute_command("SENTINEL SET", "guarded", "auth-pass", "pw")
        eventually(lambda: sentinel.client.sentinel_master("guarded")["flags"] == "master")
        log = await open_log(f"redis+sentinel://:pw@127.0.0.1:{sentinel.port}/guarded")
        assert isinstance(await log.append(table, EMPTY, b"one"), Head)
        assert (await log.head(table)).version == 1
        await log.close()
        log = await open_log(f"redis+sentinel://127.0.0.1:{sentinel.port}/guarded")
        with pytest.raises(Misconfigured):
            await log.append(table, EMPTY, b"one")
        await log.close()
    finally:
        sentinel.client.execute_command("SENTINEL REMOVE", "guarded")
        master.stop()


async def test_tls(redis_process: Process, tmp_path: Path, table: str) -> None:
    """A `rediss` URL speaks TLS and refuses a certificate it cannot check."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl on PATH to make a certificate")
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    made = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    await asyncio.to_thread(subprocess.run, [*made, *names], check=True, capture_output=True)
    tls = Process(
        tmp_path / "tls", redis_process.binary, tls_cert_file=str(certificate), tls_key_file=str(key),
        tls_ca_cert_file=str(certificate), tls_auth_clients="no",
    )  # fmt: skip
    secure = Process(tmp_path / "unused").port
    tls.start(tls_port=str(secure))
    try:
        log = await open_log(f"rediss://127.0.0.1:{secure}?ssl_ca_certs={certificate}")
        assert isinstance(await log.append(table, EMPTY, b"one"), Head)
        assert (await log.head(table)).version == 1
        await log.close()
        log = await open_log(f"rediss://127.0.0.1:{secure}")
        assert [finding.kind for finding in await log.ready()] == ["unreachable"]
        await log.close()
    finally:
        tls.stop()


@pytest.mark.parametrize(
    ("change", "appendfsync", "kind", "word"),
    [
        ({"redis_version": "6.2.1"}, "always", "version", "7.0 or newer"),
        ({"role": "slave"}, "always", "replica", "is a replica"),
        ({"aof_enabled": 0}, "always", "durability", "appendonly yes"),
        ({}, "everysec", "durability", "everysec"),
        ({}, None, "untold", "does not tell"),
        ({"aof_last_write_status": "err"}, "always", "durability", "disk"),
        ({"maxmemory_policy": "allkeys-lru"}, "always", "eviction", "noeviction"),
        ({"used_memory": 801}, "always", "memory", "80%"),
        ({"maxmemory": 0, "total_system_memory": 750}, "always", "memory", "93%"),
        ({"connected_slaves": 0}, "always", "replicas", "has 0 replicas"),
        ({"connected_slaves": 2}, "always", "failover", "can lose"),
    ],
)
async def test_findings(change: dict[str, object], appendfsync: str | None, kind: str, word: str) -> None:
    """Each thing that is wrong with a server is one finding, and a good server has none."""
    settings = Settings(wait_replicas=1)
    assert list(findings("It", GOOD, "always", settings)) == []
    (finding,) = findings("It", {**GOOD, **change}, appendfsync, settings)
    assert finding.kind == kind
    assert word in finding.sentence


async def test_a_changed_entry_breaks_the_chain() -> None:
    """A changed, missing or exchanged entry is found, with its version."""
    head, entries = EMPTY, []
    for data in (b"one", b"two", b"three"):
        head = Head(head.version + 1, chain(head.hash, data))
        entries.append(Entry(head.version, data, head.hash))
    assert verify(EMPTY, entries) == head
    assert verify(entries[0].head, entries[1:]) == head
    with pytest.raises(Corrupt, match="version 2"):
        verify(EMPTY, [entries[0], entries[1]._replace(data=b"TWO"), entries[2]])
    with pytest.raises(Corrupt, match="Version 3 follows version 1"):
        verify(EMPTY, [entries[0], entries[2]])
    with pytest.raises(Corrupt, match="version 2"):
        verify(Head(1, chain(EMPTY.hash, b"another")), entries[1:])


async def test_the_first_hash_is_known() -> None:
    """The hash is SHA-256 over the hash before and the entry: stored logs rely on it."""
    assert chain(EMPTY.hash, b"one").hex() == "4e233ba6ac7032d3894ecea5974fd96176e564b024af45747eb46357af8d2401"


@pytest.mark.parametrize("table", ["", "a}b", "a b", "a/b", "x" * 65, "ä"])
async def test_a_table_id_stays_in_its_braces(table: str) -> None:
    """What could move a table to another node or collide with another key is refused."""
    with pytest.raises(ValueError, match="table id"):
        key_of(table)


async def test_hints_are_read_back() -> None:
    """A hint survives the wire, and foreign messages are none."""
    assert hint_from(hint_of("T1", 12)) == Hint("T1", 12)
    for foreign in (b"", b"T1", b"T1 x", b" 1", b"\xff\xfe"):
        assert hint_from(foreign) is None


async def test_a_slow_listener_gets_the_newest() -> None:
    """Of many hints of a table the newest is kept; beyond the bound all are dropped, which is told."""
    mailbox = Mailbox(bound=2)
    mailbox.live()
    for version in range(1, 50):
        mailbox.hint("a", version)
    mailbox.hint("b", 1)
    assert [await mailbox.take() for _ in range(3)] == [Signal.LIVE, Hint("a", 49), Hint("b", 1)]
    for table in ("a", "b", "c"):
        mailbox.hint(table, 1)
    mailbox.hint("d", 1)
    assert [await mailbox.take() for _ in range(3)] == [Signal.LOST, Signal.LIVE, Hint("d", 1)]
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(mailbox.take(), 0.01)


async def test_a_loss_overrules_what_was_waiting() -> None:
    """Hints and signals from before a break are not delivered after it."""
    mailbox = Mailbox(bound=10)
    mailbox.live()
    mailbox.hint("a", 1)
    mailbox.lost()
    mailbox.live()
    assert [await mailbox.take() for _ in range(2)] == [Signal.LOST, Signal.LIVE]
    mailbox.lost()
    assert await mailbox.take() == Signal.LOST
