"""Random play in other engines: list the legal actions, pick one, step. Each plays until its time is up.

All are given Python's own `random.choice`, which is quicker than what their own random agents use.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from random import Random
from time import process_time

Play = Callable[[float], float]
"""Plays for so many CPU seconds and says how many decisions a CPU second there were."""

OPEN_SPIEL = ("kuhn_poker", "tic_tac_toe", "liars_poker", "block_dominoes")


def rivals() -> tuple[dict[str, Play], list[str]]:
    """Everything installed to compare with, by its name, and what is not there."""
    found: dict[str, Play] = {}
    absent = []
    for name, make in (("RLCard", rlcard), ("OpenSpiel", open_spiel)):
        try:
            found |= make()
        except ImportError as error:
            absent.append(f"{name} ({error})")
    return found, absent


def rlcard() -> dict[str, Play]:
    """RLCard's gin rummy: as its users step it, through the environment; and its bare game object."""
    make = importlib.import_module("rlcard").make
    dice = Random(7)

    def through_env(seconds: float) -> float:
        env = make("gin-rummy", config={"seed": 7})
        decisions, start = 0, process_time()
        while (spent := process_time() - start) < seconds:
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(dice.choice(list(state["legal_actions"])))
                decisions += 1
        return decisions / spent

    def bare(seconds: float) -> float:
        game = make("gin-rummy", config={"seed": 7}).game
        decisions, start = 0, process_time()
        while (spent := process_time() - start) < seconds:
            game.init_game()
            while not game.is_over():
                game.step(dice.choice(game.judge.get_legal_actions()))
                decisions += 1
        return decisions / spent

    return {"RLCard gin-rummy": through_env, "RLCard gin-rummy, bare game": bare}


def open_spiel() -> dict[str, Play]:
    """OpenSpiel's games that are written in Python. What chance does is played, but is no decision."""
    pyspiel = importlib.import_module("pyspiel")
    dice = Random(7)

    def playing(name: str) -> Play:
        importlib.import_module(f"open_spiel.python.games.{name}")
        game = pyspiel.load_game(f"python_{name}")

        def play(seconds: float) -> float:
            decisions, start = 0, process_time()
            while (spent := process_time() - start) < seconds:
                state = game.new_initial_state()
                while not state.is_terminal():
                    if state.is_chance_node():
                        actions, weights = zip(*state.chance_outcomes(), strict=True)
                        state.apply_action(dice.choices(actions, weights)[0])
                    else:
                        state.apply_action(dice.choice(state.legal_actions()))
                        decisions += 1
            return decisions / spent

        return play

    return {f"OpenSpiel python_{name}": playing(name) for name in OPEN_SPIEL}
