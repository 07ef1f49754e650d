"""Seats: joining, leaving, resigning, handing over, and the tokens that go with them."""

from __future__ import annotations

import pytest

from kontor.v1 import table_service_pb2 as table_pb
from service.errors import AgainstTheRules, AlreadyUsed, Forbidden, NotFound, Unauthenticated
from tests.service.host.house import SECRET, House, Replica, Table

pytestmark = pytest.mark.anyio


async def invite(at: Replica, table: Table) -> str:
    """A token that lets people join."""
    answer = await at.call("CreateInvite", table_pb.CreateInviteRequest(table_id=table.id), table.host)
    return str(answer.invite)


def join(table: Table, name: str, request: str = "j", secret: str = SECRET) -> table_pb.JoinTableRequest:
    """A request to sit down."""
    return table_pb.JoinTableRequest(table_id=table.id, request_id=request, client_secret=secret, name=name)


async def test_a_private_table_is_joined_by_invite(house: House) -> None:
    """Without an invite a private table is not there; with one anybody sits down."""
    here = await house.replica()
    table, other = await house.open(here), await house.open(here)
    link = await invite(here, table)
    for token in ("", await invite(here, other), other.host):
        with pytest.raises(NotFound):
            await here.call("JoinTable", join(table, "Anna"), token)
    assert len(house.entries(table.id)) == 1
    assert (await here.call("JoinTable", join(table, "Anna"), link)).seat == 1


async def test_who_only_looks_can_not_sit_down(house: House) -> None:
    """Neither a spectator's token nor a seat's is an invite."""
    here = await house.replica()
    table = await house.open(here)
    seat = (await table.join(here, "Anna")).seat_token
    view = table_pb.CreateViewTokenRequest(table_id=table.id)
    for token in (seat, (await here.call("CreateViewToken", view, table.host)).view_token):
        with pytest.raises(NotFound):
            await here.call("JoinTable", join(table, "Bartl"), token)


async def test_a_public_table_is_joined_by_anyone(house: House) -> None:
    """A public table needs no invite."""
    here = await house.replica()
    table = await house.open(here, public=True)
    assert (await here.call("JoinTable", join(table, "Anna"))).seat == 1


async def test_joining_again_gives_the_same_seat(house: House) -> None:
    """The same id and secret: the same seat and a token for it, at any replica; another's secret is another person."""
    here, there = await house.replica(), await house.replica()
    table = await house.open(here, public=True)
    await here.call("JoinTable", join(table, "Anna"))
    for replica in (here, there):
        again = await replica.call("JoinTable", join(table, "Anna"))
        assert again.seat == 1
        assert (await table.view(replica, again.seat_token)).seat == 1
        with pytest.raises(AlreadyUsed):
            await replica.call("JoinTable", join(table, "Gerda"))
    assert (await here.call("JoinTable", join(table, "Bartl", secret=SECRET + "!"))).seat == 2
    assert len(house.entries(table.id)) == 3


@pytest.mark.parametrize(("name", "reason"), [("Anna", "NAME_TAKEN"), ("", "BAD_NAME"), ("x" * 41, "BAD_NAME"),
                                              ("a\nb", "BAD_NAME"), (" ", "BAD_NAME")])  # fmt: skip
async def test_names(house: House, name: str, reason: str) -> None:
    """A name is one's own, printable and short."""
    here = await house.replica()
    table = await house.open(here)
    await table.join(here, "Anna")
    with pytest.raises(AgainstTheRules) as refused:
        await table.join(here, name)
    assert refused.value.reason == reason
    assert len(house.entries(table.id)) == 2


async def test_leaving_before_the_start(house: House) -> None:
    """Who leaves is gone, those behind move up and keep their tokens; repeated it is the same; after the start not."""
    here, there = await house.replica(), await house.replica()
    table = await house.open(here)
    for name in ("Anna", "Bartl", "Clara"):
        await table.join(here, name)
    leave = table_pb.LeaveTableRequest(table_id=table.id, request_id="l")
    for replica in (here, there):
        answer = await replica.call("LeaveTable", leave, table.seats[0])
        assert [seat.name for seat in answer.table.seats] == ["Bartl", "Clara"]
    with pytest.raises(Unauthenticated):
        await table.view(here, table.seats[0])
    assert (await table.view(here, table.seats[2])).seat == 2
    await table.start(here)
    leave.request_id = "late"
    with pytest.raises(AgainstTheRules) as refused:
        await here.call("LeaveTable", leave, table.seats[1])
    assert refused.value.reason == "TABLE_STARTED"
    with pytest.raises(AlreadyUsed):  # the id of a leaving is none for a resignation
        await here.call("Resign", table_pb.ResignRequest(table_id=table.id, request_id="l"), table.seats[0])


