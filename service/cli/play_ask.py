"""Each kind of slot filled by typing: what is shown of it, and what the typed text means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kontor.v1 import Item, PickSome, Slot
from kontor_client import BadAnswer, first_filling, units
from kontor_client.answers import Filling
from service.cli.play_words import Words

NONE = "-"
MOST = 1000  # things that one line may name

HELP = {
    "pick_one": "Type the number of one of them.",
    "pick_number": "Type a number.",
    "pick_some": "Type their numbers: 1 3, or 1-4, or 2x3 for two of number 3; all, or none.",
    "split": "Type the groups with / between them: 1 2 / 3 / 4-6, 2x3 for two of number 3; each (by itself), or all.",
}


def shown(slot: Slot, words: Words) -> list[str]:
    """What there is to pick, a line each, in the order of its numbers."""
    kind = slot.WhichOneof("ask")
    if kind == "pick_one":
        return [words.key(key) for key in slot.pick_one.keys]
    if kind in ("pick_some", "split"):
        return [_item(item, slot.pick_some, words) for item in items(slot)]
    return []


def prompt(slot: Slot) -> str:
    """What is wanted, with the numbers it may be told by."""
    kind, name = slot.WhichOneof("ask"), slot.field.replace("_", " ")
    if kind == "pick_one":
        return f"{name}: one of 1-{len(slot.pick_one.keys)}"
    if kind == "pick_number":
        return f"{name}: a number from {slot.pick_number.least} to {slot.pick_number.most}"
    if kind == "pick_some":
        some = slot.pick_some
        number = str(some.least) if some.least == some.most else f"{some.least} to {some.most}"
        needs = "".join(f", at least {need.least} {need.kind}" for need in some.needs)
        limit = f", together {some.limit} at most" if some.HasField("limit") else ""
        return f"{name}: pick {number} of 1-{len(some.items)}{needs}{limit}"
    return f"{name}: groups of 1-{len(slot.split.items)}"


def example(slot: Slot) -> str:
    """Something that may be typed here."""
    filling, kind = first_filling(slot), slot.WhichOneof("ask")
    if kind == "pick_one":
        return "1"
    if kind == "pick_number":
        return str(filling)
    if kind == "pick_some":
        assert isinstance(filling, list)
        return _numbers(filling, items(slot)) or "none"
    return "all"


def read(slot: Slot, typed: str) -> Filling:
    """What was typed, as the filling of the slot; BadAnswer in a sentence where it is none."""
    kind, text = slot.WhichOneof("ask"), typed.strip().lower()
    if kind == "pick_one":
        keys = slot.pick_one.keys
        return text if text in keys else keys[_number(text, 1, len(keys)) - 1]
    if kind == "pick_number":
        return _number(text, slot.pick_number.least, slot.pick_number.most)
    things = items(slot)
    if kind == "pick_some":
        return units(things) if text == "all" else _picked(text, things)
    if text == "each":
        return [[key] for key in units(things)]
    if text == "all":
        return [units(things)] if things else []
    return [_picked(group, things) for group in text.split("/")]


def items(slot: Slot) -> Sequence[Item]:
    """The things to pick or to part."""
    return slot.split.items if slot.WhichOneof("ask") == "split" else slot.pick_some.items


def _item(item: Item, some: PickSome, words: Words) -> str:
    count = f"  × {item.count}" if item.count > 1 else ""  # noqa: RUF001 - times
    notes = [str(item.weight)] if some.HasField("limit") else []
    notes += [item.kind] if item.kind and some.needs else []
    note = f"  ({', '.join(notes)})" if notes else ""
    return f"{words.key(item.key)}{count}{note}"


def _number(text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"-?\d{1,9}", text) or not least <= int(text) <= most:
        raise BadAnswer(f"That is no number from {least} to {most}.")
    return int(text)


def _picked(text: str, things: Sequence[Item]) -> list[str]:
    """The keys of the things that a text names by their numbers."""
    if text.strip() in ("none", NONE):
        return []
    picked = [things[place - 1].key for word in text.replace(",", " ").split() for place in _places(word, len(things))]
    if len(picked) > MOST:
        raise BadAnswer("That is too much.")
    return picked


def _places(word: str, most: int) -> Iterator[int]:
    """The numbers that a word means: `3`, `1-4`, `2x3`."""
    if found := re.fullmatch(r"(\d{1,4})-(\d{1,4})", word):
        first, last = (_number(part, 1, most) for part in found.groups())
        yield from range(first, last + 1)
    elif found := re.fullmatch(r"(\d{1,3})[x*](\d{1,4})", word):
        yield from [_number(found[2], 1, most)] * int(found[1])
    else:
        yield _number(word, 1, most)


def _numbers(keys: Sequence[str], things: Sequence[Item]) -> str:
    """The numbers by which these things would be typed."""
    parts = []
    for place, item in enumerate(things, 1):
        count = list(keys).count(item.key)
        if count:
            parts.append(str(place) if count == 1 else f"{count}x{place}")
    return " ".join(parts)
