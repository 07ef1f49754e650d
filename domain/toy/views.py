"""What is seen, what is hidden, how it ends, and who plays for the absent."""

from __future__ import annotations

from domain.chance import Chance, Stream
from domain.course import Answered, HasAnswered, NowAsked
from domain.engine import Decision, Points, Result, Standing
from domain.options import Why, check, sample
from domain.values import Fact, Seat, Value, facts, members, replace

from .commands import Command
from .components import Card
from .events import CardDrawn, CardHanded, Offered, Packed, RoundBegan, Scored, Staked, by_key
from .state import FairBegan, State

Shown = (
    FairBegan | RoundBegan | Staked | Offered | Scored | CardDrawn | CardHanded | Packed
    | HasAnswered[Command] | NowAsked
)  # fmt: skip


class PlayerView(Value):
    """A player as somebody sees him; coins are nothing where they are hidden."""

    cards: int
    coins: int | None
    stake: int
    points: int


class View(Value):
    """The fair as somebody sees it."""

    seat: Seat
    hand: tuple[Card, ...]
    players: tuple[PlayerView, ...]
    round: int
    first: Seat
    deck: int
    out: tuple[Card, ...]


def view(state: State, viewer: int) -> View:
    """Own hand, everybody's counts (TOY-401, TOY-403)."""
    players = tuple(
        PlayerView(
            len(player.hand),
            player.coins if state.open_coins or seat == viewer else None,
            player.stake,
            player.points,
        )
        for seat, player in enumerate(state.players, 1)
    )
    hand = state.player(viewer).hand if viewer else ()
    return View(viewer, hand, players, state.round, state.first, len(state.deck), state.out)


def resample(state: State, viewer: int, chance: Chance) -> State:
    """Exchange the cards that the viewer does not see, and the coins; redo the sealed answers to fit."""
    others = [seat for seat in state.seats if seat != viewer]
    places = [card for seat in others for card in state.player(seat).hand] + list(state.deck)
    cards = list(chance.shuffle("cards", places))
    twin = state
    for seat in others:
        size, coins = len(state.player(seat).hand), state.player(seat).coins
        new, cards = cards[:size], cards[size:]
        if not state.open_coins:
            others_held = (n for n in range(state.edition.coins.number + 1) if n != coins)
            coins = chance.shuffle(f"coins:{seat}", (coins, *others_held))[0]
        twin = twin.with_player(seat, hand=by_key(tuple(new)), coins=coins)
    twin = replace(twin, deck=tuple(cards))
    answers = tuple(a if a.seat == viewer else _again(twin, a, chance) for a in state.answers)
    return replace(twin, answers=answers)


def _again(twin: State, answer: Answered[Command], chance: Chance) -> Answered[Command]:
    """The sealed answer as it is, if that still fits the hand, or another that does."""
    options = twin.agenda[0].options(twin, answer.seat)  # type: ignore[union-attr]  # only questions have answers
    kept = chance.shuffle(f"kept:{answer.seat}", (True, False))[0]
    if kept and check(options, answer.command, Why("TOY-402", "NOT_OFFERED")) is None:
        return answer
    draw = bytes(chance.shuffle(f"answer:{answer.seat}", range(32)))
    return Answered(answer.seat, sample(options[0], members(Command), Stream(draw, "answer")))


def conserved(state: State) -> tuple[Fact, ...]:
    """Cards never change in number."""
    cards = (*state.deck, *state.out, *(card for player in state.players for card in player.hand))
    return facts(cards=" ".join(sorted(card.key for card in cards)))


def result(state: State) -> Result | None:
    """Most points win (TOY-302)."""
    if state.agenda:
        return None
    ranking = sorted(state.seats, key=lambda seat: -state.player(seat).points)
    scores = [state.player(seat).points for seat in ranking]
    standings = (
        Standing(seat, 1 + scores.index(points), points, (Points("points", points),))
        for seat, points in zip(ranking, scores, strict=True)
    )
    return Result(tuple(standings), "TOY-302")


def stand_in(view: View, decision: Decision) -> Command:
    """Stake one coin, offer the best that fits, hand over what comes first, pack one basket a card."""
    answer: Command = sample(decision.options[0], members(Command), _First())
    assert check(decision.options, answer, Why(decision.rule, "NOT_OFFERED")) is None, view.seat
    return answer


class _First:
    """A source that always gives 0."""

    def below(self, bound: int, /) -> int:
        """Give 0."""
        return 0
