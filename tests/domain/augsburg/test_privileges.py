"""Chapter 3, first part: the privilege card, and the privileges that bring no step and no tile."""

from __future__ import annotations

import pytest

from domain import augsburg
from domain.augsburg.auction import Auction, Paying
from domain.augsburg.cards import Discarding
from domain.augsburg.commands import Discard, Forgo, PresentCertificates, TakePrivilegeCard, Use, UsePrivilege
from domain.augsburg.components import Noble, Privilege
from domain.augsburg.events import (
    AuctionOpened,
    Discarded,
    Drawn,
    Gain,
    GuildersPaid,
    PrestigeGained,
    PrivilegeCardSetAside,
    PrivilegeCardTaken,
    PrivilegeForgone,
    PrivilegeUsed,
    RoundEnded,
    Shuffled,
)  # fmt: skip
from domain.augsburg.play import Close
from domain.augsburg.state import State
from domain.augsburg.winner import Taking, Using
from domain.values import replace
from tests.domain.augsburg.table import asked, cards, keys, merchant, privilege_card, privilege_uses, table, using
from tests.scenario import Scenario, given

MONEY = UsePrivilege(Privilege.MONEY)
DRAW = UsePrivilege(Privilege.DRAW)
TRADE_STEP = UsePrivilege(Privilege.TRADE, Use.STEP)


def turn(card: str, state: State | None = None) -> Scenario:
    """The first player has just taken this card; after him Maria is auctioned."""
    ready = using(state or table(merchant("leo-1 leo-2"), merchant()), 1, card)
    return given(augsburg, ready, Using(1), Auction(Noble.MARIA))


@pytest.mark.rule("AUG-301")
@pytest.mark.parametrize("left", [5, 4, 3, 2])
def test_the_winner_takes_a_face_up_card(left: int) -> None:
    """He chooses among those face up, which are fewer by one after each auction that is won."""
    state = table(merchant(), merchant())
    state = replace(state, face_up=state.face_up[:left])
    scenario = given(augsburg, state, Taking(2)).asks(2).offers(2, "TakePrivilegeCard")
    wanted = state.face_up[-1]
    scenario.when(2, TakePrivilegeCard(state.face_down[0].key)).refused("AUG-301", "CARD_NOT_FACE_UP")
    taken = scenario.when(2, TakePrivilegeCard(wanted.key)).then(PrivilegeCardTaken(2, wanted)).asks(2)
    assert taken.state.face_up == state.face_up[:-1]
    assert (taken.state.card, taken.state.uses, taken.state.privileges) == (wanted, 2, wanted.privileges)


@pytest.mark.rule("AUG-302")
def test_two_of_three_privileges() -> None:
    """Two are used one after the other, in any order; then the turn is over and the third is void."""
    scenario = turn("money-trade-nobility").offers(1, "UsePrivilege", "Forgo")
    scenario = scenario.when(1, UsePrivilege(Privilege.NOBILITY, Use.STEP)).asks(1)
    scenario.when(1, UsePrivilege(Privilege.NOBILITY, Use.STEP)).refused("AUG-302", "PRIVILEGE_NOT_ON_CARD")
    scenario = scenario.when(1, MONEY)
    scenario.then(
        PrivilegeUsed(1, Privilege.MONEY, Use.PLAIN),
        GuildersPaid(1, 500, "AUG-305"),
        PrivilegeCardSetAside(1, privilege_card("money-trade-nobility")),
        AuctionOpened(Noble.MARIA, 1),
    ).asks(1)
    assert asked(scenario.state, 1).question == "bidding"
    assert (scenario.state.privileges, scenario.state.uses, scenario.state.card) == ((), 0, None)


@pytest.mark.rule("AUG-302")
@pytest.mark.parametrize(
    "command", [UsePrivilege(Privilege.OFFICE, Use.STEP), UsePrivilege(Privilege.PRESTIGE_7), DRAW]
)
def test_only_privileges_of_the_card(command: UsePrivilege) -> None:
    """What does not stand on the card cannot be used."""
    turn("money-trade-nobility").when(1, command).refused("AUG-302", "PRIVILEGE_NOT_ON_CARD")


@pytest.mark.rule("AUG-303")
def test_forgoing() -> None:
    """Each of the two may be forgone for 2 prestige; he names none, and the rest of the card is void."""
    scenario = turn("money-trade-nobility").when(1, Forgo())
    scenario.then(PrivilegeForgone(1), PrestigeGained(1, Gain.FORGONE, 2, 2)).asks(1)
    assert privilege_uses(scenario.state, 1) == {"money plain", "trade step", "nobility step"}
    after = scenario.when(1, Forgo())
    after.happened(PrestigeGained(1, Gain.FORGONE, 2, 2), AuctionOpened(Noble.MARIA, 1))
    assert after.state.player(1).prestige == 4
    used = scenario.when(1, MONEY).happened(AuctionOpened(Noble.MARIA, 1))
    assert used.state.player(1).prestige == 2


