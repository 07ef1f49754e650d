"""`kontor watch`: a table as a spectator sees it, while it is played and after."""

import subprocess
from collections.abc import Iterator

import pytest

from domain.games import GAMES
from kontor_client import random_answer
from kontor_client.sync import Client
from tests.clients.serving import KONTOR, Server, environment


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server to watch."""
    running = Server(tmp_path_factory.mktemp("watch"), "--token-rate", "0", "--peer-rate", "0").start()
    yield running
    running.stop()


def watch(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Watch something that ends by itself."""
    return subprocess.run(
        [KONTOR, "watch", *words], capture_output=True, text=True, env=environment(**variables), timeout=60, check=False
    )


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_of_every_kind_while_it_is_played(server: Server, game: str) -> None:
    """From before the start to the ranking, every sentence once; and the same again when it is over."""
    with Client(server.address) as client:
        table = client.create_table(game, bots=["stand-in"] * (GAMES[game].meta.least_seats - 1))
        seat, spectator = table.join("Ada"), table.spectator()
        words = ("--server", server.address, "--table", table.id)
        watching = subprocess.Popen(
            [str(KONTOR), "watch", *words, "--token", spectator.token],
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        table.start()
        for _ in seat.updates():
            if seat.decision:
                seat.submit(random_answer(seat.decision))
        live, _ = watching.communicate(timeout=60)
        assert watching.returncode == 0
        told = [event.sentence.text for each in spectator.history() for event in each.change.events]
    later = watch(*words, KONTOR_TOKEN=spectator.token)
    assert later.returncode == 0, later.stderr
    for said in (live, later.stdout):
        assert "The game is over" in said
        assert "(you)" not in said
        lines = said.splitlines()
        assert lines.count("The game begins.") == 1
        assert [line for line in told if line not in lines and not line.startswith("It is up to")] in (
            [],
            ["The game is over."],
        )


def test_a_table_as_it_once_stood(server: Server) -> None:
    """Only what had happened by then; a seat's own link shows the seat's view."""
    with Client(server.address) as client:
        table = client.create_table("augsburg", bots=["stand-in"])
        seat = table.join("Ada")
        table.start()
        for _ in seat.updates():
            if seat.decision:
                seat.submit(random_answer(seat.decision))
        tokens = table.spectator().token, seat.second_screen().token
    words = ("--server", server.address, "--table", table.id)
    early, own = (watch(*words, "--at", "3", "--token", token).stdout for token in tokens)
    assert "up to version 3" in early
    assert "The game begins." in early
    assert "The game is over" not in early
    assert "Waiting for" in early
    assert "hand:" not in early
    assert "hand:" in own
    assert "version: between 1 and" in watch(*words, "--at", "99999", "--token", tokens[0]).stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "the following arguments are required: --table"),
        (("--table", "0123456789AB"), "--token is missing"),
        (("--table", "0123456789AB", "--token", "made-up"), "This token is not valid"),
    ],
)
def test_what_cannot_be_watched_is_told_in_one_sentence(server: Server, words: tuple[str, ...], sentence: str) -> None:
    """With the exit code 2."""
    said = watch("--server", server.address, *words)
    assert (said.returncode, said.stdout) == (2, "")
    assert sentence in said.stderr
    assert said.stderr.count("\n") == 1
