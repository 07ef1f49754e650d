"""The vocabulary of options: what a seat may answer, exactly.

An option is one command with some fields given and the others left open as slots. The slots of an option are
independent: every combination is legal. Four kinds of slot serve all games: pick one, pick a number, pick some, split.
Options alone decide what is accepted; every bound names the rule and the reason by which it refuses.

Things are named by keys (`leo-15`, `church`, `seat-4`); equal things are one item with a count. A tuple in a command
is a multiset: its order says nothing, and `canonical` sorts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import comb, prod
from typing import Any, NamedTuple

from domain.chance import Source
from domain.values import Fact, Value, facts, replace
from domain.ways import Ways, bell, partitions

NOBODY = "nobody"


def seat_key(seat: int) -> str:
    """The key by which options and commands name a seat."""
    return f"seat-{seat}"


def seat_number(key: str) -> int:
    """The seat a key names; 0 for nobody."""
    return 0 if key == NOBODY else int(key.removeprefix("seat-"))


class Why(Value):
    """The rule that refuses, and a stable name for the reason."""

    rule: str
    reason: str


class Refusal(Value):
    """A bound that an answer broke, with what a sentence about it needs."""

    rule: str
    reason: str
    facts: tuple[Fact, ...] = ()


class Item(Value):
    """Something to pick: equal things are one item with a count."""

    key: str
    count: int = 1
    weight: int = 0
    kind: str = ""


class Need(Value):
    """At least so many of the picked things must be of this kind."""

    kind: str
    least: int
    why: Why


class Group(Value):
    """One part of a split."""

    items: tuple[str, ...]


class Given(Value):
    """A field that is already filled."""

    field: str
    key: str


class PickOne(Value):
    """Pick one of these."""

    field: str
    keys: tuple[str, ...]
    why: Why


class PickNumber(Value):
    """Pick a number in a range."""

    field: str
    least: int
    most: int
    why: Why  # above the range
    below: Why


class PickSome(Value):
    """Pick some of these: from least to most, at least so many of a kind, weights up to a limit."""

    field: str
    items: tuple[Item, ...]
    least: int
    most: int
    why: Why  # not one of these, or more of a thing than there are
    size: Why  # fewer than least, or more than most
    needs: tuple[Need, ...] = ()
    limit: int | None = None
    heavy: Why | None = None  # beyond the limit


class Split(Value):
    """Split all of these into any number of groups of at least one."""

    field: str
    items: tuple[Item, ...]
    why: Why  # a thing missing, doubled or foreign
    empty: Why  # a group without anything


Slot = PickOne | PickNumber | PickSome | Split


class Option(Value):
    """One command with some fields given and the others left open."""

    command: str
    rule: str
    given: tuple[Given, ...] = ()
    slots: tuple[Slot, ...] = ()
    facts: tuple[Fact, ...] = ()


class Count(NamedTuple):
    """How many answers an option has; where counting stopped at its bound, at least so many."""

    number: int
    exact: bool


Commands = Mapping[str, type[Any]]


# --- checking -----------------------------------------------------------------------------------------------------


def canonical(command: Any) -> Any:
    """The command with its multisets sorted. What is no command at all comes back as it is, to be refused."""
    changes: dict[str, object] = {}
    for name in getattr(command, "__struct_fields__", ()):
        value = getattr(command, name)
        if type(value) is tuple and value:
            if all(type(part) is Group and _keys(part.items) for part in value):
                groups = (Group(tuple(sorted(group.items))) for group in value)
                changes[name] = tuple(sorted(groups, key=lambda group: group.items))
            elif _keys(value):
                changes[name] = tuple(sorted(value))
    return replace(command, **changes) if changes else command


def _keys(value: object) -> bool:
    return type(value) is tuple and all(isinstance(part, str) for part in value)


def check(options: Sequence[Option], command: object, otherwise: Why) -> Refusal | None:
    """Nothing if some option allows the command; else the refusal of the option that came nearest to it."""
    name = type(command).__name__
    best, nearest = None, -1
    for option in options:
        if option.command == name:
            passed, refused = _check_option(option, command)
            if refused is None:
                return None
            if passed > nearest:
                best, nearest = refused, passed
    return best or Refusal(otherwise.rule, otherwise.reason, facts(command=name))


def _check_option(option: Option, command: object) -> tuple[int, Refusal | None]:
    """How many fields fit before the first that does not, and that one's refusal."""
    passed = 0
    for given in option.given:
        if getattr(command, given.field, None) != given.key:
            return passed, Refusal(option.rule, "NOT_OFFERED", facts(field=given.field))
        passed += 1
    for slot in option.slots:
        refused = refusal(slot, getattr(command, slot.field, None))
        if refused is not None:
            return passed, refused
        passed += 1
    return passed, None


