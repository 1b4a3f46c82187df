"""Finding a guard's lines again after the file has changed: shifted, moved, re-indented, reformatted, in a file of another name.

Equal means equal code: the same Python statements, or the same tokens. A line that only looks like it
is not it: then the answer is that it is lost, never a guess.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from ruledout.model.gate import Anchor
from ruledout.recall import statements
from ruledout.recall.tokens import Token, code_lines, language, tokens

_NEIGHBOURS = 2
_WIDE = 160
"""characters of a neighbour that are kept and compared"""
_LONG = 8
"""tokens that make a text so much its own that it is known in another symbol or file"""
_OPENS = re.compile(
    r"^\s*(?:[\w@<>\[\]*&:,.]+\s+)*?(?:(?:function|func|fn|def|class|impl|struct|interface|trait|module|namespace|enum|sub)\b[\s*]*(?:\([^)]*\)\s*)?([\w$]+)"
    r"|([\w$~]+)\s*(?:=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>)|\([^;{}]*\)\s*(?:[\w\s:<>,&*]*)\{\s*$))"
)
_WORDS = frozenset(("if", "for", "while", "switch", "catch", "else", "return", "do", "try", "with", "match"))


class Place(Struct, frozen=True, kw_only=True):
    """Where lines stand: from `first` to `last`, counted from 1, in the symbol. `dead` tells why they cannot run there; empty where nothing says so."""

    path: str
    first: int
    last: int
    symbol: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    dead: str = ""


def anchor(path: str, text: str, first: int, last: int) -> Anchor:
    """What stands around the lines `first` to `last`, as code without layout: up to two code lines on either side."""
    lines = text.split("\n")
    before, after = _around(code_lines(path, lines), first, last)
    return Anchor(symbol=_symbol(path, text, lines, first), before=before, after=after)


def places(path: str, text: str, snippet: str) -> tuple[Place, ...]:
    """Every place in a text where the snippet's code stands, whatever its layout; in the order of the file. None for a snippet without code."""
    wanted = tokens(path, snippet)
    if not wanted:
        return ()
    spans = statements.spans(text, snippet) if language(path) in ("py", "pyi") else None
    if spans is None:
        spans = [(first, last, "") for first, last in _runs(tokens(path, text), wanted)]
    if not spans:
        return ()
    lines = text.split("\n")
    rows = code_lines(path, lines)
    return tuple(_place(path, text, lines, rows, span) for span in spans)


def best(found: Sequence[Place], path: str, line: int, known: Anchor) -> Place | None:
    """Of several places, the one that is most like where the lines stood: same file, same symbol, same neighbours, nearest line. None of none."""
    return max(found, key=lambda place: (likeness(place, path, known), -abs(place.first - line)), default=None)


def likeness(place: Place, path: str, known: Anchor) -> int:
    """How much a place is like the one that is known: 0 to 10."""
    return 3 * (place.path == path) + 3 * (place.symbol == known.symbol) + beside(place, known)


def beside(place: Place, known: Anchor) -> int:
    """How many of its known neighbours a place still has: 0 to 4."""
    return sum(row in place.before for row in known.before) + sum(row in place.after for row in known.after)


def own(path: str, snippet: str) -> bool:
    """Is a snippet long enough to be known by itself, wherever it stands."""
    return len(tokens(path, snippet)) >= _LONG


def _place(path: str, text: str, lines: list[str], rows: list[str], span: tuple[int, int, str]) -> Place:
    first, last, dead = span
    before, after = _around(rows, first, last)
    return Place(path=path, first=first, last=last, symbol=_symbol(path, text, lines, first), before=before, after=after, dead=dead)


def _around(rows: list[str], first: int, last: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    above = [row[:_WIDE] for row in rows[: first - 1] if row][-_NEIGHBOURS:]
    below = [row[:_WIDE] for row in rows[last:] if row][:_NEIGHBOURS]
    return tuple(above), tuple(below)


def _runs(there: Sequence[Token], wanted: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """First and last line of every run of tokens that equals the wanted one, without overlap."""
    names, sought = [token.text for token in there], [token.text for token in wanted]
    at = 0
    while at <= len(names) - len(sought):
        if names[at] == sought[0] and names[at : at + len(sought)] == sought:
            end = there[at + len(sought) - 1]
            yield there[at].line, end.line + end.text.count("\n")
            at += len(sought)
        else:
            at += 1


def _symbol(path: str, text: str, lines: list[str], line: int) -> str:
    """The symbol around a line: by the syntax tree where it is Python, else by the lines above that are indented less."""
    if language(path) in ("py", "pyi") and (found := statements.symbol(text, line)) is not None:
        return found
    names: list[str] = []
    depth = _indent(lines[line - 1]) if line <= len(lines) else 0
    for row in reversed(lines[: line - 1]):
        if row.strip() and _indent(row) < depth:
            depth = _indent(row)
            opened = _OPENS.match(row)
            name = (opened[1] or opened[2]) if opened else None
            names += [name] if name and name not in _WORDS else []
    return ".".join(reversed(names))


def _indent(row: str) -> int:
    body = row.expandtabs(4)
    return len(body) - len(body.lstrip())
