"""Values: immutable, compared by type and content, and the same again after a trip through bytes."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Generic, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.values import (
    Component,
    Fact,
    Field,
    Malformed,
    Seat,
    Value,
    convert,
    facts,
    fields,
    from_bytes,
    from_json,
    members,
    replace,
    reveals,
    secret,
    to_bytes,
    to_json,
    to_plain,
)

C = TypeVar("C")


class Colour(StrEnum):
    """Of a tile."""

    RED = "red"
    BLUE = "blue"


class Tile(Component):
    """A printed thing."""

    key: str
    worth: int


class Take(Value):
    """Take a tile."""

    tile: Annotated[str, secret("TOY-402")]
    price: int = 0


class Leave(Value):
    """Leave all tiles."""


class Board(Value):
    """Everything that a field can be."""

    number: int
    name: str
    open: bool
    colour: Colour
    top: Tile | None
    tiles: tuple[Tile, ...]
    last: Take | Leave | None
    order: tuple[Seat, ...]


class Box(Value, Generic[C]):
    """A value with something in it."""

    seat: Seat
    inside: C
    others: tuple[C, ...]
    maybe: C | None


class BoxOfTakes(Box[Take]):
    """A box by inheritance."""

    closed: bool


class Told(Value):
    """A shown event."""

    seat: Seat
    card: Annotated[Tile | None, reveals("TOY-204", to="seat")]
    first: Annotated[Seat, reveals("TOY-102")]


BOARD = Board(-3, "Zürich", True, Colour.BLUE, None, (Tile("a-1", 1), Tile("a-1", 1)), Take("a-1", 2), (2, 1))

texts = st.text(st.characters(codec="utf-8"), max_size=5)
tiles = st.builds(Tile, texts, st.integers(-(2**63), 2**63 - 1))
boards = st.builds(
    Board,
    st.integers(-(2**63), 2**63 - 1),
    texts,
    st.booleans(),
    st.sampled_from(Colour),
    st.none() | tiles,
    st.lists(tiles, max_size=3).map(tuple),
    st.none() | st.builds(Take, texts, st.integers(0, 9)) | st.builds(Leave),
    st.lists(st.integers(1, 5), max_size=4).map(tuple),
)


@given(boards)
def test_bytes_and_json_bring_every_value_back(board: Board) -> None:
    """What was written is read equal, and written again it is the same text."""
    assert from_bytes(Board, to_bytes(board)) == board
    assert from_json(Board, to_json(board)) == board
    assert to_json(from_json(Board, to_json(board))) == to_json(board)


def test_canonical_json() -> None:
    """Fields stand in the order of their declaration, after the class's name, without white space."""
    assert to_json(Take("a-1", 2)) == '{"type":"Take","tile":"a-1","price":2}'
    assert to_json(Tile("a-1", 1)) == '["Tile","a-1",1]'
    assert to_plain(Take("a-1")) == {"type": "Take", "tile": "a-1", "price": 0}


def test_a_value_never_changes() -> None:
    """Assignment fails; a change is a new value."""
    with pytest.raises(AttributeError):
        BOARD.number = 4  # type: ignore[misc]
    assert replace(BOARD, number=4).number == 4
    assert BOARD.number == -3


def test_equality_needs_the_same_type() -> None:
    """Two kinds of things with the same content are not the same thing."""

    class Other(Value):
        """Like Leave."""

    other: Value = Other()
    assert other != Leave()
    assert Leave() == Leave()
    assert hash(Take("a-1")) == hash(Take("a-1"))


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"Take"}',
        '{"type":"Take","tile":1}',
        '{"type":"Take","tile":"a","price":true}',
        '{"type":"Take","tile":"a","price":1.5}',
        '{"type":"Take","tile":"a","prize":1}',
        '{"type":"Leave","tile":"a"}',
        '{"type":"Steal"}',
        '{"type":"Take","tile":"a"',
        '{"type":"Take","tile":"\\ud800"}',
        "[" * 100_000,
        "",
    ],
)
def test_what_is_no_such_value_is_refused(text: str) -> None:
    """Missing, wrong or unknown fields, other types, broken text: an error, never half a value."""
    with pytest.raises(Malformed):
        from_json(Take | Leave, text)


def test_the_error_names_the_place() -> None:
    """Whoever wrote an edition finds the cell."""
    with pytest.raises(Malformed, match=r"tiles\[1\]"):
        from_json(
            Board, to_json(BOARD).replace('["Tile","a-1",1],["Tile","a-1",1]', '["Tile","a-1",1],["Tile","a-1",""]')
        )
    with pytest.raises(Malformed, match="price"):
        convert({"tile": "a-1", "price": "dear"}, Take)


def test_broken_bytes_are_refused() -> None:
    """A truncated or altered record is said to be so."""
    whole = to_bytes(BOARD)
    for cut in (whole[:-1], whole[:5], b"", whole + b"\x00", b"\xc1"):
        with pytest.raises(Malformed):
            from_bytes(Board, cut)


def test_fields_tell_their_marks() -> None:
    """Type without marks, what is secret, what is revealed to whom, what is a seat."""
    assert fields(Take) == (Field("tile", str, secret="TOY-402"), Field("price", int))
    assert fields(Told) == (
        Field("seat", int, seat=True),
        Field("card", Tile | None, reveals="TOY-204", to="seat"),
        Field("first", int, reveals="TOY-102", to="all", seat=True),
    )
    assert {field.name for field in fields(Board) if field.seat} == {"order"}


@pytest.mark.parametrize(("box", "extra"), [(Box[Take], ()), (BoxOfTakes, (Field("closed", bool),))])
def test_fields_of_a_generic_value(box: Any, extra: tuple[Field, ...]) -> None:
    """What it was parametrised with stands in the place of the variable."""
    seat, inside, others, maybe, *rest = fields(box)
    assert (seat, inside) == (Field("seat", int, seat=True), Field("inside", Take))
    assert others.type == tuple[Take, ...]
    assert maybe.type == Take | None
    assert tuple(rest) == extra


def test_members_of_a_union() -> None:
    """Classes by name; a single class is a union of one."""
    assert members(Take | Leave) == {"Take": Take, "Leave": Leave}
    assert members(Take) == {"Take": Take}
    assert list(members(Leave | Box[Take])) == ["Leave", "Box"]


def test_facts_are_text() -> None:
    """Arguments of a sentence, written as keywords, in their order."""
    assert facts(seat=2, card="leo-15") == (Fact("seat", "2"), Fact("card", "leo-15"))
