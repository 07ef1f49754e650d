"""What a call can end with instead of an answer; the edge turns each into a status.

Refusal of a call
├── Malformed          INVALID_ARGUMENT      the request itself is wrong, at a path
├── Unauthenticated    UNAUTHENTICATED       no token, or none that is worth anything
├── NotFound           NOT_FOUND             no such table, or not one this token belongs to
├── Forbidden          PERMISSION_DENIED     the right table, but not this caller's to do
├── AgainstTheRules    FAILED_PRECONDITION   refused by a rule, or by the state of the table
├── AlreadyUsed        ALREADY_EXISTS        a request id that came before with another body
├── TooMuch            RESOURCE_EXHAUSTED    later, after so many seconds
└── Unavailable        UNAVAILABLE           later; with OUTCOME_UNKNOWN under the same request id

Every one carries a stable reason and facts; no fact is a card, a token or a seed.
"""

from __future__ import annotations

from domain.options import Refusal
from domain.values import Fact, facts


class CallError(Exception):
    """A call that is not answered."""

    status = ""

    def __init__(self, reason: str, sentence: str, retry: float | None = None, **named: object) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence
        self.facts: tuple[Fact, ...] = facts(**named)
        self.retry = retry  # seconds after which trying again makes sense


class Malformed(CallError):
    """The request itself is wrong."""

    status = "INVALID_ARGUMENT"

    def __init__(self, path: str, sentence: str, reason: str = "MALFORMED") -> None:
        super().__init__(reason, f"{path}: {sentence}" if path else sentence, path=path)
        self.path = path
        self.description = sentence


class Unauthenticated(CallError):
    """No token, or none that is worth anything."""

    status = "UNAUTHENTICATED"


class NotFound(CallError):
    """No such table, as far as this caller may know."""

    status = "NOT_FOUND"


class Forbidden(CallError):
    """The right table, but not this caller's to do."""

    status = "PERMISSION_DENIED"


class AgainstTheRules(CallError):
    """Refused by a rule of the game or by the state of the table; its sentence is made in the caller's language."""

    status = "FAILED_PRECONDITION"

    def __init__(self, refusal: Refusal, game: str = "", names: tuple[str, ...] = ()) -> None:
        super().__init__(refusal.reason, refusal.reason)
        self.refusal = refusal
        self.facts = refusal.facts
        self.game = game
        self.names = names


class AlreadyUsed(CallError):
    """A request id that came before, with another body."""

    status = "ALREADY_EXISTS"


class TooMuch(CallError):
    """More than this caller may ask for now."""

    status = "RESOURCE_EXHAUSTED"


class Unavailable(CallError):
    """It can't be done now."""

    status = "UNAVAILABLE"


def no_table() -> NotFound:
    """One sentence for a table that is not there and for one that is not the caller's."""
    return NotFound("TABLE_NOT_FOUND", "There is no such table, or your token does not belong to it.")
