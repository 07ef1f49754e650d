"""The end of a scenario: read the log, and compare it with every journal, every replica, and fresh hosts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from campaigns.chaos.checker import Story, Violation, check, story
from campaigns.chaos.journal import Ask, Journal, digest
from domain.games import GAMES
from kontor.v1 import GetViewRequest
from service import present
from service.host import Host
from service.life import Life
from service.log import Settings, open_log

if TYPE_CHECKING:
    from campaigns.chaos.scenario import Stage

FRESH = 2  # hosts that know nothing yet


async def judge(stage: Stage, catch_up: float, kept: Journal | None = None) -> list[Violation]:
    """All that is wrong, once everything is well again; where history was lost, by what was kept of the journal."""
    journal = kept or stage.crew.journal
    log = await open_log(stage.store.url, None, Settings())
    try:
        tables = sorted({ask.table for ask in journal.asks if ask.table and ask.answers})
        stories = {}
        for table in tables:
            stories[table] = story(table, (await log.read(table)).entries, GAMES)
            await asyncio.sleep(0)
        lives = [(party, one.life) for party in stage.parties if (one := stories.get(party.table)) and one.life]
        await asyncio.gather(*(party.caught_up(life.version, life.tag, catch_up) for party, life in lives))
        found = check(journal, stories, stage.plan.terms)
        found += shown_alike(journal, stories)
        found += await folded_alike(stage, stories)
    finally:
        await log.close()
    lost = [ask for ask in stage.crew.journal.asks if lost_answer(ask, stories.get(ask.table))]
    stage.crew.tally["lost answers"] = len(lost)
    if crashed := stage.crew.tally["crashed"]:
        found.append(Violation("crashed", "", f"{crashed} clients failed"))
    found += [Violation("log", "", line) for line in grave_lines(stage)]
    return found


def lost_answer(ask: Ask, one: Story | None) -> bool:
    """Whether a call had been written when it was sent again: the answer got lost on the way."""
    places = one.places.get(ask.request) if one else None
    if not places or one is None or one.life is None:
        return False
    return one.life.entries[places[0] - 1].time < ask.resent


def grave_lines(stage: Stage) -> Iterator[str]:
    """What a replica must never have to say, whatever happens around it."""
    for replica in stage.replicas:
        for line in replica.said().splitlines():
            if "Traceback" in line or '"unexpected"' in line or "TABLE_UNREADABLE" in line:
                yield f"{replica.directory.name}: {line[:1500]}"


def shown_alike(journal: Journal, stories: Mapping[str, Story]) -> Iterator[Violation]:
    """What clients were shown is what the log's entries show, byte for byte; who has seen them is checked elsewhere."""
    expected: dict[tuple[str, int, int], bytes] = {}

    def shown(life: Life, version: int, seat: int) -> bytes:
        key = (life.id, version, seat)
        if key not in expected:
            life.shown.clear()  # it keeps what it shows; here everything is shown once
            expected[key] = digest(present.change(life, version, seat, "en"))
        return expected[key]

    told = [(ask.table, ask.seat, one.version, one.tag, one.change) for ask in journal.asks for one in ask.answers[:1]]
    told += [(w.table, w.seat, note.version, note.tag, note.change) for w in journal.watches for note in w.notes]
    for table, seat, version, tag, change in told:
        life = stories[table].life if table in stories else None
        if not change or life is None or life.version < version or life.entries[version - 1].tag != tag:
            continue
        if shown(life, version, seat) != change:
            yield Violation("shown", table, f"seat {seat} was shown another {version} than the log holds")


async def folded_alike(stage: Stage, stories: Mapping[str, Story]) -> list[Violation]:
    """The fold is the same in hosts that know nothing, and in every replica that has been through everything."""
    found = []
    for _ in range(FRESH):
        log = await open_log(stage.store.url, None, Settings())
        host = Host(log, GAMES)
        for table, one in stories.items():
            if not one.entries:
                continue
            fresh = await host.fresh(table)
            if one.life and (fresh.table, fresh.play, fresh.head) != (one.life.table, one.life.play, one.life.head):
                found.append(Violation("fold", table, "a fresh host folds it to another state"))
        await log.close()
    seen = {(watch.table, watch.seat): watch for watch in stage.crew.journal.watches}
    tokens = stage.crew.tokens
    for table, seat in list(seen)[-200:]:
        life = stories[table].life if table in stories else None
        if life is None or (table, seat) not in tokens:
            continue
        expected = present.view(life, seat, "en")
        for replica in stage.replicas:
            call = replica.play.GetView(
                GetViewRequest(table_id=table),
                timeout=20,
                metadata=(("authorization", f"Bearer {tokens[table, seat]}"),),
            )
            if (await call).view.SerializeToString(deterministic=True) != expected:
                found.append(Violation("fold", table, f"{replica.directory.name} shows seat {seat} another view"))
    return found
