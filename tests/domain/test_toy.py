"""The rules of The Little Fair: how tests of a game read."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from domain import toy
from domain.chance import SeededChance
from domain.editions import builtin
from domain.options import Group
from domain.toy.commands import Hand, Name, Offer, Pack, Stake
from domain.toy.components import Card, components
from domain.toy.events import Drawn, Handed, Offered, Packed, RoundBegan, Scored, Staked, by_key
from domain.toy.play import Fair, Handing, Naming, Offering, Packing, Round, Staking
from domain.toy.state import State
from domain.values import facts, replace
from tests.scenario import given

EDITION = builtin(toy, "first")
CARDS = {card.key: card for card in components(EDITION)}


def begun(seats: int, coins: str = "hidden", seed: int = 0) -> State:
    """A fair that has just begun."""
    state: State = toy.setup(seats, facts(coins=coins), EDITION, SeededChance(bytes([seed]) * 32)).state
    return state


def cards(keys: str) -> tuple[Card, ...]:
    """Cards by their keys."""
    return by_key(tuple(CARDS[key] for key in keys.split()))


def fair(*hands: str, **changes: Any) -> State:
    """A fair in which the players hold these cards."""
    state = begun(len(hands))
    for seat, hand in enumerate(hands, 1):
        state = state.with_player(seat, hand=cards(hand))
    return replace(state, **changes) if changes else state


@pytest.mark.rule("TOY-101")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_deck_holds_every_card_twice(seats: int) -> None:
    """Three goods of four values, each card twice, wherever they lie."""
    state = begun(seats)
    everywhere = Counter(card.key for card in (*state.deck, *(c for p in state.players for c in p.hand)))
    assert everywhere == {f"{good}-{value}": 2 for good in ("apple", "bread", "cloth") for value in (1, 2, 3, 4)}


@pytest.mark.rule("TOY-102")
def test_everybody_begins_with_four_cards_and_three_coins() -> None:
    """Who begins is drawn: over some seeds it is everybody once."""
    state = begun(4)
    assert [(len(player.hand), player.coins) for player in state.players] == [(4, 3)] * 4
    assert {begun(4, seed=seed).first for seed in range(40)} == {1, 2, 3, 4}


@pytest.mark.rule("TOY-201")
def test_stakes_go_to_the_bank() -> None:
    """In turn everybody stakes what he likes of his coins, and no more."""
    play = given(toy, fair("apple-1", "apple-2", "apple-3"), Round(1, 2)).then(RoundBegan(1, 2)).asks(2)
    play.when(2, Stake(4)).refused("TOY-201", "STAKE_EXCEEDS_COINS")
    play.when(2, Stake(-1)).refused("TOY-201", "STAKE_BELOW_ZERO")
    after = play.when(2, Stake(2)).then(Staked(2, 2)).asks(3).when(3, Stake(0)).then(Staked(3, 0)).asks(1)
    assert [player.coins for player in after.state.players] == [3, 1, 3]


@pytest.mark.rule("TOY-202")
def test_offers_are_bounded() -> None:
    """One or two cards of the hand, six together at most, an apple among them if there is one."""
    play = given(toy, fair("apple-2 apple-4 bread-3 cloth-4", "bread-1 cloth-1"), Offering(1)).asks(1, 2)
    play.when(1, Offer(())).refused("TOY-202", "OFFER_ONE_OR_TWO")
    play.when(1, Offer(("bread-3",))).refused("TOY-202", "APPLE_MISSING")
    play.when(1, Offer(("apple-4", "cloth-4"))).refused("TOY-202", "OFFER_TOO_HEAVY")
    play.when(1, Offer(("apple-1",))).refused("TOY-202", "CARD_NOT_HELD")
    assert play.when(2, Offer(("bread-1", "cloth-1"))).refusal is None


@pytest.mark.rule("TOY-203")
def test_the_highest_sum_with_its_stake_wins() -> None:
    """The offers leave the game, the stake counts, and a tie goes to the one who comes first."""
    state = fair("apple-2 apple-4", "apple-3 bread-1", "apple-2 bread-2").with_player(2, stake=1)
    play = given(toy, state, Offering(2)).when(1, Offer(("apple-4",))).when(3, Offer(("apple-2", "bread-2")))
    done = play.when(2, Offer(("apple-3",)))
    top = state.deck[0]
    done.then(
        Offered(2, cards("apple-3")),
        Offered(3, cards("apple-2 bread-2")),
        Offered(1, cards("apple-4")),
        Scored(2, 2),
        Drawn(2, top),
    )
    assert Counter(done.state.out) == Counter(cards("apple-2 apple-3 apple-4 bread-2"))


@pytest.mark.rule("TOY-204")
def test_the_winner_draws_and_is_handed_a_card() -> None:
    """He names another who holds cards; that one chooses, and only the two see which card."""
    play = given(toy, fair("apple-1", "bread-2 cloth-3", ""), Naming(1)).asks(1)
    play.when(1, Name("seat-3")).refused("TOY-204", "PLAYER_HAS_NO_CARD")
    asked = play.when(1, Name("seat-2")).asks(2)
    asked.when(2, Hand("apple-4")).refused("TOY-204", "NOT_OFFERED")
    handed = asked.when(2, Hand("cloth-3")).then(Handed(2, 1, CARDS["cloth-3"]))
    (event,) = handed.events
    assert [toy.show(event, viewer).card for viewer in (0, 1, 2, 3)] == [None, CARDS["cloth-3"], CARDS["cloth-3"], None]


@pytest.mark.rule("TOY-204")
def test_nobody_is_named_who_could_give_nothing() -> None:
    """If nobody else holds a card the winner is not asked."""
    assert given(toy, fair("apple-1", ""), Naming(1), Packing()).asks(1).state.agenda == (Packing(),)
    assert given(toy, fair("apple-1", "bread-1"), Handing(2, 1)).asks(2).when(2, Hand("bread-1")).refusal is None


@pytest.mark.rule("TOY-205")
def test_the_next_round_begins_with_the_next_player() -> None:
    """There are two rounds, then the packing."""
    items = given(toy, fair("apple-1", "apple-2", "apple-3"), Fair(3)).asks(3).state.agenda
    assert items == (Staking(3), Staking(1), Staking(2), Offering(3), Round(2, 1), Packing())


@pytest.mark.rule("TOY-301")
def test_baskets_of_five_are_worth_two() -> None:
    """A basket of exactly five brings two points, a larger one one, a smaller one none."""
    play = given(toy, fair("apple-1 apple-4 bread-3 bread-4 cloth-2", ""), Packing()).asks(1)
    play.when(1, Pack((Group(("apple-1",)),))).refused("TOY-301", "CARDS_NOT_ALL_PACKED")
    play.when(1, Pack((Group(()), Group(("apple-1", "apple-4", "bread-3", "bread-4", "cloth-2"))))).refused(
        "TOY-301", "EMPTY_BASKET"
    )
    baskets = (Group(("apple-1", "apple-4")), Group(("bread-3", "bread-4")), Group(("cloth-2",)))
    play.when(1, Pack(baskets)).then(Packed(1, baskets), Scored(1, 3))


@pytest.mark.rule("TOY-302")
def test_most_points_win_and_a_tie_is_shared() -> None:
    """Who has as many points as the best has won too."""
    state = replace(fair("", "", ""), agenda=(), waiting=())
    for seat, points in ((1, 4), (2, 1), (3, 4)):
        state = state.with_player(seat, points=points)
    result = toy.result(state)
    assert result is not None
    assert [(standing.seat, standing.place) for standing in result.ranking] == [(1, 1), (3, 1), (2, 3)]
    assert toy.result(begun(2)) is None


@pytest.mark.rule("TOY-401")
def test_a_hand_is_its_owners_alone() -> None:
    """Others see how many cards there are, and of the deck its size."""
    state = fair("apple-1 apple-2", "bread-1")
    assert toy.view(state, 1).hand == cards("apple-1 apple-2")
    assert toy.view(state, 2).hand == cards("bread-1")
    assert toy.view(state, 0).hand == ()
    assert [player.cards for player in toy.view(state, 0).players] == [2, 1]
    assert toy.view(state, 0).deck == len(state.deck)


@pytest.mark.rule("TOY-402")
def test_an_offer_is_sealed() -> None:
    """Until all have chosen others see only who has."""
    sealed = given(toy, fair("apple-1", "apple-2"), Offering(1)).when(1, Offer(("apple-1",))).asks(2)
    (event,) = sealed.events
    assert toy.show(event, 1).command == Offer(("apple-1",))
    assert toy.show(event, 2).command is None
    assert toy.show(event, 0).command is None


@pytest.mark.rule("TOY-403")
def test_coins_are_hidden_unless_the_table_opens_them() -> None:
    """The table option shows everybody's coins to all."""
    assert [player.coins for player in toy.view(begun(2), 1).players] == [3, None]
    assert [player.coins for player in toy.view(begun(2, coins="open"), 0).players] == [3, 3]


@pytest.mark.rule("TOY-403")
def test_others_could_hold_any_number_of_coins() -> None:
    """Of hidden coins a viewer knows nothing: from none to all that one begins with, each could be."""
    twins = [toy.resample(begun(2), 1, SeededChance(bytes([seed]) * 32)) for seed in range(60)]
    assert {twin.player(2).coins for twin in twins} == {0, 1, 2, 3}
    assert {twin.player(1).coins for twin in twins} == {3}


@pytest.mark.rule("TOY-402")
def test_a_sealed_offer_could_be_another() -> None:
    """Where the offer that was made is still possible, it could be that one, and it could be another."""
    offer = Offer(("apple-1",))
    sealed = given(toy, fair("apple-1 apple-2 bread-1 bread-2", "apple-2"), Offering(1)).when(1, offer).asks(2).state
    twins = [toy.resample(sealed, 2, SeededChance(bytes([seed]) * 32)) for seed in range(60)]
    possible = [twin for twin in twins if CARDS["apple-1"] in twin.player(1).hand]
    assert {twin.answers[0].command == offer for twin in possible} == {True, False}