def refusal(slot: Slot, value: object) -> Refusal | None:
    """Nothing if the slot takes this value, else which of its bounds refuses it."""
    if type(slot) is PickNumber:
        return _refuse_number(slot, value)
    if type(slot) is PickOne:
        return None if isinstance(value, str) and value in slot.keys else _refused(slot.why, field=slot.field)
    if type(slot) is PickSome:
        return _refuse_some(slot, value)
    assert isinstance(slot, Split)
    return _refuse_split(slot, value)


def _refused(why: Why, **named: object) -> Refusal:
    return Refusal(why.rule, why.reason, facts(**named))


def _refuse_number(slot: PickNumber, value: object) -> Refusal | None:
    if type(value) is not int or value < slot.least:
        return _refused(slot.below, field=slot.field, least=slot.least, most=slot.most)
    return _refused(slot.why, field=slot.field, least=slot.least, most=slot.most) if value > slot.most else None


def _refuse_some(slot: PickSome, value: object) -> Refusal | None:
    if not _keys(value):
        return _refused(slot.why, field=slot.field)
    assert isinstance(value, tuple)
    counted = _counted(value)
    found = 0
    for item in slot.items:
        number = counted.get(item.key, 0)
        if number > item.count:
            return _refused(slot.why, field=slot.field, thing=item.key)
        found += number
    if found != len(value):
        return _refused(slot.why, field=slot.field)
    if not slot.least <= len(value) <= slot.most:
        return _refused(slot.size, field=slot.field, least=slot.least, most=slot.most)
    for need in slot.needs:
        if sum(counted.get(item.key, 0) for item in slot.items if item.kind == need.kind) < need.least:
            return _refused(need.why, field=slot.field, kind=need.kind, least=need.least)
    if slot.limit is not None:
        weight = sum(counted.get(item.key, 0) * item.weight for item in slot.items)
        if weight > slot.limit:
            return _refused(slot.heavy or slot.why, field=slot.field, sum=weight, limit=slot.limit)
    return None


def _refuse_split(slot: Split, value: object) -> Refusal | None:
    if type(value) is not tuple or not all(type(group) is Group and _keys(group.items) for group in value):
        return _refused(slot.why, field=slot.field)
    if any(not group.items for group in value):
        return _refused(slot.empty, field=slot.field)
    if _counted(key for group in value for key in group.items) != {item.key: item.count for item in slot.items}:
        return _refused(slot.why, field=slot.field)
    return None


