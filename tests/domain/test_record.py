"""A saved game is believed only if it is whole, unchanged, and as the rules decide it."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from domain import record, toy
from domain.chance import SeededChance
from domain.editions import builtin
from domain.engine import play
from domain.options import sample
from domain.record import RecordError, Step
from domain.table import Bot, Sitting, open_table
from domain.values import members, replace

SEED = bytes(range(32))
GAMES: dict[str, Any] = {"toy": toy}


class First:
    """Always the first answer."""

    def below(self, bound: int, /) -> int:
        return 0


def header() -> record.Header[Any]:
    """A table of two."""
    table = open_table(toy.meta, "first", ()).table
    sittings = (Sitting("Anna", Bot.RANDOM), Sitting("Bert", Bot.STAND_IN))
    return record.header(toy, replace(table, sittings=sittings), builtin(toy, "first"), SEED)


def steps() -> list[Step[Any, Any]]:
    """A whole game in which everybody gives the first answer."""
    head, chance = header(), SeededChance(SEED)
    outcome = toy.setup(2, head.settings, head.box, chance)
    found: list[Step[Any, Any]] = [Step(0, 0, None, outcome.events)]
    while waiting := toy.waiting(outcome.state):
        decision = toy.decision(outcome.state, waiting[0])
        assert decision
        command = sample(decision.options[0], members(toy.Command), First())
        outcome = play(toy, outcome.state, waiting[0], command, chance)
        found.append(Step(len(found), waiting[0], command, outcome.events))
    return found


def lines() -> list[str]:
    """The lines of that game."""
    return list(record.write(header(), steps()))


def refused(text: str, games: dict[str, Any] = GAMES) -> str:
    """The sentence with which a text is refused."""
    with pytest.raises(RecordError) as refusal:
        record.read(text, games)
    sentence = str(refusal.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def changed(line: str, **changes: object) -> str:
    """A line with some of its fields changed, hash untouched."""
    return json.dumps(json.loads(line) | changes, separators=(",", ":")) + "\n"


def test_what_is_written_is_read_back_equal() -> None:
    """Header and steps come back as they were, each with its hash."""
    saved = record.read("".join(lines()), GAMES)
    assert replace(saved.header, hash="") == header()
    assert [replace(step, hash="") for step in saved.steps] == steps()
    assert len({step.hash for step in saved.steps}) == len(saved.steps)


def test_a_lost_last_end_of_line_does_no_harm() -> None:
    """Some editors drop it."""
    assert record.read("".join(lines()).rstrip("\n"), GAMES).steps


def test_replaying_gives_the_state_of_every_step() -> None:
    """The last state is that of a game that is over, and folding the events gives the same."""
    saved = record.read("".join(lines()), GAMES)
    folded = None
    for step, state in record.replay(toy, saved):
        for event in step.events:
            folded = toy.evolve(folded, event)
        assert folded == state
    assert toy.result(folded) is not None  # type: ignore[arg-type]  # it is a state by now


@pytest.mark.parametrize("kept", [1, 2, 5])
def test_a_truncated_game_says_after_which_step(kept: int) -> None:
    """Cut between lines, in a line, and before the end of a line."""
    whole = lines()
    place = f"after step {kept - 2}" if kept > 1 else "after its header"
    expected = f"The saved game is truncated: it breaks off {place}, before its last line."
    start = "".join(whole[:kept])
    assert refused(start) == expected
    assert refused(start.rstrip("\n")) == expected
    assert refused(start + whole[kept][:40]) == expected


def test_without_its_last_line_a_game_is_truncated() -> None:
    """Even if all steps are there."""
    whole = lines()
    assert f"after step {len(whole) - 3}" in refused("".join(whole[:-1]))


def test_an_altered_step_is_named() -> None:
    """Another seat, another card: the hash no longer fits."""
    whole = lines()
    whole[4] = changed(whole[4], seat=1 + json.loads(whole[4])["seat"] % 2)
    assert refused("".join(whole)) == "Step 3 of the saved game was altered: it does not fit its hash."


def test_a_step_of_another_shape_is_named() -> None:
    """A field of a wrong type is found by the types, with its place."""
    whole = lines()
    whole[4] = changed(whole[4], events=[{"type": "Staked", "seat": "one", "coins": 1}])
    assert refused("".join(whole)) == (
        "Step 3 of the saved game was altered: Expected `int`, got `str` - at `$.events[0].seat`."
    )


@pytest.mark.parametrize("rubbish", ["{]\n", "[]\n", "\n", '"' * 9 + "\n"])
def test_rubbish_among_the_steps_is_named(rubbish: str) -> None:
    """What is no line of a saved game is an altered step."""
    whole = lines()
    whole[4] = rubbish
    assert refused("".join(whole)).startswith("Step 3 of the saved game was altered: ")


def test_a_missing_step_is_named() -> None:
    """And one that stands in the wrong place."""
    whole = lines()
    assert refused("".join(whole[:4] + whole[5:])) == (
        "Step 3 of the saved game is missing: step 4 stands in its place."
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": "00" * 32}, "The header of the saved game was altered: it does not fit its hash."),
        ({"seed": "zz"}, "The header of the saved game was altered: "),
        ({"sittings": []}, "The header of the saved game was altered: it does not fit its hash."),
        ({"edition": 1}, "The header of the saved game was altered: Expected `str`, got `int` - at `$.edition`."),
        ({"game": "chess"}, "The saved game is of 'chess'; known games: toy."),
        ({"rules_version": 9}, "The saved game has format 1 and rules version 9; this Kontor reads format 1 and rules"),
        ({"format": 2}, "The saved game has format 2 and rules version 1; this Kontor reads format 1 and rules"),
        ({"type": "Step"}, "This is no saved game: its first line is not the header of one."),
    ],
)
def test_an_altered_header_is_told(change: dict[str, object], sentence: str) -> None:
    """The header is chained too."""
    whole = lines()
    whole[0] = changed(whole[0], **change)
    assert refused("".join(whole)).startswith(sentence)


@pytest.mark.parametrize("text", ["", "\n", "hello", "[]", "{}", "[" * 100_000])
def test_what_is_no_saved_game_is_told(text: str) -> None:
    """Anything may be typed as a file."""
    assert refused(text) == "This is no saved game: its first line is not the header of one."


@pytest.mark.parametrize("change", [{"steps": 3}, {"hash": "0" * 64}, {"steps": "all"}])
def test_an_altered_last_line_is_told(change: dict[str, object]) -> None:
    """It counts the steps and repeats the last hash."""
    whole = lines()
    whole[-1] = changed(whole[-1], **change)
    assert refused("".join(whole)).startswith("The last line of the saved game was altered: ")


def test_nothing_stands_after_the_last_line() -> None:
    """A game ends once."""
    whole = lines()
    sentence = "The saved game was altered: something stands after its last line."
    assert refused("".join([*whole, whole[-1]])) == sentence


def forged(change: Callable[[list[Step[Any, Any]]], None]) -> str:
    """A game that somebody changed and chained anew, so that only the rules can tell."""
    made = steps()
    change(made)
    return "".join(record.write(header(), made))


def test_events_that_the_rules_would_not_cause_are_named() -> None:
    """Somebody gave himself a better card and mended the hashes."""

    def cheat(made: list[Step[Any, Any]]) -> None:
        begun = made[0].events[0]
        made[0] = replace(made[0], events=(replace(begun, deck=begun.deck[::-1]), *made[0].events[1:]))

    assert refused(forged(cheat)) == "Step 0 differs from what the rules decide: event 1 of it (Begun / Begun)."


def test_a_missing_event_is_named() -> None:
    """The last event of a step was left out."""

    def forget(made: list[Step[Any, Any]]) -> None:
        made[2] = replace(made[2], events=made[2].events[:-1])

    assert refused(forged(forget)) == "Step 2 differs from what the rules decide: event 2 of it (Asked)."


@pytest.mark.parametrize("change", [{"seat": 7}, {"command": None}])
def test_a_command_against_the_rules_is_named(change: dict[str, Any]) -> None:
    """Nobody sits there; nothing was said."""

    def forge(made: list[Step[Any, Any]]) -> None:
        made[1] = replace(made[1], **change)

    assert refused(forged(forge)).startswith("Step 1 is against the rules (")
