"""A table in a file: a line that says what it is, then a line an entry, byte for byte as the log has it.

The file holds every secret of the table: the seed, the decks, the hands. It is readable by its owner alone.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from pathlib import Path
from typing import NamedTuple

from service.log import EMPTY, Corrupt, Entry, verify

FORMAT = 1
SUFFIX = ".kontor"


class BadFile(Exception):
    """A file that is no exported table, in one sentence."""


class Exported(NamedTuple):
    """A table out of a file, its hashes checked."""

    table: str
    entries: tuple[Entry, ...]


def write(path: Path, table: str, entries: tuple[Entry, ...]) -> None:
    """Write a table, whole or not at all, and make sure that it is on the disk."""
    head = {"kontor": FORMAT, "table": table, "entries": len(entries), "head": entries[-1].hash.hex()}
    lines = [head, *({"data": base64.b64encode(entry.data).decode(), "hash": entry.hash.hex()} for entry in entries)]
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii", newline="\n") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        os.link(beside, path)  # refuses to replace what is there
    finally:
        beside.unlink()
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def read(path: Path) -> Exported:
    """Read a table; BadFile where one byte of it is not as it was written."""
    try:
        head, *lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
        number = head["kontor"]
        table, count, last = str(head["table"]), int(head["entries"]), str(head["head"])
        entries = tuple(
            Entry(version, base64.b64decode(line["data"], validate=True), bytes.fromhex(line["hash"]))
            for version, line in enumerate(lines, 1)
        )
    except OSError as error:
        raise BadFile(f"{path} can't be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, binascii.Error):
        raise BadFile(f"{path} is no exported table") from None
    if number != FORMAT:
        raise BadFile(f"{path} is of format {number}; this program reads format {FORMAT}")
    try:
        reached = verify(EMPTY, entries)
    except Corrupt as error:
        raise BadFile(f"{path} is damaged: {error}") from None
    if (reached.version, reached.hash.hex()) != (count, last):
        raise BadFile(f"{path} is damaged: it ends at version {reached.version}, not {count}")
    return Exported(table, entries)
