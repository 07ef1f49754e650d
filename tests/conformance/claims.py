"""How a property fails: `Broken` says which promise a game broke, `HandlerFailed` that its code raised."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from domain.chance import RepeatedLabelError
from domain.engine import Illegal

T = TypeVar("T")


class Broken(AssertionError):
    """A game broke a promise."""


class HandlerFailed(AssertionError):
    """A game's code failed on something it allows."""


def demand(holds: object, promise: str, *found: object) -> None:
    """Fail with the promise, and what was found instead, unless it holds."""
    if not holds:
        breaks(promise, *found)


def breaks(promise: str, *found: object) -> NoReturn:
    """Fail with the promise and what was found instead."""
    raise Broken("\n  ".join((promise, *(repr(thing) for thing in found))))


def alike(promise: str, one: Any, other: Any) -> None:
    """Fail unless these two are equal; for Values, say in which fields they are not."""
    if one == other:
        return
    if type(one) is type(other) and hasattr(one, "__struct_fields__"):
        names = [name for name in one.__struct_fields__ if getattr(one, name) != getattr(other, name)]
        parts = [f"{name}: {getattr(one, name)!r} != {getattr(other, name)!r}" for name in names]
        raise Broken("\n  ".join((f"{promise}: {type(one).__name__}", *parts)))
    breaks(promise, one, other)


@contextmanager
def handling(what: str) -> Iterator[None]:
    """Whatever a game's code raises, except a refusal, is a failure of the game."""
    try:
        yield
    except (Illegal, Broken, HandlerFailed):
        raise
    except RepeatedLabelError as error:
        raise Broken(f"no chance label is used twice in a game: {error}") from error
    except Exception as error:
        raise HandlerFailed(f"{what}: {type(error).__name__}: {error}") from error


def holding(what: str, check: Callable[[], T]) -> T:
    """Run a check of the game's own; what it asserts is a promise too."""
    try:
        return check()
    except AssertionError as error:
        raise Broken(f"{what}: {str(error) or 'an assertion does not hold'}") from error
