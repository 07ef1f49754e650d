"""What the service tells its operator, on standard error: a line an event, JSON where no person reads along.

No line holds a card, a token, a seed or a request's body. That includes traces: they name places and types, never the
text of an error, which may quote what it could not read.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import traceback
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any, TextIO

import msgspec
import structlog
from grpc._cython.cygrpc import ExecuteBatchError  # type: ignore[import-not-found] # gRPC names it nowhere else

HERE = Path(__file__).parents[1]

log = structlog.get_logger()


def set_up(level: str = "info", form: str = "auto", stream: TextIO | None = None) -> None:
    """Log to this stream from now on, also what libraries say by `logging`."""
    stream = stream or sys.stderr
    threshold = logging.getLevelNamesMapping()[level.upper()]
    text = form == "text" or (form == "auto" and stream.isatty())
    before: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        places_only,
    ]
    renderer: Any = (
        structlog.dev.ConsoleRenderer(colors=stream.isatty())
        if text
        else structlog.processors.JSONRenderer(serializer=_json)
    )
    structlog.configure(
        processors=[*before, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.WriteLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=before,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    handler.addFilter(unfilled)
    handler.addFilter(ours)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(threshold, logging.WARNING))


def _json(line: object, default: Callable[[Any], Any]) -> str:
    """A line as JSON; a call has one, and json's own encoder takes ten times as long."""
    return msgspec.json.encode(line, enc_hook=default).decode()


def unfilled(record: logging.LogRecord) -> bool:
    """What a library says, without what it says it about: gRPC quotes headers that it can't decode, tokens and all."""
    record.args = None
    return True


def ours(record: logging.LogRecord) -> bool:
    """Whether it is our affair: that a client was gone before gRPC had noticed is told by the line of its call."""
    return not (record.exc_info and isinstance(record.exc_info[1], ExecuteBatchError))


def places_only(logger: object, method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A trace as places and types, without the text of any error."""
    error = line.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        line["error"] = type(error).__name__
        line["trace"] = trace(error)
    return line


def trace(error: BaseException) -> list[str]:
    """Where an error came from, from the outermost call to the innermost, then what caused it."""
    places = [
        f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)
    ]
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return [type(error).__name__, *places, *(["caused by", *trace(cause)] if cause is not None else [])]


def _short(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(HERE)) if path.is_relative_to(HERE) else "/".join(path.parts[-3:])


def background(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What goes wrong where nobody waits for it; asyncio's own handler would log the error's text."""
    error = context.get("exception")
    if isinstance(error, BaseException):
        log.error("unhandled in the background", exc_info=error)
    else:
        log.error("unhandled in the background", what=str(context.get("message", ""))[:200])
