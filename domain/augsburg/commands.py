"""What a player may say."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from domain.options import NOBODY
from domain.values import Value, secret

from .components import Privilege, Tile

NOTHING = "nothing"
"""What somebody without a card gives (AUG-412)."""


class Use(StrEnum):
    """What a privilege is used for."""

    PLAIN = "plain"  # money, prestige, draw: exactly as printed (AUG-323)
    STEP = "step"
    GUILDERS = "guilders"
    MINTER = "minter"
    MASTER_BUILDER = "master-builder"
    COAT_OF_ARMS = "coat-of-arms"
    LETTER_OF_NOBILITY = "letter-of-nobility"
    CHURCH = "church"
    CATHEDRAL = "cathedral"


class Compensation(StrEnum):
    """What the loser of a step tile may take (AUG-315)."""

    GUILDERS = "guilders"
    PRESTIGE = "prestige"


class Bid(Value):
    """Bid a number of cards: the first bid, or a raise (AUG-203)."""

    cards: int


class Call(Value):
    """Bid the same number as the highest bid (AUG-203)."""


class Pass(Value):
    """Leave this auction for good (AUG-204)."""


class PresentCertificates(Value):
    """Choose the cards that stand for a bid (AUG-209, AUG-210)."""

    cards: Annotated[tuple[str, ...], secret("AUG-603")]


class TakePrivilegeCard(Value):
    """Take a face-up privilege card (AUG-301)."""

    card: str


class UsePrivilege(Value):
    """Use one privilege of the card, for a step taken from a holder where the supply is short (AUG-302, AUG-313)."""

    privilege: Privilege
    use: Use = Use.PLAIN
    holder: str = NOBODY


class Forgo(Value):
    """Forgo one of the two privileges (AUG-303)."""


class UseMasterBuilder(Value):
    """Let the master builder erect a building (AUG-319)."""

    building: Tile


class Finish(Value):
    """End the turn without the master builder (AUG-319)."""


class Discard(Value):
    """Discard a card after a draw (AUG-307)."""

    card: Annotated[str, secret("AUG-601")]


class ChooseCompensation(Value):
    """Take something for a lost step tile (AUG-315)."""

    compensation: Compensation


class BuyCertificates(Value):
    """Buy some of the cards dealt (AUG-408)."""

    cards: Annotated[tuple[str, ...], secret("AUG-603")]


class GiveCertificate(Value):
    """Give a card to the supply, or say that there is none (AUG-412)."""

    card: Annotated[str, secret("AUG-603")]


Command = (
    Bid | Call | Pass | PresentCertificates | TakePrivilegeCard | UsePrivilege | Forgo | UseMasterBuilder | Finish
    | Discard | ChooseCompensation | BuyCertificates | GiveCertificate
)  # fmt: skip
