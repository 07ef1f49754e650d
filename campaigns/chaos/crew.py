"""The clients: they call whichever replica, repeat what was not answered, and write down what they see."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import grpc

from campaigns.chaos.journal import Answer, Ask, Journal, digest
from campaigns.chaos.replica import Replica
from kontor_client.errors import KontorError, Unavailable, Unexpected, from_rpc

PATIENT, HASTY = (2.0, 6.0), (0.02, 0.3)  # seconds for one try; hasty ones lose answers that are under way
DOUBLED, REPEATED, HASTE, LOOKED = 0.08, 0.06, 0.04, 0.04  # how often, of all calls

Method = Callable[[Replica], Any]


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The header of a token."""
    return (("authorization", f"Bearer {token}"),) if token else ()


def temporary(error: KontorError) -> bool:
    """Whether the same call may be sent again; what gRPC itself says of a torn connection may be, too."""
    return error.temporary or (isinstance(error, Unexpected) and not error.reason)


class Crew:
    """All clients of a campaign, and what they share."""

    def __init__(self, replicas: Sequence[Replica], seed: int) -> None:
        self.replicas = replicas
        self.chance = random.Random(seed)
        self.journal = Journal()
        self.tally: Counter[str] = Counter()
        self.ending = False  # players finish what they are at
        self.forgiving = False  # history may be rewound: what was known may be refused, and tables gone
        self.tasks: set[asyncio.Task[Any]] = set()
        self.tokens: dict[tuple[str, int], str] = {}  # of a table and a seat
        self._numbers = 0
        self._name = f"c{seed}"

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        """Run something beside; its failure is the campaign's."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.tally["crashed"] += 1
            asyncio.get_running_loop().call_exception_handler(
                {"message": "a client failed", "exception": error, "task": task}
            )

    def any(self) -> Replica:
        """Some replica; nobody knows which of them lives."""
        return self.chance.choice(self.replicas)

    def request(self) -> str:
        """A request id that nobody else has."""
        self._numbers += 1
        return f"{self._name}-{self._numbers}"

    def secret(self) -> str:
        """A client secret."""
        return f"{self.chance.getrandbits(128):032x}"

    async def ask(self, ask: Ask, method: Method, request: Any, token: str, read: Callable[[Any], Answer]) -> Any:
        """Send a changing call until it is answered, now and then twice; nothing where it is refused."""
        twice = self.chance.random() < DOUBLED
        sent = [self._until_answered(ask, method, request, token, read) for _ in range(2 if twice else 1)]
        self.tally["doubles"] += twice
        answers = await asyncio.gather(*sent)
        if answers[0] is not None and self.chance.random() < REPEATED:
            self.tally["repeats"] += 1
            self.spawn(self._repeat(ask, method, request, token, read))
        return answers[0]

    async def _repeat(self, ask: Ask, method: Method, request: Any, token: str, read: Callable[[Any], Answer]) -> None:
        await asyncio.sleep(self.chance.uniform(0, 2))
        await self._until_answered(ask, method, request, token, read)

    async def _until_answered(
        self, ask: Ask, method: Method, request: Any, token: str, read: Callable[[Any], Answer]
    ) -> Any:
        pause = 0.02
        while True:
            hasty = self.chance.random() < HASTE
            timeout = self.chance.uniform(*(HASTY if hasty else PATIENT))
            try:
                response = await method(self.any())(request, timeout=timeout, metadata=bearer(token))
            except grpc.aio.AioRpcError as failed:
                error = from_rpc(failed)
            else:
                ask.answer(read(response), time.monotonic())
                return response
            if not temporary(error):
                ask.refused = f"{error.status} {error.reason} {error.sentence}"
                return None
            ask.failures += 1
            if not ask.answers:
                ask.resent = time.time_ns() // 1_000_000
            self.tally[error.reason or ("broken" if isinstance(error, Unavailable) else error.status)] += 1
            await asyncio.sleep(pause * self.chance.uniform(0.5, 1))
            pause = min(0.5, 2 * pause)

    async def patient(self, method: Method, request: Any, token: str) -> Any:
        """Send a call that only reads until it is answered."""
        while True:
            try:
                return await method(self.any())(request, timeout=5, metadata=bearer(token))
            except grpc.aio.AioRpcError as failed:
                error = from_rpc(failed)
                if not temporary(error):
                    raise error from None
                self.tally["reads failed"] += 1
            await asyncio.sleep(0.1)


def told(change: Any) -> Answer:
    """A change as the journal keeps it."""
    return Answer(change.moment.version, change.moment.tag, digest(change.SerializeToString(deterministic=True)))
