"""Why a command is not offered, told by the rule that forbids it, from what the offender himself sees."""

from __future__ import annotations

from domain.options import Refusal
from domain.values import facts

from .commands import Draw, PlayFaceDown, PlayOpen, Skip
from .components import MERCHANT
from .play import FACE_DOWN_ROUNDS, MOST_MERCHANTS, MOST_TO_DRAW
from .state import State
from .views import View, view


def explain(state: State, seat: int, command: object) -> Refusal | None:
    """The rule that a refused command breaks; nothing for what is no command of this game."""
    seen = view(state, seat)
    if isinstance(command, Draw):
        return _no_draw(seen)
    if isinstance(command, PlayOpen | PlayFaceDown):
        if command.card not in [card.key for card in seen.hand]:
            return Refusal("FUG-202" if isinstance(command, PlayOpen) else "FUG-203", "CARD_NOT_HELD")
        if isinstance(command, PlayOpen):  # a held card that can't be laid open is a merchant too many
            return Refusal("FUG-202", "TOO_MANY_MERCHANTS", facts(most=MOST_MERCHANTS))
        return _not_face_down(seen, command.card)
    return Refusal("FUG-206", "SKIPPED_BY_CHOICE") if isinstance(command, Skip) else None


def _no_draw(seen: View) -> Refusal:
    if len(seen.hand) > MOST_TO_DRAW:
        return Refusal("FUG-201", "HAND_FULL", facts(cards=len(seen.hand), most=MOST_TO_DRAW))
    return Refusal("FUG-201", "NO_CARD_LEFT")


def _not_face_down(seen: View, card: str) -> Refusal:
    if card == MERCHANT:
        return Refusal("FUG-203", "MERCHANT_FACE_DOWN")
    if seen.round not in FACE_DOWN_ROUNDS:
        return Refusal("FUG-203", "NOT_THIS_ROUND", facts(round=seen.round, last=FACE_DOWN_ROUNDS[-1]))
    return Refusal("FUG-203", "ALREADY_PLAYED_FACE_DOWN", facts(round=seen.round))
