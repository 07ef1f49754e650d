"""The game's view laid out for a person, whatever the game: its message is walked, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from google.protobuf.message import Message
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from kontor.v1 import View
from service.cli.play_words import Words
from service.cli.screen import table

FieldDescriptor = Any  # the types of protobuf know two kinds of them
STRING, INT32 = 9, 5  # TYPE_STRING and TYPE_INT32 of a descriptor
WIDE = 6  # a table with more columns than this is turned on its side
INDENT = 2
NOTHING = "-"
# A number under one of these names is a seat: messages tell numbers and lists apart, but not what a number counts.
WHO = frozenset({"seat", "seats", "opener", "leader", "winner", "holder", "owner", "first", "order"})


def board(view: View, words: Words) -> RenderableType:
    """What a viewer sees of the game."""
    game = view.game.WhichOneof("game")
    if game is None:
        return Text("This client is older than the game it plays; it shows what happens in words only.", style="dim")
    waiting = {each.seat for each in view.waiting_for}
    return Group(*_Layout(words, view.seat, waiting).lines(getattr(view.game, game), top=True))


def label(name: str) -> str:
    """A field's name in words."""
    return name.replace("_", " ")


class _Layout:
    def __init__(self, words: Words, own: int, waiting: set[int]) -> None:
        self.words = words
        self.own = own
        self.waiting = waiting

    def lines(self, message: Message, *, top: bool = False) -> Iterator[RenderableType]:
        """The fields in their order: short ones beside each other, lists and tables below each other."""
        short: list[Text] = []
        for field, value in _present(message):
            if top and field.name == "seat":
                continue
            if not field.message_type and not field.is_repeated:
                cell = self.cell(field, value)
                if cell not in (NOTHING, "no", "nobody", ""):
                    short.append(Text(f"{label(field.name)} ", style="cyan") + Text(cell, style="default"))
                continue
            yield from _row(short)
            short = []
            yield from self._long(field, value)
        yield from _row(short)

    def _long(self, field: FieldDescriptor, value: Any) -> Iterator[RenderableType]:
        heading = Text(f"{label(field.name)}:", style="cyan")
        if not field.message_type:
            if len(value):
                yield heading + Text(f" {self.cell(field, value)}", style="default")
            return
        inner = list(self._table(field, value)) if field.is_repeated else list(self.lines(value))
        if inner:
            yield heading
            yield from (Padding(part, (0, 0, 0, INDENT), expand=False) for part in inner)

    def cell(self, field: FieldDescriptor, value: Any) -> str:
        """A value in a few words."""
        if field.is_repeated:
            if field.message_type:
                return "; ".join(self._inline(part) for part in value if _says(part)) or NOTHING
            if field.type == STRING:
                return self.words.keys(value) or NOTHING
            return ", ".join(self._scalar(field, part) for part in value) or NOTHING
        return self._inline(value) if field.message_type else self._scalar(field, value)

    def _scalar(self, field: FieldDescriptor, value: Any) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int):
            return self.words.name(value) if field.name in WHO else f"{value:,}"
        if field.name == "source":
            return self.words.source(str(value))
        return self.words.key(str(value)) if value else NOTHING

    def _inline(self, message: Message) -> str:
        """A message in a few words: a thing with its number as `Council 2`, anything else field by field."""
        parts = [(field, self.cell(field, value)) for field, value in _present(message)]
        kinds = [field.type for field in message.DESCRIPTOR.fields]
        if len(kinds) == 1 or kinds == [STRING, INT32]:
            return " ".join(cell for _, cell in parts)
        return ", ".join(f"{label(field.name)} {cell}" for field, cell in parts if cell != NOTHING)

    def _table(self, field: FieldDescriptor, messages: Sequence[Message]) -> Iterator[RenderableType]:
        """A row a message; columns that say nothing about anybody are left out."""
        if not messages:
            return
        columns = [label(each.name) for each in messages[0].DESCRIPTOR.fields]
        rows = [[self._of(message, each) for each in message.DESCRIPTOR.fields] for message in messages]
        if field.name == "players" and len(messages) == len(self.words.names):
            columns, rows = self._by_player(columns, rows)
        kept = [place for place in range(len(columns)) if place == 0 or any(row[place] not in {NOTHING, "no", "0"} for row in rows)]  # fmt: skip  # noqa: E501
        columns, rows = [columns[place] for place in kept], [[row[place] for place in kept] for row in rows]
        if len(columns) > WIDE:
            columns, *rows = ([first, *rest] for first, *rest in zip(columns, *rows, strict=True))
        made = table("", *columns)
        for row in rows:
            made.add_row(*row)
        yield made

    def _of(self, message: Message, field: FieldDescriptor) -> str:
        if field.has_presence and not message.HasField(field.name):
            return NOTHING
        return self.cell(field, getattr(message, field.name))

    def _by_player(self, columns: list[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
        """A table of the players begins with their names."""
        if columns[0] == "seat":
            columns, rows = columns[1:], [row[1:] for row in rows]
        named = [
            [f"{name}{' (you)' if seat == self.own else ''}{' …' if seat in self.waiting else ''}", *row]
            for (seat, name), row in zip(sorted(self.words.names.items()), rows, strict=True)
        ]
        return ["", *columns], named


def _says(message: Message) -> bool:
    """Whether it says more than a name: so many points from nowhere are nothing to list."""
    named = [field.type for field in message.DESCRIPTOR.fields] == [STRING, INT32]
    return not named or bool(getattr(message, message.DESCRIPTOR.fields[1].name))


def _present(message: Message) -> Iterator[tuple[FieldDescriptor, Any]]:
    for field in message.DESCRIPTOR.fields:
        if not field.has_presence or message.HasField(field.name):
            yield field, getattr(message, field.name)


def _row(short: list[Text]) -> Iterator[Text]:
    if short:
        dot = Text("  ·  ", style="dim")
        yield Text.assemble(short[0], *(part for each in short[1:] for part in (dot, each)))
