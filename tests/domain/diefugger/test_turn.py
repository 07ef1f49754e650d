"""Chapter 2: a turn is exactly one of draw, play open, play face down; or a skip."""

from __future__ import annotations

import pytest

from domain import diefugger
from domain.diefugger.commands import Draw, PlayFaceDown, PlayOpen, Skip
from domain.diefugger.events import Drawn, FaceDown, PlayedFaceDown, PlayedOpen, Skipped
from domain.diefugger.play import OnTurn
from domain.options import PickOne
from domain.values import Value
from tests.domain.diefugger.table import card, cards, keys, on, renewed, table

HAND = "copper spices wine wine-sealed"


def offered(state: diefugger.State, seat: int, command: str) -> tuple[str, ...]:
    """The cards that an option offers; nothing if the command is not offered."""
    decision = diefugger.decision(state, seat)
    assert decision is not None
    slots = [slot for option in decision.options if option.command == command for slot in option.slots]
    return tuple(key for slot in slots if isinstance(slot, PickOne) for key in slot.keys)


# --- drawing ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FUG-201")
def test_a_card_is_drawn_with_four_in_hand() -> None:
    """With four cards in hand a player draws the top card, and the next player is asked."""
    drawn = on(table(HAND, "", "", deck="jewels cloth"), OnTurn(1)).when(1, Draw())
    drawn.then(Drawn("FUG-201", 1, card("jewels"))).asks(2)
    assert keys(drawn.state.player(1).hand) == "copper jewels spices wine wine-sealed"
    assert keys(drawn.state.deck) == "cloth"


@pytest.mark.rule("FUG-201")
def test_nobody_draws_with_five_in_hand() -> None:
    """With five cards in hand drawing is refused."""
    full = on(table(f"{HAND} jewels", "", "", deck="cloth"), OnTurn(1)).offers(1, "PlayOpen", "PlayFaceDown")
    full.when(1, Draw()).refused("FUG-201", "HAND_FULL")


@pytest.mark.rule("FUG-201")
def test_nobody_draws_when_there_is_no_card() -> None:
    """Without a card in deck and discard drawing is refused."""
    none = on(table(HAND, "", ""), OnTurn(1)).offers(1, "PlayOpen", "PlayFaceDown")
    none.when(1, Draw()).refused("FUG-201", "NO_CARD_LEFT")


@pytest.mark.rule("FUG-201", "FUG-207")
def test_a_discard_is_enough_to_draw() -> None:
    """With an empty deck the discard becomes the deck when a card is needed, and the player draws."""
    drawn = on(table("", "", "", discard="2*wine"), OnTurn(1)).offers(1, "Draw").when(1, Draw())
    drawn.then(renewed("2*wine"), Drawn("FUG-201", 1, card("wine"))).asks(2)


# --- playing open -------------------------------------------------------------------------------------------------


@pytest.mark.rule("FUG-202")
def test_a_card_is_played_open() -> None:
    """A card goes from the hand to the front of the player, and the next player is asked."""
    played = on(table(HAND, "", "", open=["cloth"]), OnTurn(1)).when(1, PlayOpen("wine"))
    played.then(PlayedOpen(1, card("wine"))).asks(2)
    assert keys(played.state.player(1).hand) == "copper spices wine-sealed"
    assert played.state.player(1).open == cards("cloth wine")


@pytest.mark.rule("FUG-202")
def test_only_held_cards_are_played_open() -> None:
    """A card of somebody else, or one that the hand has only sealed, is refused."""
    turn = on(table("wine-sealed", "copper", ""), OnTurn(1))
    turn.when(1, PlayOpen("copper")).refused("FUG-202", "CARD_NOT_HELD")
    turn.when(1, PlayOpen("wine")).refused("FUG-202", "CARD_NOT_HELD")
    assert offered(turn.state, 1, "PlayOpen") == ("wine-sealed",)


@pytest.mark.rule("FUG-202")
def test_two_merchants_may_lie_in_front_of_a_player() -> None:
    """A second merchant is played."""
    turn = on(table("merchant wine", "", "", open=["merchant copper"]), OnTurn(1))
    turn.when(1, PlayOpen("merchant")).then(PlayedOpen(1, card("merchant"))).asks(2)


@pytest.mark.rule("FUG-202")
def test_a_third_merchant_is_refused() -> None:
    """With two merchants in front of him a player can't play another; those of others do not matter."""
    turn = on(table("merchant wine", "", "", open=["2*merchant"]), OnTurn(1))
    turn.when(1, PlayOpen("merchant")).refused("FUG-202", "TOO_MANY_MERCHANTS")
    turn.when(1, PlayOpen("wine")).then(PlayedOpen(1, card("wine")))
    other = on(table("merchant wine", "", "", open=["", "2*merchant"]), OnTurn(1))
    other.when(1, PlayOpen("merchant")).then(PlayedOpen(1, card("merchant")))


