"""A table before the eyes of a spectator."""

from __future__ import annotations

import argparse

from kontor_client import finished
from kontor_client.sync import Client, Spectator
from service.cli.calling import called
from service.cli.play_screen import Screen
from service.cli.play_words import Words


def watch(typed: argparse.Namespace, token: str) -> None:
    """Tell what happened so far, then what happens, until the game is over."""
    with called(typed) as client:
        watcher = client.spectator(typed.table, token)
        if typed.at:
            _look_back(client, watcher, typed.at)
        else:
            _follow(client, watcher)


def _look_back(client: Client, watcher: Spectator, version: int) -> None:
    """What happened up to a version, and how things stood then."""
    screen, view = Screen(), watcher.look(version)
    words = Words(client.game(view.table.game), view.table)
    screen.heading(f"{words.title}, table {view.table.id}, up to version {version}")
    for each in watcher.history():
        if each.change.moment.version > version:
            break
        screen.happened([each.change], words)
    screen.board(view, words)
    screen.waiting(view, words)
    if finished(view):
        screen.end(view, words)


def _follow(client: Client, watcher: Spectator) -> None:
    """Everything from the beginning; a long past is told before the watch begins."""
    screen, view = Screen(), watcher.look()
    words = Words(client.game(view.table.game), view.table)
    screen.heading(f"{words.title}, table {view.table.id}")
    last = None
    for each in watcher.history():
        screen.happened([each.change], words)
        last = each.change.moment
    for update in watcher.updates(last):
        words.sit(update.view.table)
        screen.happened(update.changes, words)
        screen.board(update.view, words)
        screen.waiting(update.view, words)
        if finished(update.view):
            screen.end(update.view, words)
