"""What a seat is asked, and what it answers: decisions, options, slots and answers as messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from domain.course import phrase
from domain.engine import Decision
from domain.options import Given, Group, Item, Need, Option, PickNumber, PickOne, PickSome, Slot, Split, Why
from domain.values import Fact
from kontor.v1 import Answer, Field
from kontor.v1 import Option as OptionMessage
from kontor.v1 import Slot as SlotMessage
from service.phrases import Names, Phrases

Plain = dict[str, Any]
UNTOLD = Why("", "")
"""A message does not tell by which rule a bound refuses."""


def decision_to_dict(decision: Decision, phrases: Phrases, names: Names = ()) -> Plain:
    """What a seat is asked, in words and in options, for a `Decision`."""
    return {
        "number": decision.number,
        "question": _sentence(phrases.question(decision, names), f"question-{decision.question}", decision.facts),
        "rule": decision.rule,
        "options": [_option(option, phrases.option(option, names)) for option in decision.options],
    }


def option_to_message(option: Option, phrases: Phrases, names: Names = ()) -> OptionMessage:
    """One command with some fields given and the others left open."""
    return OptionMessage(**_option(option, phrases.option(option, names)))


def slot_to_message(slot: Slot) -> SlotMessage:
    """A field left open: of a command, or of a table's settings."""
    return SlotMessage(**_slot(slot))


def _option(option: Option, text: str) -> Plain:
    return {
        "command": option.command,
        "sentence": _sentence(text, f"option-{phrase(option.command)}", option.facts),
        "rule": option.rule,
        "given": [{"name": given.field, "key": given.key} for given in option.given],
        "slots": [_slot(slot) for slot in option.slots],
    }


def _sentence(text: str, key: str, facts: Iterable[Fact]) -> Plain:
    return {"text": text, "key": key, "facts": [{"name": fact.name, "value": fact.value} for fact in facts]}


def _slot(slot: Slot) -> Plain:
    if isinstance(slot, PickOne):
        return {"field": slot.field, "pick_one": {"keys": slot.keys}}
    if isinstance(slot, PickNumber):
        return {"field": slot.field, "pick_number": {"least": slot.least, "most": slot.most}}
    if isinstance(slot, Split):
        return {"field": slot.field, "split": {"items": _items(slot.items)}}
    some: Plain = {
        "items": _items(slot.items),
        "least": slot.least,
        "most": slot.most,
        "needs": [{"kind": need.kind, "least": need.least} for need in slot.needs],
    }
    if slot.limit is not None:
        some["limit"] = slot.limit
    return {"field": slot.field, "pick_some": some}


def _items(items: Sequence[Item]) -> list[Plain]:
    return [{"key": item.key, "count": item.count, "weight": item.weight, "kind": item.kind} for item in items]


# --- and back -----------------------------------------------------------------------------------------------------


def option_from_message(message: OptionMessage) -> Option:
    """The option, to be sampled or counted; the reasons of its bounds are not told."""
    return Option(
        command=message.command,
        rule=message.rule,
        given=tuple(Given(field.name, field.key) for field in message.given),
        slots=tuple(slot_from_message(slot) for slot in message.slots),
        facts=tuple(Fact(fact.name, fact.value) for fact in message.sentence.facts),
    )


def slot_from_message(message: SlotMessage) -> Slot:
    """The slot, without the reasons of its bounds."""
    ask = message.WhichOneof("ask")
    if ask == "pick_one":
        return PickOne(message.field, tuple(message.pick_one.keys), UNTOLD)
    if ask == "pick_number":
        number = message.pick_number
        return PickNumber(message.field, number.least, number.most, UNTOLD, UNTOLD)
    if ask == "split":
        return Split(message.field, _items_of(message.split.items), UNTOLD, UNTOLD)
    some = message.pick_some
    return PickSome(
        field=message.field,
        items=_items_of(some.items),
        least=some.least,
        most=some.most,
        why=UNTOLD,
        size=UNTOLD,
        needs=tuple(Need(need.kind, need.least, UNTOLD) for need in some.needs),
        limit=some.limit if some.HasField("limit") else None,
    )


def _items_of(items: Iterable[Any]) -> tuple[Item, ...]:
    return tuple(Item(item.key, item.count, item.weight, item.kind) for item in items)


def answer_from_command(command: Any) -> Answer:
    """The command as a frontend would build it from an option."""
    fields = [Field(name=name, **_filled(getattr(command, name))) for name in command.__struct_fields__]
    return Answer(command=type(command).__name__, fields=fields)


def _filled(value: Any) -> Plain:
    if isinstance(value, str):
        return {"key": value}
    if isinstance(value, int):
        return {"number": value}
    if any(isinstance(part, Group) for part in value):
        return {"groups": {"groups": [{"keys": group.items} for group in value]}}
    return {"keys": {"keys": value}}
