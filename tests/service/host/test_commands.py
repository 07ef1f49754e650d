"""The path of a command: token, decide, append, show."""

from __future__ import annotations

from typing import Any

import pytest

from domain import augsburg
from kontor.v1 import play_service_pb2 as play_pb
from kontor.v1 import table_service_pb2 as table_pb
from service.errors import AgainstTheRules, AlreadyUsed, NotFound, Unauthenticated
from service.log.port import EMPTY, verify
from service.translate import command_to_message
from tests.service.host.house import SECRET, House

pytestmark = pytest.mark.anyio


def copy(request: play_pb.SubmitCommandRequest, **other: Any) -> play_pb.SubmitCommandRequest:
    """The request with some fields changed."""
    changed = play_pb.SubmitCommandRequest()
    changed.CopyFrom(request)
    changed.MergeFrom(play_pb.SubmitCommandRequest(**other))
    return changed


async def test_a_command_is_in_the_log_before_it_is_answered(house: House) -> None:
    """One accepted command is one entry, with its events, and the answer shows the moment it led to."""
    here = await house.replica()
    table = await house.playing(here)
    seat, view = await table.asked(here)
    answer = await table.submit(here, await table.answer(here), seat)
    assert answer.change.moment.version == view.moment.version + 1 == len(house.entries(table.id))
    assert answer.view.moment == answer.change.moment
    assert answer.change.seat == seat
    assert answer.change.events
    assert all(event.sentence.text for event in answer.change.events)
    tail = await here.log.read(table.id)
    assert verify(EMPTY, tail.entries).version == answer.view.table.version


async def test_an_answer_and_a_typed_command_mean_the_same(house: House) -> None:
    """A command written by hand under the id of an answer is its repetition."""
    here = await house.replica()
    table = await house.playing(here)
    seat = (await here.host.fresh(table.id)).waiting[0]
    request = await table.answer(here, seat)
    first = await table.submit(here, request, seat)
    entry = (await here.host.fresh(table.id)).entries[-1]
    typed = play_pb.SubmitCommandRequest(table_id=table.id, request_id=request.request_id, decision=request.decision)
    typed.command.CopyFrom(command_to_message(augsburg, entry.command))
    assert (await table.submit(here, typed, seat)).change == first.change


async def test_a_repeated_command_gives_the_same_change(house: House) -> None:
    """Accepted once: the same id answers with the same change, here, at another replica and after a restart."""
    here = await house.replica()
    table = await house.playing(here)
    seat = (await here.host.fresh(table.id)).waiting[0]
    request = await table.answer(here, seat)
    first = await table.submit(here, request, seat)
    await table.play(here, 3)
    length = len(house.entries(table.id))
    for replica in (here, await house.replica()):
        again = await table.submit(replica, request, seat)
        assert again.change.SerializeToString(deterministic=True) == first.change.SerializeToString(deterministic=True)
        assert again.view.moment.version == length
    assert len(house.entries(table.id)) == length


async def test_the_change_of_a_repetition_names_whom_it_named_then(house: House) -> None:
    """A seat that went to somebody else meanwhile changes no sentence of the past."""
    here = await house.replica()
    table = await house.playing(here)
    seat = (await here.host.fresh(table.id)).waiting[0]
    request = await table.answer(here, seat)
    first = await table.submit(here, request, seat)
    other = 3 - seat
    transfer = table_pb.TransferSeatRequest(table_id=table.id, request_id="t", name="Gerda")
    await here.call("TransferSeat", transfer, table.seats[other - 1])
    assert (await table.submit(here, request, seat)).change == first.change
    assert (await table.submit(await house.replica(), request, seat)).change == first.change


async def test_an_id_is_good_for_one_body(house: House) -> None:
    """The same id with another command or another decision is refused, and nothing is written."""
    here = await house.replica()
    table = await house.playing(here)
    seat = (await here.host.fresh(table.id)).waiting[0]
    request = await table.answer(here, seat)
    await table.submit(here, request, seat)
    length = len(house.entries(table.id))
    other = play_pb.SubmitCommandRequest()
    other.CopyFrom(request)
    other.answer.command = "Finish"
    del other.answer.fields[:]
    for changed in (other, copy(request, decision=request.decision + 1)):
        for replica in (here, await house.replica()):
            with pytest.raises(AlreadyUsed) as refused:
                await table.submit(replica, changed, seat)
            assert refused.value.reason == "REQUEST_ID_REUSED"
    assert len(house.entries(table.id)) == length


