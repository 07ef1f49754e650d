"""`kontor simulate`: the same seed plays the same games, and everything in them is counted."""

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from domain import record, toy
from domain.table import Bot, open_table
from service.cli.tally import tally, wilson
from service.simulate import Played, seated, seed_of

from .conftest import GAMES, KONTOR, REPOSITORY, Kontor


def counted(kontor: Kontor, *typed: str) -> dict[str, Any]:
    """What --json says."""
    said = kontor("simulate", "toy", *typed, "--json")
    assert said.code == 0, said.err
    counts: dict[str, Any] = json.loads(said.out)
    return counts


def test_the_same_seed_gives_the_same_result_in_any_number_of_processes() -> None:
    """Byte for byte, with one and with two jobs, in processes of their own."""
    typed = [*KONTOR, "simulate", "toy", "--games", "35", "--seed", "11", "--bots", "random,stand-in", "--json"]
    said = [
        subprocess.run([*typed, "--jobs", jobs], cwd=REPOSITORY, capture_output=True, text=True, check=True)
        for jobs in ("1", "2")
    ]
    assert said[0].stdout == said[1].stdout
    assert said[0].stderr == said[1].stderr == ""
    assert json.loads(said[0].stdout)["games"] == 35


def test_a_result_of_long_ago() -> None:
    """The seed of a game is fixed for all time: it is the same on any machine."""
    assert seed_of(11, 0).hex() == "7de14825baaa08bc59522944194939f2e6421c413026adbf1ad9f76b44ef60c1"


def test_another_seed_plays_other_games(kontor: Kontor) -> None:
    """Else there would be only one game."""
    one, other = (counted(kontor, "--games", "5", "--seed", seed) for seed in ("1", "2"))
    one.pop("seed"), other.pop("seed")
    assert one != other


def test_the_counts_fit_together(kontor: Kontor) -> None:
    """Victories add up to the games, and so do commands."""
    counts = counted(kontor, "--games", "20", "--players", "4", "--bots", "stand-in,random,random,random")
    assert sum(row["wins"] for row in counts["by_seat"]) == pytest.approx(20)
    assert sum(row["wins"] for row in counts["by_bot"]) == pytest.approx(20)
    assert {row["bot"]: row["played"] for row in counts["by_bot"]} == {"stand-in": 20, "random": 60}
    times = {row["command"]: row["times"] for row in counts["commands"]}
    assert (times["Stake"], times["Offer"], times["Name"]) == (160, 160, 40)
    assert sum(times.values()) == pytest.approx(20 * counts["length"]["commands"]["mean"])
    assert {row["rule"]: row["times"] for row in counts["rules"]}["TOY-201"] == 160
    assert counts["decided_by"] == {"TOY-302": 20}


def test_bots_are_repeated_and_rotated() -> None:
    """From game to game each bot moves on by a seat."""
    kinds = (Bot.STAND_IN, Bot.RANDOM)
    games = [seated(kinds, 3, index) for index in range(3)]
    assert games == [
        (Bot.STAND_IN, Bot.RANDOM, Bot.STAND_IN),
        (Bot.RANDOM, Bot.STAND_IN, Bot.STAND_IN),
        (Bot.STAND_IN, Bot.STAND_IN, Bot.RANDOM),
    ]


def test_a_shared_victory_is_a_share_and_the_rare_is_marked() -> None:
    """Two winners have half a victory each; what happened in none of the games is there all the same."""
    game = Played(0, (Bot.RANDOM,) * 2, Counter(Stake=2), 9, Counter({"TOY-201": 2}), (3, 3), (0.5, 0.5), "TOY-302")
    counts = tally(toy, open_table(toy.meta, "first", ()).table, (Bot.RANDOM,), 1, [game])
    assert [row["win_rate"] for row in counts["by_seat"]] == [0.5, 0.5]
    rules = {row["rule"]: row for row in counts["rules"]}
    assert (rules["TOY-201"]["times"], rules["TOY-201"]["rare"]) == (2, False)
    assert (rules["TOY-301"]["times"], rules["TOY-301"]["rare"]) == (0, True)
    assert rules["TOY-205"]["says"] == "The next round begins with the next player; there are two …"


@pytest.mark.parametrize(
    ("wins", "tries", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962), (1, 1000, 0.0002, 0.0056)],
)
def test_the_interval_is_wilsons(wins: float, tries: int, low: float, high: float) -> None:
    """Against values known from elsewhere."""
    assert wilson(wins, tries) == pytest.approx((low, high), abs=1e-4)


