"""At the wire: who can't tell two positions apart by the rules gets the same bytes of both, errors included."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from domain.chance import SeededChance
from domain.games import GAMES
from domain.values import facts, replace, to_json
from service import calls, present
from tests.service.host.worlds import Comparison, Difference, positions
from tests.service.log.servers import Process

pytestmark = pytest.mark.anyio

EVERY = 17  # steps of a random game between two positions


def twins(game: Any, seed: int, viewer: int) -> Any:
    """Positions of a random game with their resamples for a viewer, where there is anything hidden."""
    for number, state in enumerate(positions(game, seed)):
        if number % EVERY == seed % EVERY and viewer <= len(state.numbers):
            twin = game.resample(state, viewer, SeededChance(bytes([number % 256]) * 32))
            if twin != state:
                yield state, twin


async def compared(valkey: Process, game: Any, seeds: range, commands: int = 4) -> dict[str, int]:
    """What was compared, for spectators and all seats."""
    done = {"positions": 0, "messages": 0, "refusals": 0, "commands": 0}
    for seed in seeds:
        for viewer in range(game.meta.most_seats + 1):
            for state, twin in list(twins(game, seed, viewer))[:2]:
                comparison = Comparison(game, viewer, seed)
                await comparison.run(valkey, state, twin, commands)
                done["positions"] += 1
                for name in ("messages", "refusals", "commands"):
                    done[name] += getattr(comparison, name)
    return done


@pytest.mark.parametrize("name", GAMES)
async def test_a_position_and_its_resample_give_the_same_bytes(valkey: Process, name: str) -> None:
    """Views, changes, streams and refusals of two servers are byte-equal for every viewer of every game."""
    done = await compared(valkey, GAMES[name], range(2))
    assert all(done.values()), done


def hidden(life: Any) -> str:
    """Something that depends on all that is hidden."""
    return hashlib.sha256(to_json(life.play).encode()).hexdigest()


def in_view(patch: pytest.MonkeyPatch) -> None:
    """A view that holds a number made of the state."""
    real: Callable[..., Any] = present._view

    def leaking(life: Any, seat: int, language: str) -> Any:
        message = real(life, seat, language)
        message["table"]["commitment"] = hidden(life) if life.play is not None else ""
        return message

    patch.setattr(present, "_view", leaking)


def in_size(patch: pytest.MonkeyPatch) -> None:
    """A view whose length alone tells something."""
    real: Callable[..., Any] = present._view

    def leaking(life: Any, seat: int, language: str) -> Any:
        message = real(life, seat, language)
        message["table"]["edition"] = "x" * (int(hidden(life), 16) % 200) if life.play is not None else ""
        return message

    patch.setattr(present, "_view", leaking)


def in_change(patch: pytest.MonkeyPatch) -> None:
    """A change whose tag is made of the state."""
    real: Callable[..., Any] = present._change

    def leaking(life: Any, version: int, seat: int, language: str) -> Any:
        message = real(life, version, seat, language)
        message["moment"]["tag"] = hidden(life) if life.play is not None else ""
        return message

    patch.setattr(present, "_change", leaking)


def in_refusal(patch: pytest.MonkeyPatch) -> None:
    """A refusal with a fact too many."""
    real = calls.refused

    def leaking(life: Any, refusal: Any) -> Any:
        return real(life, replace(refusal, facts=(*refusal.facts, *facts(cards=hidden(life)))))

    patch.setattr(calls, "refused", leaking)


@pytest.mark.parametrize("plant", [in_view, in_size, in_change, in_refusal])
@pytest.mark.parametrize("name", GAMES)
async def test_a_planted_leak_is_caught(
    valkey: Process, name: str, plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison can fail: in a view, in its size, in a change, in a refusal."""
    plant(monkeypatch)
    with pytest.raises(Difference):
        await compared(valkey, GAMES[name], range(3), commands=1)
