"""Typed commands: which game a message like `augsburg.Bid(cards=3)` belongs to is told by its type alone."""

from __future__ import annotations

from functools import cache

from google.protobuf.message import Message

from kontor.v1 import GameCommand

Command = Message
"""A command of some game: `kontor.augsburg.v1.Bid`, or the game's `Command` with one in it."""


def game_command(command: Command) -> GameCommand:
    """The command in its envelope; TypeError for a message that is no command of any game."""
    try:
        game, field = _places()[command.DESCRIPTOR.full_name]
    except KeyError:
        raise TypeError(f"{command.DESCRIPTOR.full_name} is no command of a game.") from None
    envelope = GameCommand()
    inner = getattr(envelope, game)
    target = getattr(inner, field) if field else inner
    target.SetInParent()  # a command without fields is a command too
    target.CopyFrom(command)
    return envelope


@cache
def _places() -> dict[str, tuple[str, str]]:
    """Where each command goes, by its full name: the game's field of the envelope, the command's field of the game."""
    places = {}
    for game in GameCommand.DESCRIPTOR.oneofs_by_name["game"].fields:
        assert game.message_type is not None  # a game's commands are a message
        places[game.message_type.full_name] = (game.name, "")
        for field in game.message_type.oneofs_by_name["command"].fields:
            assert field.message_type is not None
            places[field.message_type.full_name] = (game.name, field.name)
    return places
