"""Who plays for an absent player: sensibly, from what he himself may know."""

from __future__ import annotations

from collections.abc import Callable

from domain.engine import Decision
from domain.options import Group, Option, PickOne, PickSome

from .commands import (
    Build,
    BuildChapel,
    Command,
    Decline,
    Draw,
    Flip,
    Keep,
    MakeStacks,
    Pass,
    Place,
    PutBack,
    Sell,
    TakeGoods,
)  # fmt: skip
from .components import BY_KEY, ROUNDS
from .views import Own, View

EASY = ("most-members", "wall", "council", "nobility-or-church", "line", "each-guild", "chapels", "first-player")
"""Conditions that come by themselves to one who places many members, the likeliest first."""
GOODS = "goods"
STRONG = 4
"""A stack of so much may well win a step."""
INFLUENCED, MERCHANTS = "ABCDEFG", "CEG"
"""The steps in which stacks are flipped; those of the merchants."""


def stand_in(view: View, decision: Decision) -> Command:
    """Keep few tasks, spend the deck evenly, win guild steps, always place, build beside the own members."""
    assert view.own is not None
    options = {option.command: option for option in decision.options}
    said = (answer(view, view.own, options[name]) for name, answer in ANSWERS.items() if name in options)
    return next(command for command in said if command is not None)


def _keep(view: View, own: Own, option: Option) -> Command | None:
    """The easiest task, and a second one if it is easy too."""
    ease = {condition: n for n, condition in enumerate(EASY)}
    order = sorted(own.tasks, key=lambda task: ease.get(task.condition, len(EASY)))
    easy = [task.key for task in order if task.condition in EASY[:4]]
    return Keep(tuple(sorted(easy[:2] or [order[0].key])))


def _draw(view: View, own: Own, option: Option) -> Command | None:
    """As many cards a round as the rounds to come leave."""
    deck, rounds = view.players[view.seat - 1].deck, ROUNDS - view.round + 1
    return Draw() if len(own.hand) * rounds < deck + len(own.hand) else None


def _make_stacks(view: View, own: Own, option: Option) -> Command | None:
    """High cards alone, low ones together."""
    stacks: list[list[str]] = []
    worth = STRONG
    for card in sorted(own.hand, key=lambda card: card.value):
        if worth >= STRONG:
            stacks.append([])
            worth = 0
        stacks[-1].append(card.key)
        worth += card.value
    return MakeStacks(tuple(Group(tuple(stack)) for stack in stacks))


def _flip(view: View, own: Own, option: Option) -> Command | None:
    """In a step worth it: the best stack if nobody has flipped yet, else the smallest that leads."""
    now = _worth(view, own, view.step)
    wanted = [step for step in INFLUENCED if step >= view.step and _worth(view, own, step) >= now]
    if not now or len(wanted) > 2 * len(own.stacks):
        return None
    best = max(sum(card.value for card in player.flipped) for player in view.players)
    stacks = sorted(own.stacks, key=lambda stack: stack.worth)
    leading = [stack for stack in stacks if stack.worth > best]
    if leading:
        chosen = leading[0] if best else leading[-1]
    elif view.guild:  # second or third is worth a low stack here, and nothing elsewhere
        chosen = stacks[0]
    else:
        return None
    return Flip(tuple(card.key for card in chosen.cards))


def _worth(view: View, own: Own, step: str) -> int:
    """How much a step is worth to him now: guilds most, merchants only with goods to sell."""
    if step in MERCHANTS:
        return min(2, len(own.goods)) if view.round < ROUNDS or step == "G" else 0
    return 2 if step == "A" else 3


def _place(view: View, own: Own, option: Option) -> Command | None:
    """The field that earns most."""
    (slot,) = option.slots
    assert isinstance(slot, PickOne)
    return Place(max(slot.keys, key=lambda key: _field_value(view, key)))


def _field_value(view: View, key: str) -> int:
    """What a member on this field would earn by what stands now."""
    chapels = sum(_touches(key, site) for site in view.chapels)
    return chapels + sum(built.building.number for built in view.built if _next_to(key, built.site))


def _sell(view: View, own: Own, option: Option) -> Command | None:
    """Everything, but one of each kind for the task that asks for kinds."""
    (slot,) = option.slots
    assert isinstance(slot, PickSome)
    kept = int(any(task.condition == GOODS for task in own.tasks))
    return Sell(tuple(sorted(item.key for item in slot.items for _ in range(item.count - kept))))


def _put_back(view: View, own: Own, option: Option) -> Command | None:
    """The highest card."""
    (slot,) = option.slots
    assert isinstance(slot, PickOne)
    return PutBack(max(slot.keys, key=lambda key: BY_KEY[key].value))


def _build_chapel(view: View, own: Own, option: Option) -> Command | None:
    """Where most own members stand, and fewest of others."""
    return BuildChapel(_site(view, option, _touches))


def _build(view: View, own: Own, option: Option) -> Command | None:
    """The same for a building."""
    return Build(_site(view, option, _next_to))


def _site(view: View, option: Option, near: Callable[[str, str], bool]) -> str:
    (slot,) = option.slots
    assert isinstance(slot, PickOne)

    def gain(site: str) -> int:
        """Others share what they gain among themselves."""
        seats = [member.seat for member in view.members if near(member.field.key, site)]
        return len(view.players) * seats.count(view.seat) - len(seats)

    return max(slot.keys, key=gain)


def _touches(field: str, chapel: str) -> bool:
    """Whether a field meets at a chapel's corner point."""
    (row, column), (r, c) = _cell(field), _cell(chapel)
    return 0 <= r - row <= 1 and 0 <= c - column <= 1


def _next_to(field: str, site: str) -> bool:
    """Whether a field lies across or down from a building site."""
    (row, column), (r, c) = _cell(field), _cell(site)
    return abs(r - row) + abs(c - column) == 1


def _cell(key: str) -> tuple[int, int]:
    _, row, column = key.split("-")
    return int(row), int(column)


Answer = Callable[[View, Own, Option], Command | None]

ANSWERS: dict[str, Answer] = {
    "Keep": _keep,
    "Draw": _draw,
    "MakeStacks": _make_stacks,
    "Flip": _flip,
    "Pass": lambda *_: Pass(),
    "Place": _place,
    "TakeGoods": lambda *_: TakeGoods(),
    "Sell": _sell,
    "PutBack": _put_back,
    "Decline": lambda *_: Decline(),
    "BuildChapel": _build_chapel,
    "Build": _build,
}
"""What he says where it is offered, the first that fits."""
