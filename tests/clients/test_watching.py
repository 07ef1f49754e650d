"""Holding a view through everything a server can say: good-byes, gaps, silence, refusals. The server is a script."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from kontor.v1 import (
    Answer,
    Change,
    ChangeAndView,
    ListChangesRequest,
    ListChangesResponse,
    Moment,
    Phase,
    PlayServiceServicer,
    Skip,
    SubmitCommandRequest,
    SubmitCommandResponse,
    Table,
    View,
    WatchViewRequest,
    WatchViewResponse,
    add_PlayServiceServicer_to_server,
)
from kontor_client import Client, Unauthenticated, Unavailable, Update, watching

pytestmark = pytest.mark.anyio

Script = list[Any]
"""Messages of one watch, an exception-like status to end it with, or a number of seconds to keep silent."""


def moment(version: int) -> Moment:
    """A moment of the one true history."""
    return Moment(version=version, tag=f"t{version}")


def view(version: int, phase: Phase.ValueType = Phase.PHASE_PLAYING) -> View:
    """The view at a version."""
    return View(moment=moment(version), table=Table(id="T", phase=phase, version=version), seat=1)


def told(first: int, last: int, **more: Any) -> WatchViewResponse:
    """The changes from one version to another."""
    changes = [Change(moment=moment(version)) for version in range(first, last + 1)]
    return WatchViewResponse(changes=changes, view=view(last, **more))


def skipped(version: int, reason: Skip.Reason.ValueType) -> WatchViewResponse:
    """A view with changes left out before it."""
    return WatchViewResponse(view=view(version), skip=Skip(reason=reason, version=version))


START = skipped(3, Skip.REASON_START)
GOING_AWAY = WatchViewResponse(skip=Skip(reason=Skip.REASON_GOING_AWAY))
END: dict[str, Any] = {"phase": Phase.PHASE_OVER}


class Scripted(PlayServiceServicer):
    """A server that says what a script says, watch by watch."""

    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)
        self.resumed: list[int] = []
        self.submitted: list[SubmitCommandRequest] = []
        self.failures: list[grpc.StatusCode] = []

    async def WatchView(  # noqa: N802
        self, request: WatchViewRequest, context: Any
    ) -> AsyncIterator[WatchViewResponse]:
        self.resumed.append(request.resume.version)
        for part in self.scripts.pop(0):
            if isinstance(part, grpc.StatusCode):
                await context.abort(part, "as the script says")
            elif isinstance(part, float):
                await asyncio.sleep(part)
            else:
                yield part

    async def ListChanges(self, request: ListChangesRequest, context: Any) -> ListChangesResponse:  # noqa: N802
        first = max(int(request.page_token or 0), request.after_version) + 1
        last = min(first + 2, 12)  # three a page; the table has reached 12 meanwhile
        found = [ChangeAndView(change=Change(moment=moment(version))) for version in range(first, last + 1)]
        return ListChangesResponse(changes=found, next_page_token=str(last) if last < 12 else "")

    async def SubmitCommand(self, request: SubmitCommandRequest, context: Any) -> SubmitCommandResponse:  # noqa: N802
        self.submitted.append(request)
        if self.failures:
            await context.abort(self.failures.pop(0), "as the script says")
        return SubmitCommandResponse(view=view(9))

    async def GetView(self, request: Any, context: Any) -> Any:  # noqa: N802
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, "not in the script")


@asynccontextmanager
async def serving(scripted: Scripted) -> AsyncIterator[Client]:
    """The script on a port, and a client of it."""
    server = grpc.aio.server()
    add_PlayServiceServicer_to_server(scripted, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with Client(f"127.0.0.1:{port}", patience=5.0) as client:
            yield client
    finally:
        await server.stop(None)


async def watched(scripted: Scripted, after: Moment | None = None) -> list[Update]:
    """All updates that a seat gets."""
    async with serving(scripted) as client, asyncio.timeout(20):
        return [update async for update in client.seat("T", "token").updates(after)]


def versions(updates: list[Update]) -> list[int]:
    """The versions of all changes, in the order they came."""
    return [change.moment.version for update in updates for change in update.changes]


async def test_it_goes_on_where_it_was_after_a_good_bye() -> None:
    """The server that goes away is asked again from the last moment seen."""
    scripted = Scripted([START, told(4, 5), GOING_AWAY], [told(6, 7), told(8, 8, **END)])
    updates = await watched(scripted)
    assert versions(updates) == [4, 5, 6, 7, 8]
    assert scripted.resumed == [0, 5]


@pytest.mark.parametrize("end", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED])
async def test_it_comes_back_when_the_connection_breaks(end: grpc.StatusCode, caplog: pytest.LogCaptureFixture) -> None:
    """Again and again, and says once that it was lost."""
    scripted = Scripted([START, told(4, 4), end], [end], [end], [told(5, 5, **END)])
    assert versions(await watched(scripted)) == [4, 5]
    assert scripted.resumed == [0, 4, 4, 4]
    assert caplog.text.count("is lost, trying again") == 1


async def test_a_stream_that_just_ends_is_begun_again() -> None:
    """As when a proxy closes it."""
    scripted = Scripted([START], [told(4, 4, **END)])
    assert versions(await watched(scripted)) == [4]


async def test_signs_of_life_are_nothing_to_tell() -> None:
    """An empty message is no update."""
    updates = await watched(Scripted([START, WatchViewResponse(), told(4, 4, **END)]))
    assert len(updates) == 2


async def test_silence_counts_as_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection without signs of life is made anew."""
    monkeypatch.setattr(watching, "SILENCE", 0.3)
    scripted = Scripted([START, 5.0], [told(4, 4, **END)])
    assert versions(await watched(scripted)) == [4]


