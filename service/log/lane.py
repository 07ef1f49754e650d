"""Group commit: the appends of all callers go to a primary in one lane, batch after batch.

A batch is sent when the one before is answered; what arrives meanwhile gathers into the next. That shares round trips,
packing and the server's fsync, and costs the client about a third of one redis-py call an append (bench/log.py).

The batch belongs to a task of its own, so no caller can tear it; each caller waits for a future. A reply that is an
error goes to its own caller. A connection that breaks leaves the outcome of all unanswered ones unknown, and nothing is
ever sent twice from here: the caller knows whether he still wants it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import hiredis
import structlog
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import AuthenticationError, BusyLoadingError, NoScriptError, ReadOnlyError, ResponseError

from service.log.errors import BROKEN, meaning
from service.log.port import Busy, OutcomeUnknown, Settings, Unavailable
from service.log.script import CHANNEL, Script

Dial = Callable[[], Awaitable[AbstractConnection]]
Argument = str | bytes | int

# Its stub knows tuples of one element only.
_pack = cast("Callable[[tuple[Argument, ...]], bytes]", hiredis.pack_command)

_log = structlog.get_logger(__name__)


@dataclass(slots=True, eq=False)
class Call:
    """One script on one key, and who waits for its answer."""

    script: Script
    arguments: tuple[Argument, ...]  # the key first
    hint: bytes  # to be published once the replicas have it
    asking: bool  # in a Cluster: the key is just moving to this node
    answer: asyncio.Future[Any]

    def packed(self, verb: str) -> bytes:
        script = self.script.sha if verb == "EVALSHA" else self.script.source
        command = _pack((verb, script, 1, *self.arguments))
        return _pack(("ASKING",)) + command if self.asking else command

    def succeed(self, reply: object) -> None:
        if not self.answer.done():  # the caller may have been cancelled; his append is not
            self.answer.set_result(reply)

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class Lane:
    """All appends to one primary, on one connection."""

    def __init__(self, dial: Dial, settings: Settings) -> None:
        self._dial = dial
        self._settings = settings
        self._queue: deque[Call] = deque()
        self._task: asyncio.Task[None] | None = None
        self._connection: AbstractConnection | None = None
        self._closed = False
        self._patience = settings.timeout + (settings.wait_timeout_ms / 1000 if settings.wait_replicas else 0)

    async def call(self, script: Script, *arguments: Argument, hint: bytes = b"", asking: bool = False) -> Any:
        """The script's reply, raised if it is an error."""
        if self._closed:
            raise Unavailable("The log is closed.")
        if len(self._queue) >= self._settings.queue:
            raise Busy(f"{len(self._queue)} appends are waiting already.")
        call = Call(script, arguments, hint, asking, asyncio.get_running_loop().create_future())
        self._queue.append(call)
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="log lane")
        return await call.answer

    async def close(self) -> None:
        """Write what was accepted, then hang up."""
        self._closed = True
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=2 * self._patience)
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        await self._hang_up()

    async def _run(self) -> None:
        try:
            while self._queue:
                batch = [self._queue.popleft() for _ in range(min(len(self._queue), self._settings.batch))]
                await self._commit(batch)
        finally:
            self._task = None
            while self._queue:  # only when this task was cancelled: nobody must wait for ever
                self._queue.popleft().fail(Unavailable("The log was closed before this was sent."))

    async def _commit(self, batch: Sequence[Call]) -> None:
        calls = list(batch)
        for verb in ("EVALSHA", "EVAL"):  # the second for those whose script the server has forgotten
            try:
                connection = await self._connected()
            except BaseException as error:
                for call in calls:
                    call.fail(meaning(error))
                if not isinstance(error, BROKEN):
                    raise
                return
            calls = await self._exchange(connection, calls, verb)
            if not calls:
                return

    async def _connected(self) -> AbstractConnection:
        if self._connection is not None:
            # What waits there unasked is the end of the connection: better seen before sending than after.
            if not await self._connection.can_read():
                return self._connection
            await self._hang_up()
        async with asyncio.timeout(self._settings.timeout):
            self._connection = await self._dial()
        return self._connection

    async def _exchange(self, connection: AbstractConnection, calls: Sequence[Call], verb: str) -> list[Call]:
        """Send the calls, give everyone his answer, and return those whose script the server does not know."""
        answers: list[Any] = []
        fault: BaseException | None = None
        safe = False
        try:
            async with asyncio.timeout(self._patience):
                await connection.send_packed_command(self._packed(calls, verb), check_health=False)
                for call in calls:
                    if call.asking:
                        await _reply(connection)
                    answers.append(await _reply(connection))
                safe = await self._waited(connection)
        except BaseException as error:  # noqa: BLE001 raised again below, after everybody has his answer
            fault = error
            await self._hang_up()
        again = self._resolve(calls, answers, fault, safe=safe)
        if fault is not None:
            _log.warning("log.connection_lost", calls=len(calls), answered=len(answers), error=_words(fault))
            if not isinstance(fault, BROKEN):
                raise fault
        elif any(isinstance(answer, ReadOnlyError | BusyLoadingError) for answer in answers):
            await self._hang_up()  # its role has changed: ask anew who is the master
        elif safe and self._settings.wait_replicas:
            await self._publish(connection, [c.hint for c, a in zip(calls, answers, strict=True) if c.hint and a == 1])
        return again

    def _packed(self, calls: Sequence[Call], verb: str) -> list[bytes]:
        commands = [call.packed(verb) for call in calls]
        if self._settings.wait_replicas:
            wait = ("WAIT", self._settings.wait_replicas, self._settings.wait_timeout_ms)
            commands.append(_pack(wait))
        return commands

    async def _waited(self, connection: AbstractConnection) -> bool:
        """Whether as many replicas as we want have all that this batch wrote."""
        if not self._settings.wait_replicas:
            return True
        count = await _reply(connection)
        return isinstance(count, int) and count >= self._settings.wait_replicas

    def _resolve(
        self, calls: Sequence[Call], answers: Sequence[Any], fault: BaseException | None, *, safe: bool
    ) -> list[Call]:
        again = []
        for call, answer in zip(calls, answers, strict=False):
            if isinstance(answer, NoScriptError):
                again.append(call)
            elif isinstance(answer, Exception):
                call.fail(answer)
            elif safe or not self._settings.wait_replicas:
                call.succeed(answer)
            else:
                call.fail(OutcomeUnknown(f"Fewer than {self._settings.wait_replicas} replicas have the entry."))
        for call in calls[len(answers) :]:
            call.fail(OutcomeUnknown(f"The connection to the log broke before its answer: {_words(fault)}"))
        return again

    async def _publish(self, connection: AbstractConnection, hints: Sequence[bytes]) -> None:
        """Tell the watchers, now that a failover can no longer take the entries back."""
        try:
            async with asyncio.timeout(self._settings.timeout):
                packed = [_pack(("PUBLISH", CHANNEL, hint)) for hint in hints]
                await connection.send_packed_command(packed, check_health=False)
                for _ in hints:
                    await _reply(connection)
        except BaseException as error:
            await self._hang_up()
            if not isinstance(error, BROKEN):
                raise

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.disconnect(nowait=True)


def _words(fault: BaseException | None) -> str:
    return str(fault) or type(fault).__name__  # a timeout has no words of its own


async def _reply(connection: AbstractConnection) -> Any:
    """The next reply; one that is an error as a value, so that it cannot be taken for the end of the connection."""
    try:
        return await connection.read_response(disconnect_on_error=False)
    except (ResponseError, BusyLoadingError, AuthenticationError) as error:
        return error
