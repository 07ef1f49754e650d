"""The winner's privileges (chapter 3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from domain.course import Course, Turn
from domain.options import NOBODY, Given, Option, PickOne, Why, seat_key, seat_number
from domain.values import Fact, facts

from .cards import Discarding, can_draw, draw
from .commands import (
    ChooseCompensation,
    Compensation,
    Finish,
    Forgo,
    TakePrivilegeCard,
    Use,
    UseMasterBuilder,
    UsePrivilege,
)  # fmt: skip
from .components import Category, Privilege, Tile
from .events import (
    Gain,
    GuildersPaid,
    PrestigeGained,
    PrivilegeCardSetAside,
    PrivilegeCardTaken,
    PrivilegeForgone,
    PrivilegeUsed,
    StepTaken,
    TileTaken,
)  # fmt: skip

if TYPE_CHECKING:
    from .play import AgendaItem
    from .state import Player, State

MONEY, TRADE_MONEY, FORGONE, LOSS_GUILDERS, LOSS_PRESTIGE = 500, 300, 2, 100, 1
PRESTIGE = {Privilege.PRESTIGE_6: 6, Privilege.PRESTIGE_7: 7}
LAST_STEP = 4

NOT_FACE_UP = Why("AUG-301", "CARD_NOT_FACE_UP")
NOT_A_HOLDER = Why("AUG-313", "NOT_A_HOLDER")
NOT_COMPENSATION = Why("AUG-315", "NOT_A_COMPENSATION")

FORGOING = Option("Forgo", "AUG-303", facts=facts(prestige=FORGONE))
FINISHING = Option("Finish", "AUG-319")


class Taking(Turn):
    """Which privilege card? The last one is taken for him, since all see that it is the last (AUG-216)."""

    rule: ClassVar[str] = "AUG-301"

    def seats(self, state: State) -> tuple[int, ...]:
        """The winner, if there is a choice."""
        return (self.seat,) if len(state.face_up) > 1 else ()

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Any face-up card."""
        keys = tuple(card.key for card in state.face_up)
        return (Option("TakePrivilegeCard", self.rule, slots=(PickOne("card", keys, NOT_FACE_UP),)),)

    def close(self, course: Course[State], answers: dict[int, TakePrivilegeCard]) -> tuple[AgendaItem, ...]:
        """He takes it and uses it at once (AUG-302)."""
        face_up = course.state.face_up
        chosen = answers[self.seat].card if answers else face_up[0].key
        course.emit(PrivilegeCardTaken(self.seat, next(card for card in face_up if card.key == chosen)))
        return (Using(self.seat),)


class Using(Turn):
    """Which privilege next? Two of the three, one after the other, and the master builder beside them."""

    rule: ClassVar[str] = "AUG-302"

    def seats(self, state: State) -> tuple[int, ...]:
        """The winner, until both are used or forgone, and the master builder's turn is over (AUG-319)."""
        return (self.seat,) if state.uses or builder_waits(state) else ()

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """What each privilege may be used for now; forgoing; the master builder."""
        options: list[Option] = []
        player = state.players[seat - 1]
        if state.uses:
            for privilege in dict.fromkeys(state.privileges):
                options.extend(uses(state, seat, player, privilege))
            options.append(FORGOING)
        if builder_waits(state):
            for tile, cost in buildable(state, player):
                building = (Given("building", tile),)
                options.append(Option("UseMasterBuilder", "AUG-319", building, facts=facts(cost=cost)))
            if not state.uses:
                options.append(FINISHING)
        return tuple(options)

    def facts(self, state: State, seat: int) -> tuple[Fact, ...]:
        """How many are left."""
        return facts(uses=state.uses)

    def close(
        self, course: Course[State], answers: dict[int, UsePrivilege | Forgo | UseMasterBuilder | Finish]
    ) -> tuple[AgendaItem, ...]:
        """Take the answer; without one, or at his word, the turn is over."""
        command = answers.get(self.seat)
        if isinstance(command, UsePrivilege):
            course.emit(PrivilegeUsed(self.seat, command.privilege, command.use))
            return (*use(course, self.seat, command), self)
        if isinstance(command, Forgo):
            course.emit(PrivilegeForgone(self.seat))
            award(course, self.seat, Gain.FORGONE, FORGONE)
            return (self,)
        if isinstance(command, UseMasterBuilder):
            take_tile(course, self.seat, Tile(command.building), by_builder=True)
            return (self,)
        assert course.state.card is not None
        course.emit(PrivilegeCardSetAside(self.seat, course.state.card))
        return ()


class Compensating(Turn):
    """What does the loser of a step tile take (AUG-315)?"""

    rule: ClassVar[str] = "AUG-315"

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Guilders or prestige, the latter at the limit too (AUG-404)."""
        slot = PickOne("compensation", tuple(Compensation), NOT_COMPENSATION)
        return (Option("ChooseCompensation", self.rule, slots=(slot,)),)

    def answered(self, course: Course[State], command: ChooseCompensation) -> tuple[AgendaItem, ...]:
        """He takes it."""
        if command.compensation == Compensation.GUILDERS:
            course.emit(GuildersPaid(self.seat, LOSS_GUILDERS, self.rule))
        else:
            award(course, self.seat, Gain.COMPENSATION, LOSS_PRESTIGE)
        return ()


def builder_waits(state: State) -> bool:
    """Whether the winner's master builder could still build, money aside, which is hidden (AUG-319)."""
    player = state.players[state.winner - 1]
    return player.builder and not state.built and not (player.church and player.cathedral)


