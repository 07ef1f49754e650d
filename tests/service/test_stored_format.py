"""A stored table replays for ever: what is stored is locked, and golden logs prove that it can still be read."""

from __future__ import annotations

import hashlib
import json
import typing
from collections.abc import Iterator
from types import ModuleType
from typing import Any, ClassVar

import pytest

from domain import augsburg, toy
from domain.augsburg.events import BidMade as BidMadeBefore
from domain.chance import Stream
from domain.course import Public
from domain.engine import Outcome
from domain.games import GAMES
from domain.values import Seat, members, replace
from service import entry as stored_entry
from service.calls import decided_again
from service.entry import Newer, dictionary, pack, unpack, unpack_first
from service.errors import Unavailable
from service.life import Life
from service.log.port import EMPTY, Corrupt, Entry, Head, chain, key_of
from tests.service import stored
from tests.service.host.house import House, variant
from tests.service.host.made import random_answer, whole_table

ALL = [*GAMES.values(), toy]
TABLE = "0123456789AB"
HINT = "a new rules version and an upcaster; before the first release: python -m tests.service.stored --write --anew"


def name(game: ModuleType) -> str:
    """A game's id."""
    return str(game.meta.id)


def versions(game: Any) -> range:
    """All rules versions that there have been."""
    return range(1, game.meta.rules_version + 1)


def chained(raw: list[bytes]) -> Iterator[Entry]:
    """Raw entries as the log would give them."""
    head: Head = EMPTY
    for data in raw:
        head = Head(head.version + 1, chain(head.hash, data))
        yield Entry(head.version, data, head.hash)


def folded(game: Any, raw: list[bytes]) -> Life:
    """The life that these entries tell."""
    life = Life(TABLE, {game.meta.id: game})
    for entry in chained(raw):
        life.fold(entry)
    return life


def golden(game: Any, version: int = 1) -> list[bytes]:
    """The golden log of a game."""
    return stored.read_golden(stored.golden(game, version))


# --- the lock -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ALL, ids=name)
def test_what_is_stored_is_locked(game: Any) -> None:
    """Names and types of all stored values are those of the lock of this rules version."""
    path = stored.folder(game) / f"{game.meta.rules_version}.json"
    assert path.exists(), f"no lock of {path}: python -m tests.service.stored --write"
    now = stored.lock(game, dictionary(game, game.meta.rules_version))
    assert json.loads(now) == json.loads(path.read_text()), f"stored values of {name(game)} have changed: {HINT}"
    assert now == path.read_text(), "the order of fields is part of the format of components"


@pytest.mark.parametrize("game", ALL, ids=name)
def test_every_version_keeps_its_files(game: Any) -> None:
    """Each version has its lock, its dictionary, which never changes, and a golden log."""
    for version in versions(game):
        lock = json.loads((stored.folder(game) / f"{version}.json").read_text())
        assert lock["dictionary"] == hashlib.sha256(dictionary(game, version)).hexdigest(), HINT
        assert golden(game, version)


def test_a_change_is_noticed() -> None:
    """A renamed field, another type, an event more: each makes another lock."""
    words = dictionary(augsburg, 1)
    before = stored.lock(augsburg, words)
    assert stored.lock(augsburg, words + b"x") != before
    assert stored.lock(RENAMED, words) != before
    events: Any = list(members(augsburg.Event).values())[:-1]
    assert stored.lock(variant(augsburg, Event=typing.Union[tuple(events)]), words) != before  # noqa: UP007 - at run time


# --- golden logs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ALL, ids=name)
def test_golden_logs_fold(game: Any) -> None:
    """The tables of all versions are read to their end."""
    for version in versions(game):
        life = folded(game, golden(game, version))
        assert life.over
        assert game.result(life.play) is not None
        assert {type(entry.command).__name__ for entry in life.entries} >= {
            "Found", "Join", "Leave", "Start", "HandOver", "Resign",
        }  # fmt: skip


@pytest.mark.parametrize("game", ALL, ids=name)
def test_golden_logs_are_decided_again(game: Any) -> None:
    """Every command of the present version's golden log causes today what it caused then."""
    raw = golden(game, game.meta.rules_version)
    before = Life(TABLE, {game.meta.id: game})
    for entry in folded(game, raw).entries:
        assert decided_again(entry, before) == entry.events
        before.step(entry)


@pytest.mark.parametrize("game", ALL, ids=name)
def test_an_entry_comes_back_equal(game: Any) -> None:
    """Packed and unpacked, every entry of whole tables is what it was."""
    for number, entry in enumerate(whole_table(game, game.meta.most_seats, "back")):
        packed = pack(entry, game if number else None)
        again = unpack(packed, game) if number else unpack_first(packed, {game.meta.id: game})
        assert again == entry
        assert packed[0] == (game.meta.rules_version if number else 0)


# --- upcasters ----------------------------------------------------------------------------------------------------