def _counted(keys: Iterable[str]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for key in keys:
        counted[key] = counted.get(key, 0) + 1
    return counted


def items(keys: Iterable[str]) -> tuple[Item, ...]:
    """Plain things as items: equal ones together, in the order in which they first come."""
    return tuple(Item(key, count) for key, count in _counted(keys).items())


# --- sampling, counting, enumerating ------------------------------------------------------------------------------


def sample(option: Option, commands: Commands, source: Source) -> Any:
    """One of the option's answers, each as likely as any other (a split: each partition of distinguishable things)."""
    filled: dict[str, object] = {given.field: given.key for given in option.given}
    for slot in option.slots:
        filled[slot.field] = _sample_slot(slot, source)
    return commands[option.command](**filled)


def _sample_slot(slot: Slot, source: Source) -> object:
    if type(slot) is PickNumber:
        return slot.least + source.below(slot.most - slot.least + 1)
    if type(slot) is PickOne:
        return slot.keys[source.below(len(slot.keys))]
    if type(slot) is PickSome:
        return _sample_some(slot, source)
    assert isinstance(slot, Split)
    return _sample_split(slot, source)


TRIES = 3


def _sample_some(slot: PickSome, source: Source) -> tuple[str, ...]:
    """Throw a coin for every thing and keep what fits; after a few misses count the ways and follow them exactly.

    Both are uniform over the answers, so their mixture is; the first is much the cheaper one where most throws fit.
    """
    if slot.least == 0 and not slot.needs:
        ways = prod(item.count + 1 for item in slot.items)
        for _ in range(TRIES):
            number, weight, picked = source.below(ways), 0, []
            for item in slot.items:
                number, count = divmod(number, item.count + 1)
                if count:
                    weight += count * item.weight
                    picked += [item.key] * count
            if len(picked) <= slot.most and (slot.limit is None or weight <= slot.limit):
                return tuple(sorted(picked))
    counting = Ways(slot)
    index = source.below(counting.total())
    return counting.answer(index)


def _sample_split(slot: Split, source: Source) -> tuple[Group, ...]:
    """Draw the group of the first thing, then of the first that is left, each size by its number of partitions."""
    rest = [item.key for item in slot.items for _ in range(item.count)]
    numbers = bell(len(rest))
    groups = []
    while rest:
        others = len(rest) - 1
        index, size = source.below(numbers[len(rest)]), 0
        while index >= (ways := comb(others, size) * numbers[others - size]):
            index -= ways
            size += 1
        group = [rest.pop(0), *(rest.pop(source.below(len(rest))) for _ in range(size))]
        groups.append(Group(tuple(sorted(group))))
    return tuple(sorted(groups, key=lambda group: group.items))


def count(option: Option, bound: int = 10_000) -> Count:
    """How many answers the option has; a split is counted up to the bound only."""
    numbers = [_count_slot(slot, bound) for slot in option.slots]
    return Count(prod(n.number for n in numbers), all(n.exact for n in numbers))


def _count_slot(slot: Slot, bound: int) -> Count:
    if type(slot) is PickNumber:
        return Count(slot.most - slot.least + 1, exact=True)
    if type(slot) is PickOne:
        return Count(len(slot.keys), exact=True)
    if type(slot) is PickSome:
        return Count(Ways(slot).total(), exact=True)
    found = sum(1 for _ in islice(_values(slot), bound + 1))
    return Count(min(found, bound), exact=found <= bound)


def answers(option: Option, commands: Commands, bound: int = 10_000) -> tuple[Any, ...]:
    """All answers of the option, or the first of them up to the bound."""
    filled: dict[str, object] = {given.field: given.key for given in option.given}
    choices = product(*(tuple(islice(_values(slot), bound)) for slot in option.slots))
    names = [slot.field for slot in option.slots]
    make = commands[option.command]
    return tuple(make(**filled, **dict(zip(names, chosen, strict=True))) for chosen in islice(choices, bound))


def _values(slot: Slot) -> Iterator[object]:
    if type(slot) is PickNumber:
        yield from range(slot.least, slot.most + 1)
    elif type(slot) is PickOne:
        yield from slot.keys
    elif type(slot) is PickSome:
        ways = Ways(slot)
        for index in range(ways.total()):
            yield ways.answer(index)
    elif type(slot) is Split:
        whole = tuple(item.count for item in slot.items)
        names = [item.key for item in slot.items]
        for parts in partitions(whole, whole):
            groups = (
                tuple(sorted(name for name, n in zip(names, part, strict=True) for _ in range(n))) for part in parts
            )
            yield tuple(Group(keys) for keys in sorted(groups))
