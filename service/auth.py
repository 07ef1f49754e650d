"""Who is calling: tokens, the keys that sign them, and the principal a token names.

A token is a JWT, EdDSA only, for one table and one role in it. It expires and can be renewed; a seat's token carries
the seat's epoch, so that handing the seat over kills the older ones (the host compares it with the table).

The keys are a set: the first signs, all verify. To rotate, put a new key in front, wait until the old tokens have
expired, then take the old key away.
"""

from __future__ import annotations

import base64
import hashlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.errors import Unauthenticated

ALGORITHM = "EdDSA"
ISSUER = "kontor"
LIFETIME = 30 * 24 * 3600  # seconds


class Role(StrEnum):
    """What a token is for."""

    NOBODY = "nobody"  # no token
    HOST = "host"
    SEAT = "seat"
    VIEW = "view"  # a spectator's, or a second screen of a seat
    INVITE = "invite"


@dataclass(frozen=True, slots=True)
class Principal:
    """Whom a token names."""

    role: Role = Role.NOBODY
    table: str = ""
    ticket: int = 0  # of a sitting; 0 for the host and for spectators
    epoch: int = 0
    expires: float = 0.0  # seconds since 1970


NOBODY = Principal()


class BadKeys(ValueError):
    """A key set that can't be used; the text says why, and never shows a key."""


class Keys:
    """The key set of an installation."""

    def __init__(self, private: list[Ed25519PrivateKey]) -> None:
        if not private:
            raise BadKeys("The key set is empty: it needs at least one Ed25519 private key.")
        self._signing = private[0]
        self._public = {_id(key): key.public_key() for key in private}
        self._signing_id = _id(private[0])
        self.clock: Callable[[], float] = time.time

    @classmethod
    def from_pem(cls, text: str) -> Keys:
        """Private keys in PEM, one after the other, the signing one first."""
        end = "-----END PRIVATE KEY-----"
        parts = [part + end for part in text.split(end) if part.strip()]
        keys = []
        for number, part in enumerate(parts, 1):
            try:
                key = serialization.load_pem_private_key(part.strip().encode(), password=None)
            except (ValueError, TypeError, UnsupportedAlgorithm):
                raise BadKeys(f"Key {number} of the key set is no private key in PEM.") from None
            if not isinstance(key, Ed25519PrivateKey):
                raise BadKeys(f"Key {number} of the key set is no Ed25519 key.")
            keys.append(key)
        return cls(keys)

    @classmethod
    def in_file(cls, path: Path) -> Keys:
        """The key set in a file; made on the first start."""
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(new_key())
        return cls.from_pem(path.read_text())

    def token(self, principal: Principal, lifetime: int = LIFETIME) -> tuple[str, float]:
        """A token for a principal, and when it expires."""
        expires = int(self.clock()) + lifetime
        claims = {
            "iss": ISSUER,
            "role": principal.role.value,
            "table": principal.table,
            "ticket": principal.ticket,
            "epoch": principal.epoch,
            "exp": expires,
        }
        return jwt.encode(claims, self._signing, ALGORITHM, {"kid": self._signing_id}), float(expires)

    def principal(self, token: str) -> Principal:
        """Whom a token names. Every fault of it has the same answer."""
        try:
            key = self._public[jwt.get_unverified_header(token)["kid"]]
            claims = jwt.decode(
                token, key, [ALGORITHM], issuer=ISSUER, options={"require": ["exp", "iss", "role", "table"]}
            )
            role = Role(claims["role"])
            principal = Principal(
                role, str(claims["table"]), int(claims["ticket"]), int(claims["epoch"]), claims["exp"]
            )
        except (jwt.PyJWTError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError):
            raise bad_token() from None
        if principal.role is Role.NOBODY:
            raise bad_token()
        return principal


def new_key() -> str:
    """A fresh private key in PEM."""
    return (
        Ed25519PrivateKey.generate()
        .private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        .decode()
    )


def _id(key: Ed25519PrivateKey) -> str:
    raw = key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return base64.urlsafe_b64encode(hashlib.sha256(raw).digest()[:6]).decode()


def bad_token() -> Unauthenticated:
    """What every token is told that is worth nothing, whatever is wrong with it."""
    return Unauthenticated("BAD_TOKEN", "This token is not valid, or no longer. Get a new one.")


def no_token() -> Unauthenticated:
    """What a call is told that came without the token it needs."""
    return Unauthenticated("NO_TOKEN", "This call needs a token: send the header 'authorization: Bearer ...'.")
