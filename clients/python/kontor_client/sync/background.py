"""A loop on a thread of its own, for whoever does without `async`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


class Background:
    """A loop on a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="kontor-client", daemon=True)
        self._thread.start()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Let the loop do it; who is interrupted while he waits calls it off."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def each(self, source: AsyncIterator[T]) -> Iterator[T]:
        """One after the other; who stops early lets go of the source."""

        async def step() -> tuple[T, ...]:
            async for each in source:
                return (each,)
            return ()

        async def let_go() -> None:
            if hasattr(source, "aclose"):
                await source.aclose()

        try:
            while found := self.wait(step()):
                yield found[0]
        finally:
            if self._loop.is_running():
                self.wait(let_go())

    def stop(self) -> None:
        """End the loop and its thread."""
        if self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()
