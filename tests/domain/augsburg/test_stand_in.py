"""Who plays for the absent: answers of common sense, from what he himself may know."""

from __future__ import annotations

import pytest

from domain import augsburg
from domain.augsburg.auction import Bidding, Paying
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
)
from domain.augsburg.components import Noble, Privilege, Tile
from domain.augsburg.state import Player, State
from domain.augsburg.winner import Compensating, Taking, Using
from domain.values import replace
from tests.domain.augsburg.table import PRIVILEGES, asked, merchant, table, using
from tests.scenario import given


def answer(state: State, question: object, seat: int = 1) -> Command:
    """What the stand-in says for this seat."""
    ready = given(augsburg, state, question).state
    return augsburg.stand_in(augsburg.view(ready, seat), asked(ready, seat))


@pytest.mark.parametrize(
    ("hand", "bid", "wanted"),
    [
        ("leo-17 leo-3 joker", 0, Bid(2)),
        ("leo-17 leo-3 joker", 2, Call()),
        ("leo-9 leo-8 leo-7", 2, Bid(3)),
        ("leo-2 leo-3 joker", 0, Bid(1)),
        ("leo-2 leo-3 joker", 2, Pass()),
        ("joker joker maria-17", 0, Pass()),
        ("leo-7 leo-1 joker", 0, Bid(1)),
        ("leo-7 leo-1 leo-2 joker", 0, Bid(2)),
        ("leo-6 leo-1 leo-2 joker", 0, Bid(1)),
        ("leo-10 leo-1 leo-2 joker", 0, Bid(3)),
        ("leo-12 leo-1 joker", 2, Bid(3)),
        ("leo-13 leo-1 joker", 2, Call()),
        ("leo-13 leo-1", 2, Call()),
        ("leo-9 joker joker", 2, Pass()),
    ],
)
def test_bidding(hand: str, bid: int, wanted: Command) -> None:
    """Strong cards bid modestly and call, middling ones raise by number, weak ones leave early."""
    state = table(merchant(hand), merchant("leo-16 leo-15", bid=bid), noble=Noble.LEO)
    assert answer(state, Bidding(1)) == wanted


def test_presenting() -> None:
    """His best certificate, and for the rest his worst."""
    state = table(merchant("leo-17 leo-3 leo-9 joker", bid=2), merchant(passed=True), noble=Noble.LEO)
    assert answer(state, Paying(1)) == PresentCertificates(("leo-17", "leo-3"))


def test_taking() -> None:
    """The card whose two best privileges are worth most to him."""
    state = replace(table(merchant(), merchant()), face_up=tuple(PRIVILEGES.values()))
    assert answer(state, Taking(1)) == TakePrivilegeCard("nobility-nobility-draw")
    noble = replace(state, players=(merchant(nobility=4, coat=4, letter=5), merchant()))
    assert answer(noble, Taking(1)) == TakePrivilegeCard("trade-trade-prestige-7")


