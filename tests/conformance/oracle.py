"""What the slots of a decision mean, said a second time and more simply: whether an answer fits, and else why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from domain.engine import Decision
from domain.options import Group, Option, PickNumber, PickOne, PickSome, Slot, Split, Why

NOT_OFFERED = "NOT_OFFERED"


def reasons(decision: Decision, command: Any) -> set[Why]:
    """Every bound that the command breaks, of all options for it; nothing if one of them takes it."""
    offered = [option for option in decision.options if option.command == type(command).__name__]
    broken = [broken_in(option, command) for option in offered]
    if not all(broken):
        return set()
    return set().union(*broken) or {Why(decision.rule, NOT_OFFERED)}


def takers(decision: Decision, command: Any) -> list[Option]:
    """The options that take a command."""
    name = type(command).__name__
    return [option for option in decision.options if option.command == name and not broken_in(option, command)]


def broken_in(option: Option, command: Any) -> set[Why]:
    """The bounds of one option that the command breaks."""
    found = set()
    for given in option.given:
        if getattr(command, given.field) != given.key:
            found.add(Why(option.rule, NOT_OFFERED))
    for slot in option.slots:
        found |= broken_by(slot, getattr(command, slot.field))
    return found


def broken_by(slot: Slot, value: Any) -> set[Why]:
    """The bounds of one slot that a value breaks."""
    match slot:
        case PickOne():
            return set() if isinstance(value, str) and value in slot.keys else {slot.why}
        case PickNumber():
            if type(value) is not int or value < slot.least:
                return {slot.below}
            return {slot.why} if value > slot.most else set()
        case PickSome():
            return _broken_by_pick(slot, value)
        case Split():
            return _broken_by_groups(slot, value)


def _broken_by_pick(slot: PickSome, value: Any) -> set[Why]:
    stock = {item.key: item for item in slot.items}
    if not _strings(value) or any(key not in stock or n > stock[key].count for key, n in Counter(value).items()):
        return {slot.why}
    found = set()
    if not slot.least <= len(value) <= slot.most:
        found.add(slot.size)
    kinds = Counter(stock[key].kind for key in value)
    found |= {need.why for need in slot.needs if kinds[need.kind] < need.least}
    if slot.limit is not None and sum(stock[key].weight for key in value) > slot.limit:
        found.add(slot.heavy or slot.why)
    return found


def _broken_by_groups(slot: Split, value: Any) -> set[Why]:
    if type(value) is not tuple or not all(type(group) is Group and _strings(group.items) for group in value):
        return {slot.why}
    found = {slot.empty} if any(not group.items for group in value) else set()
    if _counted(key for group in value for key in group.items) != {item.key: item.count for item in slot.items}:
        found.add(slot.why)
    return found


def _counted(keys: Iterable[str]) -> dict[str, int]:
    return dict(Counter(keys))


def _strings(value: Any) -> bool:
    return type(value) is tuple and all(isinstance(key, str) for key in value)
