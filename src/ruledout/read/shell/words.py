"""A command line taken apart into simple commands: words, redirections, here-documents. Quotes are undone, nothing is expanded.

Follows the POSIX shell's rules as far as agents' command lines go; what it cannot follow (a quote that never closes) it takes as text to the end.
"""

import re

from msgspec import Struct

LIMIT = 512 * 1024
"""Characters of a command that are looked at."""


class Simple(Struct):
    """One simple command. `writes` are output redirections: operator with its descriptor (`>`, `2>>`, `&>`) and target."""

    words: list[str]
    writes: list[tuple[str, str]]
    reads: str | None = None
    """target of `<`"""
    heredoc: str | None = None
    """here-document or here-string on standard input"""
    piped: bool = False
    """its input is the output of the one before"""


_PLAIN = re.compile(r"[^\s'\"\\$`<>|&;()]+")
_DOUBLE = re.compile(r"[^\"\\$`]+")
_SPACE = re.compile(r"(?:[ \t\r]|\\\n)+")
_REDIRECT = re.compile(r"(\d*|&)(<<<|<<-|<<|<>|<&|<|>>|>\||>&|>)")
_OPERATOR = re.compile(r"&&|\|\||;;|\|&|[;|&()]")
_SCREEN = re.compile(r"<<-?\s*(['\"\\]?)(\w+)")
_ANSI = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "0": "\0"}


class _Scanner:
    """Walks over one command line once; `at` only grows."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.done: list[Simple] = []
        self.now = Simple([], [])
        self.waiting: list[tuple[Simple, str, bool, bool]] = []
        self.unclosed: set[str] = set()

    def scan(self) -> list[Simple]:
        """All simple commands, in order."""
        while self.at < len(self.text):
            self._step()
        self._end()
        return self.done

    def _step(self) -> None:
        if found := _SPACE.match(self.text, self.at):
            self.at = found.end()
        elif self.text[self.at] == "\n":
            self.at += 1
            self._end()
            self._heredocs()
        elif self.text[self.at] == "#":
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        elif found := _REDIRECT.match(self.text, self.at):
            self._redirect(found)
        elif found := _OPERATOR.match(self.text, self.at):
            self.at = found.end()
            self._end()
            self.now.piped = found[0] in {"|", "|&"}
        else:
            self.now.words.append(self._word())

    def _end(self) -> None:
        if self.now.words or self.now.writes or self.now.heredoc is not None:
            self.done.append(self.now)
        if self.now.words or self.now.writes or not self.now.piped:
            self.now = Simple([], [])

    def _redirect(self, found: re.Match[str]) -> None:
        self.at = found.end()
        if space := _SPACE.match(self.text, self.at):
            self.at = space.end()
        sign = found[2]
        quoted = self.text[self.at : self.at + 1] in {"'", '"', "\\"}
        target = self._word()
        if sign in {"<<", "<<-"}:
            self.waiting.append((self.now, target, quoted, sign == "<<-"))
            self.now.heredoc = ""
        elif sign == "<<<":
            self.now.heredoc = target + "\n"
        elif sign == "<":
            self.now.reads = target
        elif sign.startswith(">"):
            self.now.writes.append((found[1] + sign, target))

    def _heredocs(self) -> None:
        """The bodies of the here-documents that the line just ended has announced."""
        for command, mark, quoted, tabs in self.waiting:
            body: list[str] = []
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                row = self.text[self.at : end]
                self.at = end + 1
                row = row.lstrip("\t") if tabs else row
                if row.rstrip("\r") == mark:
                    break
                body.append(row if quoted else re.sub(r"\\([$`\\])", r"\1", row))
            command.heredoc = "".join(f"{row}\n" for row in body)
        self.waiting = []

    def _word(self) -> str:
        """One word with its quotes undone; empty where an operator or a space stands."""
        parts: list[str] = []
        while self.at < len(self.text):
            if found := _PLAIN.match(self.text, self.at):
                parts.append(found[0])
                self.at = found.end()
            elif (letter := self.text[self.at]) in " \t\r\n|;()<>&":
                break
            else:
                parts.append(self._piece(letter))
        return "".join(parts)

    def _piece(self, letter: str) -> str:
        text, at = self.text, self.at
        if letter == "'":
            end = text.find("'", at + 1)
            end = len(text) if end < 0 else end
            self.at = end + 1
            return text[at + 1 : end]
        if letter == '"':
            return self._double()
        if letter == "\\":
            self.at = at + 2
            return "" if text[at + 1 : at + 2] == "\n" else text[at + 1 : at + 2]
        if letter == "`":
            end = text.find("`", at + 1)
            self.at = len(text) if end < 0 else end + 1
            return text[at : self.at]
        return self._dollar()

    def _dollar(self) -> str:
        text, at = self.text, self.at
        follows = text[at + 1 : at + 2]
        if follows == "(":
            self._close(at + 2, ")")
        elif follows == "{":
            self._close(at + 2, "}")
        elif follows == "'":
            return self._ansi()
        else:
            self.at = at + 1
        return text[at : self.at]

    def _ansi(self) -> str:
        r"""A `$'...'` string: `\n` and the like are what they say."""
        found = re.compile(r"(?:[^'\\]|\\.)*", re.DOTALL).match(self.text, self.at + 2)
        body = found[0] if found else ""
        self.at += len(body) + 3
        return re.sub(r"\\(.)", lambda escape: _ANSI.get(escape[1], escape[0]), body, flags=re.DOTALL)

    def _double(self) -> str:
        parts: list[str] = []
        self.at += 1
        while self.at < len(self.text):
            if found := _DOUBLE.match(self.text, self.at):
                parts.append(found[0])
                self.at = found.end()
                continue
            letter = self.text[self.at]
            if letter == '"':
                self.at += 1
                break
            if letter == "\\":
                follows = self.text[self.at + 1 : self.at + 2]
                parts.append("" if follows == "\n" else follows if follows in '"\\$`' else "\\" + follows)
                self.at += 2
            elif letter == "$" and self.text[self.at + 1 : self.at + 2] == "'":
                parts.append("$")
                self.at += 1
            else:
                parts.append(self._piece(letter))
        return "".join(parts)

    def _close(self, start: int, end: str) -> None:
        """Go behind the bracket that closes a substitution, over quotes and here-documents in it."""
        self.at, depth = start, 1
        opening = "(" if end == ")" else "{"
        while self.at < len(self.text) and depth:
            letter = self.text[self.at]
            if letter in "'\"`":
                self._piece(letter)
            elif letter == "\\":
                self.at += 2
            elif letter == "<" and end == ")" and (found := _SCREEN.match(self.text, self.at)):
                self._over(found)
            else:
                depth += (letter == opening) - (letter == end)
                self.at += 1

    def _over(self, found: re.Match[str]) -> None:
        """Go behind a here-document inside a substitution."""
        self.at = found.end()
        if found[2] in self.unclosed:  # looked for once: many of them must not cost a search each
            return
        if closing := re.compile(rf"\n[ \t]*{re.escape(found[2])}[ \t]*(?=[\n)]|$)").search(self.text, found.end()):
            self.at = closing.end()
        else:
            self.unclosed.add(found[2])


def commands(line: str) -> list[Simple]:
    """The simple commands of a command line, in order."""
    return _Scanner(line[:LIMIT]).scan()
