"""The command language of SWE-agent's own interface (`open`, `goto`, `edit A:B ... end_of_edit`, `create`, `submit`) as tool calls of the common kind.

Two formats carry it: SWE-agent's trajectories and plain message lists made from them. An `edit` names lines, not text: the lines that it replaces are taken
from the file windows that the session showed before. What no window showed stays unknown.
"""

import re
from typing import Any

from msgspec import Struct

REFUSALS = (
    "your proposed edit has introduced new syntax error",
    "your bash command contained syntax errors and was not executed",
    "your output was not formatted correctly",
    "your command was not executed",
    "interactive operation",
    "usage: edit",
    "no file open. use the open command",
    "no file open. use the `open` command",
    "error: start_line must be",
    "error: end_line must be",
    "error: unable to parse",
)
"""How SWE-agent's tools begin when they reject a call, in lower case: nothing was changed, nothing was run."""

_UNMATCHED = (
    "no replacement was performed",
    "no edit was made",
    "no edit was performed",
    "no edit history found",
    "invalid `",
    "invalid view_range",
    "invalid insert_line",
    "error:\ninvalid",
    "error:\nno replacement was performed",
    "error:\nparameter",
    "error:\nthe path",
    "error:\nthe `",
    "parameter `",
    "the path ",
    "file already exists at",
    "ran into [errno",
    "usage: str_replace_editor",
    "error:\nfile already exists",
)

_FLAGS = frozenset(("file_text", "view_range", "old_str", "new_str", "insert_line"))
_EDIT = re.compile(r"edit\s+(\d{1,9}):(\d{1,9})[ \t]*\n(.*?)\n?end_of_edit\s*\Z", re.DOTALL)
_INSERT = re.compile(r"insert\s+(\d{1,9})[ \t]*\n(.*?)\n?end_of_insert\s*\Z", re.DOTALL)
_WINDOW = re.compile(r"^\[File: (.+?) \((\d{1,9}) lines? total\)\]", re.MULTILINE)
_NUMBERED = re.compile(r"^(\d{1,9}):(.*)$", re.MULTILINE)
_LOOKS = frozenset(("open", "goto", "scroll_up", "scroll_down", "search_file", "search_dir", "find_file", "filemap", "view"))
_MOVES = frozenset(("goto", "scroll_up", "scroll_down"))


class Step(Struct, frozen=True, kw_only=True):
    """One command as a tool call: the tool's name and its arguments in the common spelling."""

    name: str
    arguments: dict[str, Any]


class Screen:
    """What the session has shown of files so far: the open one, and lines by number. Grows with every observation."""

    def __init__(self) -> None:
        """Nothing has been shown yet."""
        self.open: str | None = None
        self._lines: dict[str, dict[int, str]] = {}

    def step(self, action: str, observation: str, told: str | None = None) -> Step:
        """The command `action`, which was answered by `observation`, as a tool call. `told` is the open file as the harness states it."""
        word = action.split(maxsplit=1)[0] if action.strip() else ""
        if word in ("edit", "insert") and (step := self._edit(action.strip(), observation, told)):
            return step
        if word == "create":
            path = _path(action)
            return Step(name="str_replace_editor", arguments={"command": "create", "path": path, "file_text": ""})
        if word in _LOOKS:
            path = (_seen(observation) or self.open or told or "") if word in _MOVES else _path(action)
            return Step(name="read", arguments={"path": path})
        if word == "str_replace_editor" and (arguments := editor(action)):
            return Step(name=word, arguments=arguments)
        if word in ("submit", "exit_cost", "exit_context", "exit_format", "exit_error", "skip", "exit_forfeit"):
            return Step(name=word, arguments={})
        return Step(name="bash", arguments={"command": action.rstrip("\n")})

    def learn(self, observation: str) -> None:
        """Take in the file window that an observation shows, unless it only shows what a rejected edit would have done."""
        found = _WINDOW.search(observation)
        if not found or refused(observation):
            return
        path, total = found[1], int(found[2])
        self.open = path
        shown = {int(line[1]): line[2] for line in _NUMBERED.finditer(observation, found.end())}
        known = self._lines.setdefault(path, {})
        if known.get(0) != str(total) or any(known.get(number, text) != text for number, text in shown.items()):
            known.clear()
        known.update(shown)
        known[0] = str(total)

    def _edit(self, action: str, observation: str, told: str | None) -> Step | None:
        path = _seen(observation) or self.open or told
        if path is None:
            return None
        if found := _INSERT.match(action):
            return Step(name="str_replace_editor", arguments={"command": "insert", "path": path, "insert_line": int(found[1]), "new_str": found[2]})
        if not (found := _EDIT.match(action)):
            return _replacement(action, path)
        known = self._lines.get(path, {})
        first, last = int(found[1]), min(int(found[2]), int(found[1]) + 10_000)
        removed = [known[number] for number in range(max(first, 1), last + 1) if number in known]
        return Step(name="str_replace_editor", arguments={"command": "str_replace", "path": path, "old_str": "\n".join(removed), "new_str": found[3]})


def _replacement(action: str, path: str) -> Step | None:
    """The later spelling, `edit SEARCH REPLACEMENT [replace-all]`."""
    words = _words(action)
    if len(words) not in (3, 4) or words[0] != "edit":
        return None
    return Step(name="str_replace_editor", arguments={"command": "str_replace", "path": path, "old_str": words[1], "new_str": words[2]})


def refused(observation: str) -> bool:
    """Did the tool reject the call, so that nothing was changed and nothing run."""
    return observation.lstrip().lower().startswith(REFUSALS)


def unmatched(observation: str) -> bool:
    """Did `str_replace_editor` answer that it could not make the edit (its messages begin so, in every harness that carries the tool)."""
    return observation.lstrip().lower().startswith(_UNMATCHED)


def editor(action: str) -> dict[str, Any]:
    """The arguments of a `str_replace_editor COMMAND PATH --old_str '...'` line; empty where it cannot be taken apart."""
    words = _words(action)
    if len(words) < 3:
        return {}
    arguments: dict[str, Any] = {"command": words[1], "path": words[2]}
    name = ""
    for word in words[3:]:
        if word.startswith("--") and word[2:] in _FLAGS:
            name = word[2:]
        elif name:
            arguments[name] = int(word) if name == "insert_line" and word.isdecimal() else f"{arguments[name]} {word}" if name in arguments else word
    return arguments


def _words(action: str) -> list[str]:
    """The words of a command line; none where its quotes do not match."""
    import shlex

    try:
        return shlex.split(action)
    except ValueError:
        return []


def _seen(observation: str) -> str | None:
    """The file whose window an observation shows."""
    found = _WINDOW.search(observation)
    return found[1] if found else None


def _path(action: str) -> str:
    """The first operand of a command."""
    words = action.split(maxsplit=2)
    return words[1].strip("\"'") if len(words) > 1 else ""
