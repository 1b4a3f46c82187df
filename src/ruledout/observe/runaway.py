"""Whether a pattern of a user's could take too long on one line: read as text, before it is compiled.

A backtracking engine tries every way to share a line among repeats that could take each other's characters. A repeat whose characters cannot begin
what follows it has one way only. So what counts is the number of repeats that can: `wide` ones. It refuses more than it must: repeated groups
and references to groups are out altogether.
"""

import re
from functools import cache

from msgspec import Struct

WIDE = 3
"""repeats that can share characters with what follows, in one pattern; a pattern that does not begin with `^` has one more"""
CHOICES = 12
"""optional parts and groups of alternatives, in one pattern"""
_ALPHABET = (*map(chr, range(9, 127)), "é")
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?[:=!]|\(\?<[=!]|\(\?P?<\w{1,40}>|[()|^$.]|[*+?][?+]?|\{\d{0,4}(?:,\d{0,4})?\}[?+]?|.", re.DOTALL)


class Runaway(Exception):
    """Why a pattern is not taken."""


class Part(Struct):
    """One atom, or a group of alternatives, with how often it may come. `takes`: the characters that can begin it."""

    takes: frozenset[str]
    ways: list[list["Part"]] = []
    optional: bool = False
    repeated: bool = False


def reason(regexp: str) -> str | None:
    """Why a pattern could take too long on a line, or None."""
    try:
        tokens = _TOKEN.findall(regexp)
        ways, rest = _alternatives(tokens, 0)
        if rest != len(tokens):
            return "brackets that do not match"
        choices = sum(token[0] in "?|" for token in tokens)
        wide = sum(_wide(way, frozenset()) for way in ways) + (not regexp.startswith("^"))
    except Runaway as found:
        return str(found)
    if choices > CHOICES:
        return f"{choices} optional parts and alternatives, more than {CHOICES}"
    return f"{wide} repeats that can take what follows them, more than {WIDE}" if wide > WIDE else None


def _alternatives(tokens: list[str], at: int) -> tuple[list[list[Part]], int]:
    """The alternatives from here to the bracket that closes them, or to the end."""
    ways: list[list[Part]] = [[]]
    while at < len(tokens) and tokens[at] != ")":
        part = tokens[at]
        at += 1
        if part == "|":
            ways.append([])
        elif part.startswith("("):
            if part.startswith(("(?=", "(?!", "(?<=", "(?<!")):
                raise Runaway("a look ahead or behind")
            inner, at = _alternatives(tokens, at)
            if at >= len(tokens):
                raise Runaway("brackets that do not match")
            at += 1
            ways[-1].append(Part(takes=frozenset().union(*map(_first, inner)), ways=inner, optional=any(map(_is_empty, inner))))
        elif _is_quantifier(part):
            _quantified(ways[-1], part)
        elif part not in ("^", "$", r"\b", r"\B", r"\A", r"\Z"):
            if part[0] == "\\" and part[1:].isdigit():
                raise Runaway("a reference to a group")
            ways[-1].append(Part(takes=_characters(part)))
    return ways, at


def _quantified(way: list[Part], token: str) -> None:
    if not way:
        raise Runaway("a repeat of nothing")
    part = way[-1]
    if token[0] != "?" and part.ways:
        raise Runaway("a repeated group")
    part.optional = part.optional or token[0] in "?*" or token.startswith(("{0", "{,"))
    part.repeated = part.repeated or token[0] in "*+" or not re.fullmatch(r"\{\d\}|\?\??", token)


def _is_quantifier(token: str) -> bool:
    return token[0] in "*+?" or (token[0] == "{" and len(token) > 2)


@cache
def _characters(atom: str) -> frozenset[str]:
    """The characters that an atom takes, of an alphabet that stands for all."""
    if len(atom) == 1 and atom != ".":
        return frozenset((atom, atom.lower(), atom.upper()))
    try:
        pattern = re.compile(atom)
    except re.error:
        raise Runaway(f"{atom} is no pattern") from None
    return frozenset(char for char in _ALPHABET if pattern.fullmatch(char))


def _is_empty(way: list[Part]) -> bool:
    return all(part.optional for part in way)


def _first(way: list[Part]) -> frozenset[str]:
    """The characters that can begin a sequence."""
    found: frozenset[str] = frozenset()
    for part in way:
        found |= part.takes
        if not part.optional:
            break
    return found


def _wide(way: list[Part], after: frozenset[str]) -> int:
    """How many repeats of a sequence can take a character that may begin what follows."""
    total = 0
    for at, part in enumerate(way):
        rest = way[at + 1 :]
        follows = _first(rest) | (after if _is_empty(rest) else frozenset())
        total += bool(part.repeated and part.takes & follows) + sum(_wide(inner, follows) for inner in part.ways)
    return total