def test_a_person_gets_tables(kontor: Kontor) -> None:
    """Length, seats, bots, commands and rules, without control characters where it is no terminal."""
    said = kontor("simulate", "toy", "--games", "3", "--players", "2", "--seed", "4", "--set", "coins=open")
    assert said.code == 0
    assert said.err == ""
    assert "\x1b" not in said.out
    first = "The Little Fair (first, coins=open): 3 games of 2 players, seed 4, bots random"
    assert said.out.startswith(first)
    for part in ("Length of a game", "by seat", "by bot", "Commands", "Rules", "95 % interval", "TOY-302 100%"):
        assert part in said.out


def test_saved_games_can_be_read_again(kontor: Kontor, tmp_path: Path) -> None:
    """One file a game, whoever played it, and the same files at every run."""
    texts = []
    for run in ("one", "two"):
        folder = tmp_path / run / "deep"
        said = kontor("simulate", "toy", "--games", "3", "--save", str(folder))
        assert (
            said.out.splitlines()[-1]
            == f"Saved in {folder}; for example: kontor show {folder}/toy-4p-seed1-000001.jsonl"
        )
        texts.append([file.read_text() for file in sorted(folder.iterdir())])
    assert texts[0] == texts[1]
    assert [record.read(text, GAMES).header.seed for text in texts[0]] == [seed_of(1, n).hex() for n in range(3)]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (("chess",), "there is no game 'chess'; valid: toy"),
        (("toy", "--players", "5"), "The Little Fair is not for 5 players; valid: 2 to 4"),
        (("toy", "--edition", "second"), "The Little Fair: there is no edition second; valid: first"),
        (
            ("toy", "--set", "coins=gold"),
            "The Little Fair: there is no table option coins=gold; valid: coins=hidden|open",
        ),
        (("toy", "--set", "gold=1"), "The Little Fair: there is no table option gold=1; valid: coins=hidden|open"),
        (("toy", "--set", "coins"), "--set 'coins' has no value; write it as name=value"),
        (("toy", "--bots", "clever"), "there is no bot 'clever'; valid: random, stand-in"),
        (("toy", "--bots", ""), "there is no bot ''; valid: random, stand-in"),
        (
            ("toy", "--players", "2", "--bots", "random," * 2 + "random"),
            "3 bots are too many for 2 players; valid: 1 to 2",
        ),
    ],
)
def test_what_cant_be_played_is_told_with_what_can(kontor: Kontor, typed: tuple[str, ...], sentence: str) -> None:
    """One sentence, and the exit code 2."""
    assert kontor.refuses("simulate", *typed) == sentence


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (("--games", "0"), "argument --games: '0' is not a whole number from 1 to 1000000"),
        (("--games", "many"), "argument --games: 'many' is not a whole number from 1 to 1000000"),
        (("--jobs", "-1"), "argument --jobs: '-1' is not a whole number from 1 to 256"),
        (("--seed", "9" * 99), f"argument --seed: '{'9' * 99}' is not a whole number from 0 to 9223372036854775808"),
        (("--players", "4.5"), "argument --players: '4.5' is not a whole number from 1 to 99"),
        (("--speed", "9"), "unrecognized arguments: --speed 9"),
        (("--games",), "argument --games: expected one argument"),
    ],
)
def test_a_wrong_argument_is_told_in_one_sentence(kontor: Kontor, typed: tuple[str, ...], sentence: str) -> None:
    """With where to find the right ones."""
    assert kontor.refuses("simulate", "toy", *typed).startswith(sentence)


def test_a_folder_that_cant_be_made_is_told(kontor: Kontor, tmp_path: Path) -> None:
    """A file stands in its place."""
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "games"
    assert (
        kontor.refuses("simulate", "toy", "--save", str(folder))
        == f"{folder} can't be made a folder to save in: Not a directory"
    )


def test_a_file_that_cant_be_written_is_told(kontor: Kontor, tmp_path: Path) -> None:
    """A folder stands in its place."""
    file = tmp_path / "toy-4p-seed1-000001.jsonl"
    file.mkdir()
    assert kontor.refuses("simulate", "toy", "--save", str(tmp_path)) == f"{file} can't be written: Is a directory"
