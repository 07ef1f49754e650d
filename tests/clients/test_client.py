"""The client over a real channel: whole games, links, seats that change hands, and every kind of error."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable

import grpc
import pytest

from domain.games import GAMES
from kontor.augsburg import v1 as augsburg
from kontor.v1 import Answer, Change, Field, GameCommand, Phase
from kontor_client import (
    AlreadyUsed,
    Client,
    DecisionGone,
    Forbidden,
    HostedTable,
    KontorError,
    Malformed,
    NotFound,
    Refused,
    Seat,
    Unauthenticated,
    Unavailable,
    first_answer,
    game_command,
    line,
    random_answer,
    viewers,
)
from kontor_client import sync as now
from kontor_client.errors import OutcomeUnknown, TooMuch, Unexpected, from_rpc

from .serving import Server

pytestmark = pytest.mark.anyio


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether it comes true soon."""
    for _ in range(100):
        if condition():
            return True
        time.sleep(0.05)
    return False


async def opened(client: Client, game: str = "augsburg", bots: int = 1) -> tuple[HostedTable, Seat]:
    """A table with bots and one person, not yet started."""
    table = await client.create_table(game, bots=["stand-in"] * bots)
    return table, await table.join("Ada")


async def asked(client: Client) -> tuple[HostedTable, Seat]:
    """A table at which the person is asked something."""
    table, seat = await opened(client)
    await table.start()
    async for _ in seat.updates():
        if seat.decision:
            break
    return table, seat


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_whole_game_of_every_kind(client: Client, game: str) -> None:
    """A seat and a spectator see every version once, in order, up to the same ranking."""
    table, seat = await opened(client, game, GAMES[game].meta.least_seats - 1)
    spectator = await table.spectator()
    first = (await spectator.look()).moment
    looking = asyncio.create_task(_all(spectator.changes(first)))
    await table.start()
    seen = []
    async for update in seat.updates():
        seen += [change.moment.version for change in update.changes]
        if seat.decision:
            await seat.submit(random_answer(seat.decision))
    assert seat.view is not None
    assert seat.view.table.phase == Phase.PHASE_OVER
    assert len(seat.view.ranking.standings) == GAMES[game].meta.least_seats
    assert seen == list(range(seen[0], seat.view.moment.version + 1))
    watched = [change.moment.version for change in await looking]
    assert watched == list(range(first.version + 1, seat.view.moment.version + 1))
    assert spectator.view is not None
    assert spectator.view.ranking == seat.view.ranking


async def _all(changes: AsyncIterator[Change]) -> list[Change]:
    return [change async for change in changes]


async def test_history_tells_what_the_watch_told(client: Client) -> None:
    """Page by page, with views where they are wanted, and the view of every version by itself."""
    table, seat = await opened(client)
    before = await seat.look()
    await table.start()
    told = []
    async for update in seat.updates(before.moment):
        told += list(update.changes)
        if seat.decision:
            await seat.submit(random_answer(seat.decision))
    listed = [each async for each in seat.history(before.moment.version, views=True)]
    assert [each.change for each in listed] == told
    assert listed[-1].view == seat.view
    assert await seat.look(listed[3].view.moment.version) == listed[3].view
    assert [each.change async for each in seat.history()][-len(told) :] == told


async def test_a_typed_command_means_the_same_as_an_answer(client: Client) -> None:
    """Which game it belongs to is told by its type."""
    _, seat = await asked(client)
    done = await seat.submit(augsburg.BuyCertificates(cards=[]))
    assert done.change.seat == seat.number
    assert game_command(augsburg.Pass()).augsburg.WhichOneof("command") == "pass_bid"
    assert game_command(augsburg.Command(call=augsburg.Call())) == GameCommand(
        augsburg=augsburg.Command(call=augsburg.Call())
    )
    with pytest.raises(TypeError, match=r"kontor\.v1\.Answer is no command of a game"):
        game_command(Answer())


async def test_an_option_without_slots_is_an_answer(client: Client) -> None:
    """As it stands."""
    _, seat = await asked(client)
    await seat.submit(augsburg.BuyCertificates(cards=[]))
    async for _ in seat.updates():
        if seat.decision:
            break
    assert seat.decision
    option = next(option for option in seat.decision.options if option.command == "Pass")
    assert (await seat.submit(option)).change.events[0].sentence.text == "Ada passes."


async def test_the_catalogue(client: Client) -> None:
    """Games in short and whole."""
    games = await client.games()
    assert {game.id for game in games} == set(GAMES)
    game = await client.game("augsburg")
    assert game.summary == next(each for each in games if each.id == "augsburg")
    assert game.rules
    assert game.components


