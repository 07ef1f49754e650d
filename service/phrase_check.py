"""Whether a game has a sentence for everything it can say: run by a test over every game."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import typing
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from fluent.runtime import FluentResource
from fluent.syntax.ast import Junk

from domain import course, engine, options, table
from domain.course import Question, phrase
from domain.options import Why
from domain.values import fields, members
from service.phrases import bundle, texts

SHARED = (engine, options, course, table)
REASON = re.compile(r"[A-Z]+(_[A-Z]+)*")
REFUSING = frozenset({"Why", "Refusal", "_illegal"})


def missing(game: Any, language: str = "en") -> list[str]:
    """The ids of messages that a game can need and does not have, and lines that are no messages at all."""
    wanted = [phrase(name) for name in members(game.Shown)]
    wanted += [f"{kind}-{phrase(name)}" for kind in ("option", "command") for name in members(game.Command)]
    wanted += [f"question-{phrase(name)}" for name in questions(game)]
    wanted += [f"refusal-{phrase(reason)}" for reason in reasons(game)]
    messages = bundle(game, language)
    lacking = [key for key in dict.fromkeys(wanted) if not messages.has_message(key)]
    return lacking + [f"not a message: {junk}" for text in texts(game, language) for junk in _junk(text)]


def questions(game: Any) -> list[str]:
    """The names of all questions that can stand on a game's agenda."""
    agenda = next((field for field in fields(game.State) if field.name == "agenda"), None)
    items = members(typing.get_args(agenda.type)[0]) if agenda else {}
    return [name for name, item in items.items() if issubclass(item, Question)]


def reasons(game: Any) -> list[str]:
    """All reasons by which a game, the engine or a table refuses: constants, `REASONS`, and those written in place."""
    own = [module for name, module in sorted(sys.modules.items()) if f"{name}.".startswith(f"{game.__name__}.")]
    found: dict[str, None] = {}
    for module in (*own, *SHARED):
        found |= dict.fromkeys(_named(module))
        found |= dict.fromkeys(_written(module))
    return list(found)


def _named(module: ModuleType) -> Iterator[str]:
    whys = [value for value in vars(module).values() if isinstance(value, Why)]
    for why in (*whys, *getattr(module, "REASONS", ())):
        yield why.reason if isinstance(why, Why) else str(why)


def _written(module: ModuleType) -> Iterator[str]:
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSING:
            for argument in node.args:
                if isinstance(argument, ast.Constant) and REASON.fullmatch(str(argument.value)):
                    yield str(argument.value)


def _junk(text: str) -> Iterator[str]:
    for entry in FluentResource(text).body:
        if isinstance(entry, Junk):
            yield (entry.content or "").strip().split("\n")[0]
