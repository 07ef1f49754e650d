"""Sentences from phrase keys and arguments, in the viewer's language.

The domain says what is shown, asked or refused; the words are data beside the rules: `phrases/en.ftl` (Fluent) in the
folder of a game, and in `domain/` what all games share. A sentence is made from nothing but what is shown.

    BidMade            bid-made                   its fields
    Option("Bid")      option-bid                 given fields, facts, <field>-least, <field>-most, <field>-limit
    Decision           question-bidding           its facts
    Refusal            refusal-bid-exceeds-cards  its facts
    Bid, as said       command-bid                its fields
    church             key-church                 none; a key without a message is its words: `leo-15` is Leo 15
    Points             source-offices             none
    Price, in a list   value-price                its fields

A field `from_seat` is the argument `$from-seat`. Seats are names; None is `none` and a bool `yes` or `no`, to select
by; a key has its words in `$card` and itself in `$card-key`; a tuple is a list, with its length in `$cards-count`; the
fields of a value inside a field are `$price-guilders`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from fluent.runtime import FluentBundle, FluentResource

import domain
from domain.course import phrase
from domain.engine import Decision, Points
from domain.options import NOBODY, Group, Option, PickNumber, PickOne, PickSome, Refusal
from domain.values import Component, Fact, Value, fields, members

Names = tuple[str, ...]
Arguments = dict[str, str | int]

KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SEAT = re.compile(r"seat-(\d+)")
NUMBER = re.compile(r"-?\d+")
AS_WRITTEN = frozenset({"name", "edition", "setting", "valid"})  # facts that hold somebody's own words


@cache
def texts(game: Any, language: str) -> tuple[str, ...]:
    """The phrase files of a game: its own, then what all games share; in English where the language is not there."""
    found = []
    for package in (game, domain):
        folder = resources.files(package).joinpath("phrases")
        files = (folder.joinpath(f"{name}.ftl") for name in (language, "en"))
        found += [file.read_text("utf-8") for file in files if file.is_file()][:1]
    return tuple(found)


@cache
def bundle(game: Any, language: str) -> FluentBundle:
    """The messages of a game; its own come before the shared ones."""
    messages = FluentBundle([language], use_isolating=False)
    for text in texts(game, language):
        messages.add_resource(FluentResource(text))
    return messages


remembered = lru_cache(maxsize=20_000)
"""Filling a phrase costs a tenth of a call, and the same things are said again and again; there are few `Phrases`."""


class Phrases:
    """The sentences of one game in one language."""

    def __init__(self, game: Any, language: str = "en") -> None:
        self._messages = bundle(game, language)
        self._commands = frozenset(members(game.Command).values())

    def event(self, shown: Value, names: Names = ()) -> str:
        """What a viewer saw happen."""
        name = type(shown).__name__
        return self.say(phrase(name), self._fields(shown, names))

    def command(self, command: Value, names: Names = ()) -> str:
        """What somebody said."""
        return self.say(f"command-{phrase(type(command).__name__)}", self._fields(command, names))

    @remembered
    def option(self, option: Option, names: Names = ()) -> str:
        """What somebody may answer."""
        arguments = self._facts(option.facts, names)
        for given in option.given:
            self._put(arguments, given.field, given.key, names)
        for slot in option.slots:
            name = _argument(slot.field)
            if isinstance(slot, PickNumber | PickSome):
                arguments |= {f"{name}-least": slot.least, f"{name}-most": slot.most}
            if isinstance(slot, PickSome):
                arguments[f"{name}-limit"] = "none" if slot.limit is None else slot.limit
            if isinstance(slot, PickOne):
                arguments[name] = self._listed([self.key(key, names) for key in slot.keys], "list-or")
        return self.say(f"option-{phrase(option.command)}", arguments)

    def question(self, decision: Decision, names: Names = ()) -> str:
        """What somebody is asked."""
        return self._question(decision.question, decision.facts, names)

    @remembered
    def _question(self, question: str, facts: tuple[Fact, ...], names: Names) -> str:
        return self.say(f"question-{question}", self._facts(facts, names))

    def refusal(self, refusal: Refusal, names: Names = ()) -> str:
        """Why an answer was refused."""
        return self.say(f"refusal-{phrase(refusal.reason)}", self._facts(refusal.facts, names))

    def key(self, key: str, names: Names = ()) -> str:
        """What a key names: a seat by its player's name, a thing by its phrase or else by the key's own words."""
        if key == NOBODY:
            return self.name(0, names)
        if seat := SEAT.fullmatch(key):
            return self.name(int(seat[1]), names)
        return self._message(f"key-{key}", {}) or _words(key)

    def source(self, key: str) -> str:
        """Where points came from."""
        return self._message(f"source-{key}", {}) or _words(key)

    def name(self, seat: int, names: Names = ()) -> str:
        """Who sits on a seat; without names its number tells."""
        if 1 <= seat <= len(names):
            return names[seat - 1]
        if not seat:
            return self._message("nobody", {}) or NOBODY
        return self._message("seat", {"seat": seat}) or f"Seat {seat}"

    def text(self, value: object, names: Names = (), *, seat: bool = False) -> str | int:
        """One value in words; a number stays a number."""
        if value is None or isinstance(value, bool):
            return {None: "none", True: "yes", False: "no"}[value]
        if isinstance(value, int):
            return self.name(value, names) if seat else value
        if isinstance(value, str | Component):
            key = _key(value)
            return self.key(key, names) if KEY.fullmatch(key) else key
        if isinstance(value, tuple):
            parts = [str(self.text(part, names, seat=seat)) for part in value]
            return self._listed(_counted(parts) if all(isinstance(v, str | Component) for v in value) else parts)
        return self._value(value, names) if isinstance(value, Value) else str(value)

    def fallback(self, key: str, arguments: Arguments) -> str:
        """A plain sentence where no message serves: the name of the thing and what it shows."""
        shown = [f"{name} {value}" for name, value in arguments.items() if not name.endswith(("-key", "-count"))]
        start = key.replace("-", " ").capitalize()
        return f"{start}: {', '.join(shown)}." if shown else f"{start}."

    def say(self, key: str, arguments: Arguments) -> str:
        """The sentence of a key, or a plain one built from what it was given."""
        return self._message(key, arguments) or self.fallback(key, arguments)

    def _message(self, key: str, arguments: Arguments) -> str:
        """The message with its arguments; nothing if there is none, or if it wants what is not shown."""
        if not self._messages.has_message(key):
            return ""
        pattern = self._messages.get_message(key).value
        said, errors = self._messages.format_pattern(pattern, arguments) if pattern else ("", [])
        return "" if errors else str(said)

    def _value(self, value: Value, names: Names) -> str:
        """A value inside another: by its message, else its fields in a row."""
        if isinstance(value, Group):
            return f"{{{', '.join(_counted([self.key(key, names) for key in value.items]))}}}"
        if type(value) in self._commands:
            return self.command(value, names)
        arguments = self._fields(value, names)
        if isinstance(value, Points):
            arguments["source"] = self.source(value.source)
        row = (str(part) for name, part in arguments.items() if not name.endswith(("-key", "-count")))
        return self._message(f"value-{phrase(type(value).__name__)}", arguments) or " ".join(row)

    def _fields(self, value: Value, names: Names) -> Arguments:
        arguments: Arguments = {}
        for field in fields(type(value)):
            self._put(arguments, field.name, getattr(value, field.name), names, seat=field.seat)
        return arguments

    def _put(self, arguments: Arguments, field: str, value: object, names: Names, *, seat: bool = False) -> None:
        name = _argument(field)
        arguments[name] = self.text(value, names, seat=seat)
        if isinstance(value, tuple):
            arguments[f"{name}-count"] = len(value)
        elif isinstance(value, str | Component):
            arguments[f"{name}-key"] = _key(value)
        elif isinstance(value, Value) and type(value) not in self._commands:
            for inner in fields(type(value)):
                part = self.text(getattr(value, inner.name), names, seat=inner.seat)
                arguments[f"{name}-{_argument(inner.name)}"] = part

    def _facts(self, facts: Iterable[Fact], names: Names) -> Arguments:
        arguments: Arguments = {}
        for fact in facts:
            if fact.name in AS_WRITTEN:
                arguments[fact.name] = fact.value
            elif NUMBER.fullmatch(fact.value):
                arguments[_argument(fact.name)] = int(fact.value)
            else:
                self._put(arguments, fact.name, fact.value, names)
        return arguments

    def _listed(self, parts: list[str], conjunction: str = "list-and") -> str:
        if not parts:
            return self._message("list-empty", {}) or "nothing"
        if len(parts) == 1:
            return parts[0]
        first, last = ", ".join(parts[:-1]), parts[-1]
        return self._message(conjunction, {"first": first, "last": last}) or f"{first}, {last}"


def _argument(field: str) -> str:
    return field.replace("_", "-")


def _key(value: str | Component) -> str:
    return str(value) if isinstance(value, str) else str(getattr(value, "key", ""))


def _words(key: str) -> str:
    return " ".join(word.capitalize() for word in key.split("-"))


def _counted(parts: list[str]) -> list[str]:
    """Equal things together, with their number."""
    numbers = {part: parts.count(part) for part in parts}
    return [part if number == 1 else f"{number} × {part}" for part, number in numbers.items()]  # noqa: RUF001 - times
