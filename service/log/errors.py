"""What an error of Redis means to the log."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager

from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    NoPermissionError,
    OutOfMemoryError,
    RedisError,
    ResponseError,
)

from service.log.port import Corrupt, Full, LogError, Misconfigured, Unavailable

# What a connection may raise; RuntimeError is uvloop's word for one that was closed before the next write.
BROKEN = (RedisError, OSError, TimeoutError, RuntimeError)

# Replies by which a server says that it did nothing, and that it may be otherwise soon.
_LATER = ("READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS", "MISCONF", "BUSY", "NOSCRIPT")

# What a script is told whose user lacks a right: Redis 7, Valkey. Neither has a code of its own for it.
_NO_RIGHT = re.compile("can't run this command|ACL failure in script")


def meaning(error: BaseException) -> LogError:
    """The log's own error for one of redis-py's, where nothing was written."""
    sentence = str(error) or type(error).__name__
    code = getattr(error, "status_code", None) or sentence.partition(" ")[0]
    if isinstance(error, LogError):
        return error
    if isinstance(error, AuthenticationError | AuthorizationError | NoPermissionError) or _NO_RIGHT.search(sentence):
        return Misconfigured(f"The log's credentials do not suffice: {sentence}")
    if isinstance(error, OutOfMemoryError):
        return Full(f"The log has no memory left: {sentence}")
    if code in _LATER:
        return Unavailable(f"The log cannot be written now: {code} {sentence.removeprefix(code).strip()}")
    if isinstance(error, ResponseError):
        return Corrupt(f"The store refuses the key as a log: {sentence}")
    return Unavailable(f"The log cannot be reached: {sentence}")


@contextmanager
def translated() -> Iterator[None]:
    """Raise the log's errors in place of redis-py's, and a cancellation that it has swallowed."""
    task = asyncio.current_task()
    before = task.cancelling() if task else 0
    try:
        yield
    except BROKEN as error:
        raise meaning(error) from error
    # redis-py sends by asyncio.wait_for, which before Python 3.12 forgets a cancellation that comes as it is done.
    if task and task.cancelling() > before:
        raise asyncio.CancelledError
