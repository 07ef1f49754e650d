"""A viewer's visit to a table in two worlds, from its founding on: everything that he can get is asked for."""

from __future__ import annotations

from campaigns.leaks.refusals import refusals, reused
from campaigns.leaks.table import Table
from campaigns.leaks.truth import Step
from campaigns.leaks.wire import PLAY, TABLES, Watch
from domain.values import to_json
from kontor.v1 import GameView, ask_pb2, view_pb2
from kontor.v1 import play_service_pb2 as play_pb
from kontor.v1 import table_service_pb2 as table_pb
from service.translate import view_to_dict
from tests.service.host.made import NAMES

PAGE = 200


async def visit(table: Table, *, proven: bool) -> None:
    """Compare two worlds until a rule tells the viewer in which he is, or the walk is over."""
    await found(table)
    watch = table.ends.watch(play_pb.WatchViewRequest(table_id=table.id).SerializeToString(), table.token)
    try:
        await follow(table, watch)
        for number in range(table.pair.walk + 1):
            await look(table, number)
            await refusals(table, number)
            step = table.truth.step() if number < table.pair.walk else None
            if step is None:
                break
            await submit(table, step, f"c{number}")
            await follow(table, watch)
        if proven:
            await prove(table)
    finally:
        watch.cancel()
        table.tally.figures["tables"] += 1
        table.tally.figures[table.pair.hides] += 1
        table.tally.figures["reveals"] += table.truth.reveals


async def found(table: Table) -> None:
    """A table is founded in both worlds, and all sit down."""
    pair, creates = table.pair, f"{TABLES}CreateTable"
    one, other = (
        table_pb.CreateTableRequest(
            request_id=pair.request,
            client_secret=table.secret,
            game=pair.game.meta.id,
            edition=pair.start.edition,
            settings=[ask_pb2.Fact(name=name, value=value) for name, value in pair.start.settings],
            position=to_json(state),
            seed=seed.hex(),
        ).SerializeToString()
        for state, seed in zip(pair.states, pair.seeds, strict=True)
    )
    both = await table.ends.call(creates, (one, other), "")
    made, twin = (table_pb.CreateTableResponse.FromString(answer.message) for answer in both)
    if pair.variant.seed:
        table.commitments = (made.table.commitment.encode(), twin.table.commitment.encode())
    table.well(table.same("CreateTable", creates, both), "a table can begin from a position")
    table.id = made.table.id
    for name in NAMES[: pair.players]:
        join = table_pb.JoinTableRequest(
            table_id=table.id, request_id=f"join-{name}", client_secret=table.secret, name=name
        )
        answer = await table.ask("JoinTable", f"{TABLES}JoinTable", join, made.host_token)
        table.tokens.append(table_pb.JoinTableResponse.FromString(answer.message).seat_token)
    start = table_pb.StartTableRequest(table_id=table.id, request_id="start")
    table.well(await table.ask("StartTable", f"{TABLES}StartTable", start, made.host_token), "a table can start")
    own = table.tokens[pair.viewer - 1] if pair.viewer else made.host_token
    view = table_pb.CreateViewTokenRequest(table_id=table.id)
    answer = await table.ask("CreateViewToken", f"{TABLES}CreateViewToken", view, own)
    table.second = table_pb.CreateViewTokenResponse.FromString(answer.message).view_token
    table.token = own if pair.viewer else table.second
    await table.ask("RenewToken", f"{TABLES}RenewToken", table_pb.RenewTokenRequest(), table.token)


async def look(table: Table, number: int) -> None:
    """All that can be asked about now, and about what was."""
    views, changes = f"{PLAY}GetView", f"{PLAY}ListChanges"
    now, listed = play_pb.GetViewRequest(table_id=table.id), play_pb.ListChangesRequest(table_id=table.id)
    await table.ask("GetView", views, now, table.token)
    await table.ask("GetTable", f"{TABLES}GetTable", table_pb.GetTableRequest(table_id=table.id), table.token)
    await table.ask("GetView of a second screen", views, now, table.second)
    await table.ask("ListChanges", changes, listed, table.token)
    listed = play_pb.ListChangesRequest(table_id=table.id, with_views=True, page_size=PAGE)
    await table.ask("ListChanges with views", changes, listed, table.token)
    then = table.moments[table.truth.source.below(len(table.moments))]
    earlier = play_pb.GetViewRequest(table_id=table.id, version=then.version - (not number))
    await table.ask("GetView of an earlier version", views, earlier, table.token)
    await resume(table, "WatchView resumed", then)
    if not number:
        await resume(table, "WatchView of another history", view_pb2.Moment(version=then.version, tag="f" * 12))


async def resume(table: Table, kind: str, moment: view_pb2.Moment) -> None:
    """Watch on from an earlier moment."""
    request = play_pb.WatchViewRequest(table_id=table.id, resume=moment)
    watch = table.ends.watch(request.SerializeToString(), table.token)
    try:
        table.same(kind, f"{PLAY}WatchView", await watch.read())
    finally:
        watch.cancel()


async def follow(table: Table, watch: Watch) -> None:
    """The next message of the stream that was open all the time."""
    answer = table.same("WatchView", f"{PLAY}WatchView", await watch.read())
    table.well(answer, "a change is told")
    table.moments.append(play_pb.WatchViewResponse.FromString(answer.message).view.moment)


async def submit(table: Table, step: Step, request: str) -> None:
    """A command in both worlds; its answer is compared if it is the viewer's own."""
    submits, token = f"{PLAY}SubmitCommand", table.tokens[step.seat - 1]
    one, other = (table.command(request, step.number, command) for command in step.commands)
    assert one is not None
    assert other is not None
    both = await table.ends.call(submits, (one, other), token)
    for answer in both:
        table.well(answer, f"seat {step.seat} may answer {step.commands!r}")
    table.truth.states = step.states
    table.tally.figures["commands"] += 1
    table.tally.figures["commands with other secrets"] += step.commands[0] != step.commands[1]
    if step.seat == table.pair.viewer:
        table.same("SubmitCommand", submits, both)
        await table.ask("SubmitCommand repeated", submits, one, token)
        await reused(table, request, step)


async def prove(table: Table) -> None:
    """Both servers are where the true rules have led: each shows a seat, any of them, what it must see in its world."""
    game, seat = table.pair.game, 1 + table.truth.source.below(table.pair.players)
    request = play_pb.GetViewRequest(table_id=table.id).SerializeToString()
    both = await table.ends.call(f"{PLAY}GetView", (request, request), table.tokens[seat - 1])
    shown = [play_pb.GetViewResponse.FromString(answer.message).view.game for answer in both]
    for view, state in zip(shown, table.truth.states, strict=True):
        if view != GameView(**view_to_dict(game, game.view(state, seat))):
            raise table.difference("played by other rules", f"seat {seat} is shown what it does not see")
    table.tally.figures["tables seen to differ by another"] += shown[0] != shown[1]
