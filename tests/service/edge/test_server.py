"""The server as a whole: health, TLS, reflection, drain."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc  # type: ignore[import-untyped]

from service.auth import Role
from service.cli.health import ask
from service.grpc_edge import StartError
from service.grpc_edge.health import READINESS
from service.grpc_edge.server import check_free
from service.handlers import Row
from service.kinds import Address
from service.log.port import Finding, Unavailable
from tests.service.edge.conftest import LIST, WATCH, Edge, edge, refused

pytestmark = pytest.mark.anyio
ANYONE = frozenset(Role)
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def healths(server: Edge) -> list[int]:
    """What the server says of itself: alive, alive by name, ready, and a service ready."""
    stub = health_pb2_grpc.HealthStub(server.channel)
    names = ("", "liveness", "readiness", "kontor.v1.PlayService")
    return [(await stub.Check(health_pb2.HealthCheckRequest(service=name))).status for name in names]


async def test_ready_is_who_has_a_log() -> None:
    """Alive without it. What only warns does not make it unready, but may leave no room for new tables."""
    found: list[Finding] = []

    async def ready() -> tuple[Finding, ...]:
        return tuple(found)

    async with edge(ready=ready) as server:
        assert await healths(server) == [SERVING] * 4
        found[:] = [Finding("unreachable", "It is gone.")]
        assert not await server.health.look()
        assert await healths(server) == [SERVING, SERVING, NOT_SERVING, NOT_SERVING]
        assert server.health.trouble == "It is gone."
        found[:] = [Finding("memory", "Little is left.")]
        assert await server.health.look()
        assert server.health.full
        assert await healths(server) == [SERVING] * 4
        await server.health.leave()
        await server.health.look()
        assert await healths(server) == [SERVING, SERVING, NOT_SERVING, NOT_SERVING]


async def test_a_log_that_does_not_answer_makes_unready(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it raises or hangs."""
    monkeypatch.setattr("service.grpc_edge.health.PATIENCE", 0.01)

    async def raises() -> tuple[Finding, ...]:
        raise Unavailable("no")

    async def hangs() -> tuple[Finding, ...]:
        await asyncio.sleep(10)
        return ()

    for ready in (raises, hangs):
        async with edge(ready=ready) as server:
            assert await healths(server) == [SERVING, SERVING, NOT_SERVING, NOT_SERVING]


async def test_readiness_is_asked_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who watches a server's health learns of changes."""
    monkeypatch.setattr("service.grpc_edge.health.POLL", 0.01)
    found: list[Finding] = []

    async def ready() -> tuple[Finding, ...]:
        return tuple(found)

    async with edge(ready=ready) as server, asyncio.timeout(5):
        poll = asyncio.create_task(server.health.watch())
        watch = health_pb2_grpc.HealthStub(server.channel).Watch(health_pb2.HealthCheckRequest(service=READINESS))
        assert (await watch.read()).status == SERVING
        found.append(Finding("unreachable", "It is gone."))
        assert (await watch.read()).status == NOT_SERVING
        watch.cancel()
        poll.cancel()


async def test_protos_can_be_asked_for_by_flag() -> None:
    """Off unless asked for."""

    async def names(server: Edge) -> set[str]:
        stub = reflection_pb2_grpc.ServerReflectionStub(server.channel)
        answers = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
        return {one.name async for answer in answers for one in answer.list_services_response.service}

    async with edge(with_reflection=True) as server:
        assert {"kontor.v1.TableService", "kontor.v1.PlayService", "grpc.health.v1.Health"} <= await names(server)
    async with edge() as server:
        assert (await refused(names(server))).reason == "UNKNOWN_METHOD"


async def test_a_port_is_taken_once() -> None:
    """A second server on the same port is refused, not let in silently."""
    async with edge() as server:
        with pytest.raises(StartError, match=f"{server.listen} is in use: another server listens there."):
            check_free(server.listen)


