"""Python text as statements, for what tokens cannot tell: equal code, the symbol around a line, statements that can never run.

A text that does not parse has no answer.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from textwrap import dedent
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

Span = tuple[int, int, str]


@lru_cache(maxsize=32)
def parsed(text: str) -> "ast.Module | None":
    """The syntax tree, to be read only; None for what does not parse here."""
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes in someone's strings
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def same(one: str, other: str) -> bool:
    """Do two texts hold the same statements, comments and layout aside. Not so where one does not parse."""
    import ast

    left, right = parsed(one), parsed(other)
    return left is not None and right is not None and ast.dump(left) == ast.dump(right)


def spans(text: str, snippet: str) -> list[Span] | None:
    """First line, last line and why it cannot run there, for every place where these statements stand in a row; None where either text does not parse."""
    import ast

    wanted = parsed(dedent(snippet))
    tree = parsed(text) if wanted is not None and wanted.body else None
    if tree is None or wanted is None:
        return None
    sought = [ast.dump(statement) for statement in wanted.body]
    kind, size = type(wanted.body[0]), len(sought)
    found: list[Span] = []
    for block, dead in _blocks(tree.body, ""):
        for at in range(len(block) - size + 1):
            run = block[at : at + size]
            if type(run[0]) is kind and [ast.dump(statement) for statement in run] == sought:
                last = run[-1].end_lineno or run[-1].lineno
                found.append((first_line(run[0]), last, dead or _unreachable(block[:at])))
    return sorted(found)


def first_line(statement: "ast.stmt") -> int:
    """The line on which a statement begins, its decorators with it."""
    decorators = getattr(statement, "decorator_list", None) or []
    lines: list[int] = [statement.lineno, *(decorator.lineno for decorator in decorators)]
    return min(lines)


def symbol(text: str, line: int) -> str | None:
    """The functions and classes around a line, outermost first, joined by dots; None for what does not parse."""
    tree = parsed(text)
    return ".".join(_around(tree.body, line)) if tree is not None else None


def _around(body: "Sequence[ast.stmt]", line: int) -> Iterator[str]:
    import ast

    for statement in body:
        if first_line(statement) <= line <= (statement.end_lineno or statement.lineno):
            inside = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and line > first_line(statement)
            if inside:
                yield statement.name  # type: ignore[attr-defined]  # one of the three
            for block in inner(statement):
                yield from _around(block, line)


def inner(statement: "ast.stmt") -> "Iterator[list[ast.stmt]]":
    """The blocks of a compound statement: body, else, handlers, cases."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if block and isinstance(block, list):
            yield block
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _blocks(body: "list[ast.stmt]", dead: str) -> "Iterator[tuple[list[ast.stmt], str]]":
    """Every block of statements, with why it can never run."""
    yield body, dead
    for at, statement in enumerate(body):
        here = dead or _unreachable(body[:at])
        for block in inner(statement):
            yield from _blocks(block, here or _never(statement, block))


def _unreachable(earlier: "Sequence[ast.stmt]") -> str:
    """Behind a statement that always leaves the block."""
    import ast

    leaves = next((statement for statement in earlier if isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue)), None)
    return f"line {leaves.lineno} leaves before it" if leaves is not None else ""


def _never(statement: "ast.stmt", block: "list[ast.stmt]") -> str:
    """A branch whose condition is a written-out false, or the other branch of a written-out true."""
    import ast

    if isinstance(statement, ast.If | ast.While) and isinstance(statement.test, ast.Constant):
        taken = block is statement.body
        if bool(statement.test.value) is not taken:
            return f"line {statement.lineno} never lets it run"
    return ""
