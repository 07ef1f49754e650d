"""Setup (chapter 1)."""

from collections import Counter

import pytest

from domain import strasbourg
from domain.chance import SeededChance
from domain.course import Answered
from domain.strasbourg.commands import Keep, Place
from domain.strasbourg.components import CHAIRS, DECK
from domain.strasbourg.events import ChairTaken, TasksKept
from domain.strasbourg.guilds import Master
from domain.strasbourg.state import State
from domain.values import facts
from tests.domain.strasbourg.table import EDITION, TASKS, board, having, table
from tests.scenario import given

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


def begun(players: int, seed: int = 7) -> State:
    """A new table."""
    state: State = strasbourg.setup(
        players, facts(stacks="leave"), EDITION, SeededChance(seed.to_bytes(32, "big"))
    ).state
    return state


@pytest.mark.rule("STR-101")
def test_for_three_to_five_players_and_five_rounds() -> None:
    """The catalogue says 3 to 5 players, and a game lays out five rounds."""
    assert (strasbourg.meta.least_seats, strasbourg.meta.most_seats) == (3, 5)
    agenda = [getattr(item, "round", 0) for item in begun(4).agenda]
    assert [number for number in agenda if number] == [1, 2, 3, 4, 5]


@pytest.mark.rule("STR-102")
def test_round_cards_and_buildings_lie_open_in_random_order() -> None:
    """All five of both are there, in an order that the seed decides, and everybody sees them."""
    orders = {(begun(3, seed).cards, begun(3, seed).buildings) for seed in range(20)}
    assert len({cards for cards, _ in orders}) > 5
    assert len({buildings for _, buildings in orders}) > 5
    state = begun(3)
    assert sorted(card.key for card in state.cards) == [row.key for row in EDITION.cards]
    assert Counter(state.buildings) == Counter(dict.fromkeys(state.buildings, 1))
    spectator = strasbourg.view(state, 0)
    assert (spectator.cards, spectator.buildings) == (state.cards, state.buildings)


@pytest.mark.rule("STR-103")
@PLAYERS
def test_everybody_begins_with_the_same_and_a_shuffled_deck(players: int) -> None:
    """A deck of 24 cards, 4 each of 1 to 6, 5 money, no prestige."""
    state = begun(players)
    for player in state.players:
        assert Counter(player.deck) == Counter(DECK)
        assert Counter(card.value for card in player.deck) == dict.fromkeys(range(1, 7), 4)
        assert (player.money, player.prestige, player.privileges, sum(player.goods)) == (5, 0, 0, 0)
    assert len({player.deck for player in state.players}) == players


@pytest.mark.rule("STR-104")
@PLAYERS
def test_two_members_sit_in_the_council(players: int) -> None:
    """A random first player takes the nobility chair, his left neighbour the church's, and six stay empty."""
    assert {begun(players, seed).first for seed in range(40)} == set(range(1, players + 1))
    outcome = strasbourg.setup(players, (), EDITION, SeededChance(bytes(32)))
    first = outcome.state.first
    left = first % players + 1
    assert [e for e in outcome.events if isinstance(e, ChairTaken)] == [
        ChairTaken(first, "nobility", 0),
        ChairTaken(left, "church", 0),
    ]
    assert dict(zip(CHAIRS, outcome.state.council, strict=True)) == {
        **dict.fromkeys(CHAIRS, 0),
        "nobility": first,
        "church": left,
    }


@pytest.mark.rule("STR-105")
@PLAYERS
def test_five_tasks_are_dealt_in_turn_and_some_kept(players: int) -> None:
    """Five each; all choose at the same time; the rest leave unseen, and so does the number kept."""
    scenario = given(strasbourg, begun(players))
    dealt = {seat: scenario.state.player(seat).tasks for seat in scenario.state.seats}
    everywhere = [task for tasks in dealt.values() for task in tasks] + list(scenario.state.spare)
    assert sorted(task.key for task in everywhere) == sorted(TASKS)
    assert [len(tasks) for tasks in dealt.values()] == [5] * players
    scenario.asks(*range(1, players + 1))
    for seat in range(2, players + 1):
        scenario = scenario.when(seat, Keep(tuple(task.key for task in dealt[seat])))
        (event,) = scenario.events
        assert isinstance(event, Answered)
        assert event.show(1).command is None
    scenario = scenario.when(1, Keep((dealt[1][2].key,)))
    kept = [event for event in scenario.events if isinstance(event, TasksKept)]
    assert {event.seat: event.tasks for event in kept} == dealt | {1: dealt[1][2:3]}
    assert all(event.show(0).tasks == () for event in kept)
    assert len(scenario.state.spare) == 25 - 5 * players + 4


@pytest.mark.rule("STR-105")
def test_the_first_player_gets_the_first_five() -> None:
    """The deal follows the turn order: the same tasks go round when another seat is first."""
    by_first = {}
    for seed in range(40):
        state = begun(3, seed)
        order = SeededChance(seed.to_bytes(32, "big")).shuffle("tasks", TASKS.values())
        by_first[state.first] = state.player(state.first).tasks == order[:5]
        assert state.player(state.first % 3 + 1).tasks == order[5:10]
    assert by_first == {1: True, 2: True, 3: True}


@pytest.mark.rule("STR-105")
def test_at_least_one_task_is_kept_and_only_dealt_ones() -> None:
    """None, six, a doubled one and a foreign one are refused."""
    scenario = given(strasbourg, begun(4))
    dealt = tuple(task.key for task in scenario.state.player(2).tasks)
    foreign = scenario.state.player(3).tasks[0].key
    scenario.when(2, Keep(())).refused("STR-105", "KEEP_ONE_TO_FIVE")
    scenario.when(2, Keep((*dealt, foreign))).refused("STR-105", "TASK_NOT_DEALT")
    scenario.when(2, Keep((*dealt, dealt[0]))).refused("STR-105", "TASK_NOT_DEALT")
    scenario.when(2, Keep((dealt[0], dealt[0]))).refused("STR-105", "TASK_NOT_DEALT")
    scenario.when(2, Keep((foreign,))).refused("STR-105", "TASK_NOT_DEALT")
    scenario.when(2, Keep(("task-none",))).refused("STR-105", "TASK_NOT_DEALT")


@pytest.mark.rule("STR-106")
def test_members_do_not_run_out() -> None:
    """Who has fifteen members in city and council may place a sixteenth."""
    fields = [field for field in table().plan.fields if field.guild in ("smiths", "vintners")][:15]
    members = " ".join(field.key.removeprefix("field-") for field in fields)
    state = having(board(table(), members={1: members}), 1, money=9)
    after = given(strasbourg, state, Master(1, "bakers"), Master(1, "shoemakers")).when(1, Place("field-0-0")).state
    assert after.city.count(1) == 16
    assert after.player(1).goods[4] == 1
