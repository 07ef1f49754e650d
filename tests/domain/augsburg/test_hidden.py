"""Twins: what may be otherwise without a viewer's noticing, and what never changes in number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from domain import augsburg
from domain.augsburg.auction import Bidding, Showdown, most_cards
from domain.augsburg.cards import Buying, Discarding, Giving
from domain.augsburg.commands import BuyCertificates, GiveCertificate, PresentCertificates
from domain.augsburg.components import Noble
from domain.augsburg.state import State
from domain.chance import SeededChance
from domain.options import Why, check
from domain.values import replace
from tests.domain.augsburg.table import asked, cards, keys, merchant, start, table
from tests.scenario import Scenario, given

ANY = Why("AUG-601", "NOT_OFFERED")


class Still:
    """A chance that changes nothing."""

    def shuffle(self, label: str, things: Iterable[Any], /) -> tuple[Any, ...]:
        """Give the things as they are."""
        return tuple(things)


def twins(state: State, viewer: int, number: int = 20) -> list[State]:
    """Some twins of a state."""
    return [augsburg.resample(state, viewer, SeededChance(bytes([n] * 32))) for n in range(number)]


def sealed(question: object, one: object, other: object) -> Scenario:
    """Two of three have chosen."""
    players = (
        merchant("maria-5 maria-9 joker leo-2", bid=2, dealt="leo-17 leo-5 joker"),
        merchant("maria-3 joker joker", bid=2, dealt="leo-1 leo-12"),
        merchant("maria-1 maria-2", bid=2, dealt="louise-1"),
    )
    state = table(*players, noble=Noble.MARIA, discards="philipp-1 philipp-2 philipp-3")
    return given(augsburg, state, question).when(1, one).when(2, other)


@pytest.mark.rule("AUG-601", "AUG-606")
def test_nothing_changes_without_chance() -> None:
    """With a chance that leaves every order, the twin is the state itself."""
    for state in (start(2), start(5), sealed(Showdown(), SHOWN[0], SHOWN[1]).state):
        for viewer in range(len(state.players) + 1):
            assert augsburg.resample(state, viewer, Still()) == state


SHOWN = (PresentCertificates(("maria-5", "joker")), PresentCertificates(("joker", "maria-3")))
BOUGHT = (BuyCertificates(("leo-17",)), BuyCertificates(()))
GIVEN = (GiveCertificate("joker"), GiveCertificate("maria-3"))


@pytest.mark.rule("AUG-603")
@pytest.mark.parametrize(
    ("question", "chosen"), [(Showdown(), SHOWN), (Buying(), BOUGHT), (Giving(had_top=True, gifts=1), GIVEN)]
)
@pytest.mark.parametrize("viewer", [0, 1, 3])
def test_sealed_answers_vary_and_stay_legal(question: Showdown, chosen: tuple[Any, Any], viewer: int) -> None:
    """Another's sealed answer is another legal one in the twins; the own one stays."""
    state = sealed(question, *chosen).state
    found = set()
    for twin in twins(state, viewer):
        assert augsburg.view(twin, viewer) == augsburg.view(state, viewer)
        for before, after in zip(state.answers, twin.answers, strict=True):
            assert before.seat == after.seat
            if before.seat == viewer:
                assert before == after
            asking = replace(twin, waiting=(before.seat,), answers=())
            assert check(asked(asking, before.seat).options, after.command, ANY) is None
        found.add(twin.answers[1])
    assert len(found) > 5


@pytest.mark.rule("AUG-603")
def test_a_purchase_varies_in_number() -> None:
    """How many cards others have bought is as hidden as which."""
    answers = [twin.answers[0].command for twin in twins(sealed(Buying(), *BOUGHT).state, 3)]
    assert {len(one.cards) for one in answers if isinstance(one, BuyCertificates)} == {0, 1, 2, 3}


@pytest.mark.rule("AUG-602", "AUG-605")
def test_what_all_see_stays() -> None:
    """Prices of backs, sizes and the top of the discards stay; what is below varies."""
    state = sealed(Buying(), *BOUGHT).state
    for twin in twins(state, 0):
        assert [[card.price for card in p.dealt] for p in twin.players] == [[400, 200, 400], [200, 300], [200]]
        assert twin.supply[0].price == state.supply[0].price
        assert (len(twin.supply), len(twin.discards)) == (len(state.supply), 3)
        assert keys(twin.discards[-1:]) == "philipp-3"
        assert augsburg.conserved(twin) == augsburg.conserved(state)
    assert len({twin.discards for twin in twins(state, 0)}) > 10
    assert len({twin.supply[0] for twin in twins(state, 0)}) > 3
    assert len({twin.players[0].dealt for twin in twins(state, 0)}) > 10


@pytest.mark.rule("AUG-606")
def test_hand_sizes_and_guilders_vary_where_hidden() -> None:
    """Sizes of hands and guilders vary, unless the table option opens them, or there is only one other."""
    state = given(augsburg, table(*(merchant("leo-1 leo-2 leo-3") for _ in range(3))), Discarding(1)).state
    assert len({tuple(len(p.hand) for p in twin.players) for twin in twins(state, 2)}) > 3
    assert len({twin.players[0].guilders for twin in twins(state, 2)}) > 3
    assert {len(twin.players[1].hand) for twin in twins(state, 2)} == {3}
    assert min(len(twin.players[0].hand) for twin in twins(state, 2)) >= 1
    opened = replace(state, open=True)
    assert {tuple(len(p.hand) for p in twin.players) for twin in twins(opened, 2)} == {(3, 3, 3)}
    assert {twin.players[0].guilders for twin in twins(opened, 2)} == {1500}


@pytest.mark.rule("AUG-206")
def test_bids_stay_covered() -> None:
    """Whoever bid holds as many valid cards in every twin, also after he passed."""
    hands = ("leo-1 leo-2 leo-3 joker", "leo-4 leo-5", "leo-6 maria-1")
    players = [merchant(hand, bid=bid, passed=bid == 2) for hand, bid in zip(hands, (4, 2, 0), strict=True)]
    state = given(augsburg, table(*players, noble=Noble.LEO), Bidding(3)).state
    found = twins(state, 3)
    assert all(most_cards(twin, 1) >= 4 and most_cards(twin, 2) >= 2 for twin in found)
    assert len({twin.players[0].hand for twin in found}) > 10


@pytest.mark.parametrize(
    "lost",
    [
        {"supply": cards("leo-1")},
        {"minters": 4},
        {"builders": 6},
        {"churches": (800,)},
        {"cathedrals": ()},
        {"coats": (4, 4)},
        {"letters": ()},
        {"step_tiles": (0,) * 9},
        {"face_up": ()},
    ],
)
def test_what_is_conserved(lost: dict[str, Any]) -> None:
    """A card, a tile or a privilege card lost or gained is noticed."""
    state = start(3)
    assert augsburg.conserved(replace(state, **lost)) != augsburg.conserved(state)
