"""What Augsburg says in English: refusals and rare sentences, which whole games seldom tell."""

from __future__ import annotations

from typing import Any

import pytest

from domain import augsburg
from domain.augsburg.commands import BuyCertificates, GiveCertificate, Use, UsePrivilege
from domain.augsburg.components import Category, Noble, Privilege, Tile
from domain.augsburg.events import (
    AuctionFailed,
    BidMade,
    Bought,
    Drawn,
    Gain,
    GameEnded,
    Given,
    GuildersPaid,
    PrestigeGained,
    RoundEnded,
    Shuffled,
    StepTaken,
    TileTaken,
    Unbought,
)
from service.phrase_check import missing
from service.phrases import Arguments, Phrases
from tests.domain.augsburg.table import cards, privilege_card
from tests.domain.augsburg.test_refusals import BAD_CONTENTS, asked

NAMES = ("Anna", "Bert")


class Strict(Phrases):
    """Phrases that fail where no message serves."""

    def fallback(self, key: str, arguments: Arguments) -> str:
        raise AssertionError(f"{key} can't be said with {arguments}")


SAID = Strict(augsburg)


def test_nothing_is_missing() -> None:
    """Every shown event, option, command, question and refusal has a message."""
    assert missing(augsburg) == []


@pytest.mark.parametrize(("question", "command", "rule", "reason"), BAD_CONTENTS)
def test_refusals_are_sentences(question: str, command: Any, rule: str, reason: str) -> None:
    """Each refusal makes a sentence from the facts that it carries."""
    assert SAID.refusal(asked(question).when(1, command).refusal, NAMES).endswith(".")


@pytest.mark.parametrize(
    ("event", "viewer", "words"),
    [
        (BidMade(1, 1), 0, "Anna bids one card."),
        (BidMade(1, 3), 0, "Anna bids 3 cards."),
        (AuctionFailed(Noble.MARIA, 2), 0, "Nobody bids for Maria. Bert opens the next auction."),
        (GuildersPaid(2, 100, "AUG-212"), 0, "Bert gets 100 guilders as a consolation."),
        (PrestigeGained(1, Gain.ROUND, 14, 4), 0, "Anna gains 4 of 14 prestige by rank."),
        (PrestigeGained(1, Gain.FORGONE, 2, 0), 0, "Anna stands at the limit: 2 prestige are lost."),
        (StepTaken(1, Category.OFFICE, 4, 2), 0, "Anna rises to step 4 of Office and takes the tile from Bert."),
        (StepTaken(1, Category.TRADE, 2, 0), 0, "Anna rises to step 2 of Trade."),
        (TileTaken(1, Tile.CHURCH, 700, True), 0, "Anna's master builder erects a church for 700 guilders."),
        (TileTaken(1, Tile.MINTER, 0), 0, "Anna takes a minter."),
        (TileTaken(1, Tile.COAT_OF_ARMS, 4), 0, "Anna takes a coat of arms worth 4."),
        (Drawn(1, cards("joker leo-10"), True, 0, "AUG-307"), 1, "Anna draws Joker and Leo 10. The supply is empty."),
        (
            Drawn(1, cards("joker leo-10"), True, 250, "AUG-307"),
            2,
            "Anna draws 2 cards for 400 and 300. The next card costs 250.",
        ),
        (Drawn(1, cards("leo-10"), False, 250, "AUG-407"), 2, "Anna is dealt a card for 300. The next card costs 250."),
        (
            Shuffled(cards("leo-1 leo-2"), "AUG-411"),
            0,
            "The cards are shuffled into a new supply of 2; the one on top costs 200.",
        ),
        (Given(1, None), 2, "Anna has no card to give."),
        (Given(1, cards("leo-1")[0]), 2, "Anna puts a card of price 200 under the supply."),
        (Given(1, cards("leo-1")[0]), 1, "Anna puts Leo 1 under the supply."),
        (Bought(1, ()), 2, "Anna buys nothing."),
        (Bought(1, cards("leo-1")), 2, "Anna buys one card for 200."),
        (Bought(1, cards("leo-1 joker joker")), 1, "Anna buys Leo 1 and 2 × Joker."),  # noqa: RUF001 - times
        (Unbought(cards("leo-1")), 0, "One card stays unbought and is discarded: Leo 1."),
        (
            RoundEnded((privilege_card("money-office-office"),)),
            0,
            "The five auctions are over. Nobody won Money/Office/Office, set aside unused.",
        ),
        (GameEnded((1, 2), "AUG-502"), 0, "Anna and Bert share the victory."),
        (GameEnded((1,), "AUG-502"), 0, "Anna wins the tie by the dearest building."),
    ],
)  # fmt: skip
def test_sentences(event: Any, viewer: int, words: str) -> None:
    """The record reads like one of a game."""
    assert SAID.event(augsburg.show(event, viewer), NAMES) == words


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (UsePrivilege(Privilege.OFFICE, Use.STEP, "seat-2"), "Use Office for the next step, with the tile of Bert."),
        (UsePrivilege(Privilege.OFFICE, Use.CHURCH), "Use Office for a church."),
        (BuyCertificates(()), "Buy nothing."),
        (GiveCertificate("nothing"), "Give nothing."),
    ],
)
def test_commands(command: Any, words: str) -> None:
    """What was said is told as it was meant."""
    assert SAID.command(command, NAMES) == words
