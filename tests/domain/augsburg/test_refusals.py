"""Bad input: each question refuses what is no answer to it, by its rule, and nothing changes."""

from __future__ import annotations

from typing import Any

import pytest

from domain import augsburg
from domain.augsburg.auction import Bidding, Paying, Showdown
from domain.augsburg.cards import Buying, Discarding, Giving
from domain.augsburg.commands import (
    Bid,
    BuyCertificates,
    Call,
    ChooseCompensation,
    Command,
    Compensation,
    Discard,
    Finish,
    Forgo,
    GiveCertificate,
    Pass,
    PresentCertificates,
    TakePrivilegeCard,
    Use,
    UseMasterBuilder,
    UsePrivilege,
)  # fmt: skip
from domain.augsburg.components import Noble, Privilege, Tile
from domain.augsburg.winner import Compensating, Taking, Using
from domain.toy.commands import Stake
from domain.values import Value, members
from tests.domain.augsburg.table import merchant, table, using
from tests.scenario import Scenario, given

PLAYERS = (
    merchant("leo-1 leo-2 joker", bid=2, dealt="maria-1 joker", builder=True), merchant("leo-3 leo-4", bid=2, office=4)
)  # fmt: skip
OTHER_PASS = type("Pass", (Value,), {})()
"""A command of the same name, as another game may have one."""
QUESTIONS = {
    "bidding": Bidding(1),
    "paying": Paying(1),
    "showdown": Showdown(),
    "taking": Taking(1),
    "using": Using(1),
    "discarding": Discarding(1),
    "compensating": Compensating(1),
    "buying": Buying(),
    "giving": Giving(had_top=True, gifts=1),
}
ANSWERS = {
    "bidding": {"Pass", "Call", "Bid"},
    "paying": {"PresentCertificates"},
    "showdown": {"PresentCertificates"},
    "taking": {"TakePrivilegeCard"},
    "using": {"UsePrivilege", "Forgo", "UseMasterBuilder"},
    "discarding": {"Discard"},
    "compensating": {"ChooseCompensation"},
    "buying": {"BuyCertificates"},
    "giving": {"GiveCertificate"},
}
EXAMPLES: dict[str, Any] = {
    "Bid": Bid(2), "Call": Call(), "Pass": Pass(), "PresentCertificates": PresentCertificates(("leo-1", "leo-2")),
    "TakePrivilegeCard": TakePrivilegeCard("trade-trade-prestige-7"), "UsePrivilege": UsePrivilege(Privilege.MONEY),
    "Forgo": Forgo(), "UseMasterBuilder": UseMasterBuilder(Tile.CHURCH),
    "Finish": Finish(), "Discard": Discard("leo-1"), "ChooseCompensation": ChooseCompensation(Compensation.GUILDERS),
    "BuyCertificates": BuyCertificates(()), "GiveCertificate": GiveCertificate("leo-1"),
}  # fmt: skip


def asked(question: str) -> Scenario:
    """The first player is asked this."""
    state = table(*PLAYERS, noble=Noble.LEO)
    if question in ("using", "discarding", "compensating"):
        state = using(state, 1, "money-nobility-draw")
    return given(augsburg, state, QUESTIONS[question])


@pytest.mark.rule("AUG-203", "AUG-209", "AUG-210", "AUG-301", "AUG-302", "AUG-307", "AUG-315", "AUG-408", "AUG-412")
@pytest.mark.parametrize("question", QUESTIONS)
def test_commands_of_other_questions(question: str) -> None:
    """A command that is no answer to this question is not offered, by the question's rule."""
    scenario = asked(question)
    rule = QUESTIONS[question].rule
    for name, command in EXAMPLES.items():
        if name not in ANSWERS[question]:
            wanted = (rule, "PRIVILEGES_LEFT" if (question, name) == ("using", "Finish") else "NOT_OFFERED")
            scenario.when(1, command).refused(*wanted)


def test_the_examples_are_complete() -> None:
    """Every command of the game is tried on every question."""
    assert set(EXAMPLES) == set(members(Command))
    for question, names in ANSWERS.items():
        asked(question).offers(1, *names)


@pytest.mark.rule("AUG-203")
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("command", [None, 3, "Pass", Pass, object(), ("Bid", 3), OTHER_PASS, Stake(1)])
def test_what_is_no_command(question: str, command: object) -> None:
    """Nothing, a number, a text, a class, or another game's command is refused like any other."""
    asked(question).when(1, command).refused(QUESTIONS[question].rule, "NOT_OFFERED")


def wrong(*values: Any) -> tuple[Any, ...]:
    """What does not belong there, of whatever type."""
    return values


