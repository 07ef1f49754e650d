"""What a call says about itself: its token, its API key, its language, and where it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files
from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import unquote

from service.auth import bad_token

API_KEY = "x-kontor-api-key"
LONGEST_TOKEN = 2048
USUAL = "en"


class Headers(NamedTuple):
    """The headers that mean something here."""

    token: str = ""
    api_key: str = ""
    languages: str = ""


def read(metadata: Iterable[tuple[str, str | bytes]] | None) -> Headers:
    """The headers of a call; two tokens, or something else in the token's place, are a bad token."""
    token = api_key = languages = ""
    for name, value in metadata or ():
        if not isinstance(value, str):
            continue
        if name == "authorization":
            scheme, _, rest = value.partition(" ")
            if token or scheme.lower() != "bearer" or not 0 < len(rest) <= LONGEST_TOKEN:
                raise bad_token()
            token = rest.strip()
        elif name == API_KEY:
            api_key = value
        elif name == "accept-language":
            languages = value
    return Headers(token, api_key, languages)


@cache
def spoken() -> frozenset[str]:
    """The languages there are phrases in."""
    names = (file.name for file in files("domain").joinpath("phrases").iterdir())
    return frozenset(name.removesuffix(".ftl") for name in names if name.endswith(".ftl")) | {USUAL}


_TAG = re.compile(r"\s*([A-Za-z]{2,3})(?:-[0-9A-Za-z-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?")


@lru_cache(maxsize=256)
def language(wanted: str) -> str:
    """The most wanted language that we speak, else English."""
    tags = (_TAG.fullmatch(tag) for tag in wanted[:200].split(","))
    ranked = sorted((-float(tag[2] or 1), place, tag[1].lower()) for place, tag in enumerate(tags) if tag)
    return next((name for quality, _, name in ranked if quality and name in spoken()), USUAL)


@lru_cache(maxsize=4096)
def origin(peer: str) -> str:
    """Whom a peer counts as: an address without its port; of IPv6 the network, since one client has many of these."""
    scheme, _, rest = peer.partition(":")
    if scheme not in ("ipv4", "ipv6"):
        return scheme
    try:
        address = ip_address(unquote(rest).rpartition(":")[0].strip("[]").partition("%")[0])
    except ValueError:
        return scheme
    return str(ip_network((address, 64), strict=False)) if isinstance(address, IPv6Address) else str(address)
