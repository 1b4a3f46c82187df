"""A text as tokens, so that layout, comments and quote marks make no difference.

One rough reading for all languages: it finds lines again, it judges nothing.
"""

import re
from functools import cache

from msgspec import Struct

_HASH = frozenset(("py", "pyi", "rb", "sh", "bash", "zsh", "yml", "yaml", "toml", "cfg", "ini", "pl", "r", "ex", "exs", "jl", "nix", "tf", "mk", "cmake"))
_DASH = frozenset(("lua", "sql", "hs", "elm", "adb", "ads"))
_NO_SEMICOLON = frozenset(("js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts"))
_CLOSERS = frozenset((")", "]", "}"))


class Token(Struct, frozen=True):
    """One token and the line it begins on, counted from 1."""

    text: str
    line: int


def language(path: str) -> str:
    """The file's suffix in small letters, without the dot; empty where there is none."""
    return path.rpartition("/")[2].rpartition(".")[2].lower() if "." in path.rpartition("/")[2] else ""


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    comment = {"hash": r"\#[^\n]*", "dash": r"--[^\n]*", "slash": r"//[^\n]*|/\*.*?(?:\*/|\Z)"}[kind]
    return re.compile(
        rf"(?s)(?P<comment>{comment})"
        r"|(?P<string>[rRbBuUfF]{0,2}(?:\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)|\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?)|`(?:[^`\\]|\\.)*`?)"
        r"|(?P<word>[^\W\d]\w*|\d[\w.]*|\$\w*)|(?P<blank>\s+|\\\n)"
        r"|(?P<mark>===|!==|\*\*=|//=|>>=|<<=|:=|->|=>|==|!=|<=|>=|&&|\|\||\+\+|--|\+=|-=|\*=|/=|\*\*|//|::|.)"
    )


def comment_kind(path: str) -> str:
    """How comments begin in a file of this name: `hash`, `dash` or `slash`."""
    suffix = language(path)
    return "hash" if suffix in _HASH or path.rpartition("/")[2] in ("Makefile", "Dockerfile") else "dash" if suffix in _DASH else "slash"


def tokens(path: str, text: str) -> tuple[Token, ...]:
    """The tokens of a text as a file of this name would have them: no comments, no space, one kind of quote, no comma before a closing bracket.

    A broken text has tokens too: an open string ends at its line's end.
    """
    found: list[Token] = []
    line = 1
    plain = language(path) in _NO_SEMICOLON
    for match in _pattern(comment_kind(path)).finditer(text):
        kind, word = match.lastgroup, match.group()
        if kind == "string":
            found.append(Token(_unquoted(word), line))
        elif kind in ("word", "mark") and not (plain and word == ";"):
            if word in _CLOSERS and found and found[-1].text == ",":
                found.pop()
            found.append(Token(word, line))
        line += word.count("\n")
    return tuple(found)


def _unquoted(word: str) -> str:
    """A string without the choice of its quote marks, kept apart from any name by one of them."""
    body = word.lstrip("rRbBuUfF")
    lead = word[: len(word) - len(body)].lower()
    mark = body[:3] if body[:3] in ('"""', "'''") else body[:1]
    inner = body[len(mark) :]
    return f'{lead}"{inner.removesuffix(mark)}'


def flat(path: str, text: str) -> str:
    """The tokens joined by spaces: equal for two texts that differ only in layout and comments."""
    return " ".join(token.text for token in tokens(path, text))


def code_lines(path: str, lines: list[str]) -> list[str]:
    """For each line, its tokens joined; empty for lines that hold no code of their own. Strings over several lines count to the first."""
    rows: list[list[str]] = [[] for _ in lines]
    for token in tokens(path, "\n".join(lines)):
        rows[token.line - 1].append(token.text)
    return [" ".join(row) for row in rows]
