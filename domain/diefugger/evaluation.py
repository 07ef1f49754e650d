"""The evaluation of a round: when it comes, how prices move, what is paid; and what face-down cards pay at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.course import Course

from .components import Card
from .events import FaceDownPaid, FaceDownShown, GoodsPaid, PriceMoved, SealsPaid

if TYPE_CHECKING:
    from .state import Price, State

COMPLETE = 5  # FUG-301
RISING = 3  # FUG-302
RARE = 3  # FUG-306


def counted(prices: tuple[Price, ...], *rows: tuple[Card, ...]) -> dict[str, int]:
    """How many cards of each good lie in these rows."""
    lying = {price.good: 0 for price in prices}
    for row in rows:
        for card in row:
            if card.good:
                lying[card.good] += 1
    return lying


def open_goods(state: State) -> dict[str, int]:
    """How many open cards of each good lie on the table, Jakob's included and face-down ones not (FUG-301)."""
    return counted(state.prices, state.jakob, *[player.open for player in state.players])


def complete_good(state: State) -> str:
    """The good of which five open cards lie on the table; "" while there is none (FUG-301)."""
    for good, number in open_goods(state).items():
        if number >= COMPLETE:
            return good
    return ""


def moved_price(price: int, number: int, lying: dict[str, int], board: range) -> tuple[str, int]:
    """The new price of a good of which so many cards lie open, and the rule that moves it."""
    more_common = sum(1 for other in lying.values() if other > number)
    if number and more_common < RISING:  # the three most common, and all tied with the third
        return ("FUG-302", price + number) if price + number in board else ("FUG-303", board[0])
    return "FUG-304", max(price - 1, board[0])


def move_prices(course: Course[State], lying: dict[str, int]) -> None:
    """Every price rises by the number of open cards of its good, or falls (FUG-302 to FUG-304)."""
    board = course.state.edition.board
    for before in course.state.prices:
        rule, price = moved_price(before.price, lying[before.good], lying, board)
        if price != before.price:
            course.emit(PriceMoved(rule, before.good, price))


def pay(cards: tuple[Card, ...], price: dict[str, int], lying: dict[str, int]) -> tuple[int, int]:
    """What open cards earn: their prices (FUG-305), and those of sealed cards of rare goods once more (FUG-306)."""
    goods = sum(price[card.good] for card in cards if card.good)
    seals = sum(price[card.good] for card in cards if card.sealed and lying[card.good] <= RARE)
    return goods, seals


def pay_goods(course: Course[State], lying: dict[str, int]) -> None:
    """Each player is paid by the new prices; Jakob never is (FUG-305 to FUG-307)."""
    price = {price.good: price.price for price in course.state.prices}
    for seat, player in enumerate(course.state.players, 1):
        goods, seals = pay(player.open, price, lying)
        if goods:
            course.emit(GoodsPaid(seat, goods))
        if seals:
            course.emit(SealsPaid(seat, seals))


def pay_face_down(course: Course[State]) -> None:
    """All face-down cards are shown, and each pays double its price, sealed or not (FUG-502, FUG-603)."""
    price = {price.good: price.price for price in course.state.prices}
    players = course.state.players
    laid = [(seat, tuple(laid.card for laid in p.face_down)) for seat, p in enumerate(players, 1) if p.face_down]
    for seat, cards in laid:
        course.emit(FaceDownShown(seat, cards))
    for seat, cards in laid:
        course.emit(FaceDownPaid(seat, sum(2 * price[card.good] for card in cards)))
