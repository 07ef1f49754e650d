"""The stored format: what a game's log entries are made of, locked a rules version, and golden logs of whole tables.

    python -m tests.service.stored --write [--game augsburg] [--anew]

writes, for the present rules version of a game, what is not there yet:

    domain/<game>/stored/1.json         names and types of all stored values, and the hash of the dictionary
    domain/<game>/stored/1.dict         what entries look like, so that they deflate well
    tests/corpus/log/<game>-1.txt       the raw entries of a whole table, in base64

Once a version has been released none of them may change: give the game a new rules version and an upcaster. Before
that, `--anew` writes them all again; tables stored meanwhile can't be read any more.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import importlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

from domain.games import GAMES
from domain.values import Component, fields, members, replace, to_bytes
from service import entry as stored_entry
from service.entry import LogEntry, entry_type, pack
from service.translate.shapes import Shape, plain_class, shape
from tests.service.host.made import whole_table

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "corpus" / "log"
DICTIONARY = 8192  # bytes: twice as many gain 3 %, half as many lose 10


def folder(game: Any) -> Path:
    """Where the files of a game lie."""
    return ROOT / "domain" / str(game.meta.id) / "stored"


def golden(game: Any, version: int) -> Path:
    """Where the golden log of a rules version lies."""
    return CORPUS / f"{game.meta.id}-{version}.txt"


# --- the lock -----------------------------------------------------------------------------------------------------


def lock(game: Any, dictionary: bytes) -> str:
    """Names and types of all that is reachable from an entry."""
    known: dict[str, Any] = {}
    _walk(shape(entry_type(game)), known, {})
    names = dict(sorted(known.items()))
    return json.dumps({"dictionary": hashlib.sha256(dictionary).hexdigest(), "values": names}, indent=1) + "\n"


def _walk(held: Shape, known: dict[str, Any], classes: dict[str, Any]) -> str:
    """The name of a type; what it is made of is noted under it."""
    if held.kind == "union":
        inner = [_walk(shape(each), known, classes) for each in members(held.type).values()]
        name = "|".join(sorted(inner))
    else:
        name = plain_class(held.type).__name__
        assert classes.setdefault(name, plain_class(held.type)) is plain_class(held.type), f"two types named {name}"
    if held.kind == "enum":
        assert issubclass(held.type, Enum)
        known[name] = [member.value for member in held.type]
    elif held.kind in {"value", "component"} and name not in known:
        known[name] = {}
        order = {"": "in this order"} if issubclass(plain_class(held.type), Component) else {}
        known[name] |= order | {field.name: _walk(shape(field.type), known, classes) for field in fields(held.type)}
    return f"{name}{'?' if held.optional else ''}{'*' if held.many else ''}"


# --- the dictionary -----------------------------------------------------------------------------------------------


def dictionary(game: Any) -> bytes:
    """One entry of every kind that random games have, the commonest last, where they are found most cheaply."""
    seats = range(game.meta.least_seats, game.meta.most_seats + 1)
    made = [entry for players in seats for seed in "abc" for entry in whole_table(game, players, seed)]
    kinds = Counter(map(_kind, made))
    kept = b""
    for kind, _ in kinds.most_common():
        sample = next(to_bytes(_bare(entry)) for entry in made if _kind(entry) == kind)
        if len(kept) + len(sample) <= DICTIONARY:
            kept = sample + kept
    return kept


def _kind(entry: LogEntry[Any, Any]) -> tuple[str, ...]:
    return (type(entry.command).__name__, *(type(event).__name__ for event in entry.events))


def _bare(entry: LogEntry[Any, Any]) -> LogEntry[Any, Any]:
    return replace(entry, request="", tag="", salt="", secret="", time=0)


# --- golden logs --------------------------------------------------------------------------------------------------


def golden_log(game: Any) -> Iterator[str]:
    """The raw entries of a whole table, one a line."""
    for number, entry in enumerate(whole_table(game, game.meta.least_seats, "golden")):
        yield base64.b64encode(pack(entry, game if number else None)).decode()


def read_golden(path: Path) -> list[bytes]:
    """The raw entries of a golden log."""
    return [base64.b64decode(line) for line in path.read_text().split()]


def _locked(game: Any) -> str:
    return lock(game, stored_entry.dictionary(game, game.meta.rules_version))


def _golden(game: Any) -> str:
    return "\n".join(golden_log(game)) + "\n"


def main(arguments: list[str]) -> None:
    """Write what is missing, or all of it anew."""
    parser = argparse.ArgumentParser(prog="python -m tests.service.stored", description="Locks the stored format.")
    parser.add_argument("--write", action="store_true", required=True, help="write what is missing")
    parser.add_argument("--anew", action="store_true", help="and what is there already: only before a release")
    parser.add_argument("--game", help="of one game only, by the name of its folder")
    asked = parser.parse_args(arguments)
    for name in [asked.game] if asked.game else [*GAMES, "toy"]:
        game = importlib.import_module(f"domain.{name}")
        version = game.meta.rules_version
        folder(game).mkdir(exist_ok=True)
        words = folder(game) / f"{version}.dict"
        if asked.anew or not words.exists():
            words.write_bytes(dictionary(game))
            stored_entry.dictionary.cache_clear()
        texts = {folder(game) / f"{version}.json": _locked, golden(game, version): _golden}
        for path, text in texts.items():
            if asked.anew or not path.exists():
                path.write_text(text(game))
        sys.stdout.write(f"{name} {version}: {words.stat().st_size} bytes of dictionary\n")


if __name__ == "__main__":
    main(sys.argv[1:])
