"""What a caller is told when the log fails him."""

from __future__ import annotations

from service import errors
from service.log.port import LogError, OutcomeUnknown


class log_errors:  # noqa: N801 - used like a function
    """Turn the log's errors into a call's."""

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Say when to try again."""
        if isinstance(error, OutcomeUnknown):
            raise unknown_outcome() from error
        if isinstance(error, LogError):
            raise unavailable(error) from error


def unavailable(error: LogError) -> errors.Unavailable:
    """What a caller is told when the log can't be used."""
    reasons = {"Busy": "LOG_BUSY", "Full": "LOG_FULL", "Corrupt": "TABLE_UNREADABLE"}
    reason = reasons.get(type(error).__name__, "LOG_UNAVAILABLE")
    return errors.Unavailable(reason, "The log can't be used now; try again.", retry=1)


def reused() -> errors.AlreadyUsed:
    """What a call is told whose id came before with another body."""
    return errors.AlreadyUsed("REQUEST_ID_REUSED", "This request id came before, with another body; make a new one.")


def unknown_outcome() -> errors.Unavailable:
    """What a caller is told when nobody knows whether his command was written."""
    return errors.Unavailable(
        "OUTCOME_UNKNOWN", "Nobody can tell whether this was written; repeat it under the same request id.", retry=1
    )
