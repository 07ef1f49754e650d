"""The examples, and the client code of the docs: each is run against a real server, to the end of a game."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from domain.games import GAMES
from kontor_client.sync import Client

from .serving import REPOSITORY, Server, environment

EXAMPLES = REPOSITORY / "examples"
LINES = {"bot.py": 40, "spectator.py": 20, "frontend.py": 60}
FENCE = re.compile(r"```python\n(.*?)```", re.DOTALL)


def ran(server: Server, file: Path, *words: str, text: str = "") -> str:
    """What a program says that ends well."""
    settings = environment(KONTOR_SERVER=server.address, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run(
        [sys.executable, str(file), *words],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        env=settings,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_bot(server: Server, game: str) -> None:
    """Plays a whole game of every kind."""
    assert "The game is over." in ran(server, EXAMPLES / "bot.py", game)


def test_the_bot_by_invite_and_the_spectator(server: Server) -> None:
    """A bot joins a table at which others sit; the spectator tells the story after the end."""
    with Client(server.address) as client:
        table = client.create_table("augsburg", bots=["stand-in"])
        bot = subprocess.Popen(
            [sys.executable, str(EXAMPLES / "bot.py"), table.id, table.invite()],
            stdout=subprocess.DEVNULL,
            env=environment(KONTOR_SERVER=server.address, PYTHONPATH=os.pathsep.join(sys.path)),
        )
        spectator = table.spectator()
        for update in spectator.updates():
            if len(update.view.table.seats) == 2:
                break
        table.start()
        told = ran(server, EXAMPLES / "spectator.py", table.id, spectator.token)
        assert bot.wait(30) == 0
    assert told.startswith("The table is opened.")
    assert re.search(r"^1\. (Anton|Robot) with \d+$", told, re.MULTILINE)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_frontend_loop(server: Server, game: str) -> None:
    """Clicks, some of them wrong, and when they end always the first option."""
    told = ran(server, EXAMPLES / "frontend.py", game, text="99\nnonsense\n1\n1\n1\n")
    assert told.count("! ") >= 2
    assert "* The game is over." in told


@pytest.mark.parametrize(("name", "lines"), LINES.items())
def test_the_examples_are_as_short_as_they_say(name: str, lines: int) -> None:
    """Not counting blank lines and the docstring of the file."""
    source = EXAMPLES.joinpath(name).read_text()
    code = [line for line in source.split('"""', 2)[2].splitlines() if line.strip()]
    assert len(code) <= lines, len(code)


@pytest.mark.parametrize("place", range(2))
def test_the_code_of_getting_started_runs(server: Server, place: int, tmp_path: Path) -> None:
    """As it stands on the page, but for the address; the first block has at most ten lines of code."""
    page = REPOSITORY.joinpath("docs/getting-started.md").read_text(encoding="utf-8")
    blocks = FENCE.findall(page)
    assert len(blocks) == 2
    assert len([line for line in blocks[0].splitlines() if line.strip()]) <= 10
    file = tmp_path / "code.py"
    file.write_text(blocks[place].replace("127.0.0.1:50051", server.address), encoding="utf-8")
    assert "The game is over." in ran(server, file)


def test_the_readme_shows_the_same_ten_lines() -> None:
    """What the README promises is what the page says, and that is run above."""
    shown, said = (
        FENCE.findall(REPOSITORY.joinpath(page).read_text(encoding="utf-8"))[0]
        for page in ("README.md", "docs/getting-started.md")
    )
    assert shown == said
