"""Has anything changed since a command failed: by the files' times, as far as a short walk goes, and by what the session shows since. In doubt it has."""

# ruff: noqa: PTH123, PTH202  # pathlib would cost a hook its start-up

import os

from ruledout.act import place
from ruledout.agents.event import LOOKS, RUNS, Event, command, text
from ruledout.errors import BadInput
from ruledout.plainjson import loads

TYPE_CHECKING = False  # the checker takes this name for true; `collections` would take half of a hook's time
if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTRIES = 4000
_MOST = 256 * 1024
"""bytes of the session's file that are read in one call"""
_OWN = frozenset(("__pycache__", "node_modules", "target", "build", "dist", "htmlcov", "coverage", "venv", "env", "logs", "tmp"))
"""Folders that runs write themselves."""
_LOOKING = frozenset(("ls", "cat", "head", "tail", "grep", "rg", "wc", "pwd", "tree", "file", "stat", "which", "echo", "true"))
_GIT_LOOKING = frozenset(("status", "diff", "log", "show", "blame", "grep", "branch"))
_WRITING = (">", "&", ";", "|", "`", "$(", "\n", "tee ")


def unchanged(root: str, when: float, event: Event, size: int, now: float) -> bool:
    """Is nothing different from `when` (seconds since the epoch). `size` is how long the session's file was then."""
    newest, whole = _newest(root)
    if newest > when or when > now:
        return False
    looked = _looked(event, size)
    return looked if looked is not None else whole


def _newest(root: str) -> "tuple[float, bool]":
    """The latest time of a file or folder, and whether the walk came to its end."""
    newest, waiting, left = 0.0, [root], _ENTRIES
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        return newest, False
                    if entry.name.startswith(".") or entry.name in _OWN or entry.name.endswith((".pyc", ".log")):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        newest = max(newest, entry.stat(follow_symlinks=False).st_mtime)
        except OSError:
            return newest, False
    return newest, True


def _looked(event: Event, size: int) -> "bool | None":
    """Did the session only look, or run this same command, since then; None where it has no file. One that cannot be read, or is long, is a doubt."""
    if not event.transcript or not os.path.isfile(event.transcript):  # noqa: PTH113  # as above
        return None
    found = increment(event.transcript, size)
    return found is not None and all(_only_looks(name, given, event.command) for name, given in calls(found[0]))


def increment(path: str, offset: int) -> "tuple[list[object], int] | None":
    """The whole JSON lines behind an offset, and where they end; None for more than 256 KB, or no such file."""
    try:
        if not path or not os.path.isfile(path) or os.path.getsize(path) - offset > _MOST:  # noqa: PTH113  # as above
            return None
        with open(path, "rb") as file:
            file.seek(offset)
            data = file.read(_MOST)
    except (OSError, ValueError):
        return None
    end = data.rfind(b"\n") + 1
    found: list[object] = []
    for line in data[:end].decode("utf-8", "replace").split("\n"):
        try:
            found.append(loads(line)) if line.strip() else None
        except BadInput:
            return None
    return found, offset + end


def calls(values: "list[object]") -> "Iterator[tuple[str, dict[str, object]]]":
    """The tool calls in these lines, whatever agent wrote them: their names and arguments."""
    waiting: list[object] = list(reversed(values))
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            name = text(value, "name", "toolName", "tool_name")
            given = next((value[key] for key in ("input", "arguments", "args", "toolArgs", "tool_input") if key in value), None)
            if isinstance(given, str) and name:
                given = _json(given)
            if name and isinstance(given, dict):
                yield name.rpartition(".")[2].lower(), given
            else:
                waiting.extend(reversed(list(value.values())))
        elif isinstance(value, list):
            waiting.extend(reversed(value))


def _json(value: str) -> object:
    try:
        return loads(value)
    except BadInput:
        return {"input": value}


def _only_looks(name: str, given: "dict[str, object]", asked: str) -> bool:
    if name in LOOKS:
        return True
    line = command(given).strip() if name in RUNS else ""
    if not line:
        return False
    if line == asked.strip():
        return True
    words = line.split()
    plain = not any(sign in line for sign in _WRITING)
    return plain and (words[0] in _LOOKING or (words[0] == "git" and len(words) > 1 and words[1] in _GIT_LOOKING))


def size(event: Event) -> int:
    """How long the session's file is now."""
    data = event.transcript
    try:
        return os.path.getsize(data) if data and place.read(data, 0) is None else 0
    except OSError:
        return 0
