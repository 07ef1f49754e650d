"""Tokens that were verified lately: a signature costs a quarter of a call."""

from __future__ import annotations

import time
from collections import OrderedDict

from service.auth import NOBODY, Keys, Principal, bad_token

KNOWN = 10_000  # tokens


class Tokens:
    """Whom a token names, as the keys say, remembered until it expires or others take its place."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._known: OrderedDict[str, Principal] = OrderedDict()

    def principal(self, token: str) -> Principal:
        """Whom a token names; no token names nobody."""
        if not token:
            return NOBODY
        known = self._known.get(token)
        if known is None:
            known = self._known[token] = self._keys.principal(token)
            if len(self._known) > KNOWN:
                self._known.popitem(last=False)
        if known.expires <= time.time():
            self._known.pop(token, None)
            raise bad_token()
        self._known.move_to_end(token)
        return known
