"""A shell command line taken apart into simple commands: quotes, heredocs, lists, pipes, groups.

It reads far enough to tell which programs run and what each one's exit status meets. It expands nothing and refuses nothing: text that is no
shell comes out as words.
"""

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

_OPERATORS = ("&&", "||", "|&", ";;", "|", ";", "&", "\n")
_LONGEST = 64 * 1024
"""characters of a command line beyond these are not read"""
_CLOSERS = {"(": ")", "{": "}"}
_DEPTH = 60
"""brackets nested deeper are read as plain text"""


class Step(Struct, frozen=True, kw_only=True):
    """A simple command: its words without quotes and redirections, and the operator that follows it (empty at the end).

    `body` is the text of its heredocs; `writes` are the files that its output goes to.
    """

    words: tuple[str, ...]
    then: str = ""
    body: str = ""
    writes: tuple[str, ...] = ()


class _Reader:
    """Walks over the text once. Words gather in `words`; a step is closed by an operator."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.words: list[str] = []
        self.writes: list[str] = []
        self.steps: list[Step] = []
        self.heredocs: list[tuple[str, bool]] = []
        self.body = ""

    def run(self) -> tuple[Step, ...]:
        while self.at < len(self.text):
            self.one()
        self.close("")
        return tuple(self.steps)

    def one(self) -> None:
        char = self.text[self.at]
        if char == "\n" and self.heredocs:
            self.take_heredocs()
        elif char in "&|;\n":
            self.operator(next(op for op in _OPERATORS if self.text.startswith(op, self.at)))
        elif self.text.startswith("\\\n", self.at):
            self.at += 2
        elif char in " \t\r":
            self.at += 1
        elif char == "#" and (self.at == 0 or self.text[self.at - 1] in " \t\n;"):
            self.at = _find(self.text, "\n", self.at)
        elif char in "()" or (char in "{}" and _stands_alone(self.text, self.at)):
            self.at += 1
        elif char in "<>":
            self.redirect("")
        else:
            self.word()

    def operator(self, operator: str) -> None:
        if operator == "&" and self.text.startswith("&>", self.at):
            self.at += 1
            self.redirect("")
            return
        self.at += len(operator)
        self.close("|" if operator == "|&" else ";" if operator in (";;", "\n") else operator)

    def close(self, then: str) -> None:
        if self.words or self.writes:
            self.steps.append(Step(words=tuple(self.words), then=then, writes=tuple(self.writes)))
            self.words, self.writes = [], []
        elif self.steps and then in ("&&", "||", "|", "&") and not self.steps[-1].then:
            # a group was closed before the operator: `(a; b) | tail`
            self.steps[-1] = _with(self.steps[-1], then=then)

    def word(self) -> None:
        word = self.gather()
        if word.isdigit() and self.at < len(self.text) and self.text[self.at] in "<>":
            self.redirect(word)
        elif word:
            self.words.append(word)

    def gather(self) -> str:
        parts: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in " \t\r\n;|&<>()":
                break
            parts.append(self.piece(char))
        return "".join(parts)

    def piece(self, char: str) -> str:
        start = self.at
        if char == "'":
            self.at = _find(self.text, "'", start + 1) + 1
            return self.text[start + 1 : self.at - 1]
        if char == '"':
            self.at = _quoted(self.text, start + 1)
            return self.text[start + 1 : self.at - 1].replace('\\"', '"')
        if char == "`":
            self.at = _find(self.text, "`", start + 1) + 1
            return self.text[start : self.at]
        if self.text.startswith("$(", start):
            self.at = _closed(self.text, start + 2, ")")
            return self.text[start : self.at]
        if char == "\\":
            self.at += 2
            return "" if self.text.startswith("\n", start + 1) else self.text[start + 1 : start + 2]
        self.at = _plain().match(self.text, start + 1).end()  # type: ignore[union-attr]  # it matches the empty string too
        return self.text[start : self.at]

    def redirect(self, number: str) -> None:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "<>&|-" and not (self.text[self.at] == "-" and self.text[start : self.at] != "<<"):
            self.at += 1
        sign = self.text[start : self.at]
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1
        target = self.gather()
        if sign in ("<<", "<<-"):
            self.heredocs.append((target, sign == "<<-"))
        elif sign.startswith(">") and "&" not in sign and target:
            self.writes.append(f"{number}>{target}" if number == "2" else target)

    def take_heredocs(self) -> None:
        self.at += 1
        taken = []
        for mark, dashed in self.heredocs:
            lines = []
            while self.at < len(self.text):
                end = _find(self.text, "\n", self.at)
                line = self.text[self.at : end]
                self.at = min(end + 1, len(self.text))
                if (line.lstrip("\t") if dashed else line).rstrip("\r") == mark:
                    break
                lines.append(line)
            taken.append("\n".join(lines))
        self.heredocs = []
        self.give("\n".join(taken))

    def give(self, body: str) -> None:
        """The heredoc belongs to the command that was open, or to the last one of the line; the line ends here."""
        self.close(";")
        if self.steps:
            last = self.steps[-1]
            self.steps[-1] = _with(last, body=f"{last.body}{body}", then=last.then or ";")


@cache
def _plain() -> re.Pattern[str]:
    return re.compile(r"[^\s;|&<>()'\"`$\\]*")


def _with(step: Step, *, then: str | None = None, body: str | None = None) -> Step:
    return Step(words=step.words, then=step.then if then is None else then, body=step.body if body is None else body, writes=step.writes)


def _find(text: str, what: str, start: int) -> int:
    found = text.find(what, start)
    return len(text) if found < 0 else found


def _stands_alone(text: str, at: int) -> bool:
    """A brace is a group only as a word of its own; `{a,b}` and `${x}` are not."""
    after = text[at + 1 : at + 2]
    before = text[at - 1 : at] if at else " "
    return (not before or before in " \t\n;&|(") and (not after or after in " \t\n;&|)")


def _quoted(text: str, at: int, depth: int = 0) -> int:
    """The index behind the closing double quote; `$( )` inside may hold quotes of its own."""
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif depth < _DEPTH and text.startswith("$(", at):
            at = _closed(text, at + 2, ")", depth + 1)
        elif text[at] == '"':
            return at + 1
        else:
            at += 1
    return len(text) + 1


def _closed(text: str, at: int, closer: str, depth: int = 0) -> int:
    """The index behind the bracket that closes, over nested ones and quotes; a heredoc inside is skipped as plain text."""
    while at < len(text):
        char = text[at]
        if char == closer:
            return at + 1
        if text.startswith("<<", at) and (end := _behind_heredoc(text, at)):
            at = end
        elif char == "'":
            at = _find(text, "'", at + 1) + 1
        elif char == '"':
            at = _quoted(text, at + 1, depth + 1)
        elif char in _CLOSERS and depth < _DEPTH:
            at = _closed(text, at + 1, _CLOSERS[char], depth + 1)
        else:
            at += 2 if char == "\\" else 1
    return len(text)


def _behind_heredoc(text: str, at: int) -> int:
    """The index behind a heredoc's last line, or 0 where it is none."""
    mark = text[at + 2 : at + 80].lstrip("-").split("\n", 1)[0].split(")", 1)[0].strip().strip("'\"")
    if not mark.isidentifier():
        return 0
    line = text.find(f"\n{mark}", at)
    return 0 if line < 0 else line + 1 + len(mark)


def steps(command: str) -> tuple[Step, ...]:
    """The simple commands of a command line, in order of appearance; those inside `$( )` are not listed."""
    return _Reader(command[:_LONGEST]).run()


def after(parts: tuple[Step, ...], index: int) -> Iterator[tuple[str, Step | None]]:
    """What follows a step: each operator with the step behind it, None at the end."""
    for number in range(index, len(parts)):
        yield parts[number].then, parts[number + 1] if number + 1 < len(parts) else None
