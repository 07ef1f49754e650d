"""`kontor play`: a seat at a table, in the terminal. It knows no rule and no game: the server tells what may be done.

`play_game` sits down and plays, `play_turn` puts a decision, `play_ask` reads what is typed, `play_view` lays out the
view, `play_screen` shows all that, `play_words` finds the words.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from service.cli import calling
from service.cli.usage import number

HELP = "Play in the terminal, against bots or with friends."


def arguments(parser: argparse.ArgumentParser, games: Mapping[str, Any]) -> None:
    """What may be typed after `kontor play`."""
    parser.add_argument("--game", metavar="GAME", help="what to play (you are asked)")
    parser.add_argument("--seats", type=number(1, 99), metavar="N", help="how many sit at the table (4 if it can be)")
    parser.add_argument(
        "--bots", metavar="KIND,KIND", help="who plays the other seats, repeated: stand-in, random (stand-in)"
    )
    parser.add_argument("--friends", type=number(0, 98), default=0, metavar="N", help="seats left to friends (0)")
    parser.add_argument("--public", action="store_true", help="let anyone find and join the table")
    parser.add_argument("--name", metavar="NAME", help="your name at the table (your user name)")
    parser.add_argument("--edition", default="", metavar="E", help="which edition (the usual one)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a table option")
    parser.add_argument("--table", metavar="ID", help="join this table, or come back to it")
    parser.add_argument("--invite", default="", metavar="TOKEN", help="the invite to it")
    parser.add_argument("--token", metavar="TOKEN", help="the token of your seat, to come back (KONTOR_TOKEN)")
    calling.arguments(parser)


def run(typed: argparse.Namespace, games: Mapping[str, Any]) -> None:
    """Sit down and play to the end."""
    from service.cli.play_game import play  # noqa: PLC0415 - other commands start without loading gRPC

    play(typed)
