"""JSON with the place of every value in the text, so that a text can be edited where it stands. With `loose`, comments and trailing commas are read too."""

import json
import re
from functools import cache

from ruledout.agents.settings import unreadable

DEEPEST = 200
_STRING = r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"'


class Node:
    """A value: where it starts and ends. `parts` are the values inside, `keys` their names in an object.

    `begins` is where each of `parts` begins (in an object: its key), `comma` where a trailing comma stands.
    """

    __slots__ = ("begins", "comma", "end", "keys", "parts", "start", "value")

    def __init__(self, start: int) -> None:
        """Begin one."""
        self.start = self.end = start
        self.value: object = None
        self.keys: list[str] | None = None
        self.parts: list[Node] | None = None
        self.begins: list[int] = []
        self.comma: int | None = None

    def get(self, key: str) -> "Node | None":
        """The value of this key; the last of several, as every parser has it."""
        found = [part for name, part in zip(self.keys or (), self.parts or (), strict=True) if name == key]
        return found[-1] if found else None

    def plain(self) -> object:
        """The value as Python has it."""
        if self.parts is None:
            return self.value
        if self.keys is None:
            return [part.plain() for part in self.parts]
        return {key: part.plain() for key, part in zip(self.keys, self.parts, strict=True)}


def parse(text: str, *, loose: bool) -> Node:
    """The one value of a text. Raises `BadInput` with line and column."""
    reader = _Reader(text, loose=loose)
    at = reader.skip(1 if text.startswith("\ufeff") else 0)
    node = reader.value(at, 0)
    end = reader.skip(node.end)
    if end != len(text):
        raise unreadable(text, end, "something stands behind the value")
    return node


def blank(text: str, *, loose: bool) -> bool:
    """Is there no value at all: nothing, or white space (and comments, where they may stand)."""
    return _Reader(text, loose=loose).skip(1 if text.startswith("\ufeff") else 0) == len(text)


@cache
def _patterns() -> tuple["re.Pattern[str]", "re.Pattern[str]", "re.Pattern[str]"]:
    return (
        re.compile(_STRING, re.DOTALL),
        re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])|(?:true|false|null)(?!\w)"),
        re.compile(r"[ \t\r\n]*"),
    )


class _Reader:
    def __init__(self, text: str, *, loose: bool) -> None:
        self.text, self.loose = text, loose
        self.string, self.scalar, self.space = _patterns()

    def skip(self, at: int) -> int:
        """Behind white space, and comments."""
        while True:
            found = self.space.match(self.text, at)
            at = found.end() if found else at
            if self.text[at : at + 2] not in ("//", "/*"):
                return at
            if not self.loose:
                raise unreadable(self.text, at, "a comment, which this agent's settings do not take")
            line = self.text[at + 1] == "/"
            end = self.text.find("\n" if line else "*/", at + 2)
            if end < 0 and not line:
                raise unreadable(self.text, at, "a comment without an end")
            at = len(self.text) if end < 0 else end if line else end + 2

    def value(self, at: int, depth: int) -> Node:
        node = Node(at)
        if depth > DEEPEST:
            raise unreadable(self.text, at, f"more than {DEEPEST} levels deep")
        first = self.text[at : at + 1]
        if first in ("{", "["):
            node.parts, node.keys = [], [] if first == "{" else None
            node.end = self.inside(node, self.skip(at + 1), depth)
        else:
            node.value, node.end = self.plain(at)
        return node

    def inside(self, node: Node, at: int, depth: int) -> int:
        """The members or items from here on; the place behind the closing bracket."""
        close = "]" if node.keys is None else "}"
        parts = node.parts if node.parts is not None else []
        while self.text[at : at + 1] != close:
            node.begins.append(at)
            if node.keys is not None:
                if self.text[at : at + 1] != '"':
                    raise unreadable(self.text, at, "a key in double quotes was expected")
                key, at = self.plain(at)
                node.keys.append(str(key))
                at = self.skip(at)
                if self.text[at : at + 1] != ":":
                    raise unreadable(self.text, at, "a colon was expected")
                at = self.skip(at + 1)
            parts.append(self.value(at, depth + 1))
            at = self.skip(parts[-1].end)
            if self.text[at : at + 1] == ",":
                comma, at = at, self.skip(at + 1)
                if self.text[at : at + 1] == close:
                    if not self.loose:
                        raise unreadable(self.text, comma, "a comma behind the last entry")
                    node.comma = comma
            elif self.text[at : at + 1] != close:
                raise unreadable(self.text, at, f"a comma or {close} was expected")
        return at + 1

    def plain(self, at: int) -> tuple[object, int]:
        found = self.string.match(self.text, at) if self.text[at : at + 1] == '"' else self.scalar.match(self.text, at)
        if found is None:
            raise unreadable(self.text, at, "a value was expected" if at < len(self.text) else "the text ends too early")
        try:
            plain = found[0][0] == '"' and "\\" not in found[0]  # most are: the decoder takes its time
            return found[0][1:-1] if plain else json.loads(found[0]), found.end()
        except ValueError:
            raise unreadable(self.text, at, "this is no JSON value") from None