async def test_grpc_itself_shares_no_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where two servers look for a free port at the same moment."""
    async with edge() as server:
        monkeypatch.setattr("service.grpc_edge.server.check_free", lambda address: None)
        monkeypatch.setattr("tests.service.edge.conftest.LOOPBACK", server.listen)
        with pytest.raises(StartError, match=f"Nothing can listen on {server.listen}."):
            async with edge():
                pass


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        (Address("no.such.host.invalid", 1), "no.such.host.invalid is no address of this machine."),
        (Address("192.0.2.1", 50051), "Nothing can listen on 192.0.2.1:50051: Cannot assign requested address."),
    ],
)
def test_where_nobody_can_listen(address: Address, sentence: str) -> None:
    """One sentence that says why."""
    with pytest.raises(StartError) as caught:
        check_free(address)
    assert str(caught.value) == sentence


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for kontor.example, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "kontor.example")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("kontor.example")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    place = tmp_path_factory.mktemp("tls")
    (place / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (place / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return place / "cert.pem", place / "key.pem"


async def test_tls(certificate: tuple[Path, Path]) -> None:
    """Calls and probes over TLS; without it nobody gets in."""
    async with edge(tls=certificate) as server:
        trusted = grpc.ssl_channel_credentials(certificate[0].read_bytes())
        options = (("grpc.ssl_target_name_override", "kontor.example"),)
        async with grpc.aio.secure_channel(str(server.listen), trusted, options) as channel:
            send: Any = channel.unary_unary(f"/{LIST}")
            assert await send(b"") == b""
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.call(LIST)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        assert await asyncio.to_thread(ask, server.listen, "readiness", certificate[0]) == "SERVING"
        plain = await asyncio.to_thread(ask, server.listen, "readiness")
        assert plain == f"{server.listen} does not answer: UNAVAILABLE"


async def test_tls_files_that_do_not_fit(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    """One sentence at the start."""
    cert, key = certificate
    (tmp_path / "junk.pem").write_text("junk")
    for files, sentence in (
        ((cert, cert), "are no certificate with its key, both in PEM."),
        ((tmp_path / "junk.pem", key), "are no certificate with its key, both in PEM."),
        ((tmp_path / "none.pem", key), "none.pem can't be read: No such file or directory."),
    ):
        with pytest.raises(StartError) as caught:
            async with edge(tls=files):
                pass
        assert str(caught.value).endswith(sentence)


async def test_calls_under_way_end_within_the_grace() -> None:
    """A call that takes a moment is answered during the drain; new ones are not taken."""
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def call(desk: Any, caller: Any, request: Any) -> bytes:
        begun.set()
        await go_on.wait()
        return b"\x08\x01"

    async with edge({LIST: Row(ANYONE, call)}) as server, asyncio.timeout(10):
        answer = asyncio.ensure_future(server.call(LIST))
        await begun.wait()
        stop = asyncio.create_task(server.server.stop(5))
        await asyncio.sleep(0.05)
        async with grpc.aio.insecure_channel(str(server.listen)) as other:
            send: Any = other.unary_unary(f"/{LIST}")
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await send(b"", timeout=1)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        go_on.set()
        assert await answer == b"\x08\x01"
        await stop


async def test_the_grace_has_an_end_and_can_be_cut_short() -> None:
    """A stream that never ends does not hold the server up; a second stop ends it at once."""

    async def call(desk: Any, caller: Any, request: Any) -> AsyncIterator[bytes]:
        yield b""
        await asyncio.sleep(3600)

    for first, second in ((0.1, None), (3600, True)):
        async with edge({WATCH: Row(ANYONE, call, streams=True)}) as server, asyncio.timeout(10):
            stream = server.stream(WATCH)
            await stream.read()
            stop = asyncio.create_task(server.server.stop(first))
            await asyncio.sleep(0.05)
            if second:
                await server.server.stop(None)
            await stop
            with pytest.raises(grpc.aio.AioRpcError):
                await stream.read()


async def test_a_crowd_that_comes_at_once_is_answered() -> None:
    """All of them, as when a replica has gone and its watchers come; gRPC by itself cancels those beyond 3,000."""
    async with edge() as server:
        own = (("grpc.use_local_subchannel_pool", 1),)
        channels: list[Any] = [grpc.aio.insecure_channel(str(server.listen), options=own) for _ in range(10)]
        calls = [channels[number % 10].unary_unary(f"/{LIST}")(b"") for number in range(5000)]
        try:
            async with asyncio.timeout(60):
                assert len(await asyncio.gather(*calls)) == len(calls)
        finally:
            for channel in channels:
                await channel.close()
