"""Calling a server: the flags that say which one, and what becomes of errors on the line."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from service.cli.usage import UsageError

if TYPE_CHECKING:
    from kontor_client import KontorError
    from kontor_client.sync import Client

USUAL = "127.0.0.1:50051"
KNOCK = 3.0  # seconds in which a server must answer the first call
PATIENCE = 120.0  # seconds in which one that was there may come back


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which server to call."""
    parser.add_argument(
        "--server", metavar="HOST:PORT", help=f"the server (KONTOR_SERVER, else KONTOR_LISTEN, else {USUAL})"
    )
    parser.add_argument("--tls", action="store_true", help="speak TLS with it")


def address(typed: argparse.Namespace) -> str:
    """The server that was named, or the usual one."""
    return typed.server or os.environ.get("KONTOR_SERVER") or os.environ.get("KONTOR_LISTEN") or USUAL


@contextmanager
def called(typed: argparse.Namespace) -> Iterator[Client]:
    """A line to a server that answers; what it refuses for good is told in its own sentence."""
    import grpc  # noqa: PLC0415 - the flags are known without loading gRPC

    from kontor_client import KontorError, Unavailable  # noqa: PLC0415
    from kontor_client.sync import Client  # noqa: PLC0415

    server = address(typed)
    credentials = grpc.ssl_channel_credentials() if typed.tls else None
    api_key = os.environ.get("KONTOR_API_KEY", "")
    with Client(server, credentials=credentials, api_key=api_key, patience=PATIENCE) as client:
        try:
            client.games(patience=KNOCK)
        except Unavailable:
            raise UsageError(f"no server answers at {server}; start one with: make serve") from None
        try:
            yield client
        except KontorError as error:
            raise UsageError(told(error)) from None


def told(error: KontorError) -> str:
    """An error in words, with the rule that it names."""
    return f"{error.sentence} ({error.rule})" if error.rule else error.sentence
