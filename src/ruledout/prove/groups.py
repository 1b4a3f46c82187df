"""Which statements of some lines do not need each other. Python by its syntax tree, other languages by brackets, indentation and names. Pure."""

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from ruledout.recall import statements
from ruledout.recall.tokens import code_lines, language

Span = tuple[int, int]
"""lines, 0-based, end not included"""
_BOUND = re.compile(
    r"\b(?:let|const|var|val|auto|mut|int|long|bool|float|double|char|string|size_t|final|function|fn|func|def|class|struct|enum|interface|type|import|use)"
    r" (?:mut |const |async )*(?:\* )*([A-Za-z_$][\w$]*)|^([A-Za-z_]\w*)(?: , [A-Za-z_]\w*)* :="
)
_GOES_ON = re.compile(r"(?:else|elif|catch|except|finally|rescue|ensure|when|and|or|then|do|end|case|default|where)\b|[)\]}.?:+*/%|&=<>,]|-(?!-)|then\b")
_OPEN, _SHUT = "([{", ")]}"


def groups(path: str, text: str, start: int, end: int) -> list[Span]:
    """The lines `start` to `end` as runs of statements that can be taken out one by one; one span where they cannot be told apart."""
    spans = _python(text, start, end) if language(path) in ("py", "pyi") and statements.parsed(text) is not None else _others(path, text, start, end)
    return spans if len(spans) > 1 else [(start, end)]


def inside(path: str, text: str, start: int, end: int) -> list[Span]:
    """The statements inside a definition that is all these lines hold, as groups; empty where it is no definition of several statements."""
    tree = statements.parsed(text) if language(path) in ("py", "pyi") else None
    if tree is None:
        return []
    held = _held(tree.body, start, end)
    if len(held) != 1 or not isinstance(held[0], ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return []
    body = held[0].body[1:] if ast.get_docstring(held[0], clean=False) is not None else held[0].body
    spans = _grouped(body, tree) if len(body) > 1 else []
    return spans if len(spans) > 1 else []


def _python(text: str, start: int, end: int) -> list[Span]:
    tree = statements.parsed(text)
    held = _held(tree.body, start, end) if tree is not None else []
    if tree is None or len(held) < 2 or _loose(text, held, start, end):
        return []
    return _filled(_grouped(held, tree), start, end)


def _held(body: Sequence[ast.stmt], start: int, end: int) -> list[ast.stmt]:
    """The outermost statements that lie wholly in these lines."""
    found: list[ast.stmt] = []
    for statement in body:
        first, last = statements.first_line(statement) - 1, statement.end_lineno or statement.lineno
        if start <= first and last <= end:
            found.append(statement)
        elif first < end and start < last:
            for block in statements.inner(statement):
                found += _held(block, start, end)
    return found


def _loose(text: str, held: Sequence[ast.stmt], start: int, end: int) -> bool:
    """Is there code in these lines that belongs to none of the statements: the head of a block, the middle of a call."""
    rows = text.split("\n")
    covered = {line for statement in held for line in range(statements.first_line(statement) - 1, statement.end_lineno or statement.lineno)}
    return any(rows[at].strip() and not rows[at].lstrip().startswith("#") for at in range(start, min(end, len(rows))) if at not in covered)


def _grouped(body: Sequence[ast.stmt], tree: ast.Module) -> list[Span]:
    """Runs of statements of which none makes a name that another one needs."""
    first = statements.first_line(body[0])
    known = {name for node in ast.walk(tree) if getattr(node, "lineno", first) < first for name in _bound(node)}
    made = [_binds(one) - _read(one) - known for one in body]
    used = [_read(one) | _binds(one) for one in body]
    spans = [(statements.first_line(one) - 1, one.end_lineno or one.lineno) for one in body]
    return _runs(spans, lambda one, other: bool(made[one] & used[other]))


def _binds(statement: ast.stmt) -> set[str]:
    """The names that a statement makes for those around it: of a definition its own name alone."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    return {name for node in ast.walk(statement) for name in _bound(node)}


def _runs(spans: Sequence[Span], needs: Callable[[int, int], bool]) -> list[Span]:
    """Neighbours joined where one needs the other, with all that stands between them."""
    last = list(range(len(spans)))
    for one in range(len(spans)):
        for other in range(one + 1, len(spans)):
            if needs(one, other) or needs(other, one):
                last[one] = other
    found: list[Span] = []
    at = 0
    while at < len(spans):
        reach, here = last[at], at
        while here <= reach:
            reach = max(reach, last[here])
            here += 1
        found.append((spans[at][0], spans[reach][1]))
        at = reach + 1
    return found


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node binds."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield ast.unparse(node)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name


def _read(statement: ast.stmt) -> set[str]:
    """The names that a statement reads; those that a definition makes for itself are its own business."""
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return names - {name for node in ast.walk(statement) if node is not statement for name in _bound(node)}
    return names | {ast.unparse(node) for node in ast.walk(statement) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)}


def _filled(spans: Sequence[Span], start: int, end: int) -> list[Span]:
    """The spans stretched over comments and blank lines: what stands above a statement belongs to it, what stands last to the last."""
    edges = [start, *(span[1] for span in spans[:-1]), end]
    return list(pairwise(edges))


def _others(path: str, text: str, start: int, end: int) -> list[Span]:
    """By brackets and indentation: a statement begins on a line indented like the first, with all brackets shut; names join those that need each other."""
    lines = text.split("\n")
    rows = code_lines(path, lines)[start:end]
    full = [at for at, row in enumerate(rows) if row]
    if not full or not language(path):
        return []
    margin = _indent(lines[start + full[0]])
    starts, depth = [], 0
    for at in full:
        here = _indent(lines[start + at])
        if depth == 0 and here == margin and not _GOES_ON.match(rows[at]):
            starts.append(at)
        depth += sum(rows[at].count(mark) for mark in _OPEN) - sum(rows[at].count(mark) for mark in _SHUT)
        if depth < 0 or here < margin:
            return []
    if depth or len(starts) < 2:
        return []
    spans = [(start + a, start + b) for a, b in zip(starts, [*starts[1:], len(rows)], strict=True)]
    code = [" ".join(rows[a - start : b - start]) for a, b in spans]
    made = [{name for match in _BOUND.finditer(row) for name in match.groups() if name} for row in code]
    words = [set(re.findall(r"[A-Za-z_$][\w$]*", row)) for row in code]
    return _filled(_runs(spans, lambda one, other: bool(made[one] & words[other])), start, end)


def _indent(row: str) -> int:
    body = row.expandtabs(4)
    return len(body) - len(body.lstrip())
