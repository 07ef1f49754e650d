"""Augsburg 1520, as the suite needs to know it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain import augsburg
from domain.augsburg.auction import Auction, Bidding, Paying, Showdown, most_cards
from domain.augsburg.cards import Buying, Dealing, Supplying
from domain.augsburg.commands import BuyCertificates, GiveCertificate, PresentCertificates
from domain.augsburg.components import Card, Noble, in_order
from domain.augsburg.events import Drawn, GuildersPaid
from domain.augsburg.play import Close, End, Money, Prestige, Round
from domain.augsburg.state import Player, State
from domain.augsburg.winner import Compensating, Using
from domain.engine import Game
from domain.values import replace
from tests.conformance import faults
from tests.domain.augsburg.table import CARDS, merchant, start, table, using
from tests.scenario import Scenario, given

RAISES = 4 * (17 + 12) + 80  # in the auctions of a round, each higher than the one before
TURN = 5 + 1 + 4 + 2  # a showdown, a card taken, two privileges with what interrupts them, the builder, a last word
BOUND = 7 * (RAISES * 5 + 5 * TURN + 80 + 5) + 5


def invariants(state: State) -> None:
    """No debts, prestige within its limit, steps and stacks as they can be, hands in order, bids covered."""
    for seat, player in enumerate(state.players, 1):
        assert player.guilders >= 0
        assert 0 <= player.prestige <= (player.limit or player.prestige)
        assert sum(player.earned) == player.prestige
        assert all(1 <= step <= 4 for step in (player.trade, player.nobility, player.office))
        assert player.hand == in_order(player.hand)
        if state.agenda and isinstance(state.agenda[0], Bidding | Paying | Showdown):
            assert player.bid <= most_cards(state, seat)
    assert min(state.step_tiles) >= 0
    assert min(state.minters, state.builders, state.uses) >= 0
    for stack in (state.churches, state.cathedrals, state.coats, state.letters):
        assert list(stack) == sorted(stack, reverse=True)
    assert len(state.face_up) <= 5
    assert not state.built or (state.winner and state.player(state.winner).builder)


# --- positions ----------------------------------------------------------------------------------------------------

PHASE_TWO = (Close(), Money(), Prestige(), Supplying(), Dealing(), Buying())
LOW = " ".join(f"{noble}-{value}" for noble in ("philipp", "louise", "leo") for value in range(1, 6))


def _players(*hands: str, **board: Any) -> tuple[Player, ...]:
    """Players with these hands; the first one's board is as named."""
    return tuple(merchant(hand, **(board if not seat else {})) for seat, hand in enumerate(hands))


def _using(card: str, *players: Player, **changes: Any) -> State:
    """The first player has a privilege card before him."""
    state = using(table(*players), 1, card)
    return given(augsburg, replace(state, **changes), Using(1), Auction(Noble.MARIA)).state  # type: ignore[no-any-return]


def _maximilian() -> Scenario:
    """Three in a showdown for Maximilian, two of whom have chosen."""
    hands = ("leo-15 maria-3 joker", "philipp-15 philipp-7 leo-2 joker", "louise-15 louise-1", "maria-9 maria-10")
    players = [merchant(hand, bid=2) for hand in hands[:3]]
    state = table(*players, merchant(hands[3], passed=True), noble=Noble.MAXIMILIAN)
    scenario = given(augsburg, state, Showdown(), *PHASE_TWO)
    scenario = scenario.when(1, PresentCertificates(("joker", "leo-15")))
    return scenario.when(3, PresentCertificates(("louise-1", "louise-15")))


def _buying(hands: str) -> State:
    """Two of three have bought of their first seven cards."""
    state = start(3, hands)
    scenario = given(augsburg, state)
    for seat in (1, 2):
        scenario = scenario.when(seat, BuyCertificates((state.player(seat).dealt[0].key,)))
    return scenario.state  # type: ignore[no-any-return]


