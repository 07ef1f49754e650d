"""`kontor serve`: the service, until it is told to stop."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from service import config, logs
from service.cli.usage import UsageError

if TYPE_CHECKING:
    from service.main import Service

HELP = "Serve the games over gRPC."


def arguments(parser: argparse.ArgumentParser, games: Mapping[str, Any]) -> None:
    """Every setting is a flag; the help is the table of settings."""
    parser.epilog = "Every flag is also a variable: --lobby-ttl is KONTOR_LOBBY_TTL. A flag wins over its variable."
    for setting in config.settings():
        usual = f" ({setting.default})" if setting.default else ""
        parser.add_argument(
            setting.flag,
            dest=setting.name,
            metavar=setting.kind.metavar,
            help=f"{setting.doc}{usual}".replace("%", "%%"),
        )


def run(typed: argparse.Namespace, games: Mapping[str, Any]) -> None:
    """Serve until a signal."""
    try:
        chosen = config.load(os.environ, {setting.name: getattr(typed, setting.name) for setting in config.settings()})
    except config.ConfigError as error:
        raise UsageError(str(error)) from None
    from service.grpc_edge import StartError  # noqa: PLC0415
    from service.main import serve  # noqa: PLC0415 - other commands start without loading all of this

    logs.set_up(chosen.log_level, chosen.log_format)
    try:
        with asyncio.Runner(loop_factory=loop) as runner:
            runner.run(serve(chosen, announce))
    except StartError as error:
        print(f"kontor: {error}", file=sys.stderr)
        raise SystemExit(1) from None


def announce(service: Service) -> None:
    """Where it listens, where the data lies, and what to type next."""
    chosen = service.config
    place = "the store of KONTOR_REDIS_URL" if chosen.redis_url else chosen.log_dir.absolute()
    print(f"Kontor listens on {service.listen} (gRPC{', TLS' if chosen.tls_cert_file else ''}).")
    print(f"The tables are kept in {place}.")
    if service.metrics:
        print(f"Metrics: http://{service.metrics}/metrics")
    print("Play: kontor play    Stop: Ctrl-C", flush=True)


def loop() -> asyncio.AbstractEventLoop:
    """The loop of uvloop, where there is one: it takes less of the processor."""
    try:
        import uvloop  # noqa: PLC0415 - not on every system
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()
