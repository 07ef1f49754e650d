"""Types and messages agree, and what goes through one comes out of the other."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.chance import Stream
from domain.editions import builtin
from domain.engine import Points, Result, Standing
from domain.games import GAMES
from domain.options import Group, Option, PickNumber, PickOne, PickSome, Split, canonical, check, sample
from domain.options import Why as Reason
from domain.table import Bot, Cancelled, HandedOver, Joined, Left, Opened, Sitting, Started, Table, open_table
from domain.values import Component, Value, fields, members, replace
from kontor.v1 import Answer, Decision, Field, GameCommand, GameEvent, GameView, Keys
from service import simulate
from service.phrases import Phrases
from service.translate import (
    BadRequest,
    Mismatch,
    answer_from_command,
    check_keys,
    command_from_answer,
    command_from_message,
    command_to_message,
    decision_to_dict,
    event_to_dict,
    known_keys,
    option_from_message,
    ranking_to_message,
    slot_from_message,
    slot_to_message,
    table_event_to_message,
    to_message,
    view_to_dict,
)
from service.translate.games import ROOTS, compile_game
from service.translate.reading import reader
from service.translate.writing import writer

ROOT_MESSAGES = (GameCommand, GameEvent, GameView)
NAMED = sorted({field.name for message in ROOT_MESSAGES for field in message.DESCRIPTOR.fields})
PLAYED = sorted(GAMES)
UNTOLD = Reason("", "")
AUGSBURG: Any = GAMES["augsburg"]


# --- agreement ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMED)
def test_types_and_messages_agree(name: str) -> None:
    """Every game that the messages name has types that fit them: commands, events and views."""
    compile_game(importlib.import_module(f"domain.{name}"))


def test_every_game_is_in_all_three_messages() -> None:
    """Each game of the list, and nothing else, has a field of its id for its commands, its events and its views."""
    for message in ROOT_MESSAGES:
        assert {field.name for field in message.DESCRIPTOR.fields} == set(GAMES)
    assert set(ROOTS) == set(GAMES)


class Colour(StrEnum):
    """A key."""

    RED = "red"


class Chip(Component):
    """A component."""

    key: str
    worth: int


class Part(Value):
    """A part."""

    number: int


class Whole(Value):
    """One field of every kind."""

    count: int
    done: bool
    name: str
    colour: Colour
    chip: Chip
    part: Part
    maybe: int | None
    parts: tuple[Part, ...]
    chips: tuple[Chip, ...]


class Yes(Value):
    """A word."""


class No(Value):
    """Another."""

    reason: str


Word = Yes | No

NUMBER, TEXT, FLAG, INNER = (
    descriptor_pb2.FieldDescriptorProto.TYPE_INT32,
    descriptor_pb2.FieldDescriptorProto.TYPE_STRING,
    descriptor_pb2.FieldDescriptorProto.TYPE_BOOL,
    descriptor_pb2.FieldDescriptorProto.TYPE_MESSAGE,
)
WHOLE = {
    "count": "int", "done": "bool", "name": "str", "colour": "str", "chip": "str", "part": "Part", "maybe": "int?",
    "parts": "Part*", "chips": "str*",
}  # fmt: skip


def described(oneof: Any = False, **messages: dict[str, str]) -> dict[str, Descriptor]:
    """Messages written down as `name="int?"`; `*` is repeated, `?` optional, a capital letter another message."""
    file = descriptor_pb2.FileDescriptorProto(name="made.proto", package="made", syntax="proto3")
    for name, columns in messages.items():
        message = file.message_type.add(name=name)
        if oneof and name == "Word":
            message.oneof_decl.add(name="word")
        for number, (column, kind) in enumerate(columns.items(), 1):
            bare = kind.rstrip("*?")
            wire = {"int": NUMBER, "str": TEXT, "bool": FLAG}.get(bare, INNER)
            made = message.field.add(name=column, number=number, type=wire, label=3 if "*" in kind else 1)
            if wire == INNER:
                made.type_name = f".made.{bare}"
            if "?" in kind:
                made.proto3_optional = True
                made.oneof_index = len(message.oneof_decl)
                message.oneof_decl.add(name=f"_{column}")
            elif oneof and name == "Word":
                made.oneof_index = 0
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {name: pool.FindMessageTypeByName(f"made.{name}") for name in messages}


def test_every_kind_of_field_is_written() -> None:
    """A value with a field of every kind becomes the message one would write by hand; what is empty is left out."""
    message = message_factory.GetMessageClass(described(Whole=WHOLE, Part={"number": "int"})["Whole"])
    chip = Chip("red-5", 5)
    whole = Whole(3, True, "x", Colour.RED, chip, Part(1), 0, (Part(0), Part(2)), (chip, chip))
    written: Any = to_message(whole, message)
    assert (written.count, written.done, written.name, written.colour, written.chip) == (3, True, "x", "red", "red-5")
    assert (written.part.number, written.maybe, written.HasField("maybe")) == (1, 0, True)
    assert ([part.number for part in written.parts], list(written.chips)) == ([0, 2], ["red-5", "red-5"])
    empty: Any = to_message(Whole(0, False, "", Colour.RED, chip, Part(0), None, (), ()), message)
    assert [field.name for field, _ in empty.ListFields()] == ["colour", "chip", "part"]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"count": None}, "Whole.count has no field in the message made.Whole"),
        ({"more": "int"}, "made.Whole.more has no field in the type Whole"),
        ({"count": "str"}, "Whole.count is int32 on the wire, but made.Whole.count is string"),
        ({"chip": "int"}, "Whole.chip is string on the wire, but made.Whole.chip is int32"),
        ({"part": "str"}, "Whole.part is a message on the wire, but made.Whole.part is string"),
        ({"parts": "Part"}, "Whole.parts is a tuple, but made.Whole.parts is singular"),
        ({"name": "str*"}, "Whole.name is singular, but made.Whole.name is repeated"),
        ({"maybe": "int"}, "Whole.maybe may be None, but made.Whole.maybe is not optional"),
        ({"part": "Whole"}, "Part is not made.Whole"),
    ],
)
def test_a_mismatch_is_told_in_a_sentence(changed: dict[str, str | None], sentence: str) -> None:
    """Where a type and its message disagree, the sentence names both places."""
    columns = {name: kind for name, kind in {**WHOLE, **changed}.items() if kind}
    with pytest.raises(Mismatch, match=sentence.replace(".", r"\.")):
        writer(Whole, described(Whole=columns, Part={"number": "int"})["Whole"])


@pytest.mark.parametrize(
    ("columns", "oneof", "sentence"),
    [
        ({"yes": "Yes", "no": "No"}, False, "must be one oneof and nothing else"),
        ({"yes": "Yes"}, True, "No has no field in the oneof of made.Word"),
        ({"yes": "Yes", "no": "No", "part": "Part"}, True, "made.Word.part has no class"),
        ({"yes": "Yes", "no": "No", "again": "No"}, True, "made.Word.again has no class of its own"),
        ({"yes": "Yes", "no": "No", "loud": "bool?"}, True, "must be one oneof and nothing else"),
    ],
)
def test_a_union_is_one_oneof(columns: dict[str, str], oneof: bool, sentence: str) -> None:
    """A union needs a oneof with a field for each class and for nothing else."""
    made = described(oneof, Word=columns, Yes={}, No={"reason": "str?"}, Part={"number": "int"})
    with pytest.raises(Mismatch, match=sentence):
        writer(Word, made["Word"])


def test_a_field_may_have_another_name_than_its_class() -> None:
    """The message's type tells which class a field is for, since `pass` is no name in Python."""
    made = described(oneof=True, Word={"aye": "Yes", "nay": "No"}, Yes={}, No={"reason": "str?"})
    message: Any = message_factory.GetMessageClass(made["Word"])
    assert message(**writer(Word, made["Word"])(No("late"))).nay.reason == "late"
    assert reader(Word, made["Word"])(message(aye={}), "word") == Yes()