async def test_a_seat_that_was_left_is_not_joined_again_by_its_old_request(house: House) -> None:
    """The old request to join is answered with what became of it."""
    here = await house.replica()
    table = await house.open(here, public=True)
    joined = await here.call("JoinTable", join(table, "Anna"))
    leave = table_pb.LeaveTableRequest(table_id=table.id, request_id="l")
    await here.call("LeaveTable", leave, joined.seat_token)
    with pytest.raises(AgainstTheRules) as refused:
        await here.call("JoinTable", join(table, "Anna"))
    assert refused.value.reason == "SEAT_LEFT"


def transfer(table: Table, name: str = "", bot: str = "", request: str = "t") -> table_pb.TransferSeatRequest:
    """A request to hand one's seat over."""
    return table_pb.TransferSeatRequest(table_id=table.id, request_id=request, name=name, bot=bot)


async def test_handing_a_seat_over_kills_older_tokens(house: House) -> None:
    """The new token plays the seat; the old ones, second screens too, are worth nothing, anywhere."""
    here, there = await house.replica(), await house.replica()
    table = await house.playing(here)
    await there.host.fresh(table.id)
    screen = table_pb.CreateViewTokenRequest(table_id=table.id)
    second = (await here.call("CreateViewToken", screen, table.seats[0])).view_token
    assert (await table.view(here, second)).seat == 1
    given = await here.call("TransferSeat", transfer(table, "Gerda"), table.seats[0])
    assert given.table.seats[0].name == "Gerda"
    length = len(house.entries(table.id))
    for replica in (here, there):
        assert (await table.view(replica, given.seat_token)).seat == 1
        for old in (table.seats[0], second):
            with pytest.raises(Unauthenticated):
                await table.view(replica, old)
            with pytest.raises(Unauthenticated):
                await replica.call("RenewToken", table_pb.RenewTokenRequest(), old)
        for rpc, request in (
            ("Resign", table_pb.ResignRequest(table_id=table.id, request_id="r")),
            ("TransferSeat", transfer(table, "Hedwig", request="t2")),
            ("CreateViewToken", screen),
        ):
            with pytest.raises(Unauthenticated):
                await replica.call(rpc, request, table.seats[0])
    assert len(house.entries(table.id)) == length


async def test_who_gave_a_seat_away_does_not_get_it_back_by_repeating(house: House) -> None:
    """Neither the old request to join nor the old transfer gives a token of the seat's later owner."""
    here = await house.replica()
    table = await house.open(here, public=True)
    anna = (await here.call("JoinTable", join(table, "Anna"))).seat_token
    await table.join(here, "Bartl")
    await table.start(here)
    given = await here.call("TransferSeat", transfer(table, "Gerda"), anna)
    again = await here.call("TransferSeat", transfer(table, "Gerda"), anna)  # a lost answer is answered again
    assert (await table.view(here, again.seat_token)).seat == 1
    await here.call("TransferSeat", transfer(table, "Hedwig", request="t2"), given.seat_token)
    for token in (anna, given.seat_token):
        with pytest.raises((Unauthenticated, AlreadyUsed)):
            await table.view(here, (await here.call("TransferSeat", transfer(table, "Gerda"), token)).seat_token)
    with pytest.raises(AgainstTheRules) as refused:
        await here.call("JoinTable", join(table, "Anna"))
    assert refused.value.reason == "SEAT_LEFT"


async def test_a_repeated_transfer_is_the_same_or_refused(house: House) -> None:
    """Another name or another bot under the same id is another call."""
    here = await house.replica()
    table = await house.playing(here)
    await here.call("TransferSeat", transfer(table, "Gerda"), table.seats[0])
    length = len(house.entries(table.id))
    for other in (transfer(table, "Hedwig"), transfer(table, "Gerda", "random"), transfer(table)):
        with pytest.raises(AlreadyUsed):
            await here.call("TransferSeat", other, table.seats[0])
    assert len(house.entries(table.id)) == length


async def test_a_seat_goes_to_a_bot(house: House) -> None:
    """Its player hands it to a bot of his choice and gets no token for it."""
    here = await house.replica()
    table = await house.playing(here)
    answer = await here.call("TransferSeat", transfer(table, bot="random"), table.seats[0])
    assert (answer.table.seats[0].name, answer.table.seats[0].bot) == ("Anna", "random")
    assert not answer.seat_token


async def test_nobody_hands_over_anothers_seat(house: House) -> None:
    """A seat is handed over by its own token."""
    here = await house.replica()
    table = await house.playing(here)
    request = transfer(table, "Gerda")
    request.seat = 2
    with pytest.raises(Forbidden) as refused:
        await here.call("TransferSeat", request, table.seats[0])
    assert refused.value.reason == "NOT_YOUR_SEAT"
