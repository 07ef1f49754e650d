"""What a player may say."""

from __future__ import annotations

from typing import Annotated

from domain.options import Group
from domain.values import Value, secret


class Stake(Value):
    """Stake some coins."""

    coins: int


class Offer(Value):
    """Offer some cards."""

    cards: Annotated[tuple[str, ...], secret("TOY-402")]


class Name(Value):
    """Name the one who hands over a card."""

    player: str


class Hand(Value):
    """Hand a card over."""

    card: Annotated[str, secret("TOY-204")]


class Pack(Value):
    """Pack the cards into baskets."""

    baskets: Annotated[tuple[Group, ...], secret("TOY-402")]


Command = Stake | Offer | Name | Hand | Pack
