"""What is hidden could be otherwise; and what never changes in number."""

from __future__ import annotations

from collections.abc import Iterator

from domain.chance import Chance
from domain.values import Fact, facts, replace

from .components import Card, by_key
from .events import FaceDown
from .state import Player, State

TRIES = 20


def resample(state: State, viewer: int, chance: Chance) -> State:
    """Exchange all cards that the viewer does not see: other hands, their face-down cards, the deck (FUG-601).

    A merchant never lies face down (FUG-203): such an exchange is drawn again, and given up after some tries.
    """
    places = tuple(_hidden(state, viewer))
    for n in range(TRIES):
        cards = chance.shuffle(f"cards:{n}", places)
        twin = _laid_out(state, viewer, iter(cards))
        if all(laid.card.good for player in twin.players for laid in player.face_down):
            return twin
    return state


def _hidden(state: State, viewer: int) -> Iterator[Card]:
    """The cards that the viewer does not see, place by place."""
    for seat, player in enumerate(state.players, 1):
        if seat != viewer:
            yield from player.hand
            yield from (laid.card for laid in player.face_down if not laid.shown)
    yield from state.deck


def _laid_out(state: State, viewer: int, cards: Iterator[Card]) -> State:
    """The same state with other cards in the hidden places."""
    players = tuple(p if seat == viewer else _dealt(p, cards) for seat, p in enumerate(state.players, 1))
    return replace(state, players=players, deck=tuple(cards))


def _dealt(player: Player, cards: Iterator[Card]) -> Player:
    hand = by_key(tuple(next(cards) for _ in player.hand))
    face_down = tuple(laid if laid.shown else FaceDown(next(cards), laid.round) for laid in player.face_down)
    return replace(player, hand=hand, face_down=face_down)


def conserved(state: State) -> tuple[Fact, ...]:
    """The 49 cards (FUG-101)."""
    cards = [*state.deck, *state.discard, *state.jakob]
    for player in state.players:
        cards += [*player.hand, *player.open, *(laid.card for laid in player.face_down)]
    return facts(cards=" ".join(card.key for card in by_key(tuple(cards))))
