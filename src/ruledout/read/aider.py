"""aider's chat history (`.aider.chat.history.md`): `#### ` is the user, `> ` the program, all else the model.

A text of several lines that the program printed starts with `> ` and runs to a line that ends in two spaces. A ref is `line:N`. The file tells no exit
status, and not the output of commands that the model proposed; whether an edit was applied is told. Lossy: a heading of the model looks like the user.
"""

import re

from msgspec import Struct

from ruledout.model.action import Ending
from ruledout.model.transcript import Fidelity, Transcript
from ruledout.model.turn import Role
from ruledout.read.assemble import Assembler

NAME = "aider"

_START = "# aider chat started at "
_COMMAND = re.compile(r"(?:/run|/test|!)\s*(\S.*)", re.DOTALL)
_FAILED = re.compile(r"SEARCH/REPLACE blocks? failed to match|did not conform to the edit format|Malformed|No changes (?:made|to apply)")
_OPENING, _MIDDLE, _CLOSING = re.compile(r"<{5,9} SEARCH\s*$"), re.compile(r"={5,9}\s*$"), re.compile(r">{5,9} REPLACE\s*$")
_ASKING = ("Add the output to the chat?", "Add command output to the chat?", "Added ", "Run shell command", "Attempt to fix")


class _Block(Struct):
    """Lines of one speaker, from the line `at` on."""

    kind: str
    at: int
    text: str


class _Edit(Struct):
    at: int
    path: str
    old: str
    new: str


def claims(head: bytes) -> bool:
    """A line with aider's heading."""
    return head.startswith(_START.encode()) or b"\n" + _START.encode() in head


def read(raw: bytes) -> Transcript:
    """Read a chat history. Never raises: any text is one."""
    lines = raw.decode("utf-8", "replace").split("\n")
    walk = _Walk(Assembler(NAME))
    for block in _blocks([line.removesuffix("\r") for line in lines]):
        walk.take(block)
    walk.settle()
    return walk.out.finish(agent=NAME, version=walk.version, session=walk.started, fidelity=Fidelity.LOSSY)


def _blocks(lines: list[str]) -> list[_Block]:
    """The file as blocks: user, tool (one text that the program printed), model, start."""
    blocks: list[_Block] = []
    ends = _ends(lines)
    at = 0
    while at < len(lines):
        line, start = lines[at], at
        at += 1
        if line.startswith(_START):
            blocks.append(_Block("start", start, line.removeprefix(_START).strip()))
        elif line.startswith("#### "):
            while at < len(lines) and lines[at].startswith("####"):
                at += 1
            blocks.append(_Block("user", start, "\n".join(said.removeprefix("####").strip() for said in lines[start:at])))
        elif line.startswith("> ") or line == ">":
            at = ends[start]
            blocks.append(_Block("tool", start, "\n".join(lines[start:at]).removeprefix(">").removeprefix(" ").removesuffix("  ")))
        elif line.strip():
            while at < len(lines) and lines[at] != ">" and not lines[at].startswith((_START, "#### ", "> ")):
                at += 1
            blocks.append(_Block("model", start, "\n".join(lines[start:at])))
    return blocks


def _ends(lines: list[str]) -> list[int]:
    """For each line, where a text that the program printed from there on ends: behind the first line that ends in two spaces and has a speaker or a gap next.

    Behind the line itself where none does before the next user. Counted from the back, so that a file of a million lines is read once.
    """
    ends = [0] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        following = lines[at + 1] if at + 1 < len(lines) else ""
        last = lines[at].endswith("  ") and bool(lines[at].strip()) and (not following.strip() or following.startswith((">", "#### ", _START)))
        ends[at] = at + 1 if last else 0 if following.startswith(("#### ", _START)) else ends[at + 1]
    return [end or at + 1 for at, end in enumerate(ends)]


