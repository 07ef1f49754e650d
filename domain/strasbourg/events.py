"""What happens at the table: what each event changes, and who sees what of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from domain.course import Public
from domain.values import Seat, Value, replace, reveals

from .city import Field
from .components import CHAIRS, Building, Built, Influence, Stack, Task, by_size, in_order
from .shown import CardDrawn, StacksLaid, TasksChosen

if TYPE_CHECKING:
    from .state import State

SOURCES = ("council", "members", "chapels", "buildings", "privileges", "tasks")
"""Where prestige comes from."""


class TasksKept(Value):
    """A seat keeps some of its tasks; the rest leave the game unseen."""

    rule: ClassVar[str] = "STR-105"
    seat: Seat
    tasks: tuple[Task, ...]

    def apply(self, state: State) -> State:
        """Lay the rest aside."""
        left = (task for task in state.player(self.seat).tasks if task not in self.tasks)
        spare = tuple(sorted((*state.spare, *left), key=lambda task: task.key))
        return replace(state.with_player(self.seat, tasks=self.tasks), spare=spare)

    def show(self, viewer: int) -> TasksChosen:
        """Others don't learn how many, either."""
        return TasksChosen(self.seat, self.tasks if viewer == self.seat else ())


class RoundBegan(Public):
    """A round begins; its card and its building have been known from the start (STR-102)."""

    rule: ClassVar[str] = "STR-101"
    round: int

    def apply(self, state: State) -> State:
        """Turn to the next card."""
        return replace(state, round=self.round, step="", guild="")


class Drawn(Value):
    """The top card of a deck goes to its owner's hand."""

    rule: ClassVar[str] = "STR-201"
    seat: Seat
    card: Influence

    def apply(self, state: State) -> State:
        """Move it."""
        player = state.player(self.seat)
        return state.with_player(self.seat, deck=player.deck[1:], hand=in_order((*player.hand, self.card)))

    def show(self, viewer: int) -> CardDrawn:
        """Only the owner sees which card."""
        return CardDrawn(self.seat, self.card if viewer == self.seat else None)


class StacksMade(Value):
    """A hand is split into stacks, beside those that stayed from the round before (STR-315)."""

    rule: ClassVar[str] = "STR-203"
    seat: Seat
    stacks: tuple[Stack, ...]

    def apply(self, state: State) -> State:
        """Lay them down."""
        return state.with_player(self.seat, hand=(), stacks=by_size((*state.player(self.seat).stacks, *self.stacks)))

    def show(self, viewer: int) -> StacksLaid:
        """Others see sizes (STR-204)."""
        sizes = tuple(len(stack.cards) for stack in self.stacks)
        return StacksLaid(self.seat, sizes, self.stacks if viewer == self.seat else ())


class StepBegan(Public):
    """A step of the round card begins; B, D and F have a guild."""

    rule: ClassVar[str] = "STR-301"
    step: str
    guild: str

    def apply(self, state: State) -> State:
        """Turn to the step."""
        return replace(state, step=self.step, guild=self.guild)


class Flipped(Public):
    """A stack is flipped."""

    rule: ClassVar[str] = "STR-302"
    seat: Seat
    cards: Annotated[tuple[Influence, ...], reveals("STR-302")]

    def apply(self, state: State) -> State:
        """Open it; of equal stacks, one."""
        stacks = list(state.player(self.seat).stacks)
        stack = stacks.pop(stacks.index(Stack(self.cards)))
        return state.with_player(self.seat, stacks=tuple(stacks), flipped=stack)


class Passed(Public):
    """A seat flips nothing in this step."""

    rule: ClassVar[str] = "STR-302"
    seat: Seat

    def apply(self, state: State) -> State:
        """Nothing moves."""
        return state


class Waited(Public):
    """A privilege is spent, and a seat goes behind all who have not decided yet."""

    rule: ClassVar[str] = "STR-303"
    seat: Seat

    def apply(self, state: State) -> State:
        """Spend it; the order stands on the agenda."""
        return state.with_player(self.seat, privileges=state.player(self.seat).privileges - 1)


class Ranked(Public):
    """The flipped stacks are compared: these seats, best first."""

    rule: ClassVar[str] = "STR-304"
    seats: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        """Nothing moves yet."""
        return state


class FigureMoved(Public):
    """The first-player figure goes to the best."""

    rule: ClassVar[str] = "STR-305"
    seat: Seat

    def apply(self, state: State) -> State:
        """Hand it over."""
        return replace(state, first=self.seat)


class ChairTaken(Public):
    """A member takes a place in the council; the former one goes home."""

    rule: ClassVar[str] = "STR-312"
    seat: Seat
    chair: str
    former: Seat

    def apply(self, state: State) -> State:
        """Sit down."""
        at = CHAIRS.index(self.chair)
        return replace(state, council=(*state.council[:at], self.seat, *state.council[at + 1 :]))


