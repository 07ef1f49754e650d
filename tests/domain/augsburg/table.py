"""Tables in the middle of play, set by the keys of things.

table(merchant("maria-14 joker"), merchant("leo-2", office=4, minter=True), noble=Noble.MARIA)
using(table(merchant(guilders=400, builder=True), merchant()), 1, "money-prestige-6-office")

What lies before the players is missing where it came from: step tiles and right tiles in their stacks, and cards in
the supply, which holds all the others (or none, with `rest=False`) under those that are named for it.
"""

from __future__ import annotations

from typing import Any

from domain import augsburg
from domain.augsburg.components import (
    Card,
    Edition,
    PrivilegeCard,
    Tile,
    certificates,
    in_order,
    joker,
    privilege_cards,
)
from domain.augsburg.events import GAINS
from domain.augsburg.play import Close, End, Prestige
from domain.augsburg.state import CATEGORIES, STEP_TILES, Player, State
from domain.chance import SeededChance
from domain.editions import builtin
from domain.engine import Decision
from domain.options import Option
from domain.values import Fact, replace

EDITION: Edition = builtin(augsburg, "original")
CARDS = {card.key: card for card in (*certificates(EDITION), joker(EDITION))}
PRIVILEGES = {card.key: card for card in privilege_cards(EDITION)}
SEED = bytes(32)
LAST = (Close(), Prestige(), End())
"""What follows the last auction of the last round; an agenda that ends with it asks nobody more."""


def cards(keys: str) -> tuple[Card, ...]:
    """Cards by their keys: "leo-15 joker"."""
    return tuple(CARDS[key] for key in keys.split())


def keys(some: tuple[Card, ...]) -> str:
    """The keys of cards, as `cards` reads them."""
    return " ".join(card.key for card in some)


def privilege_card(key: str) -> PrivilegeCard:
    """A privilege card by its key."""
    return PRIVILEGES[key]


def merchant(hand: str = "", guilders: int = 1500, *, dealt: str = "", **board: Any) -> Player:
    """A player who holds these cards; steps, tiles, prestige and bid as named."""
    player = Player(in_order(cards(hand)), guilders, cards(dealt), **board)
    return replace(player, earned=(0,) * (len(GAINS) - 1) + (player.prestige,))


def table(*players: Player, supply: str = "", discards: str = "", rest: bool = True, **changes: Any) -> State:
    """A table with these players. The highest bid is the state's, its first bidder the leader."""
    begun = start(len(players))
    out = (*cards(supply), *cards(discards), *(card for p in players for card in (*p.hand, *p.dealt)))
    left = tuple(card for card in _all_cards() if card not in out) if rest else ()
    bid = max(player.bid for player in players)
    state = replace(
        begun,
        players=players,
        opener=1,
        supply=(*cards(supply), *left),
        discards=cards(discards),
        churches=_stack(begun.churches, [p.church for p in players]),
        cathedrals=_stack(begun.cathedrals, [p.cathedral for p in players]),
        coats=_stack(begun.coats, [p.coat for p in players]),
        letters=_stack(begun.letters, [p.letter for p in players]),
        minters=5 - sum(p.minter for p in players),
        builders=5 - sum(p.builder for p in players),
        step_tiles=_step_tiles(players),
        bid=bid,
        leader=next((n for n, p in enumerate(players, 1) if p.bid == bid), 0) if bid else 0,
    )
    return replace(state, **changes)


def using(state: State, seat: int, card: str, **changes: Any) -> State:
    """The state in which a seat has just taken this privilege card."""
    taken = PRIVILEGES[card]
    up = tuple(c for c in state.face_up if c != taken)
    down = tuple(c for c in state.face_down if c != taken)
    used: dict[str, Any] = {
        "card": taken, "privileges": taken.privileges, "winner": seat, "opener": seat, "uses": 2,
        "face_up": up[:4], "face_down": (*down, *up[4:]),
    }  # fmt: skip
    return replace(state, **(used | changes))


def start(players: int, hands: str = "hidden", seed: bytes = SEED) -> State:
    """A table as it is set up."""
    state = augsburg.setup(players, (Fact("hands", hands),), EDITION, SeededChance(seed)).state
    assert isinstance(state, State)
    return state


def asked(state: State, seat: int) -> Decision:
    """What a seat is asked, which it is."""
    decision = augsburg.decision(state, seat)
    assert decision is not None
    return decision


def offered(state: State, seat: int, command: str) -> list[Option]:
    """The options for this command that a seat has."""
    return [option for option in asked(state, seat).options if option.command == command]


def privilege_uses(state: State, seat: int) -> set[str]:
    """What a seat may use its privileges for, as "office church"."""
    found = set()
    for option in offered(state, seat, "UsePrivilege"):
        given = {filled.field: filled.key for filled in option.given}
        found.add(f"{given['privilege']} {given['use']}")
    return found


def right_tiles(state: State) -> dict[Tile, int]:
    """How many right tiles lie in each stack."""
    return {
        Tile.MINTER: state.minters,
        Tile.MASTER_BUILDER: state.builders,
        Tile.COAT_OF_ARMS: len(state.coats),
        Tile.LETTER_OF_NOBILITY: len(state.letters),
        Tile.CHURCH: len(state.churches),
        Tile.CATHEDRAL: len(state.cathedrals),
    }


def _all_cards() -> tuple[Card, ...]:
    """One of each, the jokers as one: enough to fill a supply."""
    return tuple(CARDS.values())


def _stack(whole: tuple[int, ...], taken: list[int]) -> tuple[int, ...]:
    rest = list(whole)
    for number in taken:
        if number:
            rest.remove(number)
    return tuple(rest)


def _step_tiles(players: tuple[Player, ...]) -> tuple[int, ...]:
    """The step tiles that the players do not hold; who stands on step 4 has no tile of step 3."""
    left: list[int] = []
    for category in CATEGORIES:
        steps = [getattr(player, category) for player in players]
        held = (sum(step >= 2 for step in steps), steps.count(3), steps.count(4))
        left += [all_ - own for all_, own in zip(STEP_TILES[len(players)], held, strict=True)]
    assert min(left) >= 0, "more step tiles than there are"
    return tuple(left)
