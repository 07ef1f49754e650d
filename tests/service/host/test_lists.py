"""Lists: public tables with pages and filters, changes with and without views, views of earlier versions."""

from __future__ import annotations

from typing import Any

import pytest

from kontor.v1 import play_service_pb2 as play_pb
from kontor.v1 import table_pb2
from kontor.v1 import table_service_pb2 as table_pb
from service.errors import NotFound
from service.index import PUBLIC
from tests.service.host.house import House, Replica, until

pytestmark = pytest.mark.anyio


async def listed(at: Replica, **asked: Any) -> list[str]:
    """All pages of the public tables."""
    found, request = [], table_pb.ListTablesRequest(**asked)
    while True:
        page = await at.call("ListTables", request)
        assert len(page.tables) <= (request.page_size or 50)
        found += [table.id for table in page.tables]
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def opened(house: House, at: Replica, count: int, **more: Any) -> list[str]:
    """So many tables, newest first, as the index knows them."""
    bots = at.bots or at.play_bots()
    tables = []
    for _ in range(count):
        tables.append((await house.open(at, public=True, **more)).id)
        house.clock.wait(1)
    await until(lambda: not bots._busy)
    return tables[::-1]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 200])
async def test_pages_of_public_tables(house: House, size: int) -> None:
    """The newest first, each once, whatever the size of the pages; private ones never."""
    here = await house.replica()
    tables = await opened(house, here, 7)
    await house.open(here)
    assert await listed(here, page_size=size) == tables


async def test_tables_of_the_same_moment(house: House) -> None:
    """Tables founded in the same millisecond are listed once each."""
    here = await house.replica()
    here.play_bots()
    tables = {(await house.open(here, public=True)).id for _ in range(5)}
    await until(lambda: house.client.zcard(PUBLIC) == 5)
    found = await listed(here, page_size=2)
    assert sorted(found) == sorted(tables)


async def test_a_list_that_changes_while_it_is_read(house: House) -> None:
    """New tables, and such as vanish, make no other table be missed or told twice."""
    here = await house.replica()
    tables = await opened(house, here, 6)
    first = await here.call("ListTables", table_pb.ListTablesRequest(page_size=2))
    await opened(house, here, 2)
    await here.log.delete(tables[0])
    await here.log.delete(tables[3])
    rest = await listed(here, page_size=2, page_token=first.next_page_token)
    assert [table.id for table in first.tables] == tables[:2]
    assert rest == [tables[2], *tables[4:]]


async def test_filters(house: House) -> None:
    """By game and by phase; a page is full although others do not fit."""
    here = await house.replica()
    tables = await opened(house, here, 5)
    playing = (await house.playing(here, public=True)).id
    cancelled = await house.open(here, public=True)
    request = table_pb.CancelTableRequest(table_id=cancelled.id, request_id="c")
    await here.call("CancelTable", request, cancelled.host)
    await until(lambda: here.bots and not here.bots._busy)
    assert await listed(here, page_size=2, phase=table_pb2.PHASE_LOBBY) == tables
    assert await listed(here, page_size=1, phase=table_pb2.PHASE_PLAYING, game="augsburg") == [playing]
    assert await listed(here, phase=table_pb2.PHASE_OVER) == []
    assert await listed(here) == [playing, *tables]


async def test_the_index_is_never_believed(house: House) -> None:
    """A private table, or none at all, that the index calls public is not listed."""
    here = await house.replica()
    private = await house.open(here)
    house.client.zadd(PUBLIC, {private.id: 1, "0123456789AB": 2})
    assert await listed(here) == []
    assert house.client.zscore(PUBLIC, "0123456789AB") is None


async def test_a_private_table_is_seen_by_its_own(house: House) -> None:
    """GetTable shows a private table to the holders of its tokens, a public one to anyone."""
    here = await house.replica()
    private, public = await house.open(here), await house.open(here, public=True)
    get = table_pb.GetTableRequest(table_id=private.id)
    assert (await here.call("GetTable", get, private.host)).table.id == private.id
    for token in ("", public.host):
        with pytest.raises(NotFound):
            await here.call("GetTable", get, token)
    assert (await here.call("GetTable", table_pb.GetTableRequest(table_id=public.id))).table.public


async def test_changes_in_pages(house: House) -> None:
    """All changes, each once, oldest first, and with their views the same as one by one."""
    here = await house.replica()
    table = await house.playing(here)
    await table.play(here, 20)
    whole = play_pb.ListChangesRequest(table_id=table.id, page_size=200, with_views=True)
    everything = (await here.call("ListChanges", whole, table.seats[0])).changes
    assert [each.change.moment.version for each in everything] == list(range(1, 25))
    paged, request = [], play_pb.ListChangesRequest(table_id=table.id, page_size=7, with_views=True)
    while True:
        page = await here.call("ListChanges", request, table.seats[0])
        paged += page.changes
        request.page_token = page.next_page_token
        if not request.page_token:
            break
    assert paged == list(everything)
    after = play_pb.ListChangesRequest(table_id=table.id, after_version=22)
    bare = (await here.call("ListChanges", after, table.seats[0])).changes
    assert [each.change for each in bare] == [each.change for each in everything[22:]]
    assert not any(each.HasField("view") for each in bare)


async def test_views_of_the_past(house: House) -> None:
    """The view of an earlier version is the one that was given then."""
    here = await house.replica()
    table = await house.playing(here)
    then = {}
    for _ in range(10):
        view = await table.view(here, table.seats[1])
        then[view.moment.version] = view
        await table.play(here, 1)
    for replica in (here, await house.replica()):
        for version, view in then.items():
            assert await table.view(replica, table.seats[1], version) == view
    changes = play_pb.ListChangesRequest(table_id=table.id, after_version=4, with_views=True)
    listed_views = (await here.call("ListChanges", changes, table.seats[1])).changes
    assert [each.view for each in listed_views[:-1]] == list(then.values())[1:]


async def test_the_catalogue(house: House) -> None:
    """Every game with its rules, editions, phrases and components; another is not found."""
    here = await house.replica()
    games = (await here.call("ListGames", table_pb.ListGamesRequest())).games
    assert [game.id for game in games] == list(here.host.games)
    for game in games:
        whole = (await here.call("GetGame", table_pb.GetGameRequest(game=game.id))).game
        assert whole.summary == game
        assert whole.rules
        assert whole.editions
        assert whole.phrases
        assert whole.components
    with pytest.raises(NotFound):
        await here.call("GetGame", table_pb.GetGameRequest(game="chess"))
