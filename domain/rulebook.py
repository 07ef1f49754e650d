"""The rules page of a game (`rules.md` in its folder), read into the rules it states."""

import re
from dataclasses import dataclass

CHAPTER = re.compile(r"## (\d+ \S.*)")
# Sentence and source hold no asterisk: the sentence is shown to players as it stands, without markup.
RULE = re.compile(r"- \*\*([A-Z]{3}-\d{3})\*\* ([^\s*][^*]*) \*\(([^\s*][^*]*)\)\*")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what it says to a player, under which chapter it stands, and where it came from."""

    id: str
    chapter: str
    sentence: str
    source: str


def parse(text: str) -> tuple[Rule, ...]:
    """The rules of a page, in its order. Before the first chapter stands a free introduction; after it only rules."""
    rules: dict[str, Rule] = {}
    chapter = ""
    # Not splitlines, which also breaks at characters that end no line of a Markdown page.
    for number, line in enumerate(text.split("\n"), start=1):
        if heading := CHAPTER.fullmatch(line):
            chapter = heading[1]
        elif line.startswith("##"):
            raise ValueError(f"line {number}: a chapter is '## <number> <title>', not {line!r}")
        elif line.startswith("- ") or (chapter and line.strip()):
            rule = _rule(chapter, number, line)
            if rule.id in rules:
                raise ValueError(f"line {number}: {rule.id} stands here for the second time")
            rules[rule.id] = rule
    return tuple(rules.values())


def _rule(chapter: str, number: int, line: str) -> Rule:
    found = RULE.fullmatch(line)
    if found is None:
        raise ValueError(f"line {number}: a rule is '- **ABC-123** sentence *(source)*' on one line, not {line!r}")
    if not chapter:
        raise ValueError(f"line {number}: {found[1]} stands before the first chapter")
    return Rule(id=found[1], chapter=chapter, sentence=found[2], source=found[3])
