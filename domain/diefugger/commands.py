"""What a player may say on his turn: exactly one of these."""

from __future__ import annotations

from typing import Annotated

from domain.values import Value, secret


class Draw(Value):
    """Draw a card (FUG-201)."""


class PlayOpen(Value):
    """Lay a hand card open in front of himself (FUG-202)."""

    card: str


class PlayFaceDown(Value):
    """Lay a goods card face down in front of himself (FUG-203)."""

    card: Annotated[str, secret("FUG-601")]


class Skip(Value):
    """Do nothing, because nothing can be done (FUG-206)."""


Command = Draw | PlayOpen | PlayFaceDown | Skip