def _short(*hands: str) -> State:
    """Nine cards lie there, of which one is on top and some are discarded; all have to give."""
    state = table(*_players(*hands), supply="maria-14 leo-9 joker", discards="maria-1 maria-2 maria-3", rest=False)
    return given(augsburg, state, Close(), Supplying(), Dealing(), Buying(), Round(2)).state  # type: ignore[no-any-return]


def _passing(agenda: tuple[Any, ...], **changes: Any) -> State:
    """Everybody but one has passed, and he holds nothing to bid with."""
    players = (merchant("joker", passed=True), merchant("leo-3", passed=True), merchant("joker joker"))
    state = table(*players, noble=Noble.MARIA, **changes)
    return given(augsburg, state, Bidding(3), *agenda).state  # type: ignore[no-any-return]


BUILDER = merchant("leo-3 leo-9", 1500, office=4, builder=True)
HANDS = ("leo-3 leo-9 joker", "maria-4 louise-5", "philipp-17")

POSITIONS: dict[str, Callable[[], State]] = {
    "the master builder waits": lambda: _using("money-office-office", BUILDER, *_players(*HANDS[1:]), uses=0),
    "a master builder beside two privileges": lambda: _using(
        "money-office-office", BUILDER, merchant("maria-4", church=800), merchant("leo-4")
    ),
    "a step can only be taken from a holder": lambda: _using(
        "trade-nobility-office", *_players(HANDS[0], trade=3, office=3), merchant("maria-4", trade=4, office=4)
    ),
    "a step was taken": lambda: given(
        augsburg,
        using(table(*_players(*HANDS, office=4)), 1, "trade-nobility-office", uses=1),
        Compensating(2),
        Using(1),
        Auction(Noble.MARIA),
    ).state,
    "right tiles are to be had": lambda: _using(
        "nobility-nobility-draw", *_players(HANDS[0], nobility=4), merchant("maria-4", nobility=3)
    ),
    "the supply is short, and one has no card": lambda: _short(LOW, "", "joker leo-15"),
    "the supply is short, and two have given": lambda: (
        given(augsburg, _short(LOW, "", "joker leo-15"))
        .when(2, GiveCertificate("nothing"))
        .when(1, GiveCertificate("leo-3"))
        .state
    ),
    "the supply is short, and nobody has a card but one": lambda: (
        given(augsburg, _short("", "joker", "")).when(1, GiveCertificate("nothing")).state
    ),
    "the supply is empty, and all must give": lambda: given(
        augsburg, table(*_players(LOW, "joker leo-15"), discards="maria-1 maria-2", rest=False), Close(), Supplying(),
        Dealing(), Buying(), Round(2),
    ).state,
    "the supply runs out in the middle of the deal": lambda: _passing(
        (*PHASE_TWO, Round(2)), supply="maria-14 maria-2", discards=LOW, rest=False
    ),
    "a showdown for Maximilian with sealed answers": lambda: _maximilian().state,
    "the first purchase with sealed answers": lambda: _buying("hidden"),
    "a purchase at a table with open hands": lambda: _buying("open"),
    "the last privilege card": lambda: given(
        augsburg,
        table(
            merchant("maria-5 leo-9 joker", bid=2), merchant(HANDS[1], passed=True), noble=Noble.MAXIMILIAN,
            face_up=start(2).face_up[:1], used=start(2).face_up[1:],
        ),
        Paying(1),
        *PHASE_TWO,
        Round(2),
    ).state,
    "nobody bids": lambda: _passing((Auction(Noble.MAXIMILIAN),)),
    "the last auction of the game": lambda: _passing((Close(), Prestige(), End())),
    "the third round begins": lambda: _passing(
        (Close(), Round(3)), face_down=(), used=start(3).face_down, round=2
    ),
    "one card is left to draw": lambda: _using(
        "trade-prestige-7-draw", *_players("leo-3", HANDS[1]), supply=(CARDS["maria-1"],), privileges=("draw",)
    ),
    "one card is left, and some are discarded": lambda: _using(
        "trade-office-draw",
        *_players("leo-3", HANDS[1], HANDS[2]),
        supply=(CARDS["maria-1"],),
        discards=(CARDS["leo-5"], CARDS["leo-14"], CARDS["joker"], CARDS["maria-17"]),
    ),
}  # fmt: skip


