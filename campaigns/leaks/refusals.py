"""What the viewer may not say, and how that is refused: in the same words in both worlds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaigns.leaks.table import Table
from campaigns.leaks.truth import Step
from campaigns.leaks.wire import PLAY
from domain.options import canonical, sample
from domain.values import members
from kontor.v1 import play_service_pb2 as play_pb
from service.translate import BadRequest, command_from_answer
from tests.conformance.mutations import FOREIGN, mutants

GONE = 9999
CHANGED = 3  # changed answers a moment
METHOD = f"{PLAY}SubmitCommand"

Try = tuple[str, int, Any]
"""A kind of refusal, the number of a decision, and a command."""


async def refusals(table: Table, number: int) -> None:
    """All kinds of refusals that the viewer can get now."""
    await table.ask("refused: undecodable", METHOD, b"\xff\xff\xff", table.token)
    wrong = play_pb.GetViewRequest(table_id=table.id, version=GONE)
    await table.ask("refused: no such version", f"{PLAY}GetView", wrong, table.token)
    for place, (kind, decision, command) in enumerate(_tries(table)):
        data = table.command(f"r{number}-{place}", decision, command)
        if data is None or table.truth.accepts(decision, _meant(table, data)):
            continue
        answer = await table.ask(kind, METHOD, data, table.token)
        if answer.well:
            raise table.difference("played by other rules", f"{command!r} is accepted")


async def reused(table: Table, request: str, step: Step) -> None:
    """The id of a command that was accepted, with another one."""
    data = table.command(request, GONE, step.commands[0])
    assert data is not None
    await table.ask("refused: an id used before", METHOD, data, table.token)


def _meant(table: Table, data: bytes) -> Any:
    """The command that these bytes say; what says none is none."""
    try:
        return canonical(command_from_answer(table.pair.game, play_pb.SubmitCommandRequest.FromString(data).answer))
    except BadRequest:
        return None


def _tries(table: Table) -> Iterator[Try]:
    truth, viewer = table.truth, table.pair.viewer
    own = truth.asked(viewer) if viewer else None
    others = truth.others()
    number = own.number if own else 1
    if not viewer:
        yield from (("refused: a view token", number, command) for command in others[:1])
        return
    yield from (("refused: another's answer", number, command) for command in others[:2])
    if own is None:
        return
    game, option = table.pair.game, own.options[truth.source.below(len(own.options))]
    answer = sample(option, members(game.Command), truth.source)
    yield "refused: a decision gone", GONE, answer
    changed = [mutant for _, mutant in mutants(game, option, answer, truth.source)]
    foreign = [mutant for mutant in changed if FOREIGN in repr(mutant)]
    yield from (("refused: a foreign key", number, mutant) for mutant in foreign[:1])
    rest = [mutant for mutant in changed if mutant not in foreign]
    for _ in range(min(CHANGED, len(rest))):
        yield "refused: an answer changed", number, rest.pop(truth.source.below(len(rest)))
