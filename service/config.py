"""What an operator can set: one table of settings, from which come the environment, the flags, the help and the docs.

A setting `lobby_ttl` is the variable `KONTOR_LOBBY_TTL` and the flag `--lobby-ttl`; the flag wins. A value that can't
be used is refused in one sentence that names the variable, the value and what is valid.
"""

# ruff: noqa: RUF009 - `_setting` makes a field, together with its row of the table

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from service.kinds import (
    Address,
    Kind,
    address,
    address_or_none,
    choice,
    count,
    duration,
    path,
    path_or_none,
    size,
    switch,
    url,
)

PREFIX = "KONTOR_"
EMBEDDED = "embedded:"
DAY = 24 * 3600.0


class ConfigError(Exception):
    """A setting that can't be used, in one sentence."""


def _setting(kind: Kind, default: str, doc: str, *, secret: bool = False) -> Any:
    return field(default=kind.read(default), metadata={"kind": kind, "default": default, "doc": doc, "secret": secret})


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be set, with what it is when nobody sets it."""

    listen: Address = _setting(address, "127.0.0.1:50051", "Where the gRPC API listens.")
    metrics_listen: Address | None = _setting(
        address_or_none, "127.0.0.1:9464", "Where Prometheus finds the metrics over HTTP; empty: nowhere."
    )
    redis_url: str = _setting(
        url,
        "",
        "The Redis or Valkey that keeps the log; empty: one of our own in the data directory. It may hold a password: "
        "better a variable than a flag.",
        secret=True,
    )
    data_dir: Path = _setting(path, "./.kontor", "Where the embedded log and the keys made on the first start lie.")
    wait_replicas: int = _setting(
        count(0, 10), "0", "Replicas that must hold an entry before it is answered: all that may be promoted."
    )
    cache_bytes: int = _setting(
        size(2**20, 2**40), "64MiB", "Tables kept in memory, by the bytes of their log entries."
    )
    keys_file: Path | None = _setting(
        path_or_none,
        "",
        "Ed25519 private keys in PEM: the first signs tokens, all verify. Empty, with the embedded log only: keys.pem "
        "in the data directory, made on the first start.",
    )
    tls_cert_file: Path | None = _setting(path_or_none, "", "The certificate chain in PEM; empty: no TLS.")
    tls_key_file: Path | None = _setting(path_or_none, "", "The private key of the certificate in PEM.")
    api_keys_file: Path | None = _setting(
        path_or_none,
        "",
        "Keys, one a line, of which creating a table needs one in the header x-kontor-api-key; empty: anyone may.",
    )
    allow_seed: bool = _setting(switch, "no", "Whether whoever creates a table may give its seed: he knows the decks.")
    allow_position: bool = _setting(switch, "no", "Whether a table may be created from a given position.")
    lobby_ttl: float = _setting(
        duration(60, 365 * DAY), "7d", "After how long a table that nobody started is cancelled."
    )
    token_rate: int = _setting(count(0, 10_000), "200", "Calls a second that one token may make; 0: any number.")
    token_burst: int = _setting(count(1, 100_000), "1000", "Calls that one token may make at once.")
    peer_rate: int = _setting(
        count(0, 100_000),
        "1000",
        "Calls a second that one network address may make; 0: any number, as behind a proxy that hides addresses.",
    )
    peer_burst: int = _setting(count(1, 1_000_000), "5000", "Calls that one network address may make at once.")
    streams: int = _setting(
        count(1, 1_000_000),
        "64",
        "Watches that one token, of a shared link or of health one network address, may have open.",
    )
    deadline: float = _setting(
        duration(0.1, 3600), "10s", "How long a call may take; a shorter deadline of the client holds."
    )
    drain_grace: float = _setting(
        duration(0, 3600), "15s", "How long calls may go on after SIGTERM; watchers are told at once to come back."
    )
    connection_age: float = _setting(
        duration(10, 30 * DAY),
        "30m",
        "After how long a client is asked to connect anew, so that replicas share the load.",
    )
    connection_grace: float = _setting(
        duration(1, 30 * DAY), "5m", "How long a connection past its age may finish its calls; then watches are cut."
    )
    reflection: bool = _setting(switch, "no", "Whether tools like grpcurl may ask for the protos.")
    log_level: str = _setting(choice("debug", "info", "warning", "error"), "info", "What is logged to standard error.")
    log_format: str = _setting(
        choice("auto", "json", "text"), "auto", "How it is logged; auto: as text on a terminal, else as JSON."
    )

    @property
    def log_url(self) -> str:
        """The URL of the log, as `service.log.open_log` takes it."""
        return self.redis_url or EMBEDDED

    @property
    def log_dir(self) -> Path:
        """Where the embedded log lies."""
        return self.data_dir / "log"

    @property
    def keys_path(self) -> Path:
        """Where the keys lie."""
        return self.keys_file or self.data_dir / "keys.pem"


class Setting(NamedTuple):
    """One row of the table."""

    name: str
    kind: Kind
    default: str
    doc: str
    secret: bool

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return PREFIX + self.name.upper()

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return "--" + self.name.replace("_", "-")

    def read(self, text: str, said: str) -> Any:
        """The value of a text that was said there and there."""
        try:
            return self.kind.read(text.strip())
        except ValueError:
            shown = "its value" if self.secret else repr(text)
            raise ConfigError(f"{said}: {shown} can't be used; valid: {self.kind.valid}") from None


def settings() -> Iterator[Setting]:
    """All settings, in the order of the table."""
    for one in fields(Config):
        yield Setting(one.name, **one.metadata)


def load(environment: Mapping[str, str], flags: Mapping[str, str | None] | None = None) -> Config:
    """The settings of an environment and of flags by name, which win."""
    typed = flags or {}
    values = {}
    for setting in settings():
        text = typed.get(setting.name)
        if text is not None:
            values[setting.name] = setting.read(text, setting.flag)
        elif setting.variable in environment:
            values[setting.name] = setting.read(environment[setting.variable], setting.variable)
    config = Config(**values)
    _check(config)
    return config


def _check(config: Config) -> None:
    """What two settings must agree on."""
    if (config.tls_cert_file is None) != (config.tls_key_file is None):
        raise ConfigError("KONTOR_TLS_CERT_FILE and KONTOR_TLS_KEY_FILE belong together: set both, or none")
    if config.redis_url and config.keys_file is None:
        raise ConfigError(
            "KONTOR_KEYS_FILE is empty, but all servers on one KONTOR_REDIS_URL need the same keys; name a file, made "
            "by: openssl genpkey -algorithm ed25519 -out keys.pem"
        )