class BidMade(Public):
    """As Augsburg's event will be called by rules that have renamed a field."""

    rule: ClassVar[str] = "AUG-203"
    seat: Seat
    number: int

    def apply(self, state: Any) -> Any:
        """What it always did."""
        return BidMadeBefore(self.seat, self.number).apply(state)


def renamed(entry: dict[str, Any]) -> dict[str, Any]:
    """What became of an entry of version 1."""
    events = [
        {"type": "BidMade", "seat": event["seat"], "number": event["cards"]} if event["type"] == "BidMade" else event
        for event in entry["events"]
    ]
    return {**entry, "events": events}


def decide(*arguments: Any) -> Outcome:
    """The rules of today, telling their bids in the new words."""
    events, state = augsburg.decide(*arguments)
    told = tuple(BidMade(each.seat, each.cards) if isinstance(each, BidMadeBefore) else each for each in events)
    return Outcome(told, state)


PARTS: dict[str, Any] = {
    "meta": replace(augsburg.meta, rules_version=augsburg.meta.rules_version + 1),
    "Event": typing.Union[tuple((members(augsburg.Event) | {"BidMade": BidMade}).values())],  # noqa: UP007 - at run time
    "decide": decide,
}
VERSION = augsburg.meta.rules_version
RENAMED = variant(augsburg, **PARTS, upcasts={VERSION: renamed})


def test_an_older_log_is_upcast() -> None:
    """With its upcaster the golden log is read by newer rules, to the same end, in the new words."""
    raw = golden(augsburg, VERSION)
    before, after = folded(augsburg, raw), folded(RENAMED, raw)
    assert after.play == before.play
    assert {entry.rules for entry in after.entries} == {VERSION + 1}
    bids = [event for entry in after.entries for event in entry.events if isinstance(event, BidMade)]
    assert bids
    assert [bid.number for bid in bids] == [
        event.cards for entry in before.entries for event in entry.events if isinstance(event, BidMadeBefore)
    ]


@pytest.mark.parametrize("upcasts", [{}, {VERSION: lambda entry: entry}, {VERSION: lambda entry: entry["nothing"]}])
def test_a_log_without_its_upcaster_is_not_misread(upcasts: Any) -> None:
    """Without an upcaster, or with a wrong one, an old entry is refused, never guessed."""
    with pytest.raises(Corrupt):
        folded(variant(augsburg, **PARTS, upcasts=upcasts), golden(augsburg, VERSION))


def test_upcasters_are_applied_one_after_the_other() -> None:
    """From version to version, each sees what the one before has made."""
    seen: list[tuple[int, Any]] = []

    def noted(version: int) -> Any:
        def upcast(entry: Any) -> Any:
            seen.append((version, entry["rules"]))
            return entry

        return upcast

    game = variant(augsburg, meta=replace(augsburg.meta, rules_version=VERSION + 2))
    game.upcasts = {VERSION: noted(VERSION), VERSION + 1: noted(VERSION + 1)}  # type: ignore[attr-defined]
    raw = golden(augsburg, VERSION)
    folded(game, raw)
    assert seen == [(VERSION, VERSION), (VERSION + 1, VERSION + 1)] * len(raw)


def test_newer_bytes_are_told_from_broken_ones() -> None:
    """An entry of newer rules is known by its first byte, whatever follows; so is a table of another game."""
    with pytest.raises(Newer):
        unpack(bytes((VERSION + 1,)) + b"in whatever form", augsburg)
    with pytest.raises(Newer):
        unpack_first(golden(toy)[0], GAMES)


@pytest.mark.anyio
async def test_a_table_goes_on_under_newer_rules(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begun by old rules, continued by new ones: who knows both reads it all, who knows the old says so."""
    monkeypatch.setattr(stored_entry, "dictionary", lambda game, version: dictionary(game, 1) if game else b"")
    new, old = await house.replica({"augsburg": RENAMED}), await house.replica()
    house.restore(TABLE, list(chained(golden(augsburg, VERSION)[:60])))
    source = Stream(bytes(32), "on")
    assert (await old.host.fresh(TABLE)).version == 60
    life = await new.host.fresh(TABLE)
    for number in range(20):
        await new.host.commit(TABLE, random_answer(life, life.waiting[0], source, f"n{number}"))
    again = await (await house.replica({"augsburg": RENAMED})).host.fresh(TABLE)
    assert again.play == life.play
    assert again.version == 80
    with pytest.raises(Unavailable) as refused:
        await old.host.fresh(TABLE)
    assert refused.value.reason == "NEWER_RULES"


# --- size ---------------------------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_a_long_game_is_small(house: House) -> None:
    """300 entries of Augsburg take at most 70 KiB of the store's memory."""
    entries = [entry for players in (4, 5) for entry in whole_table(augsburg, players, "size")][:300]
    raw = [pack(entry, augsburg if number else None) for number, entry in enumerate(entries)]
    house.restore(TABLE, list(chained(raw)))
    used = house.client.execute_command("MEMORY", "USAGE", key_of(TABLE), "SAMPLES", 0)
    assert len(raw) == 300
    assert used <= 70 * 1024
