"""The small changes that make a mutant.

Changes are made in the text, not in the tree: what is not changed stays as it was written, and a diff shows one thing.
"""

import ast
import difflib
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import NamedTuple

SWAPS: dict[type[ast.AST], tuple[bytes, tuple[bytes, ...]]] = {
    ast.Lt: (b"<", (b"<=", b">=")),
    ast.LtE: (b"<=", (b"<", b">")),
    ast.Gt: (b">", (b">=", b"<=")),
    ast.GtE: (b">=", (b">", b"<")),
    ast.Eq: (b"==", (b"!=",)),
    ast.NotEq: (b"!=", (b"==",)),
    ast.In: (b"in", (b"not in",)),
    ast.NotIn: (b"not in", (b"in",)),
    ast.Is: (b"is", (b"is not",)),
    ast.IsNot: (b"is not", (b"is",)),
    ast.Add: (b"+", (b"-",)),
    ast.Sub: (b"-", (b"+",)),
    ast.Mult: (b"*", (b"+",)),
    ast.FloorDiv: (b"//", (b"*",)),
    ast.And: (b"and", (b"or",)),
    ast.Or: (b"or", (b"and",)),
}
DELETABLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Assert, ast.Continue, ast.Break)
NO_RULE = {"annotation", "returns", "decorator_list"}  # parts of the syntax that state no rule
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
Spot = ast.expr | ast.stmt
Change = tuple[str, int, int, bytes]  # its kind, start and end of what gives way, and what comes instead


class Mutant(NamedTuple):
    """One change of one file: its bytes from start to end give way to others."""

    path: str
    kind: str
    start: int
    end: int
    text: bytes
    lines: range  # of the statement it stands in; of one with a body, those of its head

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.text + source[self.end :]

    def diff(self, source: bytes) -> str:
        before, after = (text.decode().splitlines(keepends=True) for text in (source, self.apply(source)))
        return "".join(difflib.unified_diff(before, after, self.path, f"{self.path} ({self.kind})"))


class Module:
    """One file, and every mutant that can be made of it."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.lines = [0]
        for line in source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def mutants(self, functions: Collection[str] = ()) -> Iterator[Mutant]:
        """All of them, or those of the functions of these names."""
        tree = ast.parse(self.source)
        named = [node for node in ast.walk(tree) if isinstance(node, FUNCTION) and node.name in functions]
        for part in named if functions else [tree]:
            for (kind, start, end, text), lines in self.walk(part, range(1), inside=False):
                yield Mutant(self.path, kind, start, end, text, lines)

    def start(self, node: Spot) -> int:
        return self.lines[node.lineno - 1] + node.col_offset

    def end(self, node: Spot) -> int:
        return self.lines[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)

    def walk(self, node: ast.AST, lines: range, *, inside: bool) -> Iterator[tuple[Change, range]]:
        """The changes at a node and below. Statements are left out inside functions only: else nothing would load."""
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            return  # Python 3.11 does not tell where the parts of an f-string stand; what only mypy reads is no rule
        lines = _head(node) or lines
        yield from ((change, lines) for change in self.changes(node))
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if inside and isinstance(node, DELETABLE) and not docstring:
            yield ("statement left out", self.start(node), self.end(node), b"pass"), lines
        inside = inside or isinstance(node, FUNCTION)
        for name, value in ast.iter_fields(node):
            if name in NO_RULE or (name == "slice" and isinstance(node, ast.Subscript)):
                continue
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    yield from self.walk(part, lines, inside=inside)

    def changes(self, node: ast.AST) -> Iterator[Change]:
        """What may be changed at this very node."""
        match node:
            case ast.Compare(first, operators, others):
                for left, operator, right in zip([first, *others], operators, others, strict=False):
                    yield from self.swaps("comparison", left, operator, right)
            case ast.BinOp(left, operator, right) | ast.AugAssign(left, operator, right):
                yield from self.swaps("arithmetic", left, operator, right)
            case ast.BoolOp(operator, values):
                for left, right in pairwise(values):
                    yield from self.swaps("and/or", left, operator, right)
            case ast.UnaryOp(ast.Not()):
                yield "not removed", self.start(node), self.start(node) + len(b"not"), b""
            case ast.Constant(int(value)):
                other = not value if isinstance(value, bool) else value + 1
                yield "constant", self.start(node), self.end(node), str(other).encode()
            case ast.If(test) | ast.IfExp(test):
                yield from self.turned("branches swapped", test)
            case ast.comprehension(ifs=tests):
                for test in tests:
                    yield from self.turned("filter turned round", test)
            case ast.Tuple(elements, ast.Load()):
                yield from (self.dropped(node, elements, i) for i in range(len(elements)))
            case ast.Return(ast.expr() as value) if ast.unparse(value) != "None":
                yield "returns None", self.start(value), self.end(value), b"None"

    def swaps(self, kind: str, left: Spot, operator: ast.AST, right: Spot) -> Iterator[Change]:
        start, end = self.end(left), self.start(right)
        sign, others = SWAPS.get(type(operator), (b"", ()))
        for other in others:
            yield kind, start, end, self.source[start:end].replace(sign, other, 1)

    def turned(self, kind: str, test: ast.expr) -> Iterator[Change]:
        start, end = self.start(test), self.end(test)
        if not isinstance(test, ast.Compare | ast.UnaryOp):  # these are turned round by their own sign
            yield kind, start, end, b"(not (" + self.source[start:end] + b"))"

    def dropped(self, node: ast.Tuple, elements: list[ast.expr], i: int) -> Change:
        kind = "element dropped"
        if len(elements) <= 2:  # written anew, since a tuple of one needs its comma
            rest = b"".join(self.source[self.start(e) : self.end(e)] + b"," for e in elements if e is not elements[i])
            return kind, self.start(node), self.end(node), b"(" + rest + b")"
        if i + 1 < len(elements):
            return kind, self.start(elements[i]), self.start(elements[i + 1]), b""
        return kind, self.end(elements[i - 1]), self.end(elements[i]), b""


def _head(node: ast.AST) -> range | None:
    """The lines of a statement, without those of its body; nothing where no statement begins."""
    match node:
        case ast.match_case(pattern, _, [first, *_]):
            return range(pattern.lineno, max(pattern.lineno + 1, first.lineno))
        case ast.Match(subject):
            return range(node.lineno, (subject.end_lineno or node.lineno) + 1)
        case ast.stmt() | ast.ExceptHandler():
            body = getattr(node, "body", ())
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or node.lineno
            return range(node.lineno, last + 1)
    return None


def compiles(source: bytes) -> bool:
    """Whether Python can read it: a cut beside a parenthesis may leave none or one too many."""
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True
