"""The campaign's watcher: what it writes down of what it was told."""

from __future__ import annotations

import pytest

from campaigns.chaos.crew import Crew
from campaigns.chaos.watcher import Watcher
from kontor.v1 import Moment, Skip, View, WatchViewResponse

pytestmark = pytest.mark.anyio

BEHIND = WatchViewResponse(
    view=View(moment=Moment(version=60, tag="shown")), skip=Skip(reason=Skip.Reason.REASON_BEHIND)
)


@pytest.mark.parametrize(("forgiving", "noted"), [(True, "REWOUND"), (False, "BETWEEN")])
async def test_what_was_listed_is_of_another_history(
    forgiving: bool, noted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older copy was restored between the message and the list: a rewind where there may be one, else a fault."""
    crew = Crew([], 1)
    crew.forgiving = forgiving
    watcher = Watcher(crew, "0123456789AB", 0, "token")
    watcher.journal.skip("START", 59, "known")

    async def fetch(last: int) -> None:
        watcher.journal.change(last, "listed", b"")

    monkeypatch.setattr(watcher, "_fetch", fetch)
    await watcher._take(BEHIND)
    assert [note.skip for note in watcher.journal.notes] == ["START", "", noted]
    assert watcher.journal.last == (60, "shown")