class WithFlag(Value):
    """A command that no option could fill."""

    flag: bool


class WithChip(Value):
    """A command that holds a thing instead of its key."""

    chip: Chip


class WithMaybe(Value):
    """A command with something that may be nothing."""

    maybe: int | None


@pytest.mark.parametrize(
    ("cls", "columns", "sentence"),
    [
        (No, {"reason": "str"}, "made.No.reason must be optional"),
        (WithChip, {"chip": "str?"}, "names Chip by its key"),
    ],
)
def test_a_command_tells_missing_from_zero(cls: type[Value], columns: dict[str, str], sentence: str) -> None:
    """What is read needs presence for every scalar, and names things by keys."""
    made = described(**{cls.__name__: columns})
    with pytest.raises(Mismatch, match=sentence):
        reader(cls, made[cls.__name__])


@pytest.mark.parametrize("cls", [WithFlag, WithMaybe])
def test_a_command_holds_what_an_option_can_fill(cls: type[Value]) -> None:
    """A field for which there is no slot is refused when the game is compiled."""
    from service.translate.reading import forms  # noqa: PLC0415 - beside the one test that needs it

    with pytest.raises(Mismatch, match=cls.__name__):
        forms(cls)


# --- whole games --------------------------------------------------------------------------------------------------


@cache
def played(name: str, seats: int, seed: int) -> tuple[simulate.Move, ...]:
    """A whole random game."""
    game = GAMES[name]
    table = open_table(game.meta, game.meta.editions[0], ()).table
    settled = simulate.settle(game, table, edition_of(name), (Bot.RANDOM,) * seats)
    return tuple(simulate.moves(settled, seed.to_bytes(32, "big")))