async def test_a_gap_is_filled() -> None:
    """Who fell behind fetches what was left out, up to the view he got and not beyond it."""
    scripted = Scripted([START, told(4, 4), skipped(11, Skip.REASON_BEHIND), told(12, 12, **END)])
    updates = await watched(scripted)
    assert versions(updates) == [4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert not any(update.rewound for update in updates)


async def test_a_rewound_log_is_told() -> None:
    """What was known may never have happened: the newest view is the older one."""
    scripted = Scripted([START, told(4, 6), skipped(5, Skip.REASON_REWOUND), told(6, 6, **END)])
    async with serving(scripted) as client:
        seat = client.seat("T", "token")
        seen = []
        async for update in seat.updates():
            assert seat.view is not None
            seen.append((update.rewound, seat.view.moment.version))
    assert seen == [(False, 3), (False, 6), (True, 5), (False, 6)]


async def test_it_goes_on_from_a_moment_kept_from_before() -> None:
    """A frontend that was closed resumes where it was."""
    scripted = Scripted([told(3, 4, **END)])
    assert versions(await watched(scripted, moment(2))) == [3, 4]
    assert scripted.resumed == [2]


async def test_a_token_that_is_worth_nothing_ends_it() -> None:
    """Trying again would not help."""
    with pytest.raises(Unauthenticated):
        await watched(Scripted([START, grpc.StatusCode.UNAUTHENTICATED]))


async def test_a_cancelled_table_ends_it() -> None:
    """Nothing happens there any more."""
    updates = await watched(Scripted([START, told(4, 4, phase=Phase.PHASE_CANCELLED), told(5, 5)]))
    assert versions(updates) == [4]


async def test_who_stops_early_hangs_up() -> None:
    """A watch that is let go is cancelled at the server."""
    ended = asyncio.Event()

    class Endless(Scripted):
        async def WatchView(self, request: Any, context: Any) -> AsyncIterator[WatchViewResponse]:  # noqa: N802
            try:
                yield START
                await asyncio.sleep(60)
            finally:
                ended.set()

    async with serving(Endless()) as client:
        async for _ in client.seat("T", "token").updates():
            break
        await asyncio.wait_for(ended.wait(), 5)


# --- submitting ---------------------------------------------------------------------------------------------------


async def submitting(failures: list[grpc.StatusCode], patience: float | None = None) -> Scripted:
    """A command to a server that fails so often first."""
    scripted = Scripted()
    scripted.failures = failures
    async with serving(scripted) as client:
        await client.seat("T", "token").submit(Answer(command="Pass"), 3, patience)
    return scripted


async def test_a_command_is_repeated_under_the_same_id() -> None:
    """The very same request, until it is answered."""
    failures = [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE]
    scripted = await submitting(failures)
    assert len(scripted.submitted) == 4
    assert len({request.SerializeToString(deterministic=True) for request in scripted.submitted}) == 1
    assert scripted.submitted[0].decision == 3


async def test_two_commands_have_two_ids() -> None:
    """Or the second would be taken for the first."""
    first, second = await submitting([]), await submitting([])
    assert first.submitted[0].request_id != second.submitted[0].request_id


async def test_patience_ends() -> None:
    """Then the last error is told."""
    with pytest.raises(Unavailable, match="as the script says"):
        await submitting([grpc.StatusCode.UNAVAILABLE] * 100, patience=0.3)
