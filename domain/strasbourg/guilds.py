"""What the ranks earn: a chair, goods, a member in the city, a sale (STR-306..313)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from domain.course import Course, Step, Turn
from domain.options import Item, Option, PickOne, PickSome, Why
from domain.values import Fact, Seat, facts

from .commands import Decline, Place, Sell, TakeGoods
from .components import CHAIRS, GUILDS, MERCHANTS
from .events import ChairTaken, Declined, GoodsSold, GoodsTaken, MemberPlaced

if TYPE_CHECKING:
    from .play import AgendaItem
    from .state import State

NOT_A_FIELD = Why("STR-311", "NOT_OFFERED")  # `explain` tells which: taken, of another guild, too dear, or no field
NOT_HELD = Why("STR-313", "GOODS_NOT_HELD")

TAKE_GOODS = Option("TakeGoods", "STR-310")
PLACE_NONE = Option("Decline", "STR-311", facts=facts(what="member"))


class TakingChair(Step):
    """A member takes a place in the council; the former one goes home (STR-306, STR-312)."""

    seat: Seat
    chair: str

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Sit down."""
        take_chair(course, self.seat, self.chair)
        return ()


class Master(Step):
    """The guild's chair, one of its goods, and he may place a member (STR-308)."""

    seat: Seat
    guild: str

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Sit down and take the goods."""
        take_chair(course, self.seat, self.guild)
        take_goods(course, "STR-308", self.seat, self.guild)
        return (Placing(self.seat, self.guild),)


class Journeyman(Step):
    """One of the guild's goods, and he may place a member (STR-309)."""

    seat: Seat
    guild: str

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Take the goods."""
        take_goods(course, "STR-309", self.seat, self.guild)
        return (Placing(self.seat, self.guild),)


class Placing(Turn):
    """On which field, if any (STR-311)? Asked of the poor too, since money is hidden."""

    rule: ClassVar[str] = "STR-311"
    guild: str

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Any field he can pay, or none."""
        return (*place(state, seat, self.guild), PLACE_NONE)

    def facts(self, state: State, seat: int) -> tuple[Fact, ...]:
        """Of which guild."""
        return facts(guild=self.guild)

    def answered(self, course: Course[State], command: Place | Decline) -> tuple[AgendaItem, ...]:
        """Pay and place."""
        if isinstance(command, Place):
            place_member(course, self.seat, command.field)
        else:
            course.emit(Declined(self.rule, self.seat))
        return ()


class Apprentice(Turn):
    """The goods, or a member in the city? Exactly one of the two (STR-310)."""

    rule: ClassVar[str] = "STR-310"
    guild: str

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Without money the goods are his one answer."""
        return (TAKE_GOODS, *place(state, seat, self.guild))

    def facts(self, state: State, seat: int) -> tuple[Fact, ...]:
        """Of which guild."""
        return facts(guild=self.guild)

    def answered(self, course: Course[State], command: TakeGoods | Place) -> tuple[AgendaItem, ...]:
        """Take or place."""
        if isinstance(command, Place):
            place_member(course, self.seat, command.field)
        else:
            take_goods(course, self.rule, self.seat, self.guild)
        return ()


class Merchant(Step):
    """The best of a merchants' step sells; in step G he first takes the merchants' chair (STR-313)."""

    seat: Seat
    step: str

    def run(self, course: Course[State]) -> tuple[AgendaItem, ...]:
        """Sit down, then sell."""
        if self.step == "G":
            take_chair(course, self.seat, MERCHANTS)
        return (Selling(self.seat),)


class Selling(Turn):
    """Which goods are sold (STR-313)? Asked also without goods, since they are hidden."""

    rule: ClassVar[str] = "STR-313"

    def options(self, state: State, seat: int) -> tuple[Option, ...]:
        """Any of them, also none."""
        held = state.player(seat).goods
        rows = zip(state.edition.guilds, held, strict=True)
        goods = tuple(Item(row.goods, number, row.value) for row, number in rows if number)
        return (Option("Sell", self.rule, slots=(PickSome("goods", goods, 0, sum(held), NOT_HELD, NOT_HELD),)),)

    def answered(self, course: Course[State], command: Sell) -> tuple[AgendaItem, ...]:
        """At their printed value."""
        value = {row.goods: row.value for row in course.state.edition.guilds}
        course.emit(GoodsSold(self.seat, command.goods, sum(value[key] for key in command.goods)))
        return ()


def take_chair(course: Course[State], seat: int, chair: str) -> None:
    """Who sat there goes home (STR-312)."""
    course.emit(ChairTaken(seat, chair, course.state.council[CHAIRS.index(chair)]))


def take_goods(course: Course[State], rule: str, seat: int, guild: str) -> None:
    """One of what the guild makes."""
    course.emit(GoodsTaken(rule, seat, course.state.edition.guilds[GUILDS.index(guild)].goods))


def place_member(course: Course[State], seat: int, key: str) -> None:
    """On a field of the city."""
    plan = course.state.plan
    field = plan.fields[plan.place[key]]
    course.emit(MemberPlaced(seat, field, field.price))


def place(state: State, seat: int, guild: str) -> tuple[Option, ...]:
    """The option to place a member on a free field of the guild that he can pay, if there is one (STR-311)."""
    plan, owners, money = state.plan, state.city, state.player(seat).money
    free = (plan.fields[at] for at in plan.guilds[guild] if not owners[at])
    keys = tuple(field.key for field in free if field.price <= money)
    return (Option("Place", "STR-311", slots=(PickOne("field", keys, NOT_A_FIELD),)),) if keys else ()
