"""How a JSON text is laid out, and so where one more entry goes and what it looks like: the indentation, the line ends, the comments behind the last entry."""

import json
import re

from ruledout.agents.settings import tree


class Style:
    """How the text lays out a container, and where one more entry goes."""

    def __init__(self, text: str, root: tree.Node, node: tree.Node) -> None:
        """Look at the text and at the container that is to get an entry."""
        self.text, self.node = text, node
        self.newline = "\r\n" if "\r\n" in text else "\n"
        inside = text[root.start : root.end]
        first = re.match(r"[{\[][^\S\n]*\r?\n(?:[^\S\n]*\r?\n)*([ \t]+)", inside)
        self.unit = first[1].removeprefix(_lead(text, root.start)) or "  " if first else "  "
        parts = node.parts or []
        self.spread = "\n" in text[node.start : node.begins[0]] if parts else "\n" in inside or not root.parts
        gap = re.search(r'"[^"\\\n]*"\s*:( ?)', inside)
        self.colon = f":{gap[1]}" if gap and not self.spread else ": "
        self.comma = ", " if self.colon == ": " else ","

    def shown(self, value: object, key: str | None) -> str:
        """The entry's own text."""
        if not self.spread:
            body = json.dumps(value, ensure_ascii=False, separators=(self.comma, self.colon))
        else:
            body = json.dumps(value, ensure_ascii=False, indent=self.unit).replace("\n", self.newline + self.indent())
        return body if key is None else f"{json.dumps(key, ensure_ascii=False)}{self.colon}{body}"

    def indent(self) -> str:
        """The white space before an entry of this container on a line of its own."""
        return _lead(self.text, self.node.begins[0]) if self.node.begins else _lead(self.text, self.node.start) + self.unit

    def placed(self, piece: str) -> list[tuple[int, str]]:
        """The pieces: a comma behind the last entry, then the entry behind what is said of the last one on its line."""
        parts = self.node.parts or []
        if not parts:
            at = _line_end(self.text, self.node.start + 1)
            if not self.spread:
                return [(self.node.start + 1, piece)]
            closed = "\n" in self.text[at : self.node.end]
            after = "" if closed else self.newline + _lead(self.text, self.node.start)
            return [(at, f"{self.newline}{self.indent()}{piece}{after}")]
        gap = self.newline + self.indent() if self.spread else " " if self.comma == ", " else ""
        if self.node.comma is not None:
            at = self.node.comma + 1
            return [(_line_end(self.text, at) if self.spread else at, f"{gap}{piece},")]
        end = parts[-1].end
        behind = _line_end(self.text, end) if self.spread else end
        return [(behind, gap + piece), (end, ",")] if behind > end else [(end, f",{gap}{piece}")]


def _lead(text: str, at: int) -> str:
    """The white space at the start of the line of this place."""
    start = text.rfind("\n", 0, at) + 1
    found = re.compile(r"\ufeff?([ \t]*)").match(text, start)
    return found[1] if found else ""


def _line_end(text: str, at: int) -> int:
    """Behind the comments that stand here on the same line; this place where there are none."""
    found = re.compile(r"(?:[ \t]*/\*(?:(?!\*/)[^\n])*\*/)*(?:[ \t]*//[^\r\n]*)?").match(text, at)
    return found.end() if found else at