class _Walk:
    """Goes through the blocks; edits of the model wait until the program says whether it applied them."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.version: str | None = None
        self.started: str | None = None
        self.running: str | None = None
        """the ref of the command whose output comes next"""
        self.waiting: list[_Edit] = []
        self.applied: list[str] = []
        """paths of the edits that the last answer made, for `/undo`"""
        self.last = _Block("", 0, "")
        self.notes: list[_Block] = []
        """what the program printed and no call owns, not said yet"""

    def take(self, block: _Block) -> None:
        """The next block."""
        ref = f"line:{block.at}"
        if block.kind != "tool":
            self._note()
        if block.kind == "start":
            self.settle()
            self.started = self.started or block.text
        elif block.kind == "user":
            self.settle()
            self._user(ref, block.text)
        elif block.kind == "model":
            self.settle()
            self.waiting = _edits(block)
            self.applied = [] if self.waiting else self.applied
            self.out.say(Role.ASSISTANT, block.text.strip(), ref)
        else:
            self._tool(ref, block)
        self.last = block

    def settle(self) -> None:
        """Call the edits of which nothing more was said: they stay without a result."""
        self._note()
        for edit in self.waiting:
            self._call(edit)
        self.waiting, self.running = [], None

    def _note(self) -> None:
        """Say what the program printed, as one turn."""
        if self.notes:
            self.out.say(Role.NOTE, "\n".join(note.text for note in self.notes), f"line:{self.notes[0].at}")
            self.notes = []

    def _call(self, edit: _Edit) -> None:
        """An edit as a call; an empty search is a new file."""
        whole = not edit.old.strip()
        given = {"path": edit.path, "content": edit.new} if whole else {"path": edit.path, "old_string": edit.old, "new_string": edit.new}
        self.out.call(f"line:{edit.at}", "write" if whole else "edit", given)

    def _user(self, ref: str, said: str) -> None:
        if found := _COMMAND.fullmatch(said):
            self.running = ref
            self.out.call(ref, "bash", {"command": found[1]})
        elif said.startswith("I ran this command:"):
            self.out.say(Role.NOTE, said, ref)
        elif said == "/undo" and self.applied:
            for path in dict.fromkeys(self.applied):
                self.out.call(ref, "str_replace_editor", {"command": "undo_edit", "path": path})
                self.out.result(ref, "")
            self.applied = []
        else:
            self.out.say(Role.NOTE if said.startswith("/") else Role.USER, said, ref)

    def _tool(self, ref: str, block: _Block) -> None:
        said = block.text
        if said.startswith("Aider v"):
            self.version = self.version or said.removeprefix("Aider v").split()[0]
        if self.running and not said.startswith(_ASKING):
            self._note()
            self.out.result(self.running, said)
            self.running = None
            return
        if said.startswith("Applied edit to "):
            self._ended(said.removeprefix("Applied edit to ").strip(), Ending.DONE)
        elif _FAILED.search(said[:2000]):
            self._ended(None, Ending.MALFORMED)
        elif said.startswith("Running ") and not said.startswith("Running:"):
            self.running = ref
            self.out.call(ref, "bash", {"command": said.removeprefix("Running ").strip()})
            return
        elif said.startswith("Run shell command?") and said.rstrip().endswith("y") and self.last.kind == "tool":
            self.out.call(f"line:{self.last.at}", "bash", {"command": self.last.text.strip()})
        self.notes.append(block)

    def _ended(self, path: str | None, ending: Ending) -> None:
        """Close the waiting edits: those of one file, or all that are left."""
        mine = [edit for edit in self.waiting if path is None or edit.path == path or edit.path.endswith(f"/{path}") or path.endswith(f"/{edit.path}")]
        self.waiting = [edit for edit in self.waiting if edit not in mine]
        for edit in mine:
            self._call(edit)
            self.out.result(f"line:{edit.at}", "", ending=ending)
        if path and mine:
            self.applied.append(path)


def _edits(block: _Block) -> list[_Edit]:
    """The SEARCH/REPLACE blocks of an answer. The path stands on the last line that says something before the block or its fence."""
    edits: list[_Edit] = []
    path, side, old, new, start = "", "", [""], [""], 0
    for number, line in enumerate(block.text.split("\n")):
        if not side and _OPENING.match(line):
            side, old, new, start = "old", [], [], block.at + number
        elif side == "old" and _MIDDLE.match(line):
            side = "new"
        elif side == "new" and _CLOSING.match(line):
            edits.append(_Edit(start, path, "\n".join(old), "\n".join(new)))
            side = ""
        elif side:
            (old if side == "old" else new).append(line)
        elif line.strip() and not line.lstrip().startswith(("```", "<source>", "</source>", "~~~")):
            path = line.strip().strip("`*#: ")
    return [edit for edit in edits if edit.path and len(edit.path) < 500]