def edition_of(name: str) -> Any:
    """The usual edition."""
    return builtin(GAMES[name], GAMES[name].meta.editions[0])


def games() -> Iterator[tuple[str, int]]:
    """Every game at every size."""
    for name in PLAYED:
        meta = GAMES[name].meta
        yield from ((name, seats) for seats in range(meta.least_seats, meta.most_seats + 1))


def same(value: Any, message: Any) -> bool:
    """Whether a message says what the value says: written anew, by walking both, so that it checks the compiled way."""
    if isinstance(value, Component):
        return bool(message == value.key)  # type: ignore[attr-defined]  # every component has one
    if isinstance(value, Value):
        return all(_same_field(getattr(value, field.name), message, field.name) for field in fields(type(value)))
    if isinstance(value, tuple):
        return len(value) == len(message) and all(map(same, value, message))
    return type(message) in (int, bool, str) and bool(value == message)


def _same_field(value: Any, message: Message, name: str) -> bool:
    if value is None:
        return not message.HasField(name)
    held = getattr(message, name)
    if isinstance(value, Value) and isinstance(held, Message) and held.DESCRIPTOR.name != type(value).__name__:
        return message.HasField(name) and same_union(value, held)
    return same(value, held)


def same_union(value: Value, message: Message) -> bool:
    """Whether the one field that is set says what the value says."""
    (chosen,) = message.ListFields()
    kind = chosen[0].message_type
    return kind is not None and kind.name == type(value).__name__ and same(value, chosen[1])


@pytest.mark.parametrize(("name", "seats"), list(games()))
def test_views_and_events_arrive_whole(name: str, seats: int) -> None:
    """Whatever a game shows to a seat or a spectator stands in its message, field by field, and nothing else."""
    game = GAMES[name]
    for move in played(name, seats, 1):
        for viewer in range(seats + 1):
            view = game.view(move.outcome.state, viewer)
            seen = GameView.FromString(GameView(**view_to_dict(game, view)).SerializeToString())
            assert same(view, getattr(seen, name))
            for event in move.outcome.events:
                shown = game.show(event, viewer)
                told = GameEvent.FromString(GameEvent(**event_to_dict(game, shown)).SerializeToString())
                assert same_union(shown, getattr(told, name))


