"""Tables at which nothing can be done any more, and a seat that was given up: whoever comes back to them is late."""

from __future__ import annotations

import random

from campaigns.chaos.replica import Replica
from campaigns.hostile.arena import Arena, call, opened
from kontor.v1 import CancelTableRequest, GetViewRequest, ResignRequest, SubmitCommandRequest
from kontor_client.answers import random_answer
from kontor_client.watching import finished

MOST = 5000  # answers of one game


async def over(replica: Replica, name: str, game: str) -> Arena:
    """A game played to its end; the lobby beside it was given up."""
    arena, chance = await opened(replica, name, game), random.Random(name)
    token = arena.tokens["lobby host"]
    await call(replica.tables.CancelTable, CancelTableRequest(table_id=arena.lobby, request_id="end"), token)
    seats = [token for role, token in arena.tokens.items() if role.startswith("seat")]
    for number in range(MOST):
        token = seats[number % len(seats)]
        view = (await call(replica.play.GetView, GetViewRequest(table_id=arena.table), token)).view
        if finished(view):
            return arena
        while view.HasField("decision"):
            answer, request = random_answer(view.decision, chance), f"{view.decision.number}-{view.seat}"
            body = SubmitCommandRequest(
                table_id=arena.table, request_id=request, decision=view.decision.number, answer=answer
            )
            view = (await call(replica.play.SubmitCommand, body, token)).view
    raise RuntimeError(f"after {MOST} looks the game of {name} goes on")


async def resigned(replica: Replica, arena: Arena) -> None:
    """The first seat of a table is given up; its token is kept."""
    request = ResignRequest(table_id=arena.table, request_id="resign")
    await call(replica.tables.Resign, request, arena.tokens["seat1"])
