"""Cards leave the deck: for a hand, or turned over for Jakob; and the deck that runs out (FUG-207)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.course import Course

from .events import DrawLapsed, Drawn, JakobWentWithout, Shuffled, TurnedForJakob

if TYPE_CHECKING:
    from .state import State


def draw(course: Course[State], seat: int, rule: str) -> None:
    """A player takes the top card. With nothing left in deck and discard his draw lapses (FUG-207)."""
    if not course.state.deck:
        renew(course)
    if not course.state.deck:
        course.emit(DrawLapsed(seat))
        return
    course.emit(Drawn(rule, seat, course.state.deck[0]))
    if not course.state.deck:
        renew(course)


def turn_for_jakob(course: Course[State], goods: int, rule: str) -> None:
    """Cards are turned over one by one until Jakob has so many goods more, or none can be left (FUG-103, FUG-207).

    As long as the deck has cards turning goes on, since nobody looks into it. Once it runs out with no goods in the
    discard he gets no more, not even a second one, though the discard becomes the new deck.
    """
    due = goods
    while due and (course.state.deck or goods_return(course)):
        card = course.state.deck[0]
        course.emit(TurnedForJakob(rule, card))
        if card.good:
            due -= 1
        if not course.state.deck and not goods_return(course):
            break
    if due:
        course.emit(JakobWentWithout(due))


def goods_return(course: Course[State]) -> bool:
    """The deck is out and renewed; whether there were goods in the discard."""
    goods = any(card.good for card in course.state.discard)
    renew(course)
    return goods


def renew(course: Course[State]) -> None:
    """The discard, if there is one, is shuffled into a new deck (FUG-207)."""
    if course.state.discard:
        course.emit(Shuffled(course.shuffle(f"deck:{course.state.shuffles}", course.state.discard)))
