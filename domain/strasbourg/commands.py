"""What a player may say."""

from __future__ import annotations

from typing import Annotated

from domain.options import Group
from domain.values import Value, secret


class Keep(Value):
    """Keep some of the dealt tasks (STR-105)."""

    tasks: Annotated[tuple[str, ...], secret("STR-105")]


class Draw(Value):
    """Draw one more card (STR-201)."""


class MakeStacks(Value):
    """Split all drawn cards into stacks (STR-203)."""

    stacks: Annotated[tuple[Group, ...], secret("STR-204")]


class Flip(Value):
    """Flip a stack, named by its cards (STR-302)."""

    cards: Annotated[tuple[str, ...], secret("STR-204")]


class Pass(Value):
    """Flip nothing in this step (STR-302)."""


class Wait(Value):
    """Spend a privilege and wait (STR-303)."""


class Place(Value):
    """Place a member on a field and pay for it (STR-311)."""

    field: str


class TakeGoods(Value):
    """As an apprentice, take the goods instead of placing (STR-310)."""


class Decline(Value):
    """Leave alone what one may do: place a member, put a card back."""


class Sell(Value):
    """Sell some goods, also none (STR-313)."""

    goods: Annotated[tuple[str, ...], secret("STR-701")]


class PutBack(Value):
    """Put a flipped card under the own deck (STR-314)."""

    card: str


class BuildChapel(Value):
    """Put a chapel on a site (STR-316)."""

    site: str


class Build(Value):
    """Put this round's building on a site (STR-317)."""

    site: str


Command = (
    Keep | Draw | MakeStacks | Flip | Pass | Wait | Place | TakeGoods | Decline | Sell | PutBack | BuildChapel | Build
)
