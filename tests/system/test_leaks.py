"""Leaks at the wire, in short: every game and every named position, and every planted leak. At length: `make leaks`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from campaigns.leaks.campaign import Outcome, run
from campaigns.leaks.pairs import Pair, begun, brief, named, starts
from campaigns.leaks.plants import PLANTS, leads_astray
from campaigns.leaks.plants_service import IN_SERVICE
from campaigns.leaks.servers import Servers
from campaigns.leaks.tally import Tally
from domain.games import GAMES
from tests.conformance.subjects import subject

pytestmark = pytest.mark.anyio

SHORT = 2  # commands after which a pair ends
ENOUGH = 60  # comparisons, in which a leak in the service shows
TRIES = 4000  # comparisons, in which one in the rules must be met
BOOKS = ("in a log line", "in a metric", "in a label")


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """The two servers."""
    with Servers(tmp_path_factory.mktemp("leaks") / "servers") as both:
        yield both


@pytest.fixture
def planted(servers: Servers, request: pytest.FixtureRequest) -> Iterator[str]:
    """The two servers with a leak in them."""
    servers.plant(request.param)
    yield request.param
    servers.plant("")


def in_short(game: str) -> Iterator[Pair]:
    """Pairs of a game that end early."""
    return (replace(pair, walk=SHORT) for seed in range(1, 9) for pair in brief(game, seed))


@pytest.mark.parametrize("game", GAMES)
async def test_two_servers_send_the_same_bytes(servers: Servers, game: str) -> None:
    """Answers, errors, streams, logs, metrics are the same, whoever looks, at all positions, in games of all kinds."""

    def more(outcome: Outcome) -> bool:
        return bool(outcome.tallies.get(game, Tally()).missing(GAMES[game]))

    outcome = await run(servers, in_short(game), more)
    assert outcome.found == []
    assert outcome.tallies[game].missing(GAMES[game]) == []
    assert outcome.lines > outcome.comparisons / 2
    assert outcome.figures > 20


@pytest.mark.parametrize("planted", PLANTS, indirect=True)
async def test_a_planted_leak_is_found(servers: Servers, planted: str) -> None:
    """Whatever part of the rules or of the service tells too much: it is found, by what differs between the two."""
    game = "augsburg" if planted in IN_SERVICE else planted.partition(":")[0]

    def more(outcome: Outcome) -> bool:
        return outcome.comparisons < (ENOUGH if planted in BOOKS else TRIES)

    outcome = await run(servers, in_short(game), more, at_a_time=2, proven=leads_astray(planted))
    assert outcome.found
    assert leads_astray(planted) or "played by other rules" not in outcome.found[0].text
    assert (planted in BOOKS) == (outcome.lines > 0)


@pytest.mark.parametrize("planted", ["augsburg: a sealed answer shown early"], indirect=True)
async def test_a_difference_is_found_again_by_its_name(servers: Servers, planted: str) -> None:
    """What a failure prints repeats it, and tells where it is."""
    first = (await run(servers, brief("augsburg", 1), lambda _: True, proven=False)).found[0]
    again = (await run(servers, iter([named(first.pair, 1)]), lambda _: True, proven=False)).found[0]
    assert again == first
    assert "has chosen" in first.text


def test_what_was_never_compared_is_told() -> None:
    """A run that left something out is no good run."""
    missing = Tally().missing(GAMES["augsburg"])
    assert "augsburg: position 'the master builder waits'" in missing
    assert "augsburg: WatchView resumed" in missing
    assert "augsburg: a spectator as viewer" in missing
    assert f"augsburg: a game of {begun(starts(subject('augsburg'))[-1])}" in missing
