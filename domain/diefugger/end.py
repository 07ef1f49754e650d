"""Who has won."""

from __future__ import annotations

from domain.engine import Points, Result, Standing

from .state import Player, State


def result(state: State) -> Result | None:
    """Most florins win; a tie is a shared victory (FUG-503)."""
    if state.agenda:
        return None
    ranking = sorted(enumerate(state.players, 1), key=lambda seated: -seated[1].florins)
    florins = [player.florins for _, player in ranking]
    standings = (Standing(seat, 1 + florins.index(p.florins), p.florins, _by_source(p)) for seat, p in ranking)
    return Result(tuple(standings), "FUG-503")


def _by_source(player: Player) -> tuple[Points, ...]:
    return (
        Points("goods", player.from_goods),  # FUG-305
        Points("seals", player.from_seals),  # FUG-306
        Points("face-down", player.from_face_down),  # FUG-502
    )
