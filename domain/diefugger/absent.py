"""Who plays for the absent: he asks what he would earn more than the others if the round ended right after his turn."""

from __future__ import annotations

from domain.engine import Decision
from domain.options import Option, PickOne

from .commands import Command, Draw, PlayFaceDown, PlayOpen, Skip
from .components import MERCHANT, Card
from .evaluation import counted, moved_price, pay
from .views import View

# In florins, found by trying: what a card in hand, the new cards for a merchant and a card for the end are worth.
DRAWN, MERCHANTS, FACE_DOWN = 4, 8, 8
BOARD = range(1, 10)


def stand_in(view: View, decision: Decision) -> Command:
    """The answer that is worth most as things lie."""
    weighed = [answer for option in decision.options for answer in _answers(view, option)]
    return max(weighed, key=lambda answer: answer[0])[1]


def _answers(view: View, option: Option) -> list[tuple[int, Command]]:
    """What can be answered by an option, and what each answer is worth."""
    held = {card.key: card for card in view.hand}
    cards = [held[key] for slot in option.slots if isinstance(slot, PickOne) for key in slot.keys]
    if option.command == "PlayOpen":
        worth = [(_lead(view, card) + (MERCHANTS if card.key == MERCHANT else 0), card) for card in cards]
        return [(florins, PlayOpen(card.key)) for florins, card in worth]
    now = _lead(view)
    if option.command == "PlayFaceDown":  # where a seal is worth nothing (FUG-502)
        return [(now + FACE_DOWN - 3 * card.sealed, PlayFaceDown(card.key)) for card in cards]
    return [(now + DRAWN, Draw())] if option.command == "Draw" else [(now, Skip())]


def _lead(view: View, *played: Card) -> int:
    """How much more than the others on average he would earn if the round ended now, with this card played."""
    rows = [player.open for player in view.players]
    rows[view.seat - 1] += played
    lying = counted(view.prices, view.jakob, *rows)
    price = {p.good: moved_price(p.price, lying[p.good], lying, BOARD)[1] for p in view.prices}
    earned = [sum(pay(row, price, lying)) for row in rows]
    own = earned.pop(view.seat - 1)
    return own - sum(earned) // len(earned)