@pytest.mark.rule("AUG-303", "AUG-404")
@pytest.mark.parametrize(("prestige", "kept"), [(25, 0), (24, 1)])
def test_forgoing_at_the_limit(prestige: int, kept: int) -> None:
    """It may be forgone at the limit too, where it brings nothing."""
    scenario = turn("money-trade-nobility", table(merchant(prestige=prestige), merchant()))
    scenario.when(1, Forgo()).then(PrivilegeForgone(1), PrestigeGained(1, Gain.FORGONE, 2, kept))


@pytest.mark.rule("AUG-303")
def test_what_cannot_be_used_is_not_offered() -> None:
    """A privilege without a use now is not offered, the others and forgoing are."""
    full = merchant(nobility=4, coat=4, letter=5)
    scenario = turn("nobility-nobility-draw", table(full, merchant(), rest=False)).offers(1, "Forgo")
    scenario.when(1, DRAW).refused("AUG-307", "NO_CARD_TO_DRAW")
    poor = turn("trade-nobility-office", table(merchant(guilders=0, office=4, minter=True, builder=True), merchant()))
    assert privilege_uses(poor.state, 1) == {"trade step", "nobility step"}


@pytest.mark.rule("AUG-304")
def test_two_equal_privileges() -> None:
    """A card with the same privilege twice lets it be used twice, and not a third time."""
    scenario = turn("trade-trade-prestige-7").when(1, TRADE_STEP)
    assert "trade step" in privilege_uses(scenario.state, 1)
    after = scenario.when(1, UsePrivilege(Privilege.TRADE, Use.GUILDERS))
    after.happened(GuildersPaid(1, 300, "AUG-308"), AuctionOpened(Noble.MARIA, 1))
    left = scenario.when(1, UsePrivilege(Privilege.PRESTIGE_7)).happened(AuctionOpened(Noble.MARIA, 1))
    assert left.state.player(1).trade == 2


@pytest.mark.rule("AUG-305")
def test_money() -> None:
    """Money is 500 guilders."""
    scenario = turn("money-nobility-draw").when(1, MONEY)
    scenario.then(PrivilegeUsed(1, Privilege.MONEY, Use.PLAIN), GuildersPaid(1, 500, "AUG-305"))
    assert scenario.state.player(1).guilders == 2000


@pytest.mark.rule("AUG-306")
@pytest.mark.parametrize(("card", "points"), [("money-prestige-6-office", 6), ("trade-prestige-7-draw", 7)])
def test_prestige(card: str, points: int) -> None:
    """Prestige is 6 or 7, as the card says."""
    privilege = Privilege(f"prestige-{points}")
    scenario = turn(card).when(1, UsePrivilege(privilege))
    scenario.then(PrivilegeUsed(1, privilege, Use.PLAIN), PrestigeGained(1, Gain.PRIVILEGE, points, points))
    assert scenario.state.player(1).prestige == points


@pytest.mark.rule("AUG-307")
def test_draw_two_discard_one() -> None:
    """The top two go to the hand, then one card of the hand, a new one too, lies face up on the discards."""
    state = table(merchant("leo-1", guilders=0), merchant(), supply="maria-17 joker leo-9", discards="leo-2")
    scenario = turn("trade-prestige-7-draw", state).when(1, DRAW)
    scenario.then(
        PrivilegeUsed(1, Privilege.DRAW, Use.PLAIN), Drawn(1, cards("maria-17 joker"), True, 250, "AUG-307")
    ).asks(1).offers(1, "Discard")
    assert scenario.state.player(1).guilders == 0
    scenario.when(1, Discard("leo-9")).refused("AUG-307", "CARD_NOT_HELD")
    for wanted, rest in (("leo-1", "maria-17 joker"), ("maria-17", "leo-1 joker"), ("joker", "leo-1 maria-17")):
        after = scenario.when(1, Discard(wanted)).then(Discarded(1, cards(wanted)[0])).asks(1)
        assert keys(after.state.player(1).hand) == rest
        assert keys(after.state.discards) == f"leo-2 {wanted}"
        assert keys(after.state.supply).startswith("leo-9")


@pytest.mark.rule("AUG-307", "AUG-411")
def test_draw_from_a_supply_of_one() -> None:
    """With one card in the supply the discards are shuffled after it, and the second comes from them."""
    state = table(merchant(), merchant(), supply="maria-17", discards="leo-2 leo-3 leo-4", rest=False)
    scenario = turn("trade-prestige-7-draw", state).when(1, DRAW)
    used, first, shuffled, second = scenario.events
    assert used == PrivilegeUsed(1, Privilege.DRAW, Use.PLAIN)
    assert first == Drawn(1, cards("maria-17"), True, 0, "AUG-307")
    assert isinstance(shuffled, Shuffled)
    assert sorted(card.key for card in shuffled.supply) == ["leo-2", "leo-3", "leo-4"]
    assert second == Drawn(1, shuffled.supply[:1], True, 200, "AUG-307")
    assert len(scenario.state.supply) == 2
    assert scenario.state.discards == ()


