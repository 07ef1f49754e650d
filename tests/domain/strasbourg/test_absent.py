"""Who plays for an absent player: what he answers is allowed and sensible."""

import pytest

from domain import strasbourg
from domain.chance import SeededChance, Stream
from domain.engine import play
from domain.options import Group, sample
from domain.strasbourg.commands import Build, BuildChapel, Decline, Flip, Keep, MakeStacks, Pass, Place, PutBack, Sell
from domain.strasbourg.contest import Contest, PuttingBack
from domain.strasbourg.council import PlacingBuilding, PlacingChapel
from domain.strasbourg.guilds import Apprentice, Placing, Selling
from domain.strasbourg.planning import ChoosingTasks, Planning
from domain.values import facts, members
from tests.domain.strasbourg.table import EDITION, board, having, keys, table
from tests.scenario import Scenario, given


def said(scenario: Scenario, seat: int = 1) -> object:
    """What the stand-in answers."""
    decision = strasbourg.decision(scenario.state, seat)
    assert decision is not None
    return strasbourg.stand_in(strasbourg.view(scenario.state, seat), decision)


def test_he_keeps_easy_tasks() -> None:
    """Never none; a hard one only if there is nothing else."""
    easy = having(table(3), 1, tasks="square wall each-guild council inn")
    assert said(given(strasbourg, easy, ChoosingTasks())) == Keep(("task-council", "task-wall"))
    hard = having(table(3), 1, tasks="square inn bathhouse smiths goods")
    assert said(given(strasbourg, hard, ChoosingTasks())) == Keep(("task-square",))


def test_he_spends_his_deck_evenly_and_stacks_low_cards() -> None:
    """A fifth of the cards in the first round; high cards alone."""
    asked = given(strasbourg, having(table(3), 1, hand="5211"), Planning())
    assert type(said(asked)).__name__ == "Draw"
    enough = given(strasbourg, having(table(3), 1, hand="52116"), Planning())
    assert said(enough) == MakeStacks((Group(keys("112")), Group(keys("5")), Group(keys("6"))))


@pytest.mark.parametrize(
    ("step", "guild", "other", "answer"),
    [
        ("B", "smiths", "", Flip(keys("6"))),
        ("B", "smiths", "3", Flip(keys("4"))),
        ("B", "smiths", "66", Flip(keys("12"))),
        ("A", "", "66", Pass()),
        ("C", "", "", Pass()),
    ],
)
def test_he_flips_what_wins(step: str, guild: str, other: str, answer: object) -> None:
    """The smallest stack that leads; a low one for a lower rank in a guild; nothing where nothing is to be had."""
    state = having(table(3, first=2), 1, stacks="12 4 6")
    state = having(state, 2, flipped=other, stacks="") if other else state
    assert said(given(strasbourg, state, Contest(step, guild))) == answer


def test_he_places_where_it_scores_and_sells_all() -> None:
    """Beside a building rather than a chapel; goods become money, but not those a task wants."""
    state = board(table(3), members={2: "0-0"}, chapels="3-1", built={"inn": "1-2"})
    assert said(given(strasbourg, state, Placing(1, "bakers"))) == Place("field-0-2")
    assert said(given(strasbourg, state, Apprentice(1, "bakers"))) == Place("field-0-2")
    assert said(given(strasbourg, having(state, 1, money=0), Placing(1, "smiths"))) == Decline()
    assert said(given(strasbourg, having(state, 1, goods="shoe shoe meat"), Selling(1))) == Sell(
        ("meat", "shoe", "shoe")
    )
    kinds = having(state, 1, goods="shoe shoe meat", tasks="goods")
    assert said(given(strasbourg, kinds, Selling(1))) == Sell(("shoe",))


def test_he_puts_back_his_best_card_and_builds_beside_his_own() -> None:
    """Others' members make a site worth less."""
    assert said(given(strasbourg, having(table(3), 1, flipped="143"), PuttingBack(1))) == PutBack("influence-4")
    state = board(table(3), members={1: "5-6 0-2", 2: "0-3 1-3", 3: "5-3"})
    assert said(given(strasbourg, state, PlacingChapel(1))) == BuildChapel("chapel-5-7")
    assert said(given(strasbourg, state, PlacingBuilding(1))) == Build("site-1-2")


@pytest.mark.parametrize("players", [3, 4, 5])
def test_one_among_random_seats_wins_more_than_his_share(players: int) -> None:
    """Twelve games at every count; the thousand are a benchmark's."""
    wins, commands = 0, members(strasbourg.Command)
    for game in range(12):
        seed = bytes([game]) * 32
        chance, source, bot = SeededChance(seed), Stream(seed, "play"), game % players + 1
        state = strasbourg.setup(players, facts(stacks=("leave", "stay")[game % 2]), EDITION, chance).state
        while seats := strasbourg.waiting(state):
            decision = strasbourg.decision(state, seats[0])
            assert decision is not None
            if seats[0] == bot:
                answer = strasbourg.stand_in(strasbourg.view(state, bot), decision)
            else:
                answer = sample(decision.options[source.below(len(decision.options))], commands, source)
            state = play(strasbourg, state, seats[0], answer, chance).state
        result = strasbourg.result(state)
        assert result is not None
        wins += result.ranking[0].seat == bot
    assert wins > 24 / players
