"""Tokens that are worth nothing: expired, of other keys, of other algorithms, of no algorithm, tampered with."""

from __future__ import annotations

import base64
import json
import random
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from campaigns.hostile.arena import Arena
from campaigns.hostile.shot import METHODS, Shot, bearer
from service.auth import ALGORITHM, ISSUER

SIGNED = 0.2  # how many of them the server's own key has signed
HUGE: tuple[Any, ...] = (2**31, 2**63, 2**64, 10**400, -1, 1e308, "1", "x", None, True, [], {}, [[[]]], 0.5)


def shot(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """A valid request with a token that is not."""
    method, request, token = chance.choice(arena.valid(chance, number))
    genuine = token or arena.tokens[chance.choice(("host", "seat1", "view", "invite"))]
    if chance.random() < SIGNED:
        bad = _worthless(genuine, foreign, chance)
    else:
        bad = chance.choice(FORGERIES)(genuine, foreign, chance)
    return Shot(method, bytes(request.SerializeToString()), bearer(bad), frozenset({"UNAUTHENTICATED"}))


def shot_without(arena: Arena, foreign: Arena, chance: random.Random, number: int) -> Shot:
    """A request that needs a token, without one."""
    calls = [one for one in arena.valid(chance, number) if one[2] and one[0] in METHODS]
    method, request, _ = chance.choice(calls)
    allowed = frozenset({"UNAUTHENTICATED", "NOT_FOUND"})
    return Shot(method, bytes(request.SerializeToString()), (), allowed)


def encoded(part: Any) -> str:
    """A part of a token."""
    raw = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def opened(token: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    """The header, the claims and the signature of a token."""
    header, claims, signature = token.split(".")

    def part(text: str) -> Any:
        return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))

    return part(header), part(claims), signature


@cache
def _keys() -> dict[str, Any]:
    """Keys of the attacker's own."""
    return {
        "EdDSA": Ed25519PrivateKey.generate(),
        "ES256": ec.generate_private_key(ec.SECP256R1()),
        "RS256": rsa.generate_private_key(65537, 2048),
    }


def _unsigned(token: str, foreign: Arena, chance: random.Random) -> str:
    header, claims, signature = opened(token)
    name = chance.choice(("none", "None", "NONE", "", "nOnE"))
    return f"{encoded({**header, 'alg': name})}.{encoded(claims)}.{chance.choice(('', signature))}"


def _other_key(token: str, foreign: Arena, chance: random.Random) -> str:
    """Signed in earnest, by a key of the attacker's, under the kid of ours."""
    header, claims, _ = opened(token)
    algorithm = chance.choice(tuple(_keys()))
    return jwt.encode(claims, _keys()[algorithm], algorithm, {"kid": header["kid"]})


def _by_kid(token: str, foreign: Arena, chance: random.Random) -> str:
    header, claims, signature = opened(token)
    kid: Any = chance.choice((None, "", 1, [], {}, ["a"], "../../keys.pem", "x" * 900, header["kid"] + "=", True))
    return f"{encoded({**header, 'kid': kid})}.{encoded(claims)}.{signature}"


def _symmetric(token: str, foreign: Arena, chance: random.Random) -> str:
    """HMAC with what everybody may know: the key id, the public key of a key pair, nothing."""
    header, claims, _ = opened(token)
    public = _keys()["EdDSA"].public_key()
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    key = chance.choice((pem, raw, header["kid"].encode(), b"secret"))
    text = f"{encoded({**header, 'alg': 'HS256'})}.{encoded(claims)}"
    mac = hmac.HMAC(key, hashes.SHA256())
    mac.update(text.encode())
    return f"{text}.{encoded(mac.finalize())}"


