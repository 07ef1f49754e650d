"""Everything that a game can say has an English sentence, made from nothing but what is shown."""

from types import ModuleType
from typing import Any

import pytest

from domain import toy
from domain.course import HasAnswered, NowAsked
from domain.editions import builtin
from domain.engine import Decision, Illegal, Points, Standing
from domain.games import GAMES
from domain.options import Given, Group, Option, PickNumber, PickOne, PickSome, Refusal, Why
from domain.table import Bot, Cancel, HandOver, Join, Leave, Resign, Start, Table, decide, evolve, open_table
from domain.toy.commands import Hand, Offer, Pack, Stake
from domain.toy.components import Card
from domain.toy.events import CardDrawn, Offered, Packed, Scored, Staked
from domain.values import Fact, Value, facts
from service.phrase_check import missing, questions, reasons
from service.phrases import Arguments, Phrases
from service.simulate import moves, seed_of, settle

NAMES = ("Anna", "Bert", "Cleo")
EVERY_GAME = [toy, *GAMES.values()]
WHY = Why("TOY-201", "WHATEVER")
SAID = Phrases(toy)


class Strict(Phrases):
    """Phrases that fail where no message serves."""

    def fallback(self, key: str, arguments: Arguments) -> str:
        raise AssertionError(f"{key} can't be said with {arguments}")


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.meta.id)
def test_nothing_is_missing(game: ModuleType) -> None:
    """Every shown event, option, command, question and refusal has a message."""
    assert missing(game) == []


@pytest.mark.parametrize("bots", [Bot.RANDOM, Bot.STAND_IN])
@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.meta.id)
def test_whole_games_are_told_without_a_gap(game: ModuleType, bots: Bot) -> None:
    """All that is shown to anybody, asked, offered, said and scored in a few games makes sentences."""
    phrases = Strict(game)
    edition = game.meta.editions[0]
    for seats in range(game.meta.least_seats, game.meta.most_seats + 1):
        table = open_table(game.meta, edition, ()).table
        settled = settle(game, table, builtin(game, edition), (bots,) * seats)
        state: Any = None
        for move in moves(settled, seed_of(3, seats)):
            if move.decision:
                assert phrases.question(move.decision)
                assert all(phrases.option(option) for option in move.decision.options)
                assert phrases.command(move.command)
            for event in move.outcome.events:
                for viewer in range(seats + 1):
                    assert phrases.event(game.show(event, viewer))
            state = move.outcome.state
        result = game.result(state)
        for source in {points.source for one in result.ranking for points in one.by_source}:
            assert phrases.source(source)


def test_what_is_missing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with one phrase lacks all others; a line that is no message is told."""
    text = "staked = { $seat } stakes.\n\nno message at all\n"
    monkeypatch.setattr("service.phrases.texts", lambda *_: (text,))
    monkeypatch.setattr("service.phrase_check.texts", lambda *_: (text,))
    game = ModuleType("domain.untold")
    vars(game).update(Shown=toy.Shown, Command=toy.Command, State=toy.State)
    *lacking, last = missing(game)
    assert "staked" not in lacking
    assert {"scored", "option-stake", "command-stake", "question-staking", "refusal-not-asked"} <= set(lacking)
    assert last == "not a message: no message at all"


def test_the_reasons_are_found() -> None:
    """Constants of the game, and those written in the engine and at the table."""
    assert {"STAKE_EXCEEDS_COINS", "NOT_ASKED", "NOT_OFFERED", "NAME_TAKEN", "UNKNOWN_SETTING"} <= set(reasons(toy))


def test_the_questions_are_found() -> None:
    """Items of the agenda that ask, not those that run."""
    assert questions(toy) == ["Staking", "Offering", "Naming", "Handing", "Packing"]


APPLE, BREAD = Card("apple-3", "apple", 3), Card("bread-1", "bread", 1)


@pytest.mark.parametrize(
    ("shown", "sentence"),
    [
        (Staked(1, 0), "Anna stakes nothing."),
        (Staked(1, 1), "Anna stakes one coin."),
        (Staked(2, 3), "Bert stakes 3 coins."),
        (Staked(4, 1500), "Seat 4 stakes 1,500 coins."),
        (Offered(1, (APPLE,)), "Anna offers Apple 3."),
        (Offered(1, (APPLE, BREAD, APPLE)), "Anna offers 2 × Apple 3 and Bread 1."),  # noqa: RUF001 - times
        (Offered(1, ()), "Anna offers nothing."),
        (CardDrawn(3, None), "Cleo draws a card."),
        (CardDrawn(3, APPLE), "Cleo draws Apple 3."),
        (Packed(1, (Group(("apple-3", "bread-1")),)), "Anna packs one basket: {Apple 3, Bread 1}."),
        (Packed(1, (Group(("apple-3",)), Group(("bread-1",)))), "Anna packs 2 baskets: {Apple 3} and {Bread 1}."),
        (HasAnswered(2, None), "Bert has chosen."),
        (HasAnswered(2, Offer(("apple-3",))), "Bert has chosen: Offer Apple 3."),
        (NowAsked((1,)), "It is up to Anna."),
        (NowAsked((1, 2, 3)), "It is up to Anna, Bert and Cleo."),
        (NowAsked(()), "The game is over."),
    ],
)
def test_an_event_is_a_sentence(shown: Value, sentence: str) -> None:
    """With names, plurals, lists, and nothing of what is hidden."""
    assert SAID.event(shown, NAMES) == sentence


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (Stake(2), "Stake 2 coins."),
        (Hand("apple-3"), "Hand over Apple 3."),
        (Pack((Group(("apple-3",)),)), "Pack {Apple 3}."),
    ],
)
def test_a_command_is_a_sentence(command: Value, sentence: str) -> None:
    """What somebody said, in words."""
    assert SAID.command(command, NAMES) == sentence


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (Option("Stake", "TOY-201", slots=(PickNumber("coins", 0, 3, WHY, WHY),)), "Stake 0 to 3 coins."),
        (Option("Stake", "TOY-201", slots=(PickNumber("coins", 0, 1, WHY, WHY),)), "Stake one coin or none."),
        (
            Option("Offer", "TOY-202", slots=(PickSome("cards", (), 1, 2, WHY, WHY, limit=6),)),
            "Offer 1 to 2 cards, worth at most 6 together.",
        ),
        (Option("Name", "TOY-204", slots=(PickOne("player", ("seat-2", "seat-3"), WHY),)), "Name Bert or Cleo."),
        (Option("Hand", "TOY-204", given=(Given("card", "apple-3"),)), "Hand over Apple 3."),
    ],
)
def test_an_option_is_a_sentence(option: Option, sentence: str) -> None:
    """With its given fields, its facts and the bounds of its slots."""
    assert SAID.option(option, NAMES) == sentence


def test_a_question_is_a_sentence() -> None:
    """By the name of the question."""
    assert SAID.question(Decision(1, 1, "staking", "TOY-201", ()), NAMES) == "How many coins do you stake?"


def test_a_refusal_is_a_sentence_with_its_facts() -> None:
    """Digits are numbers, for the plural."""
    one, many = (Refusal("TOY-201", "STAKE_EXCEEDS_COINS", facts(field="coins", most=most)) for most in (1, 3))
    assert SAID.refusal(one) == "You have only one coin to stake."
    assert SAID.refusal(many) == "You have only 3 coins to stake."


@pytest.mark.parametrize(
    ("key", "words"),
    [("leo-15", "Leo 15"), ("church", "Church"), ("seat-2", "Bert"), ("seat-9", "Seat 9"), ("nobody", "nobody")],
)
def test_a_key_is_named(key: str, words: str) -> None:
    """A seat by its player, a thing by its words."""
    assert SAID.key(key, NAMES) == words


class Unheard(Value):
    """Something for which nobody wrote a sentence."""

    from_seat: int
    open: bool
    cards: tuple[Card, ...]
    standing: Standing | None


@pytest.mark.parametrize("broken", [False, True])
def test_what_has_no_message_is_told_plainly(*, broken: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the class name and the fields that are shown; also where the message wants what is not there."""
    if broken:
        monkeypatch.setattr("service.phrases.texts", lambda *_: ("unheard = { $hidden } is hidden.\n",))
    game = ModuleType("unheard")
    vars(game)["Command"] = toy.Command
    said = Phrases(game) if broken else SAID
    plain = "Unheard: from-seat 2, open yes, cards Apple 3, standing none."
    assert said.event(Unheard(2, open=True, cards=(APPLE,), standing=None)) == plain