@pytest.mark.rule("AUG-307")
@pytest.mark.parametrize("place", ["supply", "discards"])
def test_draw_the_only_card(place: str) -> None:
    """If only one card can be had he draws one, and still discards one."""
    state = table(merchant(), merchant(), rest=False, **{place: "maria-17"})
    scenario = turn("trade-prestige-7-draw", state).when(1, DRAW)
    assert [event.cards for event in scenario.events if isinstance(event, Drawn)] == [cards("maria-17")]
    scenario.asks(1).offers(1, "Discard").when(1, Discard("maria-17")).happened(Discarded(1, cards("maria-17")[0]))


@pytest.mark.rule("AUG-307")
def test_no_card_no_draw() -> None:
    """If there is none the privilege is impossible."""
    scenario = turn("trade-prestige-7-draw", table(merchant("leo-1"), merchant(), rest=False))
    assert privilege_uses(scenario.state, 1) == {"trade step", "prestige-7 plain"}
    scenario.when(1, DRAW).refused("AUG-307", "NO_CARD_TO_DRAW")


@pytest.mark.rule("AUG-307", "AUG-602")
def test_what_a_draw_uncovers_is_told() -> None:
    """All are told the price of the new top card, by a draw and by a shuffle; nobody else sees what was drawn."""
    state = table(merchant(), merchant(), supply="maria-17 joker leo-9", discards="leo-2")
    drawn = turn("trade-prestige-7-draw", state).when(1, DRAW).events[1]
    for viewer in (0, 1, 2):
        shown = augsburg.show(drawn, viewer)
        assert (shown.top, shown.prices) == (250, (400, 400))
        assert keys(shown.cards) == ("maria-17 joker" if viewer == 1 else "")
    for viewer in (0, 1, 2):
        shown = augsburg.show(Shuffled(cards("leo-13 leo-1"), "AUG-411"), viewer)
        assert (shown.supply, shown.top) == (2, 300)


@pytest.mark.rule("AUG-323")
@pytest.mark.parametrize("use", [use for use in Use if use != Use.PLAIN])
@pytest.mark.parametrize("privilege", [Privilege.MONEY, Privilege.PRESTIGE_6])
def test_never_a_step_or_a_tile(privilege: Privilege, use: Use) -> None:
    """Money, prestige and draw are used as printed, never for a step or a tile."""
    rich = table(merchant(trade=4, nobility=4, office=4, guilders=3000), merchant())
    scenario = turn("money-prestige-6-office", rich)
    scenario.when(1, UsePrivilege(privilege, use)).refused("AUG-323", "USE_NOT_OF_THIS_PRIVILEGE")


@pytest.mark.rule("AUG-323")
def test_a_category_is_never_plain() -> None:
    """A step privilege has no plain use."""
    scenario = turn("money-trade-nobility")
    scenario.when(1, UsePrivilege(Privilege.TRADE)).refused("AUG-308", "USE_NOT_OF_THIS_PRIVILEGE")
    turn("trade-nobility-office").when(1, UsePrivilege(Privilege.OFFICE)).refused(
        "AUG-310", "USE_NOT_OF_THIS_PRIVILEGE"
    )


@pytest.mark.rule("AUG-322")
def test_cards_are_set_aside() -> None:
    """A used card is set aside at once; those that nobody won lie open until the round ends."""
    scenario = turn("money-trade-nobility").when(1, Forgo()).when(1, Forgo())
    assert scenario.state.used == (privilege_card("money-trade-nobility"),)
    left = scenario.state.face_up
    ended = given(augsburg, scenario.state, Close()).then(RoundEnded(left))
    assert ended.state.used == (privilege_card("money-trade-nobility"), *left)
    assert ended.state.face_up == ()


@pytest.mark.rule("AUG-302")
def test_the_turn_is_over_before_the_next_auction() -> None:
    """A sole bidder pays, takes, uses twice, and only then the next noble is auctioned."""
    state = table(merchant("leo-5", bid=1), merchant(passed=True), noble=Noble.LEO)
    scenario = given(augsburg, state, Paying(1), Auction(Noble.MARIA)).when(1, PresentCertificates(("leo-5",)))
    scenario = scenario.when(1, TakePrivilegeCard(state.face_up[0].key)).when(1, Forgo()).asks(1)
    assert scenario.state.agenda == (Using(1), Auction(Noble.MARIA))
    drawing = turn("trade-prestige-7-draw").when(1, DRAW)
    assert drawing.state.agenda == (Discarding(1), Using(1), Auction(Noble.MARIA))
