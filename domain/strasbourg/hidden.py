"""What a viewer does not see, exchanged for something as good; and what never changes in number."""

from __future__ import annotations

from itertools import chain

from domain.chance import Chance, Stream
from domain.course import Answered, Question
from domain.options import sample
from domain.values import Fact, facts, members, replace

from .commands import Command, Keep, MakeStacks
from .components import Influence, Stack, by_size, in_order
from .state import Player, State
from .tasks import met

TRIES = 8
MOST_MONEY, MOST_GOODS, MOST_TASKS = 12, 3, 5
DRAW = 32


def resample(state: State, viewer: int, chance: Chance) -> State:
    """Another state that this viewer can't tell apart, with every thing in its place if the chance changes nothing.

    Of himself he does not know the order of his deck; of the others neither cards nor screen nor tasks nor what they
    have sealed. At the end tasks lie open and privileges have been counted: money and goods must go with what was said
    of the tasks, else the twin is refused and another one tried.
    """
    for attempt in range(TRIES):
        twin = state
        for seat in state.seats:
            twin = _own_deck(twin, seat, chance, attempt) if seat == viewer else _other(twin, seat, chance, attempt)
        if not state.agenda:
            if _same_tasks_met(state, twin):
                return twin
            continue
        twin = _tasks(twin, viewer, chance, attempt)
        return replace(twin, answers=tuple(_sealed(twin, a, viewer, chance, attempt) for a in state.answers))
    return state


def _own_deck(state: State, seat: int, chance: Chance, attempt: int) -> State:
    return state.with_player(seat, deck=chance.shuffle(f"deck:{seat}:{attempt}", state.player(seat).deck))


def _other(state: State, seat: int, chance: Chance, attempt: int) -> State:
    """Another player: his cards change places, the flipped ones and those openly gone excepted; and his screen."""
    player = state.player(seat)
    places = [player.deck, player.hand, player.unused, *(stack.cards for stack in player.stacks)]
    cards = iter(chance.shuffle(f"cards:{seat}:{attempt}", chain(*places)))
    deck, hand, unused, *stacks = [tuple(next(cards) for _ in place) for place in places]
    return state.with_player(
        seat,
        deck=deck,
        hand=in_order(hand),
        unused=in_order(unused),
        stacks=by_size(Stack(in_order(stack)) for stack in stacks),
        **_screen(state, seat, player, chance, attempt),
    )


def _screen(state: State, seat: int, player: Player, chance: Chance, attempt: int) -> dict[str, int | tuple[int, ...]]:
    """Other money and goods, and other privileges until they are counted."""

    def other(what: str, number: int, most: int) -> int:
        numbers = (number, *(n for n in range(most + 1) if n != number))
        return chance.shuffle(f"{what}:{seat}:{attempt}", numbers)[0]

    goods = tuple(other(f"goods-{kind}", number, MOST_GOODS) for kind, number in enumerate(player.goods))
    # One is granted at the end of a round at most, so nobody has more than rounds are over.
    privileges = other("privileges", player.privileges, max(0, state.round - 1)) if state.agenda else player.privileges
    return {"money": other("money", player.money, MOST_MONEY), "goods": goods, "privileges": privileges}


def _tasks(state: State, viewer: int, chance: Chance, attempt: int) -> State:
    """Others may hold other tasks, and another number of them once they have chosen (STR-105)."""
    others = [seat for seat in state.seats if seat != viewer]
    pool = chain(*(state.player(seat).tasks for seat in others), state.spare)
    tasks = iter(chance.shuffle(f"tasks:{attempt}", pool))
    for seat in others:
        number = len(state.player(seat).tasks)
        if state.round:
            numbers = (number, *(n for n in range(1, MOST_TASKS + 1) if n != number))
            number = chance.shuffle(f"number:{seat}:{attempt}", numbers)[0]
        state = state.with_player(seat, tasks=tuple(next(tasks) for _ in range(number)))
    return replace(state, spare=tuple(sorted(tasks, key=lambda task: task.key)))


def _sealed(twin: State, answer: Answered[Command], viewer: int, chance: Chance, attempt: int) -> Answered[Command]:
    """Another sealed answer, of those his new cards allow; the viewer's own stays."""
    draw = chance.shuffle(f"answer:{answer.seat}:{attempt}", range(DRAW))
    if answer.seat == viewer or draw == tuple(range(DRAW)):
        return answer
    question = twin.agenda[0]
    assert isinstance(question, Question)
    kind = Keep if isinstance(answer.command, Keep) else MakeStacks  # to draw one more is never sealed
    option = next(o for o in question.options(twin, answer.seat) if o.command == kind.__name__)
    return Answered(answer.seat, sample(option, members(Command), Stream(bytes(draw), "answer")))


def _same_tasks_met(state: State, twin: State) -> bool:
    return all(
        met(state, seat, task) == met(twin, seat, task) for seat in state.seats for task in state.player(seat).tasks
    )


def conserved(state: State) -> tuple[Fact, ...]:
    """Everybody's 24 influence cards, and the tasks."""
    tasks = sorted(task.key for task in chain(state.spare, *(player.tasks for player in state.players)))
    cards = {f"cards_{seat}": "".join(sorted(_values(state.player(seat)))) for seat in state.seats}
    return facts(**cards, tasks=" ".join(tasks))


def _values(player: Player) -> list[str]:
    stacks = (stack.cards for stack in (*player.stacks, player.flipped) if stack)
    cards: chain[Influence] = chain(player.deck, player.hand, player.out, player.unused, *stacks)
    return [str(card.value) for card in cards]
