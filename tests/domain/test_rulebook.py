"""The rules pages of the games parse, and state every rule exactly once."""

import re
from pathlib import Path

import pytest

from domain.rulebook import Rule, parse

DOMAIN = Path(__file__).parents[2] / "domain"

# Prefix and id ranges of each game's page.
EXPECTED = {
    "augsburg": "AUG 101-110 201-216 301-323 401-413 501-503 601-608 801-811",
    "diefugger": "FUG 101-104 201-207 301-307 401-405 501-503 601-603 801-801",
    "strasbourg": "STR 101-106 201-205 301-318 401-403 501-507 601-617 701-703 901-908",
}
PAGE = """# A game

An introduction - with a dash, and **bold** words.

## 1 Setup
- **TOY-101** Each player (of 2) starts with 3 coins. *(rulebook p. 1; ruling of ours)*

## 2 Play
- **TOY-201** Pass. *(house rule)*
"""


def page(game: str) -> tuple[Rule, ...]:
    """The rules of a game, from its folder."""
    return parse((DOMAIN / game / "rules.md").read_text(encoding="utf-8"))


def ids(ranges: str) -> list[str]:
    """All ids of ranges such as "AUG 101-110 201-216"."""
    prefix, *spans = ranges.split()
    bounds = [span.split("-") for span in spans]
    return [f"{prefix}-{number}" for first, last in bounds for number in range(int(first), int(last) + 1)]


@pytest.mark.parametrize("game", EXPECTED)
def test_page_states_every_rule_once(game: str) -> None:
    """No rule is missing, none is there twice, none is unknown."""
    assert sorted(rule.id for rule in page(game)) == ids(EXPECTED[game])


@pytest.mark.parametrize("game", EXPECTED)
def test_rules_stand_in_the_chapter_of_their_number(game: str) -> None:
    """AUG-206 stands in chapter 2."""
    for rule in page(game):
        assert rule.chapter.split()[0] == rule.id[4], rule.id


@pytest.mark.parametrize("game", EXPECTED)
def test_rules_are_whole_plain_sentences(game: str) -> None:
    """What a player is shown starts like a sentence, ends like one, and has no markup; its source is named."""
    for rule in page(game):
        assert re.fullmatch(r"[A-Z].*\.", rule.sentence), rule.id
        assert not re.search(r"[*_`|<>]|  ", rule.sentence + rule.source), rule.id
        assert rule.source.strip() == rule.source != "", rule.id


@pytest.mark.parametrize("game", EXPECTED)
def test_rules_refer_to_rules_that_exist(game: str) -> None:
    """A rule named within a page stands on that page."""
    rules = page(game)
    known = {rule.id for rule in rules}
    for rule in rules:
        assert set(re.findall(r"[A-Z]{3}-\d{3}", rule.sentence + rule.source)) <= known, rule.id


def test_a_page_is_read_in_its_order() -> None:
    """Id, chapter, sentence and source come out as they stand; parentheses within a sentence are its own."""
    assert parse(PAGE) == (
        Rule("TOY-101", "1 Setup", "Each player (of 2) starts with 3 coins.", "rulebook p. 1; ruling of ours"),
        Rule("TOY-201", "2 Play", "Pass.", "house rule"),
    )


@pytest.mark.parametrize(
    "line",
    [
        "- TOY-202 No bold id. *(source)*",
        "- **TOY-2** Short number. *(source)*",
        "- **toy-202** Small letters. *(source)*",
        "- **TOY-202** No source.",
        "- **TOY-202** Empty source. *()*",
        "- **TOY-202**  *(no sentence)*",
        "- **TOY-202** *(no sentence)*",
        "- **TOY-202** With *markup*. *(source)*",
        "- **TOY-202** Something after. *(source)* more",
        "  - **TOY-202** Indented. *(source)*",
        "* **TOY-202** Another bullet. *(source)*",
        "a rule wrapped to a second line",
        "## No number",
        "### 3 A section",
    ],
)
def test_malformed_lines_are_refused_by_number(line: str) -> None:
    """The error names the line, so that a writer finds it."""
    with pytest.raises(ValueError, match=r"^line 10: "):
        parse(PAGE + line)


def test_a_doubled_id_is_refused() -> None:
    """An id names one rule, also across chapters."""
    with pytest.raises(ValueError, match=r"line 10: TOY-101 .* second time"):
        parse(PAGE + "- **TOY-101** Again. *(source)*")


def test_a_rule_before_the_first_chapter_is_refused() -> None:
    """The introduction holds no rules."""
    with pytest.raises(ValueError, match="line 1: TOY-101 stands before the first chapter"):
        parse("- **TOY-101** Early. *(source)*")
