"""Old entries read by newer rules: what changed in the meaning or the names of stored values is told by upcasters.

A game whose rules version is 3 has `upcasts = {1: from_1, 2: from_2}` in its module: each takes an entry of that
version as plain data (dicts, lists, strings, numbers, the class names under `type`) and gives it as of the next. They
are applied on reading, before anything is converted to values; the log itself is never rewritten. So a stored table
replays for ever, and the rules know only their own newest events.

`tests/service/test_stored_format.py` fails when stored values change without a new version and its upcaster, and
replays the golden logs of all versions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.values import Malformed

Plain = dict[str, Any]
Upcast = Callable[[Plain], Plain]


def upcast(entry: Any, game: Any) -> Any:
    """An entry as plain data, as the game's rules of today would have written it."""
    known: Mapping[int, Upcast] = getattr(game, "upcasts", {})
    for version in range(_rules(entry), game.meta.rules_version):
        if version not in known:
            raise Malformed(f"nothing tells how to read rules version {version}")
        try:
            entry = {**known[version](entry), "rules": version + 1}
        except (LookupError, TypeError, ValueError) as error:
            raise Malformed(f"it can't be read as of rules version {version}: {error!r}") from None
    return entry


def _rules(entry: Any) -> int:
    try:
        return int(entry["rules"])
    except (KeyError, TypeError, ValueError):
        raise Malformed("it does not tell its rules version") from None
