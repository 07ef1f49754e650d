"""What is hidden from a viewer: other states that he cannot tell apart, and what never changes in number."""

from __future__ import annotations

from collections import Counter

from domain.chance import Chance
from domain.course import Answered
from domain.values import Fact, facts, replace

from .auction import Bidding, Paying, Showdown, most_cards
from .cards import Buying, Discarding
from .commands import NOTHING, BuyCertificates, Command, GiveCertificate, PresentCertificates
from .components import Card, in_order
from .state import State

RICHES = 3000


def resample(state: State, viewer: int, chance: Chance) -> State:
    """Another state with the same view: hands and their sizes, dealt cards, supply, discards, money, sealed answers.

    Cards change places two by two, and only where the outcome could be. A back that is seen, on top of the supply or
    before a buyer, keeps its price: so first those of a price change places, then those whose backs are not seen.
    """
    places = Places(state, viewer)
    for price in sorted({card.price for card in places.cards}):
        places.exchange([place for place, card in enumerate(places.cards) if card.price == price], chance, f"{price}")
    places.exchange(list(range(places.seen, len(places.cards))), chance, "unseen")
    if not state.open:
        places.hand_on(chance)
    places.choose_again(chance)
    return places.state(chance)


class Places:
    """The cards that are hidden from a viewer, each on its place."""

    def __init__(self, state: State, viewer: int) -> None:
        self.before = state
        self.others = [seat for seat in state.seats if seat != viewer]
        self.cards: list[Card] = []
        self.top = self._lay(state.supply[:1])
        self.dealt = {seat: self._lay(state.player(seat).dealt) for seat in self.others}
        self.seen = len(self.cards)
        self.hands = {seat: self._lay(state.player(seat).hand) for seat in self.others}
        self.bottom, self.under = self._lay(state.supply[1:]), self._lay(state.discards[:-1])
        self.owner = {place: seat for seat, hand in self.hands.items() for place in hand}
        sealed = [answer for answer in state.answers if answer.seat != viewer]
        self.chosen = {answer.seat: self._chosen(answer.seat, answer.command) for answer in sealed}

    def _lay(self, cards: tuple[Card, ...]) -> list[int]:
        self.cards += cards
        return list(range(len(self.cards) - len(cards), len(self.cards)))

    def _chosen(self, seat: int, command: Command) -> list[int]:
        """The places of the cards that a sealed answer names, of equal cards the first."""
        wanted = [command.card] if isinstance(command, GiveCertificate) else list(getattr(command, "cards", ()))
        chosen = []
        for place in self.dealt[seat] if isinstance(command, BuyCertificates) else self.hands[seat]:
            if self.cards[place].key in wanted:
                wanted.remove(self.cards[place].key)
                chosen.append(place)
        return chosen

    def exchange(self, places: list[int], chance: Chance, label: str) -> None:
        """Let the cards on these places change them."""
        for one, other in zip(places, chance.shuffle(label, places), strict=True):
            if one < other:
                self._swap(one, other)
                if not (self._possible(self.owner.get(one, 0)) and self._possible(self.owner.get(other, 0))):
                    self._swap(one, other)

    def _swap(self, one: int, other: int) -> None:
        self.cards[one], self.cards[other] = self.cards[other], self.cards[one]

    def hand_on(self, chance: Chance) -> None:
        """Let everybody hand some cards on to the next one: how many each holds is hidden (AUG-606)."""
        for seat, following in zip(self.others, (*self.others[1:], self.others[0]), strict=True):
            free = [place for place in self.hands[seat] if place not in self.chosen.get(seat, ())]
            for place in free[: chance.shuffle(f"cards:{seat}", range(len(free) + 1))[0]]:
                self.hands[seat].remove(place)
                if self._possible(seat):
                    self.hands[following].append(place)
                else:
                    self.hands[seat].append(place)

    def choose_again(self, chance: Chance) -> None:
        """Let sealed answers name other cards; of a purchase also another number of them (AUG-603)."""
        buying = isinstance(self.before.agenda[0], Buying) if self.before.agenda else False
        for seat, chosen in self.chosen.items():
            pool = self.dealt[seat] if buying else self.hands[seat]
            order = chance.shuffle(f"chosen:{seat}", [*chosen, *(place for place in pool if place not in chosen)])
            numbers = [len(chosen), *(n for n in range(len(pool) + 1) if n != len(chosen))]
            number = chance.shuffle(f"number:{seat}", numbers)[0] if buying else len(chosen)
            self.chosen[seat] = sorted(order[:number])
            if not self._possible(seat):
                self.chosen[seat] = chosen

    def _possible(self, seat: int) -> bool:
        """Whether a hand covers its bid and sealed cards are legal; who must discard needs a card (AUG-206)."""
        if not seat or not self.before.agenda:
            return True
        question, player, chosen = self.before.agenda[0], self.before.player(seat), self.chosen.get(seat, [])
        if isinstance(question, Discarding):
            return bool(self.hands[seat]) or seat != question.seat
        if isinstance(question, Buying):
            return not self.before.open or self._paid(seat) <= player.guilders
        if not isinstance(question, Bidding | Paying | Showdown):
            return True
        return self._most(seat, self.hands[seat]) >= player.bid and self._most(seat, chosen) == len(chosen)

    def _most(self, seat: int, places: list[int]) -> int:
        """The highest bid that these cards allow."""
        return most_cards(self.before.with_player(seat, hand=in_order(self._at(places))), seat)

    def _paid(self, seat: int) -> int:
        """What a sealed purchase costs."""
        return sum(self.cards[place].price for place in self.chosen.get(seat, ()) if place in self.dealt[seat])

    def state(self, chance: Chance) -> State:
        """The state with the cards where they lie now, and other riches where they are hidden."""
        twin, answers = self.before, {answer.seat: answer.command for answer in self.before.answers}
        for seat in self.others:
            player = twin.player(seat)
            guilders = player.guilders
            if not twin.open:
                guilders = chance.shuffle(f"guilders:{seat}", _amounts(guilders, self._paid(seat)))[0]
            hand, dealt = self._at(self.hands[seat]), self._at(self.dealt[seat])
            twin = twin.with_player(seat, hand=in_order(hand), dealt=dealt, guilders=guilders)
            if seat in self.chosen:
                answers[seat] = self._answer(seat, answers[seat])
        return replace(
            twin,
            supply=self._at([*self.top, *self.bottom]),
            discards=(*self._at(self.under), *twin.discards[-1:]),
            answers=tuple(Answered(answer.seat, answers[answer.seat]) for answer in twin.answers),
        )

    def _at(self, places: list[int]) -> tuple[Card, ...]:
        return tuple(self.cards[place] for place in places)

    def _answer(self, seat: int, command: Command) -> Command:
        """The sealed answer with the cards that lie now where the chosen ones lay."""
        if isinstance(command, GiveCertificate):
            given = self._at(self.chosen[seat] or self.hands[seat])
            return GiveCertificate(given[0].key if given else NOTHING)
        assert isinstance(command, PresentCertificates | BuyCertificates)
        return replace(command, cards=tuple(sorted(card.key for card in self._at(self.chosen[seat]))))


def _amounts(guilders: int, least: int) -> tuple[int, ...]:
    """What he might own instead, no less than this; first what he does, if it is enough."""
    own = max(guilders, least)
    return (own, *(amount for amount in range(least, least + RICHES, 250) if amount != own))


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