class GoodsTaken(Public):
    """A seat gets one of a guild's goods."""

    rule: str  # as master, journeyman or apprentice
    seat: Seat
    goods: str

    def apply(self, state: State) -> State:
        """Put it behind the screen."""
        return state.with_goods(self.seat, (self.goods,), 1)


class MemberPlaced(Public):
    """A member goes to a field of the city, and its price is paid."""

    rule: ClassVar[str] = "STR-311"
    seat: Seat
    field: Field
    price: int

    def apply(self, state: State) -> State:
        """Pay and place."""
        at = state.plan.place[self.field.key]
        state = state.with_player(self.seat, money=state.player(self.seat).money - self.price)
        return replace(state, city=(*state.city[:at], self.seat, *state.city[at + 1 :]))


class Declined(Public):
    """A seat leaves alone what it may do."""

    rule: str
    seat: Seat

    def apply(self, state: State) -> State:
        """Nothing moves."""
        return state


class GoodsSold(Public):
    """The best of the step sells goods to the merchants."""

    rule: ClassVar[str] = "STR-313"
    seat: Seat
    goods: Annotated[tuple[str, ...], reveals("STR-313")]
    money: Annotated[int, reveals("STR-313")]

    def apply(self, state: State) -> State:
        """Give the goods and take the money."""
        state = state.with_goods(self.seat, self.goods, -1)
        return state.with_player(self.seat, money=state.player(self.seat).money + self.money)


class CardPutBack(Public):
    """A flipped card goes openly under its owner's deck."""

    rule: ClassVar[str] = "STR-314"
    seat: Seat
    card: Influence

    def apply(self, state: State) -> State:
        """Under an empty deck it is the deck."""
        player = state.player(self.seat)
        left = list(player.flipped.cards) if player.flipped else []
        left.remove(self.card)
        flipped = Stack(tuple(left)) if left else None
        return state.with_player(self.seat, deck=(*player.deck, self.card), flipped=flipped)


class FlippedLeft(Public):
    """All cards that lie flipped leave the game."""

    rule: ClassVar[str] = "STR-314"

    def apply(self, state: State) -> State:
        """Clear the step."""
        players = tuple(
            replace(player, out=in_order((*player.out, *player.flipped.cards)), flipped=None)
            if player.flipped
            else player
            for player in state.players
        )
        return replace(state, players=players)


class StacksLapsed(Public):
    """Stacks that were not used leave the game unseen."""

    rule: ClassVar[str] = "STR-315"
    seat: Seat
    stacks: int

    def apply(self, state: State) -> State:
        """Nobody looks at them."""
        player = state.player(self.seat)
        unused = in_order((*player.unused, *(card for stack in player.stacks for card in stack.cards)))
        return state.with_player(self.seat, stacks=(), unused=unused)


class ChapelBuilt(Public):
    """The owner of the church chair puts a chapel on a site."""

    rule: ClassVar[str] = "STR-316"
    seat: Seat
    site: str

    def apply(self, state: State) -> State:
        """Build it."""
        return replace(state, chapels=(*state.chapels, self.site))


class BuildingBuilt(Public):
    """The owner of the nobility chair puts the round's building on a site."""

    rule: ClassVar[str] = "STR-317"
    seat: Seat
    building: Building
    site: str

    def apply(self, state: State) -> State:
        """Build it."""
        return replace(state, built=(*state.built, Built(self.building, self.site)))


class PrivilegesGranted(Public):
    """Those with most members in the council get a privilege."""

    rule: ClassVar[str] = "STR-402"
    seats: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        """Put them behind the screens."""
        for seat in self.seats:
            state = state.with_player(seat, privileges=state.player(seat).privileges + 1)
        return state


class Scored(Public):
    """Prestige from something that all can count, for each seat."""

    rule: str
    source: str
    points: tuple[int, ...]

    def apply(self, state: State) -> State:
        """Move the markers."""
        return state.with_points(self.source, self.points)


class PrivilegesScored(Public):
    """Prestige for the privileges that were not spent, for each seat."""

    rule: ClassVar[str] = "STR-504"
    points: Annotated[tuple[int, ...], reveals("STR-504")]

    def apply(self, state: State) -> State:
        """Move the markers."""
        return state.with_points("privileges", self.points)


class TaskScore(Value):
    """A kept task, whether it is met, and what it brings or costs."""

    task: Task
    met: bool
    points: int


class TasksScored(Public):
    """A seat shows the tasks it kept, and what they bring or cost (STR-703)."""

    rule: ClassVar[str] = "STR-505"
    seat: Seat
    tasks: Annotated[tuple[TaskScore, ...], reveals("STR-703")]

    def apply(self, state: State) -> State:
        """Move the marker."""
        total = sum(score.points for score in self.tasks)
        return state.with_points("tasks", tuple(total if seat == self.seat else 0 for seat in state.seats))