async def test_two_seats_may_make_the_same_id(house: House) -> None:
    """Ids are unique within a seat: another seat's call of the same id is its own."""
    here = await house.replica()
    table = await house.playing(here)
    seats = set()
    for _ in range(12):
        seat = (await here.host.fresh(table.id)).waiting[0]
        request = await table.answer(here, seat)
        if seat in seats:
            await table.submit(here, request, seat)
            continue
        seats.add(seat)
        request.request_id = "mine"
        assert (await table.submit(here, request, seat)).change.seat == seat
    assert seats == {1, 2}


async def test_a_decision_that_is_gone_takes_no_answer(house: House) -> None:
    """An answer to a decision that was answered before, or is not open yet, is refused; nothing is written."""
    here = await house.replica()
    table = await house.playing(here)
    seat = (await here.host.fresh(table.id)).waiting[0]
    request = await table.answer(here, seat)
    await table.submit(here, request, seat)
    length = len(house.entries(table.id))
    for number in (request.decision, request.decision + 5):
        with pytest.raises(AgainstTheRules) as gone:
            await table.submit(here, copy(request, request_id=house.id(), decision=number), seat)
        assert gone.value.reason == "DECISION_GONE"
    assert len(house.entries(table.id)) == length


async def test_nothing_is_answered_before_the_start(house: House) -> None:
    """In a lobby no decision is open."""
    here = await house.replica()
    table = await house.open(here)
    await table.join(here, "Anna")
    request = play_pb.SubmitCommandRequest(table_id=table.id, request_id="a", decision=1)
    request.answer.command = "Pass"
    with pytest.raises(AgainstTheRules) as gone:
        await table.submit(here, request, 1)
    assert gone.value.reason == "DECISION_GONE"


async def test_a_refused_command_leaves_no_trace(house: House) -> None:
    """A command against the rules names its rule, and neither log nor view change by it."""
    here = await house.replica()
    table = await house.playing(here)
    seat, view = await table.asked(here)
    request = play_pb.SubmitCommandRequest(table_id=table.id, request_id="a", decision=view.decision.number)
    request.answer.command = "Finish"
    length = len(house.entries(table.id))
    with pytest.raises(AgainstTheRules) as refused:
        await table.submit(here, request, seat)
    assert refused.value.refusal.rule.startswith("AUG-")
    assert len(house.entries(table.id)) == length
    assert await table.view(here, table.seats[seat - 1]) == view
    good = await table.answer(here, seat)
    good.request_id = "a"  # an id that was refused is still free
    assert (await table.submit(here, good, seat)).change.moment.version == length + 1


async def test_one_seat_can_not_answer_for_another(house: House) -> None:
    """What a token may answer is its own seat's decision alone."""
    here = await house.replica()
    table = await house.playing(here)
    seat = (await here.host.fresh(table.id)).waiting[0]
    request = await table.answer(here, seat)
    with pytest.raises(AgainstTheRules):
        await table.submit(here, request, 3 - seat)


async def test_times_never_go_back(house: House) -> None:
    """A clock that was set back does not set the log's times back."""
    here = await house.replica()
    table = await house.playing(here)
    house.clock.wait(-3600)
    await table.play(here, 2)
    times = [entry.time for entry in (await here.host.fresh(table.id)).entries]
    assert times == sorted(times)


async def test_a_table_is_created_once(house: House) -> None:
    """The same request id and secret give the same table again, with a token that works; another body is refused."""
    here, there = await house.replica(), await house.replica()
    plain: dict[str, Any] = {"request_id": "x", "client_secret": SECRET, "game": "augsburg"}
    first = await here.call("CreateTable", table_pb.CreateTableRequest(**plain, bots=["random"]))
    for replica in (here, there):
        again = await replica.call("CreateTable", table_pb.CreateTableRequest(**plain, bots=["random"]))
        assert again.table == first.table
        others: list[dict[str, Any]] = [{}, {"bots": ["stand-in"]}, {"bots": ["random"], "public": True}]
        for other in others:
            with pytest.raises(AlreadyUsed):
                await replica.call("CreateTable", table_pb.CreateTableRequest(**plain, **other))
    assert len(house.entries(first.table.id)) == 1
    theirs = await here.call("CreateTable", table_pb.CreateTableRequest(**plain | {"client_secret": SECRET + "!"}))
    assert theirs.table.id != first.table.id


async def test_a_token_of_another_table_knows_nothing(house: House) -> None:
    """A token is good at its own table; at another it is told what is told of tables that are not there."""
    here = await house.replica()
    one, other = await house.playing(here), await house.playing(here)
    request = await one.answer(here)
    with pytest.raises(NotFound):
        await here.call("SubmitCommand", request, other.seats[0])
    with pytest.raises(Unauthenticated):
        await here.call("SubmitCommand", request, one.seats[0] + "x")
