"""One table at both servers: what is asked of it there, and how the answers are compared."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from campaigns.leaks.difference import Difference, first_difference
from campaigns.leaks.pairs import Pair
from campaigns.leaks.tally import Tally
from campaigns.leaks.truth import Truth
from campaigns.leaks.wire import Answer, Both, Ends
from kontor.v1 import play_service_pb2 as play_pb
from kontor.v1 import view_pb2
from service.translate import answer_from_command


class Table:
    """A table that began in two worlds, with the tokens of all who sit there: they are the same in both."""

    def __init__(self, pair: Pair, ends: Ends, tally: Tally, secret: str) -> None:
        self.pair, self.ends, self.tally = pair, ends, tally
        self.secret = secret  # of its clients: the same pair with another one is another table
        self.truth = Truth(pair)
        self.id = ""
        self.tokens: list[str] = []  # of the seats
        self.token = self.second = ""  # the viewer's, and that of a second screen of his
        self.moments: list[view_pb2.Moment] = []  # as his stream told them
        self.commitments: tuple[bytes, bytes] = (b"", b"")  # to the seeds, where these differ

    def command(self, request: str, number: int, command: Any) -> bytes | None:
        """An answer as it is sent; nothing if it can't be written down."""
        try:
            return play_pb.SubmitCommandRequest(
                table_id=self.id, request_id=request, decision=number, answer=answer_from_command(command)
            ).SerializeToString()
        except (AttributeError, TypeError, ValueError):
            return None

    async def ask(self, kind: str, method: str, request: Message | bytes, token: str) -> Answer:
        """Ask both the same, and compare what they answer."""
        data = request if isinstance(request, bytes) else request.SerializeToString()
        return self.same(kind, method, await self.ends.call(method, (data, data), token))

    def same(self, kind: str, method: str, both: Both) -> Answer:
        """Compare two answers, of which only a seed's commitment may differ, where it is another seed's."""
        one, other = both
        if self.commitments[0]:
            other = other._replace(message=other.message.replace(self.commitments[1], self.commitments[0]))
        if one != other:
            raise self.difference(kind, first_difference(method, one, other))
        self.tally.compared(self.pair, kind)
        return one

    def difference(self, kind: str, what: str) -> Difference:
        """What to say of a difference: where it is, and what it is."""
        then = f"at version {self.moments[-1].version}" if self.moments else "before the game"
        return Difference(f"{self.pair}\n  {kind}, {then}: {what}")

    def well(self, answer: Answer, promise: str) -> None:
        """What the rules allow is accepted."""
        if not answer.well:
            raise self.difference("played by other rules", f"{promise}: {answer.code} {answer.details}")
