"""`kontor show`: a saved game as somebody saw it, and never more than that."""

from pathlib import Path

import pytest

from domain import record, toy
from domain.toy.events import Drawn, Handed

from .conftest import GAMES, Kontor


def test_a_spectator_sees_no_card_of_a_hand(kontor: Kontor, saved: Path) -> None:
    """One sentence an event, numbered by steps, then his view and the result."""
    said = kontor("show", str(saved))
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "The Little Fair (first, coins=hidden), as seen by a spectator"
    assert lines[1] == "Players: Seat 1 (random), Seat 2 (random), Seat 3 (random)"
    game = record.read(saved.read_text(), GAMES)
    told = lines[3 : lines.index("", 3)]
    assert len(told) == sum(len(step.events) for step in game.steps)
    assert told[0].startswith("    0  The fair begins: cards are dealt to everybody, and 12 stay in the deck.")
    assert told[-1] == "       The game is over."
    assert "hand: -" in lines
    assert "Result, decided by TOY-302" in said.out
    assert game.header.seed not in said.out


@pytest.mark.parametrize("viewer", [1, 2, 3])
def test_a_player_sees_his_own_cards_only(kontor: Kontor, saved: Path, viewer: int) -> None:
    """What he draws and hands over, not what others do."""
    said = kontor("show", str(saved), "--viewer", str(viewer))
    assert f"as seen by Seat {viewer}\n" in said.out
    for step in record.read(saved.read_text(), GAMES).steps:
        for event in step.events:
            if isinstance(event, Drawn):
                card = f"{event.card.good.capitalize()} {event.card.value}"
                assert (f"Seat {event.seat} draws {card}." in said.out) == (event.seat == viewer)
            if isinstance(event, Handed):
                card = f"{event.card.good.capitalize()} {event.card.value}"
                seen = f"Seat {event.seat} hands {card} to Seat {event.to}." in said.out
                assert seen == (viewer in (event.seat, event.to))


def test_all_shows_everything(kontor: Kontor, saved: Path) -> None:
    """The seed, the deck, every hand, and what is stored."""
    said = kontor("show", str(saved), "--viewer", "all")
    game = record.read(saved.read_text(), GAMES)
    assert f"Seed: {game.header.seed}" in said.out
    assert "[begun: open coins no; first Seat" in said.out
    assert "\ndeck: " in said.out
    assert "\nagenda: -\n" in said.out


def test_in_the_middle_of_a_game_the_open_decision_is_shown_to_who_is_asked(kontor: Kontor, saved: Path) -> None:
    """With its rule, its options and how many answers they have; others see only who is asked."""
    game = record.read(saved.read_text(), GAMES)
    first = game.steps[1].seat
    asked = f"\nSeat {first} is asked (TOY-201): How many coins do you stake?\n  - Stake 0 to 3 coins.  [4 answers]\n"
    assert asked in kontor("show", str(saved), "--at", "0", "--viewer", str(first)).out
    assert asked in kontor("show", str(saved), "--at", "0", "--viewer", "all").out
    for viewer in ((), ("--viewer", str(1 + first % 3))):
        said = kontor("show", str(saved), "--at", "0", *viewer)
        assert "is asked" not in said.out
        assert f"It is up to Seat {first}." in said.out
        assert "After step 0\n" in said.out


def test_every_step_can_be_shown_to_everybody(kontor: Kontor, saved: Path) -> None:
    """Nothing in a game is beyond showing."""
    steps = len(record.read(saved.read_text(), GAMES).steps)
    for at in range(0, steps, 3):
        for viewer in ("1", "2", "3", "all"):
            assert kontor("show", str(saved), "--at", str(at), "--viewer", viewer).code == 0


@pytest.mark.parametrize("viewer", ["0", "4", "-1", "Anna", "", "9" * 30, "²"])
def test_a_viewer_who_is_not_there_is_told(kontor: Kontor, saved: Path, viewer: str) -> None:
    """The valid ones are named."""
    expected = f"there is no viewer {viewer!r} in this game; valid: 1 to 3, or all"
    assert kontor.refuses("show", str(saved), f"--viewer={viewer}") == expected


def test_a_step_that_is_not_there_is_told(kontor: Kontor, saved: Path) -> None:
    """The valid ones are named."""
    last = len(record.read(saved.read_text(), GAMES).steps) - 1
    assert kontor.refuses("show", str(saved), "--at", "999") == f"there is no step 999 in {saved}; valid: 0 to {last}"
    assert kontor.refuses("show", str(saved), "--at", "x").startswith("argument --at: 'x' is not a whole number from 0")


def test_a_file_that_cant_be_read_is_told(kontor: Kontor, tmp_path: Path) -> None:
    """Missing, a folder, or no text."""
    assert kontor.refuses("show", str(tmp_path / "none")) == f"{tmp_path}/none can't be read: No such file or directory"
    assert kontor.refuses("show", str(tmp_path)) == f"{tmp_path} can't be read: Is a directory"
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    assert kontor.refuses("show", f"{tmp_path}/binary") == f"{tmp_path}/binary is no saved game: it is not text"
    (tmp_path / "text").write_text("Dear diary,")
    sentence = f"{tmp_path}/text: This is no saved game: its first line is not the header of one."
    assert kontor.refuses("show", f"{tmp_path}/text") == sentence


def test_a_truncated_game_is_told_with_the_step(kontor: Kontor, saved: Path) -> None:
    """It is not shown as if it were whole."""
    text = saved.read_text()
    saved.write_text(text[: len(text) // 2])
    assert kontor.refuses("show", str(saved)).startswith(
        f"{saved}: The saved game is truncated: it breaks off after step"
    )


def test_an_altered_game_is_told_with_the_step(kontor: Kontor, saved: Path) -> None:
    """Another number of coins in the first stake."""
    lines = saved.read_text().splitlines()
    staked = toy.commands.Stake
    game = record.read(saved.read_text(), GAMES)
    assert isinstance(game.steps[1].command, staked)
    coins = game.steps[1].command.coins
    lines[2] = lines[2].replace(f'"coins":{coins}', f'"coins":{(coins + 1) % 4}')
    saved.write_text("\n".join(lines))
    expected = f"{saved}: Step 1 of the saved game was altered: it does not fit its hash."
    assert kontor.refuses("show", str(saved)) == expected
