"""What is hidden from a viewer: other states that he cannot tell apart, and what never changes in number."""

from __future__ import annotations

from collections import Counter

from domain.chance import Chance
from domain.course import Answered
from domain.options import Why, canonical, check
from domain.values import Fact, facts, replace

from .auction import most_cards
from .commands import BuyCertificates, Command, GiveCertificate, PresentCertificates
from .components import Card, in_order
from .state import State

TRIES = 12
ANY = Why("AUG-601", "NOT_POSSIBLE")


def resample(state: State, viewer: int, chance: Chance) -> State:
    """Another state with the same view: hands, dealt cards, the supply, the discards, money and sealed answers.

    Exchanges places, and accepts only what could be; each failed try exchanges less, in the end nothing.
    """
    for number in range(TRIES):
        twin = exchanged(state, viewer, chance, f"{number}", within_prices=number >= TRIES // 2)
        if twin is not None:
            return twin
    return state


def exchanged(state: State, viewer: int, chance: Chance, label: str, *, within_prices: bool) -> State | None:
    """Exchange all that is hidden, or nothing where the outcome can't be.

    Where a back is seen, on top of the supply and before a buyer, its price must stay. So cards first change places
    with those of their own price, all of them; then those whose backs are not seen change places freely.
    """
    others = [seat for seat in state.seats if seat != viewer]
    hands = [card for seat in others for card in state.player(seat).hand]
    dealt = [card for seat in others for card in state.player(seat).dealt]
    top, bottom, under = state.supply[:1], state.supply[1:], state.discards[:-1]
    backs_seen = [*top, *dealt]
    cards = _within_prices([*backs_seen, *hands, *bottom, *under], chance, label)
    seen, free = cards[: len(backs_seen)], cards[len(backs_seen) :]
    owners = [seat for seat in others for _ in state.player(seat).hand]
    if not within_prices:
        free = list(chance.shuffle(f"free:{label}", free))
        if not state.open:
            owners = list(chance.shuffle(f"owners:{label}", owners))
    twin, answers = state, {answer.seat: answer.command for answer in state.answers}
    new_dealt = iter(seen[len(top) :])
    for seat in others:
        player = state.player(seat)
        hand = [card for owner, card in zip(owners, free, strict=False) if owner == seat]
        bought = [next(new_dealt) for _ in player.dealt]
        guilders = player.guilders
        if not state.open:
            guilders = chance.shuffle(f"guilders:{label}:{seat}", _amounts(guilders))[0]
        twin = twin.with_player(seat, hand=in_order(hand), dealt=tuple(bought), guilders=guilders)
        if seat in answers:
            answers[seat] = _moved(answers[seat], player.hand, hand, player.dealt, tuple(bought))
    rest = free[len(hands) :]
    supply = (*seen[: len(top)], *rest[: len(bottom)])
    discards = (*rest[len(bottom) :], *state.discards[-1:])
    sealed = tuple(Answered(answer.seat, answers[answer.seat]) for answer in state.answers)
    twin = replace(twin, supply=supply, discards=discards, answers=sealed)
    return twin if _possible(twin, others) else None


def _within_prices(cards: list[Card], chance: Chance, label: str) -> list[Card]:
    """The cards with those of each price exchanged among themselves."""
    result = list(cards)
    for price in sorted({card.price for card in cards}):
        places = [place for place, card in enumerate(cards) if card.price == price]
        for place, card in zip(places, chance.shuffle(f"{price}:{label}", [cards[p] for p in places]), strict=True):
            result[place] = card
    return result


def _amounts(guilders: int) -> tuple[int, ...]:
    """What he might own instead; first what he does."""
    return (guilders, *(amount for amount in range(0, 3001, 250) if amount != guilders), guilders + 50, guilders + 1000)


def _moved(
    command: Command, hand: tuple[Card, ...], new_hand: list[Card], dealt: tuple[Card, ...], new_dealt: tuple[Card, ...]
) -> Command:
    """The sealed answer with the cards that now lie where the chosen ones lay."""
    if isinstance(command, PresentCertificates):
        return canonical(replace(command, cards=_at_places(command.cards, hand, tuple(new_hand))))  # type: ignore[no-any-return]
    if isinstance(command, BuyCertificates):
        return canonical(replace(command, cards=_at_places(command.cards, dealt, new_dealt)))  # type: ignore[no-any-return]
    if isinstance(command, GiveCertificate) and hand:
        return replace(command, card=(*_at_places((command.card,), hand, tuple(new_hand)), "none")[0])
    return command


def _at_places(keys: tuple[str, ...], old: tuple[Card, ...], new: tuple[Card, ...]) -> tuple[str, ...]:
    wanted, found = list(keys), []
    for place, card in enumerate(old):
        if card.key in wanted:
            wanted.remove(card.key)
            if place < len(new):
                found.append(new[place].key)
    return tuple(found)


def _possible(twin: State, others: list[int]) -> bool:
    """Whether bids are covered, sealed answers legal, and everybody who is asked has an answer."""
    question = twin.agenda[0] if twin.agenda else None
    if question is None:
        return True
    bidding = twin.noble is not None and not twin.winner and twin.bid
    for seat in others:
        player = twin.player(seat)
        if bidding and player.bid and not player.passed and most_cards(twin, seat) < player.bid:
            return False
        if seat in twin.waiting and not question.options(twin, seat):  # type: ignore[union-attr]
            return False
    return all(
        check(question.options(twin, answer.seat), answer.command, ANY) is None  # type: ignore[union-attr]
        for answer in twin.answers
    )


def conserved(state: State) -> tuple[Fact, ...]:
    """Cards and tiles never change in number."""
    cards = Counter(card.key for card in (*state.supply, *state.discards))
    for player in state.players:
        cards.update(card.key for card in (*player.hand, *player.dealt))
    privileges = (*state.face_up, *state.face_down, *state.used, *((state.card,) if state.card else ()))
    players = state.players
    return facts(
        cards=" ".join(f"{key}:{count}" for key, count in sorted(cards.items())),
        privileges=" ".join(sorted(card.key for card in privileges)),
        minters=state.minters + sum(player.minter for player in players),
        builders=state.builders + sum(player.builder for player in players),
        churches=sorted((*state.churches, *(player.church for player in players if player.church))),
        cathedrals=sorted((*state.cathedrals, *(player.cathedral for player in players if player.cathedral))),
        coats=sorted((*state.coats, *(player.coat for player in players if player.coat))),
        letters=sorted((*state.letters, *(player.letter for player in players if player.letter))),
        steps=[_step_tiles(state, place) for place in range(9)],
    )


def _step_tiles(state: State, place: int) -> int:
    """Tiles of one step of one category, in the supply and on boards; who stands on 4 has given his 3 away."""
    category, step = ("trade", "nobility", "office")[place // 3], place % 3 + 2
    steps: list[int] = [getattr(player, category) for player in state.players]
    held = sum(own >= 2 for own in steps) if step == 2 else sum(own == step for own in steps)
    return state.step_tiles[place] + held
