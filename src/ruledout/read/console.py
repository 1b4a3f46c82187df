"""Terminal copies of Claude Code and Gemini CLI: what a person copied from the screen into a text file.

Claude Code: `> ` is the user, `⏺ ` the model or a call, `  ⎿ ` what came back. Gemini: `✦ ` is the model, a box a call with what came back.
Lossy: outputs are cut, edits show no clean diff, commands wrap at the screen's edge, no exit status is told. A ref is `line:N`.
"""

import re

from ruledout.model.action import Ending
from ruledout.model.transcript import Fidelity, Transcript
from ruledout.model.turn import Role
from ruledout.read.assemble import Assembler

NAME = "console"

_CALL = re.compile(r"[⏺●] ([A-Z]\w{1,30})\((.*?)\)?…?\s*$")
_BOX = re.compile(r" ?│ ([✔✓✗✖xo?⊷-])\s{1,3}([A-Z]\w{1,30})(?: (.*?))?\s*│?\s*$")
_TOOLS = {"Bash": "bash", "Shell": "bash", "Update": "edit", "Edit": "edit", "MultiEdit": "edit", "Write": "edit", "WriteFile": "edit", "Replace": "edit"}
_REFUSED = ("No (tell Claude what to do differently", "User rejected", "The user doesn't want")


def claims(head: bytes) -> bool:
    """A text, no JSON, in which a person asks and the marks of one of the two programs answer."""
    text = head.decode("utf-8", "replace")
    if text[:1] in ("{", "[", "<") or "\n> " not in f"\n{text}":
        return False
    return ("\n⏺ " in text and "\n  ⎿ " in text) or ("\n✦ " in text and "\n ╭─" in text)


def read(raw: bytes) -> Transcript:
    """Read a copy. Never raises: any text is one."""
    walk = _Walk(Assembler(NAME))
    for number, line in enumerate(raw.decode("utf-8", "replace").split("\n")):
        walk.take(number, line.removesuffix("\r"))
    walk.flush()
    return walk.out.finish(agent=walk.agent, cwd=walk.cwd, fidelity=Fidelity.LOSSY)


class _Walk:
    """Goes through the lines; each mark at a line's start ends what was before it."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.agent = "claude-code"
        self.cwd: str | None = None
        self.kind = "screen"
        """whose lines gather: screen, user, model, result, box"""
        self.at = 0
        self.lines: list[str] = []
        self.call: str | None = None
        """the ref of the call whose result may come"""

    def take(self, number: int, line: str) -> None:
        """The next line."""
        if self.kind == "box":
            self._boxed(line)
        elif line.startswith("> ") or line == ">":
            self._start("user", number, line[2:])
        elif line.startswith(("⏺ ", "● ")):
            self._marked(number, line)
        elif line.startswith("  ⎿"):
            self._start("result", number, line[3:].strip(" \xa0"))
        elif line.startswith("✦ "):
            self.agent = "gemini-cli"
            self._start("model", number, line[2:])
        elif line.startswith((" ╭─", "╭─")):
            self.flush()
        elif found := _BOX.match(line):
            self.agent = "gemini-cli"
            self._box(number, found)
        elif self.kind in ("user", "result") and line.strip() and not line.startswith("  "):
            self._start("screen", number, line)
        else:
            self._gather(number, line)

    def _gather(self, number: int, line: str) -> None:
        if not self.lines:
            self.at = number
        if self.cwd is None and (found := re.match(r"│\s+cwd: (\S.{0,1000}?)\s+│$", line)):
            self.cwd = found[1]
        self.lines.append(line.removeprefix("     ") if self.kind == "result" else line.removeprefix("  "))

    def _start(self, kind: str, number: int, first: str) -> None:
        self.flush()
        self.kind, self.at, self.lines = kind, number, [first]

    def _marked(self, number: int, line: str) -> None:
        """A call or an answer of Claude Code."""
        found = _CALL.match(line)
        if not found:
            self._start("model", number, line[2:])
            self.call = None
            return
        self.flush()
        self._called(number, found[1], found[2])
        self.kind = "screen"

    def _box(self, number: int, found: re.Match[str]) -> None:
        """The head of a box of Gemini's: tool, what it was asked, and how it ended."""
        self.flush()
        name, asked = found[2], (found[3] or "").rstrip()
        if name == "Shell":
            asked = re.sub(r" \([A-Z][^()]{3,300}\)$", "", asked)
        self._called(number, name, asked.split(": ", 1)[0] if name == "Edit" else asked)
        self.kind, self.at, self.lines = "box", number, []

    def _boxed(self, line: str) -> None:
        if "╰" in line:
            self.flush()
            self.kind = "screen"
        else:
            self.lines.append(re.sub(r"^ ?│ {0,4}", "", line).rstrip(" │"))

    def _called(self, number: int, name: str, asked: str) -> None:
        self.call = f"line:{number}"
        tool = _TOOLS.get(name)
        if tool is None and name.startswith(("Read", "List", "Search", "Glob", "Grep", "Find")):
            tool = "read"
        given = {"command": asked} if tool == "bash" else {"file_path": asked} if tool else {"input": asked}
        self.out.call(self.call, tool or name, given)

    def flush(self) -> None:
        """Say what has gathered, or give it to the call that awaits it."""
        said, self.lines = "\n".join(self.lines).strip("\n "), []
        if self.kind in ("result", "box") and self.call:
            refused = said.startswith(_REFUSED)
            self.out.result(self.call, said.removeprefix("Error: "), ending=Ending.REFUSED if refused else Ending.DONE)
            self.call = None
        elif said:
            speaker = {"user": Role.USER, "model": Role.ASSISTANT}.get(self.kind, Role.NOTE)
            self.out.say(speaker, said, f"line:{self.at}")
        self.kind = "screen"
