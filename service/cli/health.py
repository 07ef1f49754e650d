"""`kontor health`: asks a server how it is, for probes: exit code 0 if well, 1 if not."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service import config
from service.cli.usage import UsageError
from service.kinds import Address

HELP = "Ask a running server whether it is alive or ready."
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - what a server listens on, nobody can call
SECONDS = 3.0


def arguments(parser: argparse.ArgumentParser, games: Mapping[str, Any]) -> None:
    """What may be typed after `kontor health`."""
    parser.add_argument("--address", metavar="HOST:PORT", help="where it listens (KONTOR_LISTEN)")
    parser.add_argument(
        "--service", choices=("readiness", "liveness"), default="readiness", help="what to ask (readiness)"
    )
    parser.add_argument(
        "--tls-cert-file", metavar="PATH", help="the certificate it speaks TLS with (KONTOR_TLS_CERT_FILE)"
    )


def run(typed: argparse.Namespace, games: Mapping[str, Any]) -> None:
    """Ask once."""
    flags = {"listen": typed.address, "tls_cert_file": typed.tls_cert_file}
    where, certificate = (_setting(name, flag) for name, flag in flags.items())
    answer = ask(where, typed.service, certificate)
    print(answer, file=sys.stdout if answer == "SERVING" else sys.stderr)
    if answer != "SERVING":
        raise SystemExit(1)


def _setting(name: str, typed: str | None) -> Any:
    setting = next(one for one in config.settings() if one.name == name)
    text = typed if typed is not None else os.environ.get(setting.variable, setting.default)
    try:
        return setting.read(text, setting.flag if typed is not None else setting.variable)
    except config.ConfigError as error:
        raise UsageError(str(error)) from None


def ask(where: Address, service: str, certificate: Path | None = None) -> str:
    """SERVING, NOT_SERVING, or why nobody could say."""
    import grpc  # noqa: PLC0415 - other commands start without loading it
    from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]  # noqa: PLC0415

    target = str(Address(ANYWHERE.get(where.host, where.host), where.port))
    channel = _secure(target, certificate) if certificate else grpc.insecure_channel(target)
    with channel:
        try:
            request = health_pb2.HealthCheckRequest(service=service)
            answer = health_pb2_grpc.HealthStub(channel).Check(request, timeout=SECONDS)
        except grpc.RpcError as error:
            return f"{target} does not answer: {error.code().name}"
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))


def _secure(target: str, certificate: Path) -> Any:
    """A channel that trusts exactly this certificate, whatever name it has."""
    import grpc  # noqa: PLC0415
    from cryptography import x509  # noqa: PLC0415

    try:
        pem = certificate.read_bytes()
        names = x509.load_pem_x509_certificate(pem).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except (OSError, ValueError, x509.ExtensionNotFound):
        raise UsageError(f"{certificate} is no certificate in PEM with a name") from None
    found = [*names.value.get_values_for_type(x509.DNSName), *map(str, names.value.get_values_for_type(x509.IPAddress))]
    name = found[0].replace("*", "any") if found else target
    options = (("grpc.ssl_target_name_override", name),)
    return grpc.secure_channel(target, grpc.ssl_channel_credentials(pem), options)
