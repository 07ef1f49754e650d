"""Who sees what (chapter 7)."""

import pytest

from domain import strasbourg
from domain.chance import SeededChance
from domain.engine import Points
from domain.strasbourg.components import CHAIRS
from domain.strasbourg.contest import Contest
from domain.strasbourg.scoring import FinalScoring
from domain.strasbourg.state import State
from domain.strasbourg.tasks import met
from domain.strasbourg.views import ChairView, MemberView
from domain.values import replace
from tests.domain.strasbourg.table import board, cards, having, stack, table
from tests.scenario import given


def busy() -> State:
    """A table with something of everything."""
    state = table(3, number=3)
    built = {state.buildings[0].key: "1-2"}
    state = board(state, council={"nobility": 2, "smiths": 1}, members={1: "0-0", 3: "5-8"}, chapels="3-1", built=built)
    state = having(
        state, 1, hand="5", stacks="12 6", unused="33", deck="4123", money=7, goods="shoe shoe", privileges=2
    )
    state = having(state, 2, stacks="3", flipped="44", deck="4566", money=2, goods="weapon", privileges=1)
    return having(state, 3, deck="", tasks="wall inn")


@pytest.mark.rule("STR-701")
def test_the_owner_alone_sees_hand_stacks_tasks_and_screen() -> None:
    """His own view has them; a spectator's has nothing of the kind."""
    state = busy()
    own = strasbourg.view(state, 1).own
    assert own is not None
    assert (own.hand, own.stacks, own.unused) == (cards("5"), (stack("6"), stack("12")), cards("33"))
    assert (own.money, own.goods, own.privileges) == (7, ("shoe", "shoe"), 2)
    assert own.tasks == state.player(1).tasks
    assert strasbourg.view(state, 0).own is None


@pytest.mark.rule("STR-701")
@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_others_see_nothing_of_it(viewer: int) -> None:
    """Other cards, money, goods, privileges and tasks of seat 3 look the same to all but him."""
    state = replace(board(table(3, number=3), council={"nobility": 2}), agenda=(FinalScoring(),))
    one = having(
        state, 3, hand="5", stacks="12 6", unused="3", deck="41", money=7, goods="shoe", privileges=2, tasks="wall"
    )
    # The same cards have left the game; the others have changed their places.
    two = having(
        state, 3, hand="1", stacks="34 5", unused="6", deck="12", money=1, goods="", privileges=0, tasks="line inn"
    )
    assert one.player(3).out == two.player(3).out
    assert strasbourg.view(one, viewer) == strasbourg.view(two, viewer)
    assert strasbourg.view(one, 3) != strasbourg.view(two, 3)


@pytest.mark.rule("STR-701")
def test_deck_orders_are_seen_by_nobody() -> None:
    """Not even by the owner."""
    one, two = (having(busy(), 2, deck=deck, stacks="3") for deck in ("1234", "4321"))
    for viewer in range(4):
        assert strasbourg.view(one, viewer) == strasbourg.view(two, viewer)


@pytest.mark.rule("STR-702")
def test_the_board_is_public() -> None:
    """Council, city, chapels, buildings, prestige, sizes and flipped cards are in everybody's view."""
    state = busy().with_points("council", (1, 4, 0))
    for viewer in range(4):
        seen = strasbourg.view(state, viewer)
        fields = {field.key: field for field in state.plan.fields}
        assert seen.members == (MemberView(fields["field-0-0"], 1), MemberView(fields["field-5-8"], 3))
        chairs = {"nobility": 2, "smiths": 1}
        assert seen.council == tuple(ChairView(chair, chairs.get(chair, 0)) for chair in CHAIRS)
        assert (seen.chapels, seen.built) == (state.chapels, state.built)
        assert (seen.cards, seen.buildings, seen.first, seen.round) == (state.cards, state.buildings, 1, 3)
        first, second, third = seen.players
        assert (first.deck, first.hand, first.stacks, first.unused) == (4, 1, (1, 2), 2)
        assert (second.flipped, second.prestige) == (cards("44"), 4)
        assert second.by_source[0] == Points("council", 4)
        assert len(third.out) == 24


@pytest.mark.rule("STR-702")
def test_step_and_order_are_public() -> None:
    """All see which step it is and who has still to decide."""
    state = having(having(table(3), 1, stacks="5"), 3, stacks="4")
    seen = strasbourg.view(given(strasbourg, state, Contest("B", "smiths")).state, 2)
    assert (seen.step, seen.guild, seen.order) == ("B", "smiths", (1, 3))


@pytest.mark.rule("STR-703")
def test_tasks_are_shown_at_the_end_and_not_before() -> None:
    """How many were kept, too."""
    before = given(strasbourg, having(busy(), 1, stacks="5"), Contest("A"), FinalScoring()).state
    assert all(player.tasks == () for player in strasbourg.view(before, 1).players)
    after = given(strasbourg, busy(), FinalScoring()).state
    assert [player.tasks for player in strasbourg.view(after, 1).players] == [player.tasks for player in after.players]


@pytest.mark.rule("STR-701", "STR-703")
def test_a_twin_at_the_end_fits_the_tasks_that_were_shown() -> None:
    """Money and goods may be otherwise, but not so that a task would have come out otherwise."""
    state = having(having(busy(), 1, money=6, tasks="most-money"), 3, goods="shoe bread meat", deck="", tasks="goods")
    after = given(strasbourg, state, FinalScoring()).state
    changed = set()
    for seed in range(40):
        twin = strasbourg.resample(after, 0, SeededChance(bytes([seed]) * 32))
        changed.add(twin.player(2).money)
        assert met(twin, 1, twin.player(1).tasks[0])
        assert met(twin, 3, twin.player(3).tasks[0])
        assert [player.privileges for player in twin.players] == [player.privileges for player in after.players]
    assert len(changed) > 2