@pytest.mark.parametrize(("name", "seats"), list(games()))
def test_commands_come_back_equal(name: str, seats: int) -> None:
    """Typed or as an answer, over the wire, a command is the one that was meant, and its keys are known."""
    game, known = GAMES[name], known_keys(GAMES[name], edition_of(name))
    for move in played(name, seats, 2)[1:]:
        typed = GameCommand.FromString(command_to_message(game, move.command).SerializeToString())
        answer = Answer.FromString(answer_from_command(move.command).SerializeToString())
        for command in (command_from_message(game, typed), command_from_answer(game, answer)):
            assert command == move.command
            check_keys(command, known, move.decision, "command")


def test_a_zero_that_was_said_is_not_missing() -> None:
    """A bid of 0 is against the rules, which is another thing than no bid at all."""
    command = members(AUGSBURG.Command)["Bid"](0)
    assert command_from_message(AUGSBURG, command_to_message(AUGSBURG, command)) == command
    assert command_from_answer(AUGSBURG, answer_from_command(command)) == command


@pytest.mark.parametrize(("name", "seats"), list(games()))
def test_an_option_can_be_answered_by_its_message_alone(name: str, seats: int) -> None:
    """What a client samples from the message of a decision is an answer that the rules accept."""
    game, phrases = GAMES[name], Phrases(GAMES[name])
    source = Stream(b"\0" * 32, "answers")
    for move in played(name, seats, 3)[1:]:
        assert move.decision is not None
        message = Decision(**decision_to_dict(move.decision, phrases))
        assert (message.number, message.rule) == (move.decision.number, move.decision.rule)
        assert message.question.text
        for option, sent in zip(move.decision.options, message.options, strict=True):
            assert sent.sentence.text
            assert option_from_message(sent) == without_reasons(option)
            answer = answer_from_command(sample(option_from_message(sent), members(game.Command), source))
            command = canonical(command_from_answer(game, answer))
            assert check(move.decision.options, command, UNTOLD) is None


def without_reasons(option: Option) -> Option:
    """The option as its message tells it."""
    slots: list[Any] = []
    for slot in option.slots:
        if isinstance(slot, PickOne):
            slots.append(replace(slot, why=UNTOLD))
        elif isinstance(slot, PickNumber):
            slots.append(replace(slot, why=UNTOLD, below=UNTOLD))
        elif isinstance(slot, Split):
            slots.append(replace(slot, why=UNTOLD, empty=UNTOLD))
        else:
            needs = tuple(replace(need, why=UNTOLD) for need in slot.needs)
            slots.append(replace(slot, why=UNTOLD, size=UNTOLD, heavy=None, needs=needs))
    return replace(option, slots=tuple(slots))


@pytest.mark.parametrize(
    "slot",
    [
        PickOne("card", ("leo-15", "joker"), UNTOLD),
        PickNumber("cards", 0, 3, UNTOLD, UNTOLD),
        Split("stacks", (), UNTOLD, UNTOLD),
        PickSome("cards", (), 0, 2, UNTOLD, UNTOLD, limit=0),
        PickSome("cards", (), 1, 2, UNTOLD, UNTOLD),
    ],
)
def test_every_slot_comes_back(slot: Any) -> None:
    """Also at its edges: no limit is told from a limit of 0."""
    assert slot_from_message(slot_to_message(slot)) == slot


# --- bad requests -------------------------------------------------------------------------------------------------


BID = Field(name="cards", number=3)


