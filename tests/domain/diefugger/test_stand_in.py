"""Who plays for the absent plays sensibly."""

from __future__ import annotations

from typing import Any

import pytest

from domain import diefugger
from domain.chance import SeededChance, Stream
from domain.diefugger.commands import Draw, PlayFaceDown, PlayOpen, Skip
from domain.diefugger.play import OnTurn
from domain.options import sample
from domain.values import members
from tests.domain.diefugger.table import EDITION, on, table


def answer(state: diefugger.State, seat: int = 1) -> Any:
    """What he answers on his turn."""
    asked = on(state, OnTurn(seat)).state
    decision = diefugger.decision(asked, seat)
    assert decision is not None
    return diefugger.stand_in(diefugger.view(asked, seat), decision)


def test_he_ends_a_round_that_pays_him() -> None:
    """A fifth card that brings his own cards to 9 is better than any other."""
    state = table("wine copper", "", "", open=["4*wine", "cloth"], prices="5 5 4 5 5", deck="jewels", round=3)
    assert answer(state) == PlayOpen("wine")


def test_he_does_not_end_a_round_that_pays_another() -> None:
    """He draws rather than raise the price of what another has laid out."""
    state = table("wine", "", open=["", "4*wine"], prices="5 5 2 5 5", deck="jewels", round=3)
    assert answer(state) == Draw()


def test_he_compares_himself_with_the_others_on_average() -> None:
    """What one of two others earns more counts half: then the fifth card is worth it."""
    state = table("wine", "", "", open=["", "4*wine"], prices="5 5 4 5 5", deck="jewels", round=3)
    assert answer(state) == PlayOpen("wine")


def test_he_does_not_let_a_price_fall_from_9() -> None:
    """A card that would take the price of his own good beyond 9 stays in his hand."""
    state = table("wine copper", "", open=["3*wine"], prices="1 5 6 5 5", deck="jewels", round=3)
    assert answer(state) != PlayOpen("wine")


def test_he_sends_out_his_merchants() -> None:
    """New cards are worth more than a card that earns little."""
    assert answer(table("merchant copper", "", prices="1 1 1 1 1", deck="jewels", round=3)) == PlayOpen("merchant")


def test_he_keeps_seals_for_open_play() -> None:
    """Of two cards for the end he takes the one without a seal."""
    state = table("copper-sealed copper", "", open=["", "4*copper"], prices="9 5 5 5 5", deck="jewels")
    assert answer(state) == PlayFaceDown("copper")


def test_he_skips_when_he_must() -> None:
    """With nothing to do he skips."""
    assert answer(table("", "wine", jakob="wine")) == Skip()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_he_wins_more_than_his_share(players: int) -> None:
    """Of forty games among random players he wins clearly more than one in two, three or four."""
    won = sum(_wins(players, number) for number in range(40))
    assert won > 1.3 * 40 / players


def _wins(players: int, number: int) -> bool:
    own, source = number % players + 1, Stream(bytes([number] * 32), "random players")
    chance = SeededChance(bytes([number] * 32))
    state = diefugger.setup(players, (), EDITION, chance).state
    while waiting := diefugger.waiting(state):
        decision = diefugger.decision(state, waiting[0])
        assert decision is not None
        command = sample(decision.options[source.below(len(decision.options))], members(diefugger.Command), source)
        if waiting[0] == own:
            command = diefugger.stand_in(diefugger.view(state, own), decision)
        state = diefugger.decide(state, decision, command, chance).state
    result = diefugger.result(state)
    assert result is not None
    return own in [standing.seat for standing in result.ranking if standing.place == 1]
