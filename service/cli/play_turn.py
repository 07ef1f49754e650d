"""A decision put to a player: the question with its rule, numbered answers, slots filled by typing."""

from __future__ import annotations

from kontor.v1 import Answer, Decision, Option, Slot, View
from kontor_client import BadAnswer, filled_field, option_answer
from kontor_client.answers import Filling
from service.cli import play_ask
from service.cli.play_screen import Screen
from service.cli.play_words import Words

HELP = (
    "Type the number of an answer. Where it asks for more you may put that behind it: 1 3.",
    "b goes back, v shows the table again, r the rules of these answers, q leaves (your seat is kept),",
    "resign leaves for good: a stand-in plays on for you.",
)


class Back(Exception):
    """The player takes his choice of an option back."""


class Resigning(Exception):
    """The player gives up his seat."""


class Turn:
    """One decision before the eyes of a player."""

    def __init__(self, screen: Screen, words: Words, view: View, decision: Decision) -> None:
        self.screen = screen
        self.words = words
        self.view = view
        self.decision = decision

    def answer(self) -> Answer:
        """What the player answers."""
        self.screen.board(self.view, self.words)
        self.show()
        while True:
            try:
                option, rest = self._option()
                return self._filled(option, rest)
            except Back:
                self.show()

    def show(self) -> None:
        """The question with its rule, and the answers by number."""
        decision = self.decision
        self.screen.heading(decision.question.text)
        if rule := self.words.rule(decision.rule):
            self.screen.line(f"{decision.rule}: {rule}", "dim")
        for number, option in enumerate(decision.options, 1):
            self.screen.line(f"{number:>4}  {option.sentence.text}")

    def _option(self) -> tuple[Option, str]:
        """The option that is chosen, and what was typed behind its number."""
        options = self.decision.options
        if len(options) == 1 and options[0].slots:
            return options[0], ""
        bounds = "1" if len(options) == 1 else f"1-{len(options)}"
        while True:
            number, _, rest = self._typed(f"Your answer ({bounds}, ? for help)").partition(" ")
            if number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= len(options):
                return options[int(number) - 1], rest
            self.screen.line(f"Type a number from 1 to {len(options)}, or ? for help.", "yellow")

    def _filled(self, option: Option, rest: str) -> Answer:
        fields: dict[str, Filling] = {}
        for slot in option.slots:
            fields[slot.field] = self._slot(slot, rest)
            rest = ""
        return option_answer(option, **fields)

    def _slot(self, slot: Slot, typed: str) -> Filling:
        """A slot, filled by what was typed already or by what is typed now."""
        shown = play_ask.shown(slot, self.words)
        while True:
            if not typed.strip():
                for number, line in enumerate(shown, 1):
                    self.screen.line(f"{number:>6}  {line}")
                typed = self._typed(play_ask.prompt(slot), slot)
            try:
                filling = play_ask.read(slot, typed)
                filled_field(slot, filling)
            except BadAnswer as bad:
                self.screen.line(str(bad), "yellow")
                typed = ""
            else:
                return filling

    def _typed(self, prompt: str, slot: Slot | None = None) -> str:
        """A line that is no request for something else."""
        while True:
            typed = self.screen.ask(prompt)
            match typed.lower():
                case "":
                    continue
                case "?" | "help":
                    self._help(slot)
                case "v":
                    self.screen.board(self.view, self.words)
                case "r":
                    self._rules()
                case "b":
                    raise Back
                case "resign":
                    if self.screen.ask("Resign for good? Type yes").lower() == "yes":
                        raise Resigning
                case _:
                    return typed

    def _help(self, slot: Slot | None) -> None:
        if slot is not None:
            self.screen.line(play_ask.HELP.get(slot.WhichOneof("ask") or "", ""))
            self.screen.line(f"For example: {play_ask.example(slot)}")
        for line in HELP:
            self.screen.line(line, "dim")

    def _rules(self) -> None:
        for rule in dict.fromkeys([self.decision.rule, *(option.rule for option in self.decision.options)]):
            self.screen.line(f"{rule}: {self.words.rule(rule)}", "dim")