# --- playing face down --------------------------------------------------------------------------------------------


@pytest.mark.rule("FUG-203")
@pytest.mark.parametrize("round_", [1, 2])
def test_a_card_is_played_face_down_in_rounds_1_and_2(round_: int) -> None:
    """In both rounds a goods card may be laid face down, also after one in the other round."""
    before = "copper@1" if round_ == 2 else ""
    turn = on(table(HAND, "", "", "", face_down=[before], round=round_), OnTurn(1))
    played = turn.when(1, PlayFaceDown("wine")).then(PlayedFaceDown(1, round_, card("wine"))).asks(2)
    assert played.state.player(1).face_down[-1] == FaceDown(card("wine"), round_)
    assert keys(played.state.player(1).hand) == "copper spices wine-sealed"


@pytest.mark.rule("FUG-203")
@pytest.mark.parametrize("round_", [1, 2])
def test_only_one_card_a_round_is_played_face_down(round_: int) -> None:
    """A second one in the same round is refused; what was not used in round 1 is not carried over."""
    turn = on(table(HAND, "", "", face_down=[f"copper@{round_}"], deck="wine", round=round_), OnTurn(1))
    turn.offers(1, "Draw", "PlayOpen").when(1, PlayFaceDown("wine")).refused("FUG-203", "ALREADY_PLAYED_FACE_DOWN")


@pytest.mark.rule("FUG-203")
def test_nothing_is_played_face_down_in_round_3() -> None:
    """From round 3 on nobody plays face down, even who never did."""
    turn = on(table(HAND, "", "", deck="wine", round=3), OnTurn(1)).offers(1, "Draw", "PlayOpen")
    turn.when(1, PlayFaceDown("wine")).refused("FUG-203", "NOT_THIS_ROUND")


@pytest.mark.rule("FUG-203")
def test_a_merchant_is_never_played_face_down() -> None:
    """A merchant is refused; with nothing else in hand the action is not offered at all."""
    turn = on(table("merchant wine", "", "", deck="wine"), OnTurn(1))
    turn.when(1, PlayFaceDown("merchant")).refused("FUG-203", "MERCHANT_FACE_DOWN")
    assert offered(turn.state, 1, "PlayFaceDown") == ("wine",)
    on(table("merchant", "", "", deck="wine"), OnTurn(1)).offers(1, "Draw", "PlayOpen")


@pytest.mark.rule("FUG-203")
def test_only_held_cards_are_played_face_down() -> None:
    """A card that is not in the hand is refused."""
    turn = on(table("wine", "copper", ""), OnTurn(1))
    turn.when(1, PlayFaceDown("copper")).refused("FUG-203", "CARD_NOT_HELD")
    turn.when(1, PlayFaceDown("merchant")).refused("FUG-203", "CARD_NOT_HELD")


# --- skipping -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("FUG-206")
@pytest.mark.parametrize(("hand", "front"), [("", ""), ("2*merchant", "2*merchant")])
def test_who_can_do_nothing_is_asked_and_skips(hand: str, front: str) -> None:
    """Without a card to draw or to play a player is asked all the same, and can only skip."""
    stuck = on(table(hand, "wine", "", open=[front], jakob="wine"), OnTurn(1)).asks(1).offers(1, "Skip")
    stuck.when(1, Draw()).refused("FUG-201", "NO_CARD_LEFT")
    skipped = stuck.when(1, Skip()).then(Skipped(1)).asks(2)
    assert [diefugger.show(event, 3) for event in skipped.events] == [Skipped(1)]


@pytest.mark.rule("FUG-206")
@pytest.mark.parametrize("state", [table("", "", deck="wine"), table("merchant", ""), table("wine", "", round=3)])
def test_nobody_passes_by_choice(state: diefugger.State) -> None:
    """Whoever can draw or play a card can't skip."""
    on(state, OnTurn(1)).when(1, Skip()).refused("FUG-206", "SKIPPED_BY_CHOICE")


class Steal(Value):
    """No command of this game."""

    card: str


@pytest.mark.rule("FUG-201")
def test_what_is_no_command_is_refused() -> None:
    """A stranger's command is refused by the question's own rule."""
    on(table("wine", "", deck="wine"), OnTurn(1)).when(1, Steal("wine")).refused("FUG-201", "NOT_OFFERED")