@pytest.mark.parametrize(
    ("plain", "path"),
    [
        ({}, "command.game"),
        ({"diefugger": {"draw": {}}}, "command.game"),
        ({"augsburg": {}}, "command.augsburg.command"),
        ({"augsburg": {"bid": {}}}, "command.augsburg.bid.cards"),
        ({"augsburg": {"discard": {}}}, "command.augsburg.discard.card"),
        ({"augsburg": {"use_privilege": {"privilege": "trade"}}}, "command.augsburg.use_privilege.use"),
        ({"augsburg": {"use_privilege": {"privilege": "leo-15"}}}, "command.augsburg.use_privilege.privilege"),
        ({"augsburg": {"use_master_builder": {"building": ""}}}, "command.augsburg.use_master_builder.building"),
    ],
)
def test_a_bad_command_is_told_its_place(plain: dict[str, Any], path: str) -> None:
    """An empty oneof, another game, a missing field, an unknown word: each names the field."""
    with pytest.raises(BadRequest) as caught:
        command_from_message(AUGSBURG, GameCommand(**plain))
    assert caught.value.path == path
    assert caught.value.why


@pytest.mark.parametrize(
    ("command", "filled", "path"),
    [
        ("", [], "answer.command"),
        ("Raise", [BID], "answer.command"),
        ("bid", [BID], "answer.command"),
        ("Bid", [], "answer.fields"),
        ("Bid", [BID, BID], "answer.fields[1].name"),
        ("Bid", [BID, Field(name="seat", number=1)], "answer.fields[1].name"),
        ("Bid", [Field(number=3)], "answer.fields[0].name"),
        ("Bid", [Field(name="cards")], "answer.fields[0].value"),
        ("Bid", [Field(name="cards", key="3")], "answer.fields[0].value"),
        ("Bid", [Field(name="cards", keys=Keys(keys=["3"]))], "answer.fields[0].value"),
        ("BuyCertificates", [Field(name="cards", key="leo")], "answer.fields[0].value"),
        ("BuyCertificates", [Field(name="cards", number=1)], "answer.fields[0].value"),
        ("BuyCertificates", [Field(name="cards", groups={})], "answer.fields[0].value"),  # type: ignore[arg-type]
        ("Discard", [Field(name="card", keys=Keys(keys=["leo-15"]))], "answer.fields[0].value"),
        ("Discard", [Field(name="card", number=15)], "answer.fields[0].value"),
        ("ChooseCompensation", [Field(name="compensation", key="love")], "answer.fields[0].key"),
    ],
)
def test_a_bad_answer_is_told_its_place(command: str, filled: list[Field], path: str) -> None:
    """An answer is checked by the command's own types; a text never becomes a list of letters."""
    with pytest.raises(BadRequest) as caught:
        command_from_answer(AUGSBURG, Answer(command=command, fields=filled))
    assert caught.value.path == path


def test_what_somebody_wrote_is_repeated_only_in_part() -> None:
    """A refusal never carries a text of any length back."""
    with pytest.raises(BadRequest) as caught:
        command_from_answer(AUGSBURG, Answer(command="x" * 60_000))
    assert len(str(caught.value)) < 400


words = st.sampled_from(
    ["cards", "card", "privilege", "use", "holder", "building", "compensation", "trade", "plain", "leo"]
)
texts = words | st.text(max_size=5)
keys = st.lists(texts, max_size=3).map(lambda found: Keys(keys=found))
values: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.just({}),
    texts.map(lambda key: {"key": key}),
    st.integers(-(2**31), 2**31 - 1).map(lambda number: {"number": number}),
    keys.map(lambda found: {"keys": found}),
    st.lists(keys, max_size=2).map(lambda found: {"groups": {"groups": found}}),
)
filled_fields = st.builds(lambda name, value: Field(name=name, **value), texts, values)
answers = st.builds(
    lambda command, filled: Answer(command=command, fields=filled),
    st.sampled_from(sorted(members(AUGSBURG.Command))) | texts,
    st.lists(filled_fields, max_size=4),
)


@settings(max_examples=500)
@given(answers)
def test_any_answer_is_a_command_or_a_bad_request(answer: Answer) -> None:
    """Nothing else comes of it; a command that comes of it says exactly what the answer said."""
    try:
        command = command_from_answer(AUGSBURG, answer)
    except BadRequest:
        return
    again = answer_from_command(command)
    assert sorted(again.fields, key=str) == sorted(answer.fields, key=str)
    assert command_from_message(AUGSBURG, command_to_message(AUGSBURG, command)) == command


