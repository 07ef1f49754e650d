"""The service, wired in one place: the log, the host at it, the desk of the handlers, the edge before them."""

from __future__ import annotations

import asyncio
import hashlib
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import prometheus_client
import structlog

from domain.games import GAMES
from service import logs
from service.auth import BadKeys, Keys
from service.bots import Bots
from service.config import Config
from service.grpc_edge import Server, StartError
from service.grpc_edge.door import Door, Terms
from service.grpc_edge.health import Health
from service.grpc_edge.server import check_free
from service.handlers import ROWS, Desk, Policy
from service.host import Host
from service.index import Index
from service.kinds import Address
from service.limits import Allowance
from service.log import Log, LogError, Settings, open_log
from service.metrics import REGISTRY
from service.watch import Watches

PATIENCE = 10.0  # seconds at the start in which the log must answer
AGAIN = 1.0  # seconds after which a background task that failed is started again

log = structlog.get_logger()


@dataclass(slots=True)
class Service:
    """A running service."""

    listen: Address
    metrics: Address | None
    config: Config
    server: Server
    health: Health
    watches: Watches

    async def drain(self) -> None:
        """Tell watchers to come back elsewhere, take no more calls, and let those under way end."""
        log.info("draining", grace=self.config.drain_grace)
        await self.health.leave()
        self.watches.close()
        await self.server.stop(self.config.drain_grace)

    async def cut(self) -> None:
        """End the calls under way; what they have appended stays."""
        await self.server.stop(None)


@asynccontextmanager
async def running(config: Config) -> AsyncIterator[Service]:
    """Start everything; at the end drain, and stop everything in turn."""
    terms = _terms(config)
    check_free(config.listen)
    async with AsyncExitStack() as stack:
        metrics = _serve_metrics(config, stack)
        store = await _open(config)
        stack.push_async_callback(store.close)
        keys = _keys(config)  # after the log, whose lock keeps two servers from making them at once
        host = Host(store, GAMES, config.cache_bytes)
        watches = Watches(host)
        index = Index(store, int(config.lobby_ttl))
        bots = Bots(host, index)
        stack.push_async_callback(_last, bots)
        health = Health(store.ready, config.streams)
        await _wait_for_log(health)
        for task in (bots.sweep, watches.listen, health.watch):
            _in_background(task, stack)
        desk = Desk(host, watches, index, keys, Policy(config.allow_seed, config.allow_position))
        server = Server(
            Door(desk, terms(health)),
            ROWS,
            health.servicer,
            connection_age=config.connection_age,
            connection_grace=config.connection_grace,
            with_reflection=config.reflection,
        )
        listen = await server.start(config.listen, _tls(config))
        service = Service(listen, metrics, config, server, health, watches)
        stack.push_async_callback(service.drain)
        log.info("serving", listen=str(listen), tls=config.tls_cert_file is not None)
        yield service
    log.info("stopped")


async def serve(config: Config, announce: Callable[[Service], None]) -> None:
    """Serve until a signal: the first drains, the second cuts short."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.background)
    asked = asyncio.Event()
    cuts: list[asyncio.Task[None]] = []
    up: list[Service] = []
    start = asyncio.current_task()

    def signalled() -> None:
        if not up and start is not None:
            start.cancel()
        elif not asked.is_set():
            asked.set()
        elif not cuts:
            cuts.append(asyncio.create_task(up[0].cut()))

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, signalled)
    with suppress(asyncio.CancelledError):
        async with running(config) as service:
            up.append(service)
            announce(service)
            await asked.wait()


def _keys(config: Config) -> Keys:
    path = config.keys_path
    if config.keys_file is not None and not path.exists():
        raise StartError(f"KONTOR_KEYS_FILE: {path} is not there; make it: openssl genpkey -algorithm ed25519")
    try:
        return Keys.in_file(path)
    except (BadKeys, UnicodeDecodeError) as error:
        raise StartError(f"{path}: {error}") from None
    except OSError as error:
        raise StartError(f"{path} can't be used: {error.strerror}.") from None


def _terms(config: Config) -> Callable[[Health], Terms]:
    keys = _api_keys(config.api_keys_file)
    return lambda health: Terms(
        deadline=config.deadline,
        by_token=Allowance(config.token_rate, config.token_burst),
        by_peer=Allowance(config.peer_rate, config.peer_burst),
        streams=config.streams,
        api_keys=keys,
        full=lambda: health.full,
    )


def _api_keys(path: Path | None) -> frozenset[bytes]:
    if path is None:
        return frozenset()
    try:
        lines = path.read_text().split()
    except (OSError, UnicodeDecodeError):
        raise StartError(f"KONTOR_API_KEYS_FILE: {path} can't be read.") from None
    if not lines:
        raise StartError(f"KONTOR_API_KEYS_FILE: there is no key in {path}.")
    return frozenset(hashlib.sha256(line.encode()).digest() for line in lines)


def _tls(config: Config) -> tuple[Path, Path] | None:
    if config.tls_cert_file is None or config.tls_key_file is None:
        return None
    return config.tls_cert_file, config.tls_key_file


def _serve_metrics(config: Config, stack: AsyncExitStack) -> Address | None:
    if config.metrics_listen is None:
        return None
    check_free(config.metrics_listen)
    server, thread = prometheus_client.start_http_server(
        config.metrics_listen.port, config.metrics_listen.host, registry=REGISTRY
    )

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    stack.callback(stop)
    return Address(config.metrics_listen.host, server.server_port)


async def _open(config: Config) -> Log:
    try:
        return await open_log(config.log_url, config.log_dir, Settings(wait_replicas=config.wait_replicas))
    except LogError as error:
        raise StartError(str(error)) from None
    except OSError as error:
        raise StartError(f"{config.log_dir} can't be used: {error.strerror}.") from None


async def _wait_for_log(health: Health) -> None:
    """The log may start together with us."""
    end = time.monotonic() + PATIENCE
    while not await health.look():
        if time.monotonic() > end:
            raise StartError(health.trouble)
        await asyncio.sleep(0.2)


def _in_background(work: Callable[[], Awaitable[None]], stack: AsyncExitStack) -> None:
    """Keep something going until the end, whatever happens to it."""

    async def keep() -> None:
        while True:
            try:
                await work()
            except Exception:
                log.exception("failed in the background", task=work.__qualname__)
            await asyncio.sleep(AGAIN)

    task = asyncio.create_task(keep())

    async def end() -> None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    stack.push_async_callback(end)


async def _last(bots: Bots) -> None:
    """Let bots finish what they are at; two of them may play for long with each other, so not for ever."""
    with suppress(TimeoutError):
        async with asyncio.timeout(AGAIN):
            await bots.close()