async def test_public_tables_are_found_and_joined_by_anyone(client: Client) -> None:
    """Without an invite."""
    table = await client.create_table("augsburg", public=True, seats=3)
    found: list[str] = []
    for _ in range(100):  # the list is derived: it comes a little later than the table
        found = [each.id async for each in client.tables("augsburg", Phase.PHASE_LOBBY)]
        if table.id in found:
            break
        await asyncio.sleep(0.05)
    assert table.id in found
    seat = await client.join(table.id, "Bea")
    assert [(each.number, each.name) for each in (await client.table(table.id)).seats] == [(1, "Bea")]
    await seat.leave()
    assert not (await table.get()).seats
    assert (await table.cancel()).phase == Phase.PHASE_CANCELLED


async def test_private_tables_are_joined_by_invite(client: Client) -> None:
    """And by nobody else."""
    table = await client.create_table("augsburg")
    with pytest.raises(NotFound) as error:
        await client.join(table.id, "Bea")
    assert error.value.reason == "TABLE_NOT_FOUND"
    seat = await client.join(table.id, "Bea", await table.invite())
    assert (await seat.look()).seat == 1
    assert seat.number == 1


async def test_seats_change_hands(client: Client) -> None:
    """To another person, whose token is the only one then; to a bot, which plays on."""
    _, seat = await asked(client)
    other = await seat.hand_to("Bea")
    with pytest.raises(Unauthenticated):
        await seat.look()
    assert [each.name for each in (await other.look()).table.seats] == ["Anton", "Bea"]
    table = await other.hand_to_bot("random")
    assert table.seats[1].bot == "random"


async def test_who_resigns_leaves_his_seat_to_a_stand_in(client: Client) -> None:
    """And can say nothing more."""
    _, seat = await asked(client)
    assert (await seat.resign()).seats[1].bot == "stand-in"
    with pytest.raises(Unauthenticated):
        await seat.look()


async def test_a_second_screen_sees_what_the_seat_sees(client: Client) -> None:
    """And a renewed token is as good as the old one."""
    _, seat = await asked(client)
    screen = await seat.second_screen()
    assert await screen.look() == await seat.look()
    old = seat.token
    assert await seat.renew()
    assert (await client.seat(seat.table_id, old).look()).seat == (await seat.look()).seat


async def test_tokens_are_not_printed(client: Client) -> None:
    """A traceback or a log may show these objects."""
    table, seat = await opened(client)
    spectator = await table.spectator()
    for holder in (table, seat, spectator):
        assert holder.token not in repr(holder)
        assert table.id in repr(holder)


# --- errors -------------------------------------------------------------------------------------------------------


async def test_a_refusal_names_its_rule(client: Client) -> None:
    """With a reason, facts and a sentence."""
    _, seat = await asked(client)
    with pytest.raises(Refused) as error:
        await seat.submit(augsburg.Bid(cards=3))
    assert error.value.status == "FAILED_PRECONDITION"
    assert error.value.rule.startswith("AUG-")
    assert error.value.reason
    assert error.value.sentence.endswith(".")
    assert "rule" not in error.value.facts


async def test_a_decision_that_is_gone(client: Client) -> None:
    """Is an error of its own, since a player can't help it."""
    _, seat = await asked(client)
    assert seat.decision
    number = seat.decision.number
    await seat.submit(first_answer(seat.decision))
    with pytest.raises(DecisionGone) as error:
        await seat.submit(augsburg.BuyCertificates(), number)
    assert error.value.reason == "DECISION_GONE"


