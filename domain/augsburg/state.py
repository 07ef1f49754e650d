"""Everything on and around the table, and the event that sets it up."""

from __future__ import annotations

from typing import Any, ClassVar

from domain.course import Answered, Asked, Playing
from domain.values import Seat, Value, replace

from .commands import Command
from .components import Card, Category, Edition, Noble, Privilege, PrivilegeCard, joker
from .events import (
    GAINS,
    AuctionFailed,
    AuctionOpened,
    AuctionWon,
    BidMade,
    Bought,
    Called,
    CardsShown,
    Discarded,
    Drawn,
    GameEnded,
    Given,
    GuildersPaid,
    Passed,
    PrestigeGained,
    PrivilegeCardSetAside,
    PrivilegeCardTaken,
    PrivilegeForgone,
    PrivilegeUsed,
    RoundBegan,
    RoundEnded,
    Shuffled,
    StepTaken,
    TileTaken,
    Unbought,
)  # fmt: skip
from .play import AgendaItem
from .shown import GameBegan

CATEGORIES = tuple(Category)
STEP_TILES = {2: (2, 1, 1), 3: (3, 1, 1), 4: (4, 2, 1), 5: (5, 3, 1)}
"""Step tiles 2, 3 and 4 of a category, by the number of players (AUG-104)."""
GUILDERS = 1500
START_JOKERS = 2


class Player(Value):
    """What lies before a player, on and behind his board."""

    hand: tuple[Card, ...]
    guilders: int
    dealt: tuple[Card, ...] = ()  # to be bought, in deal order
    prestige: int = 0
    trade: int = 1  # steps, 1 to 4
    nobility: int = 1
    office: int = 1
    minter: bool = False
    builder: bool = False
    coat: int = 0  # prestige a round, 0 without the tile
    letter: int = 0
    church: int = 0  # what it cost, 0 without the tile
    cathedral: int = 0
    bid: int = 0  # the last one of this auction
    passed: bool = False
    earned: tuple[int, ...] = (0,) * len(GAINS)  # prestige by source

    @property
    def limit(self) -> int | None:
        """How much prestige he can have; nothing if there is no limit (AUG-404)."""
        if not self.church:
            return 25
        return None if self.cathedral else 45


class State(Playing[AgendaItem, Command]):
    """Everything there is, hidden or not."""

    edition: Edition
    open: bool  # the table option of AUG-606
    players: tuple[Player, ...]
    opener: Seat  # opens the next auction, and is dealt first
    supply: tuple[Card, ...]  # top first
    face_up: tuple[PrivilegeCard, ...]
    face_down: tuple[PrivilegeCard, ...]
    churches: tuple[int, ...]  # costs, top first
    cathedrals: tuple[int, ...]
    coats: tuple[int, ...]  # prestige, top first
    letters: tuple[int, ...]
    step_tiles: tuple[int, ...]  # of steps 2, 3, 4 of trade, then of nobility, then of office
    minters: int = 5
    builders: int = 5
    discards: tuple[Card, ...] = ()  # top last
    shuffles: int = 0
    used: tuple[PrivilegeCard, ...] = ()
    round: int = 1
    noble: Noble | None = None
    bid: int = 0
    leader: Seat = 0  # who first made the highest bid
    winner: Seat = 0  # who uses a privilege card now
    card: PrivilegeCard | None = None
    privileges: tuple[Privilege, ...] = ()  # what is left of it
    uses: int = 0  # how many of them he may still use or forgo
    built: bool = False  # whether the master builder has built this turn

    def player(self, seat: int) -> Player:
        """The player on a seat."""
        return self.players[seat - 1]

    def with_player(self, seat: int, **changes: Any) -> State:
        """The state with a player changed."""
        players = self.players
        changed = replace(players[seat - 1], **changes)
        return replace(self, players=(*players[: seat - 1], changed, *players[seat:]))

    @property
    def rounds(self) -> int:
        """How many rounds the game lasts (AUG-101)."""
        return len(self.players) + 2

    def step_tiles_left(self, category: Category, step: int) -> int:
        """How many tiles of a step lie in the supply."""
        return self.step_tiles[3 * CATEGORIES.index(category) + step - 2]

    def with_step_tiles(self, category: Category, taken: int, returned: tuple[int, ...]) -> State:
        """The state with a step tile taken from the supply, and others returned to it."""
        first = 3 * CATEGORIES.index(category) - 2
        tiles = list(self.step_tiles)
        tiles[first + taken] -= 1
        for step in returned:
            tiles[first + step] += 1
        return replace(self, step_tiles=tuple(tiles))


class Begun(Value):
    """The table is set up (AUG-101..108)."""

    rule: ClassVar[str] = "AUG-108"
    edition: Edition
    open: bool
    players: int
    starter: Seat
    supply: tuple[Card, ...]
    face_up: tuple[PrivilegeCard, ...]
    face_down: tuple[PrivilegeCard, ...]

    def apply(self, state: State | None) -> State:
        """The first state."""
        hand = (joker(self.edition),) * START_JOKERS
        edition = self.edition
        return State(
            agenda=(),
            waiting=(),
            answers=(),
            numbers=(0,) * self.players,
            edition=edition,
            open=self.open,
            players=(Player(hand, GUILDERS),) * self.players,
            opener=self.starter,
            supply=self.supply,
            face_up=self.face_up,
            face_down=self.face_down,
            churches=tuple(cell.number for cell in edition.churches),
            cathedrals=tuple(cell.number for cell in edition.cathedrals),
            coats=tuple(cell.number for cell in edition.coats_of_arms),
            letters=tuple(cell.number for cell in edition.letters_of_nobility),
            step_tiles=STEP_TILES[self.players] * 3,
        )

    def show(self, viewer: int) -> GameBegan:
        """All see what lies open, and the back of the top card (AUG-602)."""
        return GameBegan(self.starter, 1, self.face_up, self.face_down, len(self.supply), self.supply[0].price)


Event = (
    Begun | RoundBegan | RoundEnded | AuctionOpened | BidMade | Called | Passed | AuctionFailed | CardsShown
    | AuctionWon | GuildersPaid | PrestigeGained | PrivilegeCardTaken | PrivilegeUsed | PrivilegeForgone
    | PrivilegeCardSetAside | StepTaken | TileTaken | Drawn | Shuffled | Discarded | Given | Bought | Unbought
    | GameEnded | Answered[Command] | Asked[AgendaItem]
)  # fmt: skip
