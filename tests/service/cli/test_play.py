"""`kontor play`: whole games of every kind through a pipe and through a terminal, by a player who only sees prompts."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games import GAMES
from kontor_client import first_answer
from kontor_client.sync import Client
from tests.clients.serving import KONTOR, Server, environment

from .player import Player

COME_BACK = re.compile(r"kontor (play --server \S+ --table \S+ --token \S+)")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server to play on."""
    running = Server(tmp_path_factory.mktemp("play"), "--token-rate", "0", "--peer-rate", "0").start()
    yield running
    running.stop()


def typed(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """A command that ends by itself."""
    return subprocess.run(
        [KONTOR, *words], input=text, capture_output=True, text=True, env=environment(), timeout=60, check=False
    )


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_whole_game_of_every_kind_through_a_pipe(server: Server, game: str) -> None:
    """Typed by chance, to the final ranking."""
    player = Player(
        "--server", server.address, "--game", game, "--seats", str(GAMES[game].meta.most_seats), "--name", "Ada", seed=2
    )
    said = player.play()
    assert player.process.returncode == 0, said[-2000:]
    assert "The game is over" in said
    assert "Ada (you)" in said
    assert "\x1b[" not in said  # no colours where there is no terminal


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_whole_game_of_every_kind_in_a_terminal(server: Server, game: str) -> None:
    """In colours, from the first question what to play, against players by chance."""
    seats = str(GAMES[game].meta.least_seats)
    flags = ("--server", server.address, "--game", game, "--seats", seats, "--bots", "random,stand-in")
    player = Player(*flags, seed=5, terminal=True)
    said = player.play()
    assert player.process.returncode == 0, said[-2000:]
    assert "The game is over" in said
    assert "\x1b[" in said


def test_who_says_nothing_is_asked_what_to_play(server: Server) -> None:
    """Game, players, opponents; and q leaves, with the seat kept."""
    player = Player("--server", server.address, terminal=True)
    assert "What do you want to play?" in player.prompt()
    player.type("99")
    assert "Type a number from 1 to" in player.prompt()
    player.type("1")
    assert "How many players?" in player.prompt()
    player.type("1")
    assert "Against whom?" in player.prompt()
    player.type("2")
    player.prompt()
    player.type("q")
    assert player.prompt() == ""
    assert "Your seat is kept" in player.close()


def test_a_seat_can_be_come_back_to(server: Server) -> None:
    """By the line that was printed when the input ended."""
    first = typed("play", "--server", server.address, "--game", "augsburg", "--seats", "2")
    assert first.returncode == 0
    line = COME_BACK.search(first.stdout)
    assert line is not None
    words = line[1].split()[1:]
    player = Player(*words)
    assert "The game is over" in player.play()


def test_a_player_may_resign(server: Server) -> None:
    """After saying so twice; a stand-in plays on."""
    player = Player("--server", server.address, "--game", "augsburg", "--seats", "2")
    player.prompt()
    player.type("resign")
    assert "Resign for good?" in player.prompt()
    player.type("no")
    player.prompt()
    player.type("resign")
    player.prompt()
    player.type("yes")
    assert player.prompt() == ""
    assert "a stand-in plays on for you" in player.close()


def test_help_rules_and_the_view_are_at_hand(server: Server) -> None:
    """And nonsense is told to be nonsense."""
    player = Player("--server", server.address, "--game", "augsburg", "--seats", "2")
    player.prompt()
    for word, wanted in (("?", "For example: "), ("r", "AUG-4"), ("v", "hand:"), ("1 1 1 99", "no number from 1 to")):
        player.type(word)
        assert wanted in player.prompt(), word
    player.type("q")
    player.prompt()
    player.close()


def test_a_friend_joins_and_another_watches(server: Server) -> None:
    """By the lines that the host is given; all three see the end."""
    host = Player("--server", server.address, "--game", "augsburg", "--seats", "3", "--friends", "1", "--name", "Ada")
    while "Waiting for the others" not in host.said:
        host.read()
    join = re.search(r"kontor play (.* --invite \S+)", host.said)
    look = re.search(r"kontor (watch .* --token \S+)", host.said)
    assert join is not None
    assert look is not None
    friend = Player(*join[1].split(), "--name", "Bea", seed=3)
    players = {host, friend}
    while players:
        for player in tuple(players):
            shown = player.soon(0.05)
            if shown is None:
                continue
            if not shown:
                player.close()
                players.discard(player)
            else:
                player.type(player.answer(shown))
    assert "Ada (you)" in host.said
    assert "Bea (you)" in friend.said
    watched = typed(*look[1].split())
    assert watched.returncode == 0
    assert "The game is over" in watched.stdout
    assert "Ada (you)" not in watched.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--game", "chess"), "there is no game 'chess'; valid: "),
        (("--game", "augsburg", "--seats", "9"), "Augsburg 1520 is not for 9 players; valid: 2 to 5"),
        (("--game", "augsburg", "--bots", "genius"), "there is no bot 'genius'; valid: stand-in, random"),
        (("--game", "augsburg", "--seats", "2", "--friends", "2"), "2 friends and you need more than 2 seats"),
        (("--invite", "abc"), "--invite and --token need --table"),
        (("--table", "0123456789AB"), "There is no such table"),
        (("--table", "nonsense"), "table_id: "),
        (("--game", "augsburg", "--name", "x" * 41), "A name has 1 to 40 printable characters"),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence(server: Server, words: tuple[str, ...], sentence: str) -> None:
    """With the exit code 2."""
    said = typed("play", "--server", server.address, *words)
    assert (said.returncode, said.stdout) == (2, "")
    assert sentence in said.stderr
    assert said.stderr.count("\n") == 1


def test_without_a_server_it_says_what_to_do() -> None:
    """In one sentence."""
    said = typed("play", "--server", "127.0.0.1:1")
    assert said.returncode == 2
    assert said.stderr == "kontor: no server answers at 127.0.0.1:1; start one with: make serve\n"


def test_a_decision_that_is_gone_is_told(server: Server) -> None:
    """When the same seat answered elsewhere meanwhile, the player goes on with what is asked now."""
    player = Player("--server", server.address, "--game", "augsburg", "--seats", "2")
    shown = player.prompt()
    player.type("q")
    player.prompt()
    player.close()
    line = COME_BACK.search(player.said)
    assert line is not None
    again = Player(*line[1].split()[1:])
    shown = again.prompt()
    words = line[1].split()
    with Client(server.address) as client:
        seat = client.seat(words[words.index("--table") + 1], words[words.index("--token") + 1])
        seat.look()
        assert seat.decision is not None
        seat.submit(first_answer(seat.decision))
    again.type(again.answer(shown))
    again.play()
    assert "This decision is no longer open" in again.said
    assert "The game is over" in again.said


def test_a_game_outlives_its_server(tmp_path: Path) -> None:
    """The server is killed while the player thinks, and again while it is away; he is told, and plays on."""
    server = Server(tmp_path, "--token-rate", "0", "--peer-rate", "0").start()
    try:
        player = Player("--server", server.address, "--game", "augsburg", "--seats", "2", seed=4)
        for move in range(6):
            shown = player.prompt()
            if move in (2, 4):
                server.kill()
                player.type(player.answer(shown))
                server.start()
            else:
                player.type(player.answer(shown))
        said = player.play()
        assert player.process.returncode == 0, said[-2000:]
        assert "The game is over" in said
        assert "is lost, trying again" in said
    finally:
        server.stop()