async def test_a_request_id_used_twice(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same body it answers the same, with another it is refused."""
    _, seat = await asked(client)
    assert seat.decision
    number, answer = seat.decision.number, first_answer(seat.decision)
    monkeypatch.setattr(viewers, "new_id", lambda: "the-same")
    once = await seat.submit(answer, number)
    again = await seat.submit(answer, number)
    assert once.change == again.change
    with pytest.raises(AlreadyUsed):
        await seat.submit(answer, number + 1)


async def test_what_is_malformed_names_its_path(client: Client) -> None:
    """In the request."""
    _, seat = await asked(client)
    with pytest.raises(Malformed) as error:
        await client.create_table("chess")
    assert (error.value.path, error.value.reason) == ("game", "UNKNOWN_GAME")
    with pytest.raises(Malformed) as error:
        await seat.submit(Answer(command="BuyCertificates", fields=[Field(name="cards", number=1)]))
    assert error.value.path


async def test_who_may_not_is_told_so(client: Client) -> None:
    """A host holds no seat, a seat hosts no table, a made-up token is nothing."""
    table, seat = await asked(client)
    with pytest.raises(Forbidden):
        await client.seat(table.id, table.token).look()
    with pytest.raises(Forbidden):
        await client.hosted(table.id, seat.token).start()
    with pytest.raises(Unauthenticated):
        await client.seat(table.id, "made-up").look()
    with pytest.raises(Forbidden):
        await client.create_table("augsburg", seed="0" * 64)


async def test_where_nobody_listens() -> None:
    """Patience ends."""
    async with Client("127.0.0.1:1", patience=0.2) as nobody:
        with pytest.raises(Unavailable) as error:
            await nobody.games()
    assert error.value.temporary
    assert isinstance(error.value, KontorError)


@pytest.mark.parametrize(
    ("code", "kind"),
    [(grpc.StatusCode.UNIMPLEMENTED, Unexpected), (grpc.StatusCode.RESOURCE_EXHAUSTED, TooMuch)],
)
def test_a_status_without_details_is_an_error_too(code: grpc.StatusCode, kind: type[KontorError]) -> None:
    """As a proxy would send it; trying again does not help."""
    error = from_rpc(grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), "so"))
    assert type(error) is kind
    assert not error.temporary
    assert str(error) == "so"


@pytest.mark.parametrize("code", [grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN])
def test_a_stream_that_a_proxy_cuts_is_tried_again(code: grpc.StatusCode) -> None:
    """Behind a proxy a dead replica is an INTERNAL without a reason; our own servers always tell one."""
    error = from_rpc(grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), "so"))
    assert type(error) is Unavailable
    assert error.temporary


def test_an_unknown_outcome_may_be_tried_again() -> None:
    """It is a kind of not being available."""
    assert OutcomeUnknown("so").temporary


async def test_a_rate_is_waited_for(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A server that says when to come back is asked again then."""
    slow = Server(tmp_path_factory.mktemp("slow"), "--token-rate", "5", "--token-burst", "2").start()
    try:
        async with Client(slow.address) as client:
            table = await client.create_table("augsburg")
            for _ in range(6):
                await table.get()
        assert '"RESOURCE_EXHAUSTED"' in slow.log
    finally:
        slow.stop()


# --- without async ------------------------------------------------------------------------------------------------


def test_a_whole_game_without_async(server: Server) -> None:
    """The same objects, each call of which waits."""
    with now.Client(server.address) as client:
        assert client.game("augsburg").summary in client.games()
        table = client.create_table("augsburg", public=True, seats=2)
        assert eventually(lambda: table.id in [each.id for each in client.tables()])
        seat = table.join("Ada")
        assert table.add_bot() == 2
        spectator = client.spectator(table.id, table.spectator().token)
        start = spectator.look().moment
        table.start()
        for update in seat.updates():
            assert update.view.seat == seat.number
            if seat.decision:
                seat.submit(first_answer(seat.decision))
        assert seat.view
        assert seat.view.table == table.get()
        assert seat.view.table.phase == Phase.PHASE_OVER
        versions = [change.moment.version for change in spectator.changes(start)]
        assert versions == list(range(start.version + 1, seat.view.moment.version + 1))
        assert len(list(seat.history())) == seat.view.moment.version


def test_without_async_the_rest_works_too(server: Server) -> None:
    """Seats, tokens, errors, and a watch that is stopped early."""
    with now.Client(server.address) as client:
        table = client.create_table("augsburg", bots=["random"])
        seat = client.join(table.id, "Ada", table.invite())
        seat.leave()
        seat = client.hosted(table.id, table.token).join("Ada")
        table.start()
        for _ in seat.updates():
            break
        assert seat.renew() == seat.token
        assert seat.second_screen().look() == client.seat(table.id, seat.token).look()
        assert repr(seat) == f"Seat(table_id={table.id!r})"
        assert repr(table) == f"HostedTable(id={table.id!r})"
        other = seat.hand_to("Bea")
        assert other.look().seat == 2
        with pytest.raises(Unauthenticated):
            seat.look()
        with pytest.raises(Refused):
            table.hand_to_bot(1)
        assert other.hand_to_bot().seats[1].bot == "stand-in"
        cancelled = client.create_table("augsburg")
        assert cancelled.cancel().phase == Phase.PHASE_CANCELLED
        with pytest.raises(Refused) as error:
            cancelled.start()
        assert error.value.reason == "TABLE_CANCELLED"


def test_waits_grow_and_differ() -> None:
    """Up to a bound, and never all clients at once."""
    waits = line.backoff()
    found = [next(waits) for _ in range(20)]
    assert found[0] < 0.06
    assert max(found) <= 2.0
    assert len(set(found)) == 20
