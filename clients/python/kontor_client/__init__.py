r"""A client of Kontor, a rules server for board games: it holds a view, and turns options into answers.

    async with Client("127.0.0.1:50051") as client:
        table = await client.create_table("augsburg", bots=["stand-in", "stand-in"])
        seat = await table.join("Ada")
        await table.start()
        async for update in seat.updates():
            print(*update.sentences, sep="\n")
            if seat.decision:
                await seat.submit(random_answer(seat.decision))

The same without `async` is in `kontor_client.sync`. The messages are in `kontor.v1`, those of a game in
`kontor.<game>.v1`.
"""

from kontor_client.answers import (
    BadAnswer,
    filled_field,
    first_answer,
    first_filling,
    option_answer,
    random_answer,
    units,
)
from kontor_client.client import Client, HostedTable
from kontor_client.commands import game_command
from kontor_client.errors import (
    AlreadyUsed,
    DecisionGone,
    Forbidden,
    KontorError,
    Malformed,
    NotFound,
    OutcomeUnknown,
    Refused,
    TooMuch,
    Unauthenticated,
    Unavailable,
    Unexpected,
)
from kontor_client.viewers import Seat, Spectator, Viewer
from kontor_client.watching import Update, finished

__all__ = [
    "AlreadyUsed",
    "BadAnswer",
    "Client",
    "DecisionGone",
    "Forbidden",
    "HostedTable",
    "KontorError",
    "Malformed",
    "NotFound",
    "OutcomeUnknown",
    "Refused",
    "Seat",
    "Spectator",
    "TooMuch",
    "Unauthenticated",
    "Unavailable",
    "Unexpected",
    "Update",
    "Viewer",
    "filled_field",
    "finished",
    "first_answer",
    "first_filling",
    "game_command",
    "option_answer",
    "random_answer",
    "units",
]
