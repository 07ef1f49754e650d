"""What is typed into a slot, and what a view looks like: without a server."""

import pytest
from rich.console import Console

from domain.games import GAMES
from kontor.augsburg.v1 import PlayerView
from kontor.augsburg.v1 import View as AugsburgView
from kontor.v1 import Game, GameView, Item, Need, PickNumber, PickOne, PickSome, Rule, Seat, Slot, Split, Table, View
from kontor.v1 import Waiting as Asked
from kontor_client import BadAnswer, filled_field
from service.cli import play_ask
from service.cli.play_view import board
from service.cli.play_words import Words

SOME = Slot(
    field="cards",
    pick_some=PickSome(
        items=[
            Item(key="joker", count=3, weight=1),
            Item(key="leo-15", count=1, weight=2, kind="leo"),
            Item(key="x", count=1),
        ],
        least=1,
        most=4,
        needs=[Need(kind="leo", least=1)],
        limit=9,
    ),
)
SPLIT = Slot(field="stacks", split=Split(items=[Item(key="a", count=2), Item(key="b", count=1)]))
ONE = Slot(field="use", pick_one=PickOne(keys=["step", "church"]))
NUMBER = Slot(field="bid", pick_number=PickNumber(least=-1, most=5))
WORDS = Words(
    Game(phrases="key-joker = the joker\nsource-tax = taxes", rules=[Rule(id="X-1", sentence="So it is.")]),
    Table(seats=[Seat(number=1, name="Ada"), Seat(number=2, name="Bea")]),
)


@pytest.mark.parametrize(
    ("slot", "typed", "meant"),
    [
        (ONE, "2", "church"),
        (ONE, "Step", "step"),
        (NUMBER, "-1", -1),
        (SOME, "2", ["leo-15"]),
        (SOME, "1 1, 2", ["joker", "joker", "leo-15"]),
        (SOME, "2x1 2", ["joker", "joker", "leo-15"]),
        (SOME, "1-3", ["joker", "leo-15", "x"]),
        (SOME, "all", ["joker", "joker", "joker", "leo-15", "x"]),
        (SOME, "none", []),
        (SOME, "-", []),
        (SPLIT, "1 2 / 1", [["a", "b"], ["a"]]),
        (SPLIT, "2*1/2", [["a", "a"], ["b"]]),
        (SPLIT, "each", [["a"], ["a"], ["b"]]),
        (SPLIT, "all", [["a", "a", "b"]]),
    ],
)
def test_each_kind_of_slot_is_filled_by_typing(slot: Slot, typed: str, meant: object) -> None:
    """By numbers, ranges, several, groups."""
    assert play_ask.read(slot, typed) == meant


@pytest.mark.parametrize(
    ("slot", "typed"),
    [(ONE, "3"), (ONE, "0"), (ONE, ""), (NUMBER, "six"), (NUMBER, "6"), (NUMBER, "1 2"), (SOME, "4"), (SOME, "1-9"),
     (SOME, "0x"), (SOME, "x1"), (SOME, "999x1 999x1"), (SPLIT, "1 2 3"), (SPLIT, "9")],
)  # fmt: skip
def test_nonsense_is_told_to_be_nonsense(slot: Slot, typed: str) -> None:
    """In a sentence, and asked again."""
    with pytest.raises(BadAnswer):
        play_ask.read(slot, typed)


@pytest.mark.parametrize("slot", [ONE, NUMBER, SOME, SPLIT, Slot(field="s", pick_some=PickSome(least=0, most=0))])
def test_the_example_of_the_help_is_legal(slot: Slot) -> None:
    """For every kind of slot."""
    filled_field(slot, play_ask.read(slot, play_ask.example(slot)))
    assert play_ask.prompt(slot).startswith(f"{slot.field}: ")
    assert play_ask.HELP[slot.WhichOneof("ask") or ""]


def test_things_are_shown_with_what_matters_to_the_choice() -> None:
    """Their number, their weight where there is a limit, their kind where one is needed."""
    assert play_ask.shown(SOME, WORDS) == ["the joker  × 3  (1)", "Leo 15  (2, leo)", "X  (0)"]  # noqa: RUF001 - times
    assert play_ask.shown(ONE, WORDS) == ["Step", "Church"]
    assert play_ask.prompt(SOME) == "cards: pick 1 to 4 of 1-3, at least 1 leo, together 9 at most"


def test_words_come_from_the_table_and_the_catalogue() -> None:
    """Seats by name, things by phrase or by their key's own words."""
    assert [WORDS.key(key) for key in ("seat-2", "seat-9", "nobody", "joker", "leo-15", "A I")] == [
        "Bea", "Seat 9", "nobody", "the joker", "Leo 15", "A I",
    ]  # fmt: skip
    assert WORDS.keys(["joker", "joker", "x"]) == "2 × the joker, X"  # noqa: RUF001 - times
    assert (WORDS.source("tax"), WORDS.source("old-debt")) == ("taxes", "Old Debt")
    assert (WORDS.rule("X-1"), WORDS.rule("X-2")) == ("So it is.", "")


def drawn(view: View) -> str:
    """A view as plain text."""
    console = Console(width=100, highlight=False)
    with console.capture() as captured:
        console.print(board(view, WORDS))
    return captured.get()


def test_a_view_is_laid_out_without_knowing_the_game() -> None:
    """Players beside each other, what is asked and who you are marked, what says nothing left out."""
    players = [PlayerView(seat=1, cards=4, prestige=7), PlayerView(seat=2, prestige=9, minter=True)]
    game = AugsburgView(seat=1, hand=["joker", "joker", "leo-15"], players=players, round=2, leader=2, supply=1200)
    said = drawn(View(seat=1, waiting_for=[Asked(seat=2)], game=GameView(augsburg=game)))
    assert "hand: 2 × the joker, Leo 15" in said  # noqa: RUF001 - times
    assert "Ada (you)" in said
    assert "Bea …" in said
    assert "leader Bea" in said
    assert "supply 1,200" in said
    for silent in ("dealt", "winner", "noble", "cathedral"):
        assert silent not in said.split("churches")[0].replace("cathedrals", ""), silent


def test_a_game_newer_than_the_client_is_told_in_words() -> None:
    """There is nothing to lay out."""
    assert "older than the game" in drawn(View(game=GameView()))


def test_every_game_has_a_view_that_can_be_laid_out() -> None:
    """The messages of all games of the house are known to the client."""
    assert set(GAMES) == {field.name for field in GameView.DESCRIPTOR.fields}
    for game in GAMES:
        view = View(game=GameView())
        getattr(view.game, game).SetInParent()
        drawn(view)