@pytest.mark.parametrize(
    ("player", "card", "wanted"),
    [
        (merchant(), "trade-nobility-office", UsePrivilege(Privilege.NOBILITY, Use.STEP)),
        (merchant(nobility=4), "nobility-nobility-draw", UsePrivilege(Privilege.NOBILITY, Use.LETTER_OF_NOBILITY)),
        (merchant(), "trade-prestige-7-draw", UsePrivilege(Privilege.PRESTIGE_7)),
        (merchant(trade=4), "trade-office-draw", UsePrivilege(Privilege.OFFICE, Use.STEP)),
        (merchant("", 0, trade=4, prestige=25), "trade-trade-prestige-7", UsePrivilege(Privilege.TRADE, Use.GUILDERS)),
        (merchant(office=4), "money-office-office", UsePrivilege(Privilege.OFFICE, Use.MASTER_BUILDER)),
        (merchant(office=4, builder=True), "money-office-office", UsePrivilege(Privilege.OFFICE, Use.MINTER)),
        (merchant(nobility=4, letter=5), "nobility-nobility-draw", UsePrivilege(Privilege.NOBILITY, Use.COAT_OF_ARMS)),
        (merchant(prestige=11), "money-office-office", UsePrivilege(Privilege.OFFICE, Use.STEP)),
        (merchant(prestige=12), "money-office-office", UsePrivilege(Privilege.OFFICE, Use.CHURCH)),
        (merchant("", 799, prestige=15), "money-office-office", UsePrivilege(Privilege.OFFICE, Use.STEP)),
        (merchant(prestige=27, church=800), "money-office-office", UsePrivilege(Privilege.OFFICE, Use.STEP)),
        (merchant(prestige=28, church=800), "money-office-office", UsePrivilege(Privilege.OFFICE, Use.CATHEDRAL)),
        (merchant(prestige=25), "money-prestige-6-office", UsePrivilege(Privilege.OFFICE, Use.CHURCH)),
        (merchant("", 0, prestige=25), "trade-prestige-7-draw", UsePrivilege(Privilege.TRADE, Use.STEP)),
        (merchant(prestige=15, builder=True), "money-office-office", UseMasterBuilder(Tile.CHURCH)),
        (merchant(prestige=30, church=800), "money-office-office", UsePrivilege(Privilege.OFFICE, Use.CATHEDRAL)),
    ],
)
def test_using(player: Player, card: str, wanted: Command) -> None:
    """The building that the limit asks for, else the privilege that is worth most."""
    assert answer(using(table(player, merchant()), 1, card), Using(1)) == wanted


@pytest.mark.parametrize(("number", "wanted"), [(1, Use.STEP), (2, Use.CHURCH), (4, Use.CHURCH)])
def test_a_church_late_in_the_game(number: int, wanted: Use) -> None:
    """In the last three rounds he builds a church whatever his prestige."""
    state = using(table(merchant(), merchant()), 1, "money-office-office", round=number)
    assert answer(state, Using(1)) == UsePrivilege(Privilege.OFFICE, wanted)


def test_a_step_from_a_holder() -> None:
    """Where the supply is short he takes the tile of the first who holds it."""
    state = using(table(merchant(nobility=3), merchant(nobility=4)), 1, "nobility-nobility-draw")
    assert answer(state, Using(1)) == UsePrivilege(Privilege.NOBILITY, Use.STEP, "seat-2")


def test_nothing_worth_using() -> None:
    """He forgoes what brings nothing, and lets a builder rest who is not needed."""
    rich = merchant(nobility=4, coat=4, letter=5)
    assert answer(using(table(rich, merchant(), rest=False), 1, "nobility-nobility-draw"), Using(1)) == Forgo()
    resting = using(table(merchant(builder=True), merchant()), 1, "money-office-office", uses=0)
    assert answer(resting, Using(1)) == Finish()


@pytest.mark.parametrize(("prestige", "wanted"), [(24, Compensation.PRESTIGE), (25, Compensation.GUILDERS)])
def test_compensation(prestige: int, wanted: Compensation) -> None:
    """Prestige, unless it would be lost."""
    assert answer(table(merchant(prestige=prestige), merchant()), Compensating(1)) == ChooseCompensation(wanted)


def test_cards() -> None:
    """He buys high certificates and jokers, keeps a reserve for a church, and gives away his lowest."""
    state = table(merchant("leo-9 maria-2 joker", dealt="leo-1 leo-17 joker leo-13 maria-16"), merchant("leo-4"))
    assert answer(state, Buying()) == BuyCertificates(("joker", "leo-13", "leo-17", "maria-16"))
    assert answer(replace(state, round=2), Buying()) == BuyCertificates(("leo-17", "maria-16"))
    assert answer(state, Discarding(1)) == Discard("maria-2")
    assert answer(state, Giving(had_top=True, gifts=1)) == GiveCertificate("maria-2")
    assert answer(table(merchant(), merchant()), Giving(had_top=True, gifts=1)) == GiveCertificate("nothing")