def test_a_value_inside_an_event_is_told_by_its_own_message_and_its_fields() -> None:
    """Its fields can be named one by one."""
    points = (Points("points", 3), Points("church-tower", 1))
    shown = Unheard(0, open=False, cards=(), standing=Standing(1, 1, 4, points))
    told = SAID.event(shown, NAMES)
    assert "standing Anna with 4" in told
    assert "standing-by-source 3 (rounds and baskets) and 1 (Church Tower)" in told


def sat(*names: str, begun: bool = False) -> Table:
    """A table of the fair at which these sit."""
    table = open_table(toy.meta, "first", ()).table
    for name in names:
        table = evolve(table, decide(table, Join(name)))
    return evolve(table, decide(table, Start())) if begun else table


BEGUN = sat("A", "B", begun=True)


@pytest.mark.parametrize(
    ("table", "command", "sentence"),
    [
        (sat("Anna"), Start(), "Only one seat is taken; the game needs at least 2."),
        (sat("Anna"), Leave(3), "There is no seat 3; seats taken: 1."),
        (sat("anna"), Join("anna"), "Somebody at this table is called anna already."),
        (sat("2000"), Join("2000"), "Somebody at this table is called 2000 already."),
        (sat(), Join(" "), "A name has 1 to 40 printable characters."),
        (sat("A", "B", "C", "D"), Join("E"), "All 4 seats are taken."),
        (sat("A", "B"), Resign(1), "The game has not begun yet."),
        (BEGUN, Join("C"), "The game has already begun."),
        (evolve(BEGUN, decide(BEGUN, HandOver(2, "B", Bot.RANDOM))), Resign(2), "Seat 2 is played by a bot already."),
        (evolve(sat(), decide(sat(), Cancel())), Join("C"), "This table was cancelled."),
    ],
)
def test_a_refusal_of_a_table_is_a_sentence(table: Table, command: Any, sentence: str) -> None:
    """Also what has nothing to do with rules is told in words; names stay as they are written."""
    with pytest.raises(Illegal) as illegal:
        decide(table, command)
    assert SAID.refusal(illegal.value.refusal) == sentence


@pytest.mark.parametrize(
    ("edition", "settings", "sentence"),
    [
        ("second", (), "There is no edition second; valid: first."),
        ("first", (Fact("coins", "gold"),), "There is no table option coins=gold; valid: coins=hidden|open."),
    ],
)
def test_a_table_that_cant_be_opened_says_what_can(edition: str, settings: tuple[Fact, ...], sentence: str) -> None:
    """The valid ones are named as they are typed."""
    with pytest.raises(Illegal) as illegal:
        open_table(toy.meta, edition, settings)
    assert SAID.refusal(illegal.value.refusal) == sentence


def test_an_unknown_language_falls_back_to_english() -> None:
    """Until somebody writes it."""
    assert Phrases(toy, "fr").event(Scored(1, 1), NAMES) == "Anna earns one point."