# --- what is hidden -----------------------------------------------------------------------------------------------


def _others(state: State, viewer: int) -> list[int]:
    return [seat for seat in state.seats if seat != viewer]


def _unknown(state: State, viewer: int) -> int:
    """How many cards of the supply and the discards nobody sees."""
    return len(state.supply[1:]) + len(state.discards[:-1])


def _hands(state: State, viewer: int) -> object:
    """The hands of the others, each in order."""
    hands = tuple(state.player(seat).hand for seat in _others(state, viewer))
    return hands if any(hands) and _unknown(state, viewer) > 1 else None


def _sizes(state: State, viewer: int) -> object:
    """How many cards the others hold; of a single other one it can be worked out."""
    sizes = tuple(len(state.player(seat).hand) for seat in _others(state, viewer))
    return None if state.open or len(sizes) < 2 or not any(sizes) else sizes


def _supply(state: State, viewer: int) -> object:
    """The order of the supply, for everybody."""
    return state.supply if len(set(state.supply[1:])) > 1 else None


def _discards(state: State, viewer: int) -> object:
    """What lies under the top of the discards."""
    return state.discards[:-1] if len(set(state.discards[:-1])) > 1 else None


def _guilders(state: State, viewer: int) -> object:
    """The guilders of the others, unless they are open."""
    return None if state.open else tuple(state.player(seat).guilders for seat in _others(state, viewer))


def _dealt(state: State, viewer: int) -> object:
    """What was dealt to the others."""
    dealt = tuple(state.player(seat).dealt for seat in _others(state, viewer))
    return dealt if any(dealt) and _unknown(state, viewer) > 1 else None


def _sealed(state: State, viewer: int) -> object:
    """What others have answered while one is still waited for."""
    return tuple(answer for answer in state.answers if answer.seat != viewer) or None


HIDDEN: dict[str, Callable[[State, int], object]] = {
    "hand": _hands,
    "hand size": _sizes,
    "supply order": _supply,
    "discards": _discards,
    "guilders": _guilders,
    "dealt cards": _dealt,
    "sealed answer": _sealed,
}


# --- planted faults -----------------------------------------------------------------------------------------------


def _card_of_another(state: State, viewer: int) -> Card | None:
    return next((state.player(seat).hand[0] for seat in _others(state, viewer) if state.player(seat).hand), None)


def _second_of_the_supply(state: State, viewer: int) -> int:
    return sum(card.price for card in state.supply[1:2])


def _copied(event: Any) -> Any:
    """Whoever draws finds jokers, whatever lay on top."""
    return replace(event, cards=(CARDS["joker"],) * len(event.cards)) if isinstance(event, Drawn) else event


def _shown_to_all(event: Drawn, shown: Any, viewer: int) -> Any:
    return replace(shown, cards=event.cards)


def _top_untold(event: Drawn, shown: Any, viewer: int) -> Any:
    return replace(shown, top=0)


FAULTS: dict[str, Callable[[], Game]] = {
    faults.HIDDEN_COUNT: lambda: faults.leaky_view(augsburg, _sizes),
    faults.OPTION: lambda: faults.leaky_options(augsburg, _card_of_another),
    faults.CARD_TOO_MANY: lambda: faults.changed_events(augsburg, _copied),
    faults.AUDIENCE: lambda: faults.changed_shows(augsburg, Drawn, _shown_to_all),
    faults.SEALED: lambda: faults.unsealed(augsburg),
    faults.DECK: lambda: faults.leaky_view(augsburg, _second_of_the_supply),
    faults.FORCED: lambda: faults.skips_forced(augsburg),
    faults.REFUSAL: lambda: faults.leaky_refusals(augsburg, _card_of_another),
    faults.FORGETS: lambda: faults.forgets(augsburg, GuildersPaid),
    faults.DRAWS_TWICE: lambda: faults.draws_twice(augsburg),
    faults.UNTOLD: lambda: faults.changed_shows(augsburg, Drawn, _top_untold),
    faults.LAZY: lambda: faults.resamples_nothing(augsburg),
}
