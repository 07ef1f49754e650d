"""What a player or a spectator sees (chapter 6): built up from nothing."""

from __future__ import annotations

from domain.course import HasAnswered, NowAsked
from domain.values import Seat, Value

from .commands import Command
from .components import Card, Noble, Privilege, PrivilegeCard
from .events import (
    AuctionFailed,
    AuctionOpened,
    AuctionWon,
    BidMade,
    Called,
    CardsShown,
    Discarded,
    GameEnded,
    GuildersPaid,
    Passed,
    PrestigeGained,
    PrivilegeCardSetAside,
    PrivilegeCardTaken,
    PrivilegeForgone,
    PrivilegeUsed,
    RoundBegan,
    RoundEnded,
    StepTaken,
    TileTaken,
)  # fmt: skip
from .shown import CardsDrawn, CardsUnbought, CertificateGiven, CertificatesBought, GameBegan, SupplyShuffled
from .state import Player, State

Shown = (
    GameBegan | RoundBegan | RoundEnded | AuctionOpened | BidMade | Called | Passed | AuctionFailed | CardsShown
    | AuctionWon | GuildersPaid | PrestigeGained | PrivilegeCardTaken | PrivilegeUsed | PrivilegeForgone
    | PrivilegeCardSetAside | StepTaken | TileTaken | CardsDrawn | SupplyShuffled | Discarded | CertificateGiven
    | CertificatesBought | CardsUnbought | GameEnded | HasAnswered[Command] | NowAsked
)  # fmt: skip


class PlayerView(Value):
    """A player's board. Cards and guilders are nothing where they are hidden (AUG-606)."""

    seat: Seat
    cards: int | None
    guilders: int | None
    prestige: int
    limit: int | None
    trade: int
    nobility: int
    office: int
    minter: bool
    builder: bool
    coat: int
    letter: int
    church: int
    cathedral: int
    bid: int
    passed: bool
    dealt: tuple[int, ...]  # the prices of the cards dealt to be bought (AUG-602)


class View(Value):
    """The table as somebody sees it; spectators have no hand."""

    seat: Seat
    hand: tuple[Card, ...]
    dealt: tuple[Card, ...]
    players: tuple[PlayerView, ...]
    round: int
    rounds: int
    opener: Seat
    noble: Noble | None
    bid: int
    leader: Seat
    winner: Seat
    card: PrivilegeCard | None
    privileges: tuple[Privilege, ...]
    uses: int
    built: bool
    supply: int
    top_price: int
    discards: int
    top_discard: Card | None
    face_up: tuple[PrivilegeCard, ...]
    face_down: tuple[PrivilegeCard, ...]
    used: tuple[PrivilegeCard, ...]
    churches: tuple[int, ...]
    cathedrals: tuple[int, ...]
    coats: tuple[int, ...]
    letters: tuple[int, ...]
    minters: int
    builders: int
    step_tiles: tuple[int, ...]


def view(state: State, viewer: int) -> View:
    """Own cards, everybody's board, the backs of what lies face down."""
    own = state.players[viewer - 1] if viewer else None
    return View(
        seat=viewer,
        hand=own.hand if own else (),
        dealt=own.dealt if own else (),
        players=tuple(
            player_view(seat, player, seen=state.open or seat == viewer) for seat, player in enumerate(state.players, 1)
        ),
        round=state.round,
        rounds=state.rounds,
        opener=state.opener,
        noble=state.noble,
        bid=state.bid,
        leader=state.leader,
        winner=state.winner,
        card=state.card,
        privileges=state.privileges,
        uses=state.uses,
        built=state.built,
        supply=len(state.supply),
        top_price=state.supply[0].price if state.supply else 0,
        discards=len(state.discards),
        top_discard=state.discards[-1] if state.discards else None,
        face_up=state.face_up,
        face_down=state.face_down,
        used=state.used,
        churches=state.churches,
        cathedrals=state.cathedrals,
        coats=state.coats,
        letters=state.letters,
        minters=state.minters,
        builders=state.builders,
        step_tiles=state.step_tiles,
    )


def player_view(seat: int, player: Player, *, seen: bool) -> PlayerView:
    """A board; cards and guilders for the owner, or for all where the table option opens them (AUG-606, AUG-607)."""
    return PlayerView(
        seat=seat,
        cards=len(player.hand) if seen else None,
        guilders=player.guilders if seen else None,
        prestige=player.prestige,
        limit=player.limit,
        trade=player.trade,
        nobility=player.nobility,
        office=player.office,
        minter=player.minter,
        builder=player.builder,
        coat=player.coat,
        letter=player.letter,
        church=player.church,
        cathedral=player.cathedral,
        bid=player.bid,
        passed=player.passed,
        dealt=tuple(card.price for card in player.dealt),
    )