def _claims(token: str, foreign: Arena, chance: random.Random) -> str:
    """Other claims under the old signature, or signed by another key."""
    header, claims, signature = opened(token)
    changes: tuple[dict[str, Any], ...] = (
        {"role": chance.choice(("host", "seat", "view", "invite", "nobody", "admin", 1, None)), "sub": "x"},
        {"table": foreign.table},
        {"ticket": chance.choice(HUGE), "jti": "x"},
        {"epoch": chance.choice(HUGE), "jti": "x"},
        {"exp": chance.choice((int(time.time()) + 10**9, 2**63, "never", None, 1e308, -1))},
        {"iss": chance.choice((None, "", "x", [ISSUER]))},
        {"nbf": int(time.time()) + 3600},
    )
    changed = {**claims, **chance.choice(changes)}
    if chance.random() < 0.3:
        changed.pop(chance.choice(("role", "table", "exp", "iss", "ticket", "epoch")))
    return f"{encoded(header)}.{encoded(changed)}.{signature}"


def _worthless(token: str, foreign: Arena, chance: random.Random) -> str:
    """Signed by the very key of the server: expired, not valid yet, of another issuer, for nobody, of odd types."""
    header, claims, _ = opened(token)
    now = int(time.time())
    changes: tuple[dict[str, Any], ...] = (
        {"exp": now - chance.choice((1, 60, 10**9))},
        {"exp": chance.choice((-1, 0, "soon", None, [], float("-inf"), float("inf"), float("nan")))},
        {"nbf": now + chance.choice((60, 10**9))},
        {"iat": now + 10**6},
        {"iss": chance.choice((None, "", "KONTOR", [ISSUER], 1))},
        {"role": chance.choice(("nobody", "admin", "", None, 1, ["host"], "HOST"))},
        {"ticket": chance.choice((None, "x", [], {}, float("inf"), float("nan"), "9" * 5000))},
        {"epoch": chance.choice((None, "x", [], {}, float("inf"), float("nan")))},
    )
    changed = {**claims, **chance.choice(changes)}
    if chance.random() < 0.2:
        changed.pop(chance.choice(("role", "table", "exp", "iss", "ticket", "epoch")))
        changed["role"] = "nobody"
    return jwt.PyJWS().encode(json.dumps(changed).encode(), foreign.signing, ALGORITHM, {"kid": header["kid"]})


def _header(token: str, foreign: Arena, chance: random.Random) -> str:
    header, claims, signature = opened(token)
    more: dict[str, Any] = chance.choice(
        (
            {"crit": ["exp"]},
            {"crit": []},
            {"b64": False, "crit": ["b64"]},
            {"jwk": {"kty": "OKP", "crv": "Ed25519", "x": "AAAA"}},
            {"jku": "http://127.0.0.1:1/"},
            {"zip": "DEF"},
            {"typ": "JWE", "enc": "A256GCM"},
            {"alg": [ALGORITHM]},
            {"alg": None},
            {"x": "y" * 900},
        )
    )
    return f"{encoded({**header, **more})}.{encoded(claims)}.{signature}"


def _torn(token: str, foreign: Arena, chance: random.Random) -> str:
    """A token in pieces, or something that never was one."""
    header, claims, signature = token.split(".")
    place = chance.randrange(1, len(token) - 1)
    deep = "[" * 700
    return chance.choice(
        (
            token[:place],
            token[1:],
            f"{token}.",
            f"{token}.x.y",  # five parts, as an encrypted one has
            f"{header}.{claims}.",
            f"{header}.{claims}.{signature[::-1]}",
            f"{claims}.{header}.{signature}",
            f"{header} .{claims}.{signature}",
            f"{header}..{signature}",
            "..",
            "....",
            "x",
            "a" * 2048,
            token * 20,
            f"{encoded(deep.encode())}.{claims}.{signature}",
            f"{encoded(b'[]')}.{claims}.{signature}",
            f"{encoded(b'1')}.{claims}.{signature}",
            f"{encoded(bytes(40))}.{claims}.{signature}",
        )
    )


def _flipped(token: str, foreign: Arena, chance: random.Random) -> str:
    """One character is another; the last of the signature may not count, so it stays."""
    place = chance.randrange(len(token) - 2)
    other = chance.choice([letter for letter in "AZaz09_-" if letter != token[place]])
    return token[:place] + other + token[place + 1 :]


Forgery = Callable[[str, Arena, random.Random], str]
FORGERIES: tuple[Forgery, ...] = (_unsigned, _other_key, _by_kid, _symmetric, _claims, _header, _torn, _flipped)
