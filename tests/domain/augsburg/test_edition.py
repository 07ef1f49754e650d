"""Chapter 7: the tables of the edition, and editions that can't be."""

from __future__ import annotations

from importlib import resources
from typing import Any

import pytest

from domain import augsburg
from domain.augsburg.components import Cell, Steps
from domain.editions import EditionError, Source, builtin, parse
from tests.domain.augsburg.table import EDITION

TEXT = resources.files(augsburg).joinpath("editions", "original.toml").read_text("utf-8")
MARKS = {"*": Source.INFERRED, "!": Source.STATED}

# As the rules page prints them: ! is stated in a rulebook, * follows from what is stated, the rest is reconstructed.
TABLES = {
    "prices": "*200 200 200 200 200 250 250 250 250 300 300 300 !300 350 350 350 *400",
    "churches": "800 !700 600 500 400",
    "cathedrals": "1000 !900 800 700 600",
    "coats_of_arms": "!4 3 !2 2 !1",
    "letters_of_nobility": "!5 !4 3 3 !2",
}
LETTERS = {
    "Y": "trade", "O": "nobility", "V": "office", "G": "money", "P6": "prestige-6", "P7": "prestige-7", "D": "draw",
}  # fmt: skip
PRIVILEGE_CARDS = (
    "Y O V", "Y Y P7", "!O !O D", "G !V !V", "G Y O", "O P6 V", "!Y !V D", "!G !P6 V", "G O D", "Y P7 D",
)  # fmt: skip
NAMES = {
    "trade": "Augsburg !Innsbruck Venice Antwerp",
    "nobility": "!Citizen !Baron !Count !Prince",
    "office": "!Merchant !Guild_Master !Councillor !Mayor",
}


def marked(word: str) -> tuple[str, Source]:
    """A word of a table, and how sure it is."""
    return word.lstrip("*!").replace("_", " "), MARKS.get(word[0], Source.RECONSTRUCTED)


@pytest.mark.rule("AUG-105", "AUG-410")
@pytest.mark.parametrize("name", TABLES)
def test_numbers(name: str) -> None:
    """Every number of the table is as printed, and marked as sure as it is."""
    expected = tuple(Cell(int(number), source) for number, source in map(marked, TABLES[name].split()))
    assert getattr(EDITION, name) == expected


@pytest.mark.rule("AUG-410")
def test_the_joker() -> None:
    """A joker costs 400, as a rulebook says."""
    assert EDITION.joker == Cell(400, Source.STATED)


@pytest.mark.rule("AUG-106")
def test_privilege_cards() -> None:
    """The ten cards show their three privileges each."""
    found = [
        [(cell.privilege.value, cell.source) for cell in (row.first, row.second, row.third)]
        for row in EDITION.privilege_cards
    ]
    wanted = [[(LETTERS[letter], source) for letter, source in map(marked, card.split())] for card in PRIVILEGE_CARDS]
    assert found == wanted


@pytest.mark.rule("AUG-107")
@pytest.mark.parametrize("category", NAMES)
def test_step_names(category: str) -> None:
    """The four steps of a category have their names."""
    steps: Steps = getattr(EDITION, category)
    found = [(cell.name, cell.source) for cell in (steps.first, steps.second, steps.third, steps.fourth)]
    assert found == [marked(word) for word in NAMES[category].split()]


SURE, GUESS = 'source = "stated"', 'source = "reconstructed"'
CORRUPT = {
    "prices: expected 17": ('  { number = 400, source = "inferred" },      # 17\n', ""),
    "prices[5]: expected 50 to 1000": ("{ number = 250,", "{ number = 255,"),
    "prices[16]: expected 50 to 1000": ('{ number = 400, source = "inf', '{ number = 1050, source = "inf'),
    "joker: expected": ("joker = { number = 400", "joker = { number = 0"),
    "`$.joker.number`": ("joker = { number = 400", 'joker = { number = "400"'),
    "`$.joker`": (f"joker = {{ number = 400, {SURE} }}", "joker = { number = 400 }"),
    "churches: expected 5": (f"  {{ number = 800, {GUESS} }},\n", ""),
    "churches[2]: expected at most 700": ("{ number = 600,", "{ number = 750,"),
    "churches[0]: expected 1 to 2000": ("{ number = 800,", "{ number = 2001,"),
    "cathedrals[0]: expected 1 to 2000": ("{ number = 1000,", "{ number = 2001,"),
    "coats_of_arms[0]: expected 1 to 20": ("{ number = 4,", "{ number = 21,"),
    "coats_of_arms[4]: expected 1 to 20": ("{ number = 1,", "{ number = 0,"),
    "letters_of_nobility[0]: expected 1 to 20": ("{ number = 5,", "{ number = 21,"),
    "`$.letters_of_nobility[0].source`": (f"{{ number = 5, {SURE} }}", '{ number = 5, source = "guessed" }'),
    "`$.privilege_cards[1].third.privilege`": ('privilege = "prestige-7"', 'privilege = "prestige-8"'),
    "privilege_cards[5]: expected ten different": ('privilege = "prestige-6"', 'privilege = "trade"'),
    "office.second: expected a name": ("Guild Master", " "),
    "office.fourth: expected a name": ("Mayor", "M" * 31),
    "unknown field `colour`": ("[trade]\n", "[colour]\n[trade]\n"),
    "missing required field `joker`": (f"joker = {{ number = 400, {SURE} }}", ""),
    "not TOML": ("[trade]", "[trade"),
}


@pytest.mark.rule("AUG-105", "AUG-106")
@pytest.mark.parametrize("words", CORRUPT)
def test_a_corrupt_edition_names_the_cell(words: str) -> None:
    """An edition that can't be is refused, with the cell and what was expected there."""
    before, after = CORRUPT[words]
    assert before in TEXT
    with pytest.raises(EditionError) as error:
        parse(augsburg, TEXT.replace(before, after, 1))
    assert words in str(error.value)


def test_the_edition_itself_is_sound() -> None:
    """The file in the folder parses to the edition that is played."""
    assert parse(augsburg, TEXT) == EDITION


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("churches = [\n  { number = 800,", "churches = [\n  { number = 2000,"),
        ("cathedrals = [\n  { number = 1000,", "cathedrals = [\n  { number = 2000,"),
        ("coats_of_arms = [\n  { number = 4,", "coats_of_arms = [\n  { number = 20,"),
        ("letters_of_nobility = [\n  { number = 5,", "letters_of_nobility = [\n  { number = 20,"),
        ("joker = { number = 400", "joker = { number = 1000"),
        ("joker = { number = 400", "joker = { number = 50"),
        ("Guild Master", "G"),
        ("Guild Master", "G" * 30),
    ],
)
def test_what_an_edition_may_say(before: str, after: str) -> None:
    """The bounds themselves are within."""
    assert before in TEXT
    assert parse(augsburg, TEXT.replace(before, after, 1)) != EDITION


def test_an_unknown_edition() -> None:
    """The error names the editions there are."""
    with pytest.raises(EditionError, match="no edition 'deluxe'; there is original"):
        builtin(augsburg, "deluxe")


def test_ten_cards_are_needed() -> None:
    """A card less is not enough."""
    card: Any = TEXT.index("[[privilege_cards]]")
    following = TEXT.index("[[privilege_cards]]", card + 1)
    with pytest.raises(EditionError, match="privilege_cards: expected 10 cards"):
        parse(augsburg, TEXT[:card] + TEXT[following:])
