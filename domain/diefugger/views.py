"""What a player, or a spectator, sees (FUG-601 to FUG-603)."""

from __future__ import annotations

from domain.course import NowAsked
from domain.values import Seat, Value

from .components import Card
from .events import FaceDown, Seen
from .play import OnTurn
from .shown import CardDrawn, CardLaidFaceDown, DeckRenewed, GameBegan
from .state import Player, Price, State

Shown = GameBegan | CardDrawn | DeckRenewed | CardLaidFaceDown | Seen | NowAsked


class FaceDownView(Value):
    """A face-down card: all see its round, its owner also the card, and at the end everybody."""

    round: int
    card: Card | None


class PlayerView(Value):
    """A player as somebody sees him."""

    hand: int  # how many cards
    open: tuple[Card, ...]
    face_down: tuple[FaceDownView, ...]
    florins: int


class View(Value):
    """The table as somebody sees it."""

    seat: Seat
    hand: tuple[Card, ...]
    players: tuple[PlayerView, ...]
    jakob: tuple[Card, ...]
    prices: tuple[Price, ...]
    deck: int
    discard: tuple[Card, ...]
    round: int
    ends_pair: bool  # Jakob gets a card after this turn, since then both have had one (FUG-205)


def view(state: State, viewer: int) -> View:
    """Own hand and face-down cards; of the others their number (FUG-601, FUG-602)."""
    return View(
        seat=viewer,
        hand=state.player(viewer).hand if viewer else (),
        players=tuple(_player(player, seat == viewer) for seat, player in enumerate(state.players, 1)),
        jakob=state.jakob,
        prices=state.prices,
        deck=len(state.deck),
        discard=state.discard,
        round=state.round,
        ends_pair=any(isinstance(item, OnTurn) and item.second for item in state.agenda),
    )


def _player(player: Player, own: bool) -> PlayerView:
    face_down = tuple([_face_down(laid, own) for laid in player.face_down])
    return PlayerView(len(player.hand), player.open, face_down, player.florins)


def _face_down(laid: FaceDown, own: bool) -> FaceDownView:
    return FaceDownView(laid.round, laid.card if own or laid.shown else None)
