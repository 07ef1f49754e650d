"""Planted faults: a game with one part exchanged, to prove that the suite would notice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from domain.chance import Chance
from domain.course import Answered, HasAnswered
from domain.engine import Decision, Game, Illegal, Outcome
from domain.options import Count, answers, count
from domain.values import Fact, members, replace

T = TypeVar("T")
What = Callable[[Any, int], object]
"""Something hidden, told from the state and a seat from which it is hidden."""

HIDDEN_COUNT = "a view with a hidden count"
OPTION = "an option that depends on another's card"
CARD_TOO_MANY = "an event with a card too many"
AUDIENCE = "a reveal to the wrong audience"
SEALED = "a sealed answer shown early"
DECK = "a public number computed from the deck"
FORCED = "a forced pass skipped"
REFUSAL = "a refusal text that depends on another's card"
FORGETS = "an evolve that forgets"
DRAWS_TWICE = "a decide that draws twice"
UNTOLD = "a price in the view that no event told"
LAZY = "a resample that changes nothing"

KINDS = (
    HIDDEN_COUNT, OPTION, CARD_TOO_MANY, AUDIENCE, SEALED, DECK, FORCED, REFUSAL, FORGETS, DRAWS_TWICE, UNTOLD, LAZY,
)  # fmt: skip


class _Faulty:
    """A game with some parts exchanged."""

    def __init__(self, game: Game, parts: dict[str, Any]) -> None:
        self._game = game
        self.__dict__.update(parts)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


def faulty(game: Game, **parts: Any) -> Game:
    """The game with these parts of its contract exchanged."""
    return cast("Game", _Faulty(game, parts))


def real(game: Game) -> Any:
    """The module behind a faulty game."""
    return real(game._game) if isinstance(game, _Faulty) else game


def ABSENT() -> Game:  # noqa: N802 - stands in a table of faults like a constant
    """Stand for a fault that this game can't have: only for `SEALED`, where nothing is ever sealed."""
    raise NotImplementedError


# --- leaks --------------------------------------------------------------------------------------------------------


def leaky_view(game: Game, what: What) -> Game:
    """The view also tells this."""
    return faulty(game, view=lambda state, viewer: (game.view(state, viewer), what(state, viewer)))


def leaky_options(game: Game, what: What) -> Game:
    """Every option also tells this."""

    def decision(state: Any, seat: int) -> Decision | None:
        asked = game.decision(state, seat)
        if asked is None:
            return None
        hint = Fact("hint", str(what(state, seat)))
        return replace(asked, options=tuple(replace(o, facts=(*o.facts, hint)) for o in asked.options))

    return faulty(game, decision=decision)


def leaky_refusals(game: Game, what: What) -> Game:
    """Every refusal also tells this."""

    def decide(state: Any, decision: Decision, command: Any, chance: Chance) -> Outcome:
        try:
            return game.decide(state, decision, command, chance)
        except Illegal as illegal:
            hint = Fact("hint", str(what(state, decision.seat)))
            raise Illegal(replace(illegal.refusal, facts=(*illegal.refusal.facts, hint))) from None

    return faulty(game, decide=decide)


def changed_shows(game: Game, event_type: Any, change: Callable[[Any, Any, int], Any]) -> Game:
    """What is shown of such an event is change(event, shown, viewer) instead."""

    def show(event: Any, viewer: int) -> Any:
        shown = game.show(event, viewer)
        return change(event, shown, viewer) if isinstance(event, event_type) else shown

    return faulty(game, show=show)


def unsealed(game: Game) -> Game:
    """Sealed answers are shown to all."""
    return changed_shows(game, Answered, lambda event, _, __: HasAnswered(event.seat, event.command))


# --- other breakages ----------------------------------------------------------------------------------------------


def changed_events(game: Game, change: Callable[[Any], Any]) -> Game:
    """Every event is change(event) instead, and the state follows."""

    def fold(state: Any, outcome: Outcome) -> Outcome:
        events = tuple(change(event) for event in outcome.events)
        for event in events:
            state = game.evolve(state, event)
        return Outcome(events, state)

    return faulty(
        game,
        setup=lambda *given: fold(None, game.setup(*given)),
        decide=lambda state, *given: fold(state, game.decide(state, *given)),
    )


def skips_forced(game: Game) -> Game:
    """A seat with a single answer is not asked: the answer is given for it."""
    commands = members(game.Command)

    def go_on(outcome: Outcome, chance: Chance) -> Outcome:
        for seat in game.waiting(outcome.state):
            asked = game.decision(outcome.state, seat)
            if asked and len(asked.options) == 1 and count(asked.options[0]) == Count(1, exact=True):
                (forced,) = answers(asked.options[0], commands)
                after = game.decide(outcome.state, asked, forced, chance)
                return go_on(Outcome((*outcome.events, *after.events), after.state), chance)
        return outcome

    return faulty(
        game,
        setup=lambda *given: go_on(game.setup(*given), given[-1]),
        decide=lambda *given: go_on(game.decide(*given), given[-1]),
    )


def forgets(game: Game, event_type: Any) -> Game:
    """Folding such an event changes nothing."""
    return faulty(
        game, evolve=lambda state, event: state if isinstance(event, event_type) else game.evolve(state, event)
    )


def draws_twice(game: Game) -> Game:
    """Every command draws from the same label."""

    def decide(state: Any, decision: Decision, command: Any, chance: Chance) -> Outcome:
        outcome = game.decide(state, decision, command, chance)
        chance.shuffle("again", range(2))
        return outcome

    return faulty(game, decide=decide)


class _Still:
    """A chance that leaves every order as it is."""

    def shuffle(self, label: str, things: Iterable[T], /) -> tuple[T, ...]:
        return tuple(things)


def resamples_nothing(game: Game) -> Game:
    """The twin is the state itself."""
    return faulty(game, resample=lambda state, viewer, _: game.resample(state, viewer, _Still()))