def uses(state: State, seat: int, player: Player, privilege: Privilege) -> Iterator[Option]:
    """What a privilege may be used for now; one that can't be used is not offered (AUG-303)."""
    if privilege == Privilege.TRADE:
        yield from step_options(state, seat, player, Category.TRADE)
        if player.trade > 1:
            yield option(privilege, Use.GUILDERS, "AUG-308", guilders=TRADE_MONEY)
    elif privilege == Privilege.NOBILITY:
        yield from step_options(state, seat, player, Category.NOBILITY)
        if player.nobility >= 3 and not player.coat and state.coats:
            yield option(privilege, Use.COAT_OF_ARMS, "AUG-309", prestige=state.coats[0])
        if player.nobility == LAST_STEP and not player.letter and state.letters:
            yield option(privilege, Use.LETTER_OF_NOBILITY, "AUG-309", prestige=state.letters[0])
    elif privilege == Privilege.OFFICE:
        yield from step_options(state, seat, player, Category.OFFICE)
        if player.office >= 3 and not player.minter and state.minters:
            yield option(privilege, Use.MINTER, "AUG-310")
        if player.office == LAST_STEP and not player.builder and state.builders:
            yield option(privilege, Use.MASTER_BUILDER, "AUG-310")
        for tile, cost in buildable(state, player):
            yield option(privilege, Use(tile.value), "AUG-310", cost=cost)
    elif privilege == Privilege.DRAW:
        if can_draw(state):
            yield option(privilege, Use.PLAIN, "AUG-307")
    elif privilege == Privilege.MONEY:
        yield option(privilege, Use.PLAIN, "AUG-305", guilders=MONEY)
    else:
        yield option(privilege, Use.PLAIN, "AUG-306", prestige=PRESTIGE[privilege])


def option(privilege: Privilege, use: Use, rule: str, **named: int) -> Option:
    """A use that takes nothing from another player."""
    given = (Given("privilege", privilege), Given("use", use), Given("holder", NOBODY))
    return Option("UsePrivilege", rule, given, facts=facts(**named))


def step_options(state: State, seat: int, player: Player, category: Category) -> Iterator[Option]:
    """The next step, its tile from the supply, or else from another player who holds it (AUG-311, AUG-313)."""
    step = getattr(player, category) + 1
    if step > LAST_STEP:
        return
    if state.step_tiles_left(category, step):
        yield option(Privilege(category.value), Use.STEP, "AUG-311", step=step)
        return
    holders = tuple(
        seat_key(other) for other in state.clockwise(seat)[1:] if getattr(state.player(other), category) == step
    )
    if holders:
        given = (Given("privilege", category), Given("use", Use.STEP))
        yield Option("UsePrivilege", "AUG-313", given, (PickOne("holder", holders, NOT_A_HOLDER),), facts(step=step))


def buildable(state: State, player: Player) -> Iterator[tuple[Tile, int]]:
    """The buildings he lacks and can pay, with their costs (AUG-317, AUG-320)."""
    if not player.church and state.churches and state.churches[0] <= player.guilders:
        yield Tile.CHURCH, state.churches[0]
    if not player.cathedral and state.cathedrals and state.cathedrals[0] <= player.guilders:
        yield Tile.CATHEDRAL, state.cathedrals[0]


def use(course: Course[State], seat: int, command: UsePrivilege) -> tuple[AgendaItem, ...]:
    """Carry out what a privilege is used for; what interrupts it comes first."""
    privilege = command.privilege
    if command.use == Use.STEP:
        category, holder = Category(privilege), seat_number(command.holder)
        step = getattr(course.state.player(seat), category) + 1
        course.emit(StepTaken(seat, category, step, holder))
        return (Compensating(holder),) if holder else ()
    if command.use == Use.GUILDERS:
        course.emit(GuildersPaid(seat, TRADE_MONEY, "AUG-308"))
    elif command.use != Use.PLAIN:
        take_tile(course, seat, Tile(str(command.use)))
    elif privilege == Privilege.MONEY:
        course.emit(GuildersPaid(seat, MONEY, "AUG-305"))
    elif privilege == Privilege.DRAW:
        draw(course, seat, 2, to_hand=True, rule="AUG-307")
        return (Discarding(seat),)
    else:
        award(course, seat, Gain.PRIVILEGE, PRESTIGE[privilege])
    return ()


def take_tile(course: Course[State], seat: int, tile: Tile, *, by_builder: bool = False) -> None:
    """Take the top tile of a stack (AUG-317)."""
    state = course.state
    tops = {
        Tile.CHURCH: state.churches,
        Tile.CATHEDRAL: state.cathedrals,
        Tile.COAT_OF_ARMS: state.coats,
        Tile.LETTER_OF_NOBILITY: state.letters,
    }
    course.emit(TileTaken(seat, tile, tops[tile][0] if tile in tops else 0, by_builder))


def award(course: Course[State], seat: int, gain: Gain, points: int) -> None:
    """Award prestige; every single award stops at the limit, and the rest is lost (AUG-404)."""
    player = course.state.players[seat - 1]
    kept = points if player.limit is None else min(points, player.limit - player.prestige)
    course.emit(PrestigeGained(seat, gain, points, kept))
