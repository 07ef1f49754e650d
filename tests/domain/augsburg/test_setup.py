"""Chapter 1: what lies on the table before the first auction."""

from __future__ import annotations

from collections import Counter

import pytest

from domain import augsburg
from domain.augsburg.commands import BuyCertificates
from domain.augsburg.components import ISSUERS, Noble, certificates
from domain.augsburg.events import AuctionOpened, Bought, Drawn, Unbought
from domain.augsburg.play import Game, Round
from domain.chance import SeededChance
from domain.course import Course
from tests.domain.augsburg.table import EDITION, PRIVILEGES, asked, right_tiles, start
from tests.scenario import given

PLAYERS = (2, 3, 4, 5)


@pytest.mark.rule("AUG-101")
@pytest.mark.parametrize(("players", "rounds"), [(2, 4), (3, 5), (4, 6), (5, 7)])
def test_rounds(players: int, rounds: int) -> None:
    """Two to five play, as many rounds as there are players and two more."""
    state = start(players)
    laid_out = Game().run(Course(state, SeededChance(bytes(32))))
    assert state.rounds == rounds
    assert [item.round for item in laid_out if isinstance(item, Round)] == list(range(1, rounds + 1))
    assert (augsburg.meta.least_seats, augsburg.meta.most_seats) == (2, 5)


@pytest.mark.rule("AUG-102")
def test_certificates() -> None:
    """Each of four nobles issues values 1 to 17, Maximilian nothing."""
    printed = [(card.noble, card.value) for card in certificates(EDITION)]
    assert sorted(printed) == sorted((noble, value) for noble in ISSUERS for value in range(1, 18))
    assert len(printed) == 68
    assert Noble.MAXIMILIAN not in ISSUERS


@pytest.mark.rule("AUG-103")
@pytest.mark.parametrize("players", PLAYERS)
def test_jokers(players: int) -> None:
    """Everybody starts with two jokers; the others are in the supply with the certificates."""
    state = start(players)
    everywhere = Counter(card.key for card in state.supply)
    for player in state.players:
        assert [card.key for card in player.hand] == ["joker", "joker"]
        everywhere.update(card.key for card in player.dealt)
    assert everywhere["joker"] == 12 - 2 * players
    assert sum(everywhere.values()) == 68 + 12 - 2 * players
    assert state.discards == ()


@pytest.mark.rule("AUG-103")
def test_the_supply_is_shuffled() -> None:
    """Another seed gives another order of the same cards."""
    one, other = (augsburg.setup(2, (), EDITION, SeededChance(bytes([n] * 32))).events[0] for n in (1, 2))
    assert one.supply != other.supply
    assert Counter(one.supply) == Counter(other.supply)


@pytest.mark.rule("AUG-104")
@pytest.mark.parametrize(
    ("players", "tiles"), [(2, (2, 1, 1)), (3, (3, 1, 1)), (4, (4, 2, 1)), (5, (5, 3, 1))]
)  # fmt: skip
def test_step_tiles(players: int, tiles: tuple[int, ...]) -> None:
    """Each category has its tiles of steps 2, 3 and 4 by the number of players."""
    assert start(players).step_tiles == tiles * 3


@pytest.mark.rule("AUG-105")
@pytest.mark.parametrize("players", PLAYERS)
def test_right_tiles(players: int) -> None:
    """Six stacks of five at any player count, dearest or highest on top."""
    state = start(players)
    assert list(right_tiles(state).values()) == [5] * 6
    for stack in (state.churches, state.cathedrals, state.coats, state.letters):
        assert list(stack) == sorted(stack, reverse=True)
    assert (state.churches[0], state.cathedrals[0], state.coats[0], state.letters[0]) == (800, 1000, 4, 5)


@pytest.mark.rule("AUG-106")
def test_privilege_cards() -> None:
    """Ten different cards, five of them face up, which ones chance decides."""
    laid_out = set()
    for seed in range(5):
        state = start(4, seed=bytes([seed] * 32))
        assert len(state.face_up) == len(state.face_down) == 5
        assert {card.key for card in (*state.face_up, *state.face_down)} == set(PRIVILEGES)
        laid_out.add(frozenset(card.key for card in state.face_up))
    assert len(PRIVILEGES) == 10
    assert len(laid_out) > 1


@pytest.mark.rule("AUG-107")
@pytest.mark.parametrize("players", PLAYERS)
def test_players_begin_alike(players: int) -> None:
    """1,500 guilders, no prestige, step 1 in all categories, no tile."""
    for player in start(players).players:
        assert (player.guilders, player.prestige) == (1500, 0)
        assert (player.trade, player.nobility, player.office) == (1, 1, 1)
        assert not any((player.minter, player.builder, player.coat, player.letter, player.church, player.cathedral))


@pytest.mark.rule("AUG-108")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_starting_player_is_drawn(players: int) -> None:
    """Each seat is the starting player now and then."""
    openers = {start(players, seed=bytes([seed] * 32)).opener for seed in range(60)}
    assert openers == set(range(1, players + 1))


@pytest.mark.rule("AUG-109")
@pytest.mark.parametrize("players", PLAYERS)
def test_seven_cards_are_dealt_in_turn(players: int) -> None:
    """One card at a time, clockwise from the starting player, until each has seven."""
    outcome = augsburg.setup(players, (), EDITION, SeededChance(bytes(32)))
    supply, first = outcome.events[0].supply, outcome.events[0].starter
    dealt = [event for event in outcome.events if isinstance(event, Drawn)]
    order = [(first - 1 + place) % players + 1 for place in range(players)]
    assert [event.seat for event in dealt] == order * 7
    assert [event.cards for event in dealt] == [(card,) for card in supply[: 7 * players]]
    assert {event.to_hand for event in dealt} == {False}
    assert all(len(player.dealt) == 7 and len(player.hand) == 2 for player in outcome.state.players)


@pytest.mark.rule("AUG-110")
def test_all_buy_before_the_first_auction() -> None:
    """Everybody is asked at once which of his seven he buys; then the starting player opens Philipp."""
    state = start(3)
    first = state.opener
    dealt = {seat: state.player(seat).dealt for seat in state.seats}
    scenario = given(augsburg, state).asks(1, 2, 3)
    for seat in (3, 1):
        assert asked(scenario.state, seat).question == "buying"
        scenario = scenario.when(seat, BuyCertificates((dealt[seat][0].key,)))
    scenario = scenario.when(2, BuyCertificates(()))
    order = state.clockwise(first)
    bought = {1: dealt[1][:1], 2: (), 3: dealt[3][:1]}
    rest = {1: dealt[1][1:], 2: dealt[2], 3: dealt[3][1:]}
    scenario.then(
        *(Bought(seat, bought[seat]) for seat in order),
        Unbought(tuple(card for seat in order for card in rest[seat])),
        AuctionOpened(Noble.PHILIPP, first),
    ).asks(first).offers(first, *(option.command for option in asked(scenario.state, first).options))
    assert scenario.state.player(1).guilders == 1500 - dealt[1][0].price