@settings(max_examples=300)
@given(st.binary(max_size=40), st.sampled_from([b"", b"\x0a\x04\x0a\x02\x08", b"\x0a\x06\x32\x04\x0a\x02"]))
def test_any_bytes_are_a_command_or_a_bad_request(tail: bytes, head: bytes) -> None:
    """Whatever protobuf can read at all is a command, or refused."""
    try:
        command = command_from_message(AUGSBURG, GameCommand.FromString(head + tail))
    except (DecodeError, BadRequest):
        return
    assert type(command) in members(AUGSBURG.Command).values()


# --- keys ---------------------------------------------------------------------------------------------------------


class Packed(Value):
    """A command with groups."""

    groups: tuple[Group, ...]


def test_unknown_keys_are_bad_requests() -> None:
    """A key that the game has no name for is a slip of the client, in a scalar, a list or a group."""
    commands = members(AUGSBURG.Command)
    known = known_keys(AUGSBURG, edition_of("augsburg"))
    packed = Packed((Group(("joker",)), Group(("nonsense",))))
    for command in (commands["Discard"]("leo-18"), commands["BuyCertificates"](("leo-15", "leo")), packed):
        with pytest.raises(BadRequest, match=r"in (card|cards|groups), is no key of this game"):
            check_keys(command, known, None, "command")
    for holder in ("seat-5", "nobody"):
        check_keys(commands["UsePrivilege"]("trade", "step", holder), known, None, "command")
    with pytest.raises(BadRequest):
        check_keys(commands["UsePrivilege"]("trade", "step", "seat-6"), known, None, "command")


def test_a_key_may_be_known_by_the_decision_alone() -> None:
    """What the open decision offers is no slip, though no component is called so."""
    nothing = members(AUGSBURG.Command)["GiveCertificate"]("nothing")
    known = known_keys(AUGSBURG, edition_of("augsburg"))
    decision = played("augsburg", 3, 1)[1].decision
    assert decision is not None
    offering = Option("GiveCertificate", "AUG-412", slots=(PickOne("card", ("nothing",), UNTOLD),))
    check_keys(nothing, known, replace(decision, options=(offering,)), "command")
    with pytest.raises(BadRequest):
        check_keys(nothing, known, decision, "command")


# --- tables -------------------------------------------------------------------------------------------------------


def test_the_events_of_a_table_are_told_without_epochs() -> None:
    """Each event of a table has its message; a person has no kind of bot."""
    table = Table("augsburg", "original", (), 2, 5)
    told = [
        (Opened(table), "opened"),
        (Joined(1, Sitting("Ann", Bot.NONE, 3)), "seat_taken"),
        (Left(1), "seat_left"),
        (Started(), "started"),
        (Cancelled(), "cancelled"),
        (HandedOver(2, "Bob", Bot.STAND_IN), "handed_over"),
    ]
    for event, field in told:
        assert table_event_to_message(event).WhichOneof("event") == field
    joined = table_event_to_message(told[1][0]).seat_taken
    assert (joined.seat, joined.name, joined.bot) == (1, "Ann", "")
    assert table_event_to_message(told[5][0]).handed_over.bot == "stand-in"
    with pytest.raises(TypeError):
        table_event_to_message(table)


def test_the_ranking_is_told_with_its_sources() -> None:
    """Places, points, where they came from, and the rule that decided."""
    ranking = ranking_to_message(Result((Standing(2, 1, 30, (Points("tasks", -3),)), Standing(1, 2, 7, ())), "AUG-501"))
    assert [(standing.seat, standing.place, standing.points) for standing in ranking.standings] == [
        (2, 1, 30),
        (1, 2, 7),
    ]
    assert (ranking.standings[0].by_source[0].source, ranking.standings[0].by_source[0].points) == ("tasks", -3)
    assert ranking.rule == "AUG-501"
