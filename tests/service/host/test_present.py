"""What is shown of a table: the game's own view, and what happened, in words and as data."""

from __future__ import annotations

import pytest

from kontor.v1 import GameView, View
from kontor.v1 import play_service_pb2 as play_pb
from kontor.v1 import table_service_pb2 as table_pb
from service import present, translate
from tests.service.host.house import House

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("game", ["augsburg", "strasbourg", "diefugger"])
async def test_a_view_holds_the_games_own(house: House, game: str, seat: int) -> None:
    """What the game shows a viewer is in the message, whole; and only who is asked is shown a decision."""
    here = await house.replica()
    names = ("Anna", "Bartl", "Clara")[: 3 if game == "strasbourg" else 2]
    table = await house.playing(here, *names, game=game)
    life = await here.host.fresh(table.id)
    shown = View.FromString(present.view(life, seat, "en"))
    assert shown.game == GameView(**translate.view_to_dict(life.game, life.game.view(life.play, seat)))
    assert shown.game.ByteSize()
    assert shown.HasField("decision") == (seat in life.waiting)
    assert [waiting.seat for waiting in shown.waiting_for] == list(life.waiting)


async def test_seats_and_times_are_as_they_are(house: House) -> None:
    """Seats are counted from 1, and a time is told to the millisecond."""
    here = await house.replica()
    house.clock.wait(0.123)
    table = await house.playing(here, "Anna", "Bartl")
    shown = present.table(await here.host.fresh(table.id))
    assert [(seat.number, seat.name) for seat in shown.seats] == [(1, "Anna"), (2, "Bartl")]
    assert shown.create_time.ToMilliseconds() == house.clock.time
    assert shown.create_time.nanos == 123_000_000


async def test_what_happens_to_a_table_is_told(house: House) -> None:
    """Opening, sitting down, standing up, beginning, resigning: each a sentence by name, and what it says as data."""
    here = await house.replica()
    table = await house.open(here)
    for name in ("Anna", "Clara", "Bartl"):
        await table.join(here, name)
    leave = table_pb.LeaveTableRequest(table_id=table.id, request_id="leave")
    await here.call("LeaveTable", leave, table.seats[2])
    await table.start(here)
    await here.call("Resign", table_pb.ResignRequest(table_id=table.id, request_id="resign"), table.seats[1])
    request = play_pb.ListChangesRequest(table_id=table.id)
    changes = (await here.call("ListChanges", request, table.seats[0])).changes
    first = [each.change.events[0] for each in changes]
    assert [(event.table.WhichOneof("event"), event.sentence.text) for event in first] == [
        ("opened", "The table is opened."),
        ("seat_taken", "Anna sits down."),
        ("seat_taken", "Clara sits down."),
        ("seat_taken", "Bartl sits down."),
        ("seat_left", "Bartl stands up."),
        ("started", "The game begins."),
        ("handed_over", "A bot plays on for Clara on seat 2."),
    ]
    assert len(changes[5].change.events) > 1  # and the game's own begin there


async def test_a_message_is_made_once(house: House) -> None:
    """All who see the same of a version share its messages; the next version has its own."""
    here = await house.replica()
    table = await house.playing(here)
    life = await here.host.fresh(table.id)
    view, change, state = present.view(life, 1, "en"), present.change(life, 3, 1, "en"), present.table(life)
    assert view is present.view(life, 1, "en")
    assert change is present.change(life, 3, 1, "en")
    assert state is present.table(life)
    assert view is not present.view(life, 2, "en")
    assert change is not present.change(life, 2, 1, "en")
    await table.play(here, 1)
    assert View.FromString(present.view(life, 1, "en")).moment.version == View.FromString(view).moment.version + 1
