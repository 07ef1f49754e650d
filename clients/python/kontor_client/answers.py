"""From an option to an answer: the fields you choose, checked as the server will check them, and those it gives.

    option_answer(option)                              an option without slots
    option_answer(option, cards=3)                     a number
    option_answer(option, card="leo-15")               one of the keys
    option_answer(option, cards=["leo-15", "joker"])   some of the things
    option_answer(option, stacks=[["a", "b"], ["c"]])  all of the things, in groups
    first_answer(decision), random_answer(decision)    whatever is legal

A field whose name is a word of Python goes in as `option_answer(option, **{"from": "church"})`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from kontor.v1 import Answer, Decision, Field, Groups, Item, Keys, Option, PickSome, Slot

Filling = str | int | Iterable[str] | Iterable[Iterable[str]]
"""What a slot may be filled with, by its kind."""

TRIES = 50


class BadAnswer(ValueError):
    """Something that an option does not allow, in a sentence."""


def option_answer(option: Option, /, **fields: Filling) -> Answer:
    """The answer that an option and the fields filled in make; BadAnswer where the option does not allow it."""
    slots = {slot.field: slot for slot in option.slots}
    if missing := slots.keys() - fields.keys():
        raise BadAnswer(f"{option.command} wants {', '.join(sorted(missing))}.")
    if foreign := fields.keys() - slots.keys():
        raise BadAnswer(f"{option.command} has nothing to fill in for {', '.join(sorted(foreign))}.")
    filled = [filled_field(slots[name], value) for name, value in fields.items()]
    return Answer(command=option.command, fields=[*option.given, *filled])


def filled_field(slot: Slot, value: Filling) -> Field:
    """A slot, filled; BadAnswer where it does not take this."""
    kind = slot.WhichOneof("ask")
    if kind == "pick_one":
        return Field(name=slot.field, key=_one(slot.pick_one.keys, value))
    if kind == "pick_number":
        least, most = slot.pick_number.least, slot.pick_number.most
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise BadAnswer(f"{value} is no number from {least} to {most}.")
        return Field(name=slot.field, number=value)
    if kind == "pick_some":
        keys = _strings(value)
        _check_some(slot.pick_some, keys)
        return Field(name=slot.field, keys=Keys(keys=keys))
    if kind == "split":
        groups = [_strings(group) for group in _parts(value)]
        _check_split(slot.split.items, groups)
        return Field(name=slot.field, groups=Groups(groups=[Keys(keys=group) for group in groups]))
    raise BadAnswer(f"{slot.field} is asked in a way that this client does not know; it is older than the server.")


def first_answer(asked: Decision | Option) -> Answer:
    """The first legal answer: the first option, the first key, the least number, the fewest and lightest things."""
    option = asked.options[0] if isinstance(asked, Decision) else asked
    return option_answer(option, **{slot.field: first_filling(slot) for slot in option.slots})


def random_answer(asked: Decision | Option, source: random.Random | None = None) -> Answer:
    """Some legal answer, by chance."""
    chance = source or random.Random()  # noqa: S311 - a move, not a key
    option = chance.choice(asked.options) if isinstance(asked, Decision) else asked
    return option_answer(option, **{slot.field: _random(slot, chance) for slot in option.slots})


def units(items: Iterable[Item]) -> list[str]:
    """The keys of all things, equal ones repeated."""
    return [item.key for item in items for _ in range(item.count)]


# --- checking -----------------------------------------------------------------------------------------------------


def _one(keys: Sequence[str], value: Filling) -> str:
    if not isinstance(value, str) or value not in keys:
        raise BadAnswer(f"{value} is none of {', '.join(keys)}.")
    return value


def _strings(value: object) -> list[str]:
    parts = _parts(value)
    if not all(isinstance(part, str) for part in parts):
        raise BadAnswer(f"{value} is no list of keys.")
    return [str(part) for part in parts]


def _parts(value: object) -> list[object]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise BadAnswer(f"{value} is no list.")
    return list(value)


def _check_some(asked: PickSome, keys: Sequence[str]) -> None:
    things = {item.key: item for item in asked.items}
    for key, number in Counter(keys).items():
        if key not in things:
            raise BadAnswer(f"There is no {key} to pick.")
        if number > things[key].count:
            raise BadAnswer(f"There are not {number} of {key}, but {things[key].count}.")
    if not asked.least <= len(keys) <= asked.most:
        bounds = str(asked.least) if asked.least == asked.most else f"{asked.least} to {asked.most}"
        raise BadAnswer(f"Pick {bounds}, not {len(keys)}.")
    for need in asked.needs:
        if sum(things[key].kind == need.kind for key in keys) < need.least:
            raise BadAnswer(f"Pick at least {need.least} of the kind {need.kind}.")
    weight = sum(things[key].weight for key in keys)
    if asked.HasField("limit") and weight > asked.limit:
        raise BadAnswer(f"These come to {weight}, but {asked.limit} is the limit.")


def _check_split(items: Sequence[Item], groups: Sequence[Sequence[str]]) -> None:
    if not all(groups):
        raise BadAnswer("A group without anything in it is none.")
    if Counter(key for group in groups for key in group) != Counter(units(items)):
        raise BadAnswer("The groups must hold every thing once, and nothing else.")


# --- choosing -----------------------------------------------------------------------------------------------------


def first_filling(slot: Slot) -> Filling:
    """The first legal filling of a slot."""
    kind = slot.WhichOneof("ask")
    if kind == "pick_one":
        return slot.pick_one.keys[0]
    if kind == "pick_number":
        return slot.pick_number.least
    if kind == "pick_some":
        return _lightest(slot.pick_some)
    return [units(slot.split.items)] if slot.split.items else []


def _random(slot: Slot, chance: random.Random) -> Filling:
    kind = slot.WhichOneof("ask")
    if kind == "pick_one":
        return chance.choice(slot.pick_one.keys)
    if kind == "pick_number":
        return chance.randint(slot.pick_number.least, slot.pick_number.most)
    if kind == "pick_some":
        return _random_some(slot.pick_some, chance)
    groups: dict[int, list[str]] = {}
    things = units(slot.split.items)
    for key in things:
        groups.setdefault(chance.randrange(len(things)), []).append(key)
    return list(groups.values())


def _lightest(asked: PickSome) -> list[str]:
    """The fewest things that satisfy every need, the lightest of them: if any pick is legal, this one is."""
    by_weight = sorted(asked.items, key=lambda item: item.weight)
    wanted = {need.kind: need.least for need in asked.needs}
    picked, left = [], []
    for item in by_weight:
        for _ in range(item.count):
            if wanted.get(item.kind, 0) > 0:
                wanted[item.kind] -= 1
                picked.append(item.key)
            else:
                left.append(item.key)
    return picked + left[: max(0, asked.least - len(picked))]


def _random_some(asked: PickSome, chance: random.Random) -> list[str]:
    things = units(asked.items)
    for _ in range(TRIES):
        picked = chance.sample(things, chance.randint(asked.least, min(asked.most, len(things))))
        try:
            _check_some(asked, picked)
        except BadAnswer:
            continue
        return picked
    return _lightest(asked)
