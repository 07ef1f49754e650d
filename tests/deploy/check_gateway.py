"""Envoy's configuration: read by Envoy itself, and a real game through it, by gRPC and as browsers speak."""

from __future__ import annotations

import asyncio
import http.client
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kontor.v1 import ListGamesRequest, ListGamesResponse
from kontor_client import Client, KontorError
from service.cli.health import ask
from service.kinds import Address
from tests.deploy.playing import play
from tests.deploy.rendered import KUBERNETES, TOOLS, documents, run
from tests.deploy.replicas import Replica
from tests.service.log.servers import Process, free_port

ENVOY = TOOLS / "venv/bin/envoy"
PLAIN = KUBERNETES / "components/gateway/envoy.yaml"
TLS = KUBERNETES / "components/tls/envoy.yaml"


def read(file: Path) -> Any:
    """A configuration."""
    (whole,) = documents(file.read_text())
    return whole


def test_envoy_reads_it() -> None:
    """As it stands."""
    run(ENVOY, "--mode", "validate", "-c", PLAIN)


def test_envoy_reads_it_with_tls(tmp_path: Path) -> None:
    """With a certificate where it looks for one."""
    files = ("-keyout", tmp_path / "tls.key", "-out", tmp_path / "tls.crt")
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=kontor", *files)
    (tmp_path / "ca.crt").write_bytes((tmp_path / "tls.crt").read_bytes())
    file = tmp_path / "envoy.yaml"
    file.write_text(TLS.read_text().replace("/etc/tls", str(tmp_path)))
    run(ENVOY, "--mode", "validate", "-c", file)


def test_tls_is_the_plain_one_with_two_sockets() -> None:
    """So the two cannot drift."""
    plain, tls = read(PLAIN), read(TLS)
    resources = tls["static_resources"]
    assert "DownstreamTlsContext" in resources["listeners"][0]["filter_chains"][0].pop("transport_socket")["typed_config"]["@type"]  # fmt: skip  # noqa: E501
    assert "UpstreamTlsContext" in resources["clusters"][0].pop("transport_socket")["typed_config"]["@type"]
    assert tls == plain


class Gateway:
    """An Envoy before replicas on this machine."""

    def __init__(self, directory: Path, replicas: list[Replica]) -> None:
        config = read(PLAIN)
        self.port, admin = free_port(), free_port()
        (public, metrics), (kontor, own) = (config["static_resources"][kind] for kind in ("listeners", "clusters"))
        for address, port in (
            (config["admin"]["address"], admin),
            (public["address"], self.port),
            (metrics["address"], free_port()),
        ):
            address["socket_address"] = {"address": "127.0.0.1", "port_value": port}
        ends = [_end(one.port) for one in replicas]
        kontor["load_assignment"]["endpoints"][0]["lb_endpoints"] = ends
        own["load_assignment"]["endpoints"][0]["lb_endpoints"] = [_end(admin)]
        kontor["type"] = "STATIC"
        file = directory / "envoy.json"
        file.write_text(json.dumps(config))
        self.words = (directory / "envoy.log").open("w")
        self.process = subprocess.Popen(
            [str(ENVOY), "-c", str(file), "--log-level", "warning", "--concurrency", "1", "--use-dynamic-base-id"],
            stdout=self.words,
            stderr=self.words,
        )

    def ready(self) -> None:
        end = time.monotonic() + 30
        while ask(Address("127.0.0.1", self.port), "readiness") != "SERVING":
            assert time.monotonic() < end
            time.sleep(0.2)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        self.words.close()

    def browser(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], bytes]:
        """A request by HTTP/1.1, as a page makes it."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = line.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            line.close()


def _end(port: int) -> Any:
    return {"endpoint": {"address": {"socket_address": {"address": "127.0.0.1", "port_value": port}}}}


@pytest.fixture
def gateway(
    tmp_path: Path, server: Process, replica: Callable[..., Replica]
) -> Iterator[tuple[Gateway, Replica, Replica]]:
    """Two replicas behind an Envoy."""
    one, other = (replica(server.url, peer_rate="0", streams="10000").ready() for _ in range(2))
    made = Gateway(tmp_path, [one, other])
    try:
        made.ready()
        yield made, one, other
    finally:
        made.stop()


@pytest.mark.anyio
async def test_a_game_through_it(gateway: tuple[Gateway, Replica, Replica]) -> None:
    """Streams and errors included; one replica is killed, the watchers come back by their cursors."""
    made, one, _ = gateway

    async def kill() -> None:
        await asyncio.to_thread(one.kill)

    address = f"127.0.0.1:{made.port}"
    async with Client(address, patience=60) as client, Client(address, patience=60) as watching:
        with pytest.raises(KontorError) as caught:
            await client.create_table("chess")
        assert caught.value.reason
        played = await play(client, troubles={20: kill}, watching=watching)
    assert played.answers > 20


def test_browsers(gateway: tuple[Gateway, Replica, Replica]) -> None:
    """The question before (CORS), then a call by gRPC-Web: message and trailers in the body, errors too."""
    made, *_ = gateway
    path = "/kontor.v1.TableService/ListGames"
    page = {"Origin": "https://play.example", "Access_Control_Request_Method": "POST"}
    status, headers, _ = made.browser(
        "OPTIONS", path, b"", Access_Control_Request_Headers="authorization,content-type,x-grpc-web", **page
    )
    assert status == 200
    assert headers["access-control-allow-origin"] == "https://play.example"
    assert "authorization" in headers["access-control-allow-headers"]
    web = {"Content_Type": "application/grpc-web+proto", "X_Grpc_Web": "1", "Origin": "https://play.example"}
    request = ListGamesRequest().SerializeToString()
    status, headers, body = made.browser("POST", path, bytes(1) + len(request).to_bytes(4, "big") + request, **web)
    assert status == 200
    assert headers["access-control-allow-origin"] == "https://play.example"
    assert "grpc-status-details-bin" in headers["access-control-expose-headers"]
    size = int.from_bytes(body[1:5], "big")
    assert {game.id for game in ListGamesResponse.FromString(body[5 : 5 + size]).games} >= {"augsburg"}
    assert b"grpc-status:0" in body[5 + size :]
    status, headers, body = made.browser("POST", "/kontor.v1.PlayService/GetView", bytes(5), **web)
    assert status == 200
    assert "16" in (headers.get("grpc-status", ""), body.decode(errors="replace").partition("grpc-status:")[2][:2])


def test_what_is_not_ours_is_not_passed_on(gateway: tuple[Gateway, Replica, Replica]) -> None:
    """Neither other paths nor the admin pages."""
    made, *_ = gateway
    for path in ("/", "/stats", "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"):
        status, headers, _ = made.browser("POST", path, Content_Type="application/grpc-web+proto")
        assert status == 404 or headers.get("grpc-status") == "12"
    assert made.browser("GET", "/healthz")[0] == 200
