"""Any value laid out for a person: a line a field, a table where there are many of a kind. It knows no game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from domain import options
from domain.course import phrase
from domain.values import Component, Value, fields
from service.cli.screen import table
from service.phrases import Phrases

Names = tuple[str, ...]
WIDE = 8  # a table with more columns than this is turned on its side
INDENT = 2


def render(value: Value, phrases: Phrases, names: Names, without: tuple[Any, ...] = ()) -> RenderableType:
    """The fields of a value, except those of the types that are left out."""
    return Group(*_Layout(phrases, names, without).lines(value))


def row(value: Value, phrases: Phrases, names: Names, without: tuple[Any, ...] = ()) -> str:
    """The fields of a value in one line."""
    layout = _Layout(phrases, names, without)
    parts = (f"{label(name)} {layout.cell(part, seat=seat)}" for name, part, seat in layout.parts(value))
    return f"[{label(phrase(type(value).__name__))}: {'; '.join(parts)}]"


def label(name: str) -> str:
    """A field's name in words."""
    return name.replace("_", " ").replace("-", " ")


class _Layout:
    def __init__(self, phrases: Phrases, names: Names, without: tuple[Any, ...]) -> None:
        self.phrases = phrases
        self.names = names
        self.without = without

    def parts(self, value: Value) -> Iterator[tuple[str, Any, bool]]:
        for field in fields(type(value)):
            part = getattr(value, field.name)
            if not isinstance(part, self.without):
                yield field.name, part, field.seat

    def cell(self, value: object, *, seat: bool = False) -> str:
        """A value in a few words."""
        if value is None or value == ():
            return "-"
        if isinstance(value, Value) and not isinstance(value, Component | options.Group):
            inner = (f"{label(name)} {self.cell(part, seat=mark)}" for name, part, mark in self.parts(value))
            return f"{label(phrase(type(value).__name__))} ({', '.join(inner)})"
        if isinstance(value, tuple) and _values(value):
            return "; ".join(self.cell(part) for part in value)
        text = self.phrases.text(value, self.names, seat=seat)
        return f"{text:,}" if isinstance(text, int) else text

    def lines(self, value: Value) -> Iterator[RenderableType]:
        for name, part, seat in self.parts(value):
            heading = Text(f"{label(name)}:", style="cyan")
            if isinstance(part, tuple) and _values(part):
                yield heading
                yield from (Padding(inner, (0, 0, 0, INDENT), expand=False) for inner in self._many(name, part))
            elif isinstance(part, Value) and not isinstance(part, Component | options.Group):
                yield heading
                yield from (Padding(inner, (0, 0, 0, INDENT), expand=False) for inner in self.lines(part))
            else:
                yield heading + Text(f" {self.cell(part, seat=seat)}", style="default")

    def _many(self, name: str, values: tuple[Value, ...]) -> Iterator[RenderableType]:
        """A table with a row a value; one line each where they differ in kind."""
        if len({type(value) for value in values}) > 1:
            yield from (Text(self.cell(value)) for value in values)
            return
        columns = [label(field) for field, _, _ in self.parts(values[0])]
        rows = [[self.cell(part, seat=seat) for _, part, seat in self.parts(value)] for value in values]
        if name == "players" and len(values) == len(self.names) and "seat" not in columns:
            columns, rows = ["", *columns], [[who, *cells] for who, cells in zip(self.names, rows, strict=True)]
        if len(columns) > WIDE:
            columns, *rows = ([first, *rest] for first, *rest in zip(columns, *rows, strict=True))
        made = table("", *columns)
        for cells in rows:
            made.add_row(*cells)
        yield made


def _values(value: tuple[Any, ...]) -> bool:
    """Whether these are values with fields to lay out, and not things that a word names."""
    return bool(value) and all(
        isinstance(part, Value) and not isinstance(part, Component | options.Group) for part in value
    )
