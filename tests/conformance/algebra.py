"""The algebra of slots: what is offered is accepted, what is not is refused by the bound that it breaks."""

from __future__ import annotations

from typing import Any

from domain.chance import SeededChance
from domain.engine import Decision, Illegal, play
from domain.options import (
    Option,
    PickNumber,
    PickOne,
    PickSome,
    Refusal,
    Slot,
    Split,
    Why,
    answers,
    canonical,
    check,
    count,
    sample,
)
from domain.values import fields, members, to_bytes
from tests.conformance.claims import alike, breaks, demand
from tests.conformance.mutations import mutants
from tests.conformance.oracle import NOT_OFFERED, reasons, takers
from tests.conformance.vocabulary import KEY
from tests.conformance.walk import Passage, accept, decide

SMALL = 120
"""Options with at most so many answers are enumerated."""


def slots(passage: Passage) -> None:
    """In every state met: answers that were sampled or enumerated are accepted, changed ones as the oracle says."""
    game, source = passage.game, passage.source
    commands = members(game.Command)
    for step in passage.steps():
        state = step.before
        waiting = game.waiting(state)
        decision = game.decision(state, waiting[source.below(len(waiting))])
        assert decision is not None
        before = to_bytes(state)
        for option in decision.options:
            _well_made(option, commands)
        option = decision.options[source.below(len(decision.options))]
        _sampled(passage, state, decision, option)
        _counted(passage, decision, option)
        for name, mutant in mutants(game, option, sample(option, commands, source), source):
            _answered_as_the_oracle_says(passage, state, decision, mutant, name)
        _by_another_seat(passage, state, sample(option, commands, source), decision.seat)
        demand(to_bytes(state) == before, "a refused command changes nothing")


def _well_made(option: Option, commands: Any) -> None:
    """An option fills or opens every field of its command once, and names the rule of every bound."""
    demand(option.command in commands, "an option is for a command of the game", option)
    named = [given.field for given in option.given] + [slot.field for slot in option.slots]
    wanted = [field.name for field in fields(commands[option.command])]
    demand(sorted(named) == sorted(wanted), "each field of a command is given or open", option, wanted)
    demand(option.rule, "an option names its rule", option)
    keys = [given.key for given in option.given]
    for slot in option.slots:
        demand(all(why.rule and why.reason for why in _bounds(slot)), "every bound names its rule and reason", slot)
        if isinstance(slot, PickSome | Split):
            keys += [item.key for item in slot.items]
            demand(len({item.key for item in slot.items}) == len(slot.items), "equal things are one item", slot)
            demand(all(item.count > 0 and item.weight >= 0 for item in slot.items), "items count from one", slot)
        elif isinstance(slot, PickOne):
            keys += slot.keys
            demand(len(set(slot.keys)) == len(slot.keys), "equal things are one key", slot)
    demand(all(KEY.fullmatch(key) for key in keys), "keys are made of a-z, 0-9 and -, at most 40", keys)


def _bounds(slot: Slot) -> list[Why]:
    """Every bound by which a slot may refuse."""
    match slot:
        case PickOne():
            return [slot.why]
        case PickNumber():
            return [slot.why, slot.below]
        case PickSome():
            demand(slot.limit is None or slot.heavy, "a limit names its rule", slot)
            return [slot.why, slot.size, *(need.why for need in slot.needs), slot.heavy or slot.why]
        case Split():
            return [slot.why, slot.empty]


def _sampled(passage: Passage, state: Any, decision: Decision, option: Option) -> None:
    """A sampled answer is in order, taken by this option alone, and acts."""
    answer = sample(option, members(passage.game.Command), passage.source)
    demand(canonical(answer) == answer, "a sampled answer is sorted", answer)
    demand(takers(decision, answer) == [option], "exactly one option takes an answer", answer, decision.options)
    accept(passage.game, state, decision, answer, SeededChance(passage.seed))
    passage.tally.add("answers accepted", option.command)


def _counted(passage: Passage, decision: Decision, option: Option) -> None:
    """Where an option has few answers, there are as many as it counts, all different, all taken by it alone."""
    counted = count(option, SMALL)
    demand(counted.number > 0, "an option has an answer", option)
    if not counted.exact or counted.number > SMALL:
        return
    found = answers(option, members(passage.game.Command), SMALL + 1)
    demand(len(found) == counted.number, "count equals enumeration", counted, len(found))
    demand(len({to_bytes(answer) for answer in found}) == len(found), "enumerated answers are distinct", option)
    for answer in found:
        demand(takers(decision, answer) == [option], "exactly one option takes an answer", answer, decision.options)
        demand(check(decision.options, answer, Why("", "")) is None, "what is enumerated is accepted", answer)
    passage.tally.add("options enumerated", option.command)


def _answered_as_the_oracle_says(passage: Passage, state: Any, decision: Decision, mutant: Any, name: str) -> None:
    """A changed answer is refused by a bound that it breaks, and draws nothing; if it breaks none it is accepted."""
    expected = reasons(decision, mutant)
    chance = SeededChance(passage.seed)
    try:
        decide(passage.game, state, decision, mutant, chance)
    except Illegal as illegal:
        refusal = illegal.refusal
        demand(expected, f"what no bound refuses is accepted ({name})", mutant, refusal)
        demand(refusal.rule and refusal.reason, "a refusal names rule and reason", mutant, refusal)
        explained = any(why.reason == NOT_OFFERED for why in expected)  # by the game, from the offender's own view
        told = Why(refusal.rule, refusal.reason)
        demand(
            told in expected or explained, f"an answer is refused by the bound that it breaks ({name})", mutant, told
        )
        demand(not chance.labels, "what is refused draws nothing", mutant, chance.labels)
        passage.tally.add("answers refused", name)
    else:
        demand(not expected, f"an answer that breaks a bound is refused ({name})", mutant, expected)
        passage.tally.add("changed answers accepted", name)


def _by_another_seat(passage: Passage, state: Any, answer: Any, seat: int) -> None:
    """What one seat may answer, another may not, unless it is asked too and its own options take it."""
    others = [other for other in passage.viewers if other != seat]
    other = others[passage.source.below(len(others))]
    decision = passage.game.decision(state, other)
    if decision is not None:
        _answered_as_the_oracle_says(passage, state, decision, answer, "another seat")
        return
    try:
        play(passage.game, state, other, answer, SeededChance(passage.seed))
    except Illegal as illegal:
        alike("who is not asked is told so", illegal.refusal, Refusal("", "NOT_ASKED"))
        passage.tally.add("answers refused", "another seat")
    else:
        breaks("who is not asked can't answer", answer, other)
