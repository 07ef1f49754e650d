"""Domain values to protobuf and back, compiled once per pair of type and message.

What a game says and shows stands twice: as types in `domain/<game>` and as messages in `proto/kontor/<game>/v1`. Both
are walked when this package is imported; where they disagree the import fails with a sentence that names the place.
Nothing here names a game: it is found by its id among the fields of `GameCommand`, `GameEvent` and `GameView`.

    int          int32               X | None        optional, or an absent message
    bool         bool                tuple[X, ...]   repeated
    str, Enum    string (a key)      a Value         the message of the same name, field by field
    Component    string (its key)    a union         a message with one oneof, a field a class

In a command every singular scalar is `optional`, so that a missing one is told from a 0.
"""

from .asking import (
    answer_from_command,
    decision_to_dict,
    option_from_message,
    option_to_message,
    slot_from_message,
    slot_to_message,
)
from .games import (
    check_keys,
    command_from_answer,
    command_from_message,
    command_to_message,
    event_to_dict,
    known_keys,
    view_to_dict,
)
from .reading import BadRequest
from .shapes import Mismatch
from .tables import bot_key, ranking_to_message, table_event_to_message
from .writing import to_dict, to_message

__all__ = [
    "BadRequest", "Mismatch", "answer_from_command", "bot_key", "check_keys", "command_from_answer",
    "command_from_message", "command_to_message", "decision_to_dict", "event_to_dict", "known_keys",
    "option_from_message", "option_to_message", "ranking_to_message", "slot_from_message", "slot_to_message",
    "table_event_to_message", "to_dict", "to_message", "view_to_dict",
]  # fmt: skip