BAD_CONTENTS: list[tuple[str, Any, str, str]] = [
    *(("bidding", Bid(bad), "AUG-203", "BID_TOO_LOW") for bad in wrong("3", None, 3.0, True, (3,), -1, 2)),
    *(("bidding", Bid(bad), "AUG-206", "BID_EXCEEDS_CARDS") for bad in wrong(4, 10**9)),
    *(
        (question, PresentCertificates(bad), "AUG-206", "CARD_NOT_VALID")
        for question in ("paying", "showdown")
        for bad in wrong(None, "leo-1", 3, ("leo-1", 2), ["leo-1", "leo-2"], (None, None), ("leo-3", "leo-4"))
    ),
    *(("paying", PresentCertificates(bad), "AUG-210", "NUMBER_IS_NOT_THE_BID") for bad in wrong((), ("leo-1",))),
    *(("taking", TakePrivilegeCard(bad), "AUG-301", "CARD_NOT_FACE_UP") for bad in wrong(None, "", "leo-1", 1, ("x",))),
    *(
        ("using", UsePrivilege(bad), "AUG-302", "PRIVILEGE_NOT_ON_CARD")
        for bad in wrong(None, 5, "", "office", ["money"], "prestige-6")
    ),
    *(
        ("using", UsePrivilege(Privilege.MONEY, bad), "AUG-323", "USE_NOT_OF_THIS_PRIVILEGE")
        for bad in wrong(None, 0, "step", "gold", ["plain"])
    ),
    *(
        ("using", UsePrivilege(Privilege.MONEY, Use.PLAIN, bad), "AUG-323", "USE_NOT_OF_THIS_PRIVILEGE")
        for bad in wrong(None, 2, "seat-2", "seat-99")
    ),
    *(
        ("using", UsePrivilege(Privilege.NOBILITY, bad), "AUG-309", "USE_NOT_OF_THIS_PRIVILEGE")
        for bad in wrong(None, 7, "plain", "church", ("step",))
    ),
    *(
        ("using", UsePrivilege(Privilege.NOBILITY, Use.STEP, bad), "AUG-313", "TILE_IN_SUPPLY")
        for bad in wrong(None, 2, "seat-2", "seat-99", "")
    ),
    *(
        ("using", UseMasterBuilder(bad), "AUG-319", "BUILDING_NOT_POSSIBLE")
        for bad in wrong(None, 1, "minter", "", ("church",))
    ),
    *(
        ("discarding", Discard(bad), "AUG-307", "CARD_NOT_HELD")
        for bad in wrong(None, 1, "", "leo-3", "nothing", ("joker",))
    ),
    *(
        ("compensating", ChooseCompensation(bad), "AUG-315", "NOT_A_COMPENSATION")
        for bad in wrong(None, 100, "", "both", ("guilders",))
    ),
    *(
        ("buying", BuyCertificates(bad), "AUG-408", "CARD_NOT_DEALT")
        for bad in wrong(None, "maria-1", ("leo-1",), ("maria-1", "maria-1"), (1,), ["joker"], (("joker",),))
    ),
    *(("giving", GiveCertificate(bad), "AUG-412", "CARD_NOT_HELD") for bad in wrong(None, 1, "", "leo-3", ("leo-1",))),
]


@pytest.mark.parametrize(("question", "command", "rule", "reason"), BAD_CONTENTS)
def test_wrong_contents(question: str, command: Command, rule: str, reason: str) -> None:
    """A command with wrong contents is refused by the rule that it breaks."""
    asked(question).when(1, command).refused(rule, reason)


@pytest.mark.parametrize("question", QUESTIONS)
def test_who_is_not_asked(question: str) -> None:
    """An answer of somebody who is not asked is refused, whatever it is."""
    scenario = asked(question)
    for seat in (0, 2, 3, 99):
        if seat not in augsburg.waiting(scenario.state):
            for command in (Pass(), None, GiveCertificate("leo-3")):
                scenario.when(seat, command).refused("", "NOT_ASKED")


@pytest.mark.rule("AUG-412")
def test_giving_from_an_empty_hand() -> None:
    """Who holds nothing can give no card."""
    scenario = given(augsburg, table(merchant(), merchant("leo-1")), Giving(had_top=True, gifts=1))
    for bad in wrong("leo-1", None, "", 1):
        scenario.when(1, GiveCertificate(bad)).refused("AUG-412", "CARD_NOT_HELD")


@pytest.mark.rule("AUG-319", "AUG-317", "AUG-320")
def test_the_builder_is_refused_as_a_privilege_is() -> None:
    """No builder, used, owned or too dear: the refusal says which, and facts name the cost."""
    state = using(table(merchant(guilders=10, builder=True), merchant()), 1, "money-nobility-draw")
    refused = given(augsburg, state, Using(1)).when(1, UseMasterBuilder(Tile.CHURCH))
    refused.refused("AUG-320", "TOO_FEW_GUILDERS")
    assert {fact.name: fact.value for fact in refused.refusal.facts} == {"cost": "800", "guilders": "10"}


@pytest.mark.rule("AUG-308", "AUG-309", "AUG-310")
@pytest.mark.parametrize(
    ("privilege", "use", "step"),
    [
        (Privilege.TRADE, Use.GUILDERS, 2),
        (Privilege.NOBILITY, Use.COAT_OF_ARMS, 3),
        (Privilege.NOBILITY, Use.LETTER_OF_NOBILITY, 4),
        (Privilege.OFFICE, Use.MINTER, 3),
        (Privilege.OFFICE, Use.MASTER_BUILDER, 4),
    ],
)
def test_the_step_that_is_needed_is_told(privilege: Privilege, use: Use, step: int) -> None:
    """Who stands too low is told which step of which category he needs."""
    state = using(table(merchant(), merchant()), 1, "trade-nobility-office")
    refused = given(augsburg, state, Using(1)).when(1, UsePrivilege(privilege, use))
    assert refused.refusal.reason == "STEP_TOO_LOW"
    assert {fact.name: fact.value for fact in refused.refusal.facts} == {"category": privilege, "step": str(step)}
