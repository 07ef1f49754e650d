"""Whole games, written down as text, are played again word by word."""

from __future__ import annotations

from tests.conformance import golden
from tests.conformance.subjects import Subject


def test_golden_playthroughs_replay(subject: Subject) -> None:
    """The answers in the corpus cause the same events, shown in the same words, for every player count."""
    meta = subject.game.meta
    for players in range(meta.least_seats, meta.most_seats + 1):
        text = golden.path(meta.id, players).read_text("utf-8")
        assert golden.replayed(subject.game, text) == text, f"{meta.id} with {players} players is told otherwise now"


def test_a_random_game_is_written_and_replayed(subject: Subject) -> None:
    """What `make golden` would write replays to itself."""
    players = subject.game.meta.most_seats
    text = golden.written(subject.game, players)
    assert golden.replayed(subject.game, text) == text
