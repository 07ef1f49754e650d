"""What each call does: plain functions of a desk, a caller and a request. No transport in here.

`ROWS` is the one table of who may call what; the edge serves exactly the calls that stand in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from service.auth import Role
from service.errors import AgainstTheRules, CallError
from service.handlers import catalogue, opening, playing, tables
from service.handlers.desk import Caller, Desk, Policy
from service.present import refusal_sentence

__all__ = ["ROWS", "Caller", "Desk", "Policy", "Row", "sentence"]


class Row(NamedTuple):
    """Who may make a call, and what it does."""

    roles: frozenset[Role]
    call: Callable[[Desk, Caller, Any], Any]
    streams: bool = False


ANYONE = frozenset(Role)
HOST = frozenset({Role.HOST})
SEAT = frozenset({Role.SEAT})
VIEWERS = frozenset({Role.SEAT, Role.VIEW})
HOLDERS = frozenset({Role.HOST, Role.SEAT, Role.VIEW})

ROWS = {
    "kontor.v1.TableService/ListGames": Row(ANYONE, catalogue.list_games),
    "kontor.v1.TableService/GetGame": Row(ANYONE, catalogue.get_game),
    "kontor.v1.TableService/CreateTable": Row(ANYONE, opening.create_table),
    "kontor.v1.TableService/GetTable": Row(ANYONE, tables.get_table),
    "kontor.v1.TableService/ListTables": Row(ANYONE, tables.list_tables),
    "kontor.v1.TableService/CreateInvite": Row(HOST, tables.create_invite),
    "kontor.v1.TableService/JoinTable": Row(ANYONE, tables.join_table),
    "kontor.v1.TableService/LeaveTable": Row(SEAT, tables.leave_table),
    "kontor.v1.TableService/Resign": Row(SEAT, tables.resign),
    "kontor.v1.TableService/TransferSeat": Row(frozenset({Role.SEAT, Role.HOST}), tables.transfer_seat),
    "kontor.v1.TableService/AddBot": Row(HOST, tables.add_bot),
    "kontor.v1.TableService/StartTable": Row(HOST, tables.start_table),
    "kontor.v1.TableService/CancelTable": Row(HOST, tables.cancel_table),
    "kontor.v1.TableService/CreateViewToken": Row(frozenset({Role.SEAT, Role.HOST}), tables.create_view_token),
    "kontor.v1.TableService/RenewToken": Row(HOLDERS, tables.renew_token),
    "kontor.v1.PlayService/SubmitCommand": Row(SEAT, playing.submit_command),
    "kontor.v1.PlayService/GetView": Row(VIEWERS, playing.get_view),
    "kontor.v1.PlayService/WatchView": Row(VIEWERS, playing.watch_view, streams=True),
    "kontor.v1.PlayService/ListChanges": Row(VIEWERS, playing.list_changes),
}


def sentence(desk: Desk, error: CallError, language: str) -> str:
    """An error in words; one against the rules in the caller's language."""
    if isinstance(error, AgainstTheRules):
        return refusal_sentence(desk.host.games, error, language)
    return error.sentence
