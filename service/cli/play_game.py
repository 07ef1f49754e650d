"""Sitting down at a table and playing to the end."""

from __future__ import annotations

import argparse
import getpass
import os

from kontor.v1 import GameSummary, Phase, View
from kontor_client import DecisionGone, Refused, Unauthenticated, finished
from kontor_client.sync import Client, HostedTable, Seat
from service.cli.calling import address, called, told
from service.cli.play_screen import Leaving, Screen
from service.cli.play_turn import Resigning, Turn
from service.cli.play_words import Words
from service.cli.usage import UsageError

BOTS = ("stand-in", "random")


def play(typed: argparse.Namespace) -> None:
    """Sit down and play to the end."""
    screen = Screen()
    with called(typed) as client:
        try:
            hosted, seat, wanted = _sit_down(client, screen, typed)
        except Leaving:
            return
        Playing(client, screen, seat, hosted, wanted, address(typed)).play()


def _sit_down(client: Client, screen: Screen, typed: argparse.Namespace) -> tuple[HostedTable | None, Seat, int]:
    """The own table if there is one, the seat, and how many must sit there before the start."""
    name = (typed.name or _user()).strip()
    token = typed.token or os.environ.get("KONTOR_TOKEN", "")
    if typed.table and token:
        return None, client.seat(typed.table, token), 0
    if typed.table:
        return None, client.join(typed.table, name, typed.invite), 0
    if typed.invite or typed.token:
        raise UsageError("--invite and --token need --table, to say which one")
    game, seats, bots = _wanted(client, screen, typed)
    if typed.friends >= seats:
        raise UsageError(f"{typed.friends} friends and you need more than {seats} seats")
    settings = dict(setting.split("=", 1) if "=" in setting else (setting, "") for setting in typed.set)
    table = client.create_table(game.id, seats=seats, public=typed.public, edition=typed.edition, settings=settings)
    seat = table.join(name)
    for place in range(seats - 1 - typed.friends):
        table.add_bot(bots[place % len(bots)])
    if typed.friends:
        _invite(screen, table, address(typed))
    return table, seat, seats


def _wanted(client: Client, screen: Screen, typed: argparse.Namespace) -> tuple[GameSummary, int, list[str]]:
    """Game, seats and bots: as typed, else asked for."""
    games = {game.id: game for game in client.games()}
    asked = typed.game is None
    if asked:
        titles = [f"{game.title} ({game.least_seats} to {game.most_seats} players)" for game in games.values()]
        game = list(games.values())[screen.choose("What do you want to play?", titles)]
    elif typed.game in games:
        game = games[typed.game]
    else:
        raise UsageError(f"there is no game {typed.game!r}; valid: {', '.join(games)}")
    numbers = range(game.least_seats, game.most_seats + 1)
    seats = typed.seats
    if seats is None and asked:
        seats = numbers[screen.choose("How many players?", [f"{seats} players" for seats in numbers])]
    if seats is None:
        seats = min(4, game.most_seats)
    if seats not in numbers:
        raise UsageError(f"{game.title} is not for {seats} players; valid: {numbers[0]} to {numbers[-1]}")
    if typed.bots is None and asked and not typed.friends:
        return game, seats, [BOTS[screen.choose("Against whom?", ["players of some sense", "players by chance"])]]
    bots = [kind.strip() for kind in (typed.bots or BOTS[0]).split(",")]
    for kind in bots:
        if kind not in BOTS:
            raise UsageError(f"there is no bot {kind!r}; valid: {', '.join(BOTS)}")
    return game, seats, bots


def _invite(screen: Screen, table: HostedTable, server: str) -> None:
    screen.heading("Your friends join by typing:")
    screen.command(f"kontor play --server {server} --table {table.id} --invite {table.invite()}")
    screen.line("Whoever wants to watch types:")
    screen.command(f"kontor watch --server {server} --table {table.id} --token {table.spectator().token}")


def _user() -> str:
    try:
        return getpass.getuser()[:40].capitalize()
    except OSError:
        return "Guest"


class Playing:
    """A seat until its game is over."""

    def __init__(
        self, client: Client, screen: Screen, seat: Seat, hosted: HostedTable | None, wanted: int, server: str
    ) -> None:
        self.screen = screen
        self.seat = seat
        self.hosted = hosted
        self.wanted = wanted
        self.server = server
        view = seat.look()
        self.words = Words(client.game(view.table.game), view.table)
        self.answered = 0  # the number of the decision answered last

    def play(self) -> None:
        """Show what happens and ask what is asked, until the end."""
        view = self.seat.look()
        self.screen.heading(f"{self.words.title}, table {view.table.id}: you are {self.words.name(view.seat)}.")
        try:
            for update in self.seat.updates():
                self.words.sit(update.view.table)
                self.screen.happened(update.changes, self.words)
                if finished(update.view):
                    self.screen.board(update.view, self.words)
                    self.screen.end(update.view, self.words)
                    return
                self._begin(update.view)
                self._answer(update.view)
        except (Leaving, KeyboardInterrupt):
            self.screen.line("Your seat is kept. Come back by typing:")
            self.screen.command(
                f"kontor play --server {self.server} --table {self.seat.table_id} --token {self.seat.token}"
            )
        except Resigning:
            self.seat.resign()
            self.screen.line("You have resigned; a stand-in plays on for you.")
        except Unauthenticated:
            self.screen.line("Your seat has gone to somebody else.", "yellow")

    def _begin(self, view: View) -> None:
        """The host begins when all are there; the others wait."""
        if view.table.phase == Phase.PHASE_LOBBY:
            if self.hosted is not None and len(view.table.seats) >= self.wanted:
                self.hosted.start()
            else:
                self.screen.board(view, self.words)
                self.screen.line("Waiting for the others to join …", "dim")

    def _answer(self, shown: View) -> None:
        """Put the open decision to the player, once all that led to it has been told."""
        decision, view = self.seat.decision, self.seat.view
        if decision is None or view is None or decision.number <= self.answered:
            return
        if view.moment.version > shown.moment.version:
            return  # the watch has not told all of it yet
        while True:
            answer = Turn(self.screen, self.words, view, decision).answer()
            self.answered = decision.number
            try:
                self.seat.submit(answer, decision.number)
            except DecisionGone as gone:
                self.screen.line(told(gone), "yellow")
            except Refused as refused:
                self.screen.line(told(refused), "yellow")
                continue
            return
