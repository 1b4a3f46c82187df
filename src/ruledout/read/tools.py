"""What a tool call does, whatever the agent calls its tools: name, arguments and result to `Run`, `Edit`, `Read` or `Other`.

One dict of names for all agents; a name that no agent has is `Other`. Arguments are untrusted: of any type, with any key missing.
"""

from collections.abc import Iterable
from functools import lru_cache

import msgspec
from msgspec import Struct

from ruledout import redact, text
from ruledout.model.action import Action, Edit, Ending, Hunk, Other, Read, Run, Via
from ruledout.observe.late import Late
from ruledout.read import file_tools, shell
from ruledout.read.arguments import PATH_KEYS, QUERY_KEYS, command, first, mapping
from ruledout.read.patch import Change
from ruledout.read.vocabulary import EDIT_NAMES, NOTHING_CHANGED, READ_NAMES, RUN_NAMES, ending, is_edit, is_run, plain

__all__ = ["EDIT_LIMIT", "RUN_NAMES", "SMALL", "Call", "actions", "command", "ending", "is_edit", "is_run", "mapping", "relative", "safe", "shown"]

SMALL = 1000
"""Characters up to which a text is worth remembering."""
_SURROGATE = Late("[\ud800-\udfff]")
EDIT_LIMIT = 1024 * 1024
"""Characters of one side of a hunk that are kept."""


class Call(Struct, frozen=True, kw_only=True):
    """A tool call with its result. `output` is safe already (R13); `arguments` and `original` are as the session has them. `root` is the session's cwd."""

    ref: str
    at: int
    name: str
    arguments: object
    cwd: str | None = None
    root: str | None = None
    output: str = ""
    exit: int | None = None
    ending: Ending = Ending.DONE
    result_ref: str | None = None
    original: str | None = None
    stash_returns: bool = False
    """what its `git stash` put away was taken out again later, or was put away earlier: nothing came of it"""


def shown(name: str, arguments: object) -> str:
    """A call's input in short, for its turn: the command, the path, or the arguments as JSON."""
    if is_run(name) and (line := command(arguments)) is not None:
        return line
    given = mapping(arguments)
    path = first(given, PATH_KEYS)
    if path is not None and (is_edit(name) or plain(name) in READ_NAMES):
        return f"{name} {path}"
    if isinstance(arguments, str):
        return f"{name} {arguments}"
    try:
        return f"{name} {msgspec.json.encode(arguments).decode()}"
    except (TypeError, ValueError, RecursionError):
        return name


def actions(call: Call) -> tuple[Action, ...]:
    """What the call does, edits before the run. At least one action; every one has the call's `ref` and `at`."""
    how = ending(call.output, call.name) if call.ending is Ending.DONE else call.ending
    name = plain(call.name)
    if name in RUN_NAMES and (line := command(call.arguments)) is not None:
        return (*_shell_edits(call, line, how), _run(call, line, how))
    if name in EDIT_NAMES:
        made = tuple(_edit(call, change, how, Via.TOOL) for change in file_tools.changes(name, call.arguments, call.original))
        if made:
            return made
    given = mapping(call.arguments)
    if name in READ_NAMES or name in EDIT_NAMES:
        path = first(given, PATH_KEYS) or first(given, QUERY_KEYS) or ""
        return (Read(ref=call.ref, at=call.at, path=safe(relative(path, call.cwd, call.root)), ending=how),)
    return (Other(ref=call.ref, at=call.at, name=safe(call.name), ending=how),)


def _run(call: Call, line: str, how: Ending) -> Run:
    cwd = safe(call.cwd) if call.cwd else None
    return Run(ref=call.ref, at=call.at, command=safe(line), output=call.output, exit=call.exit, ending=how, cwd=cwd, result_ref=call.result_ref)


def _shell_edits(call: Call, line: str, how: Ending) -> Iterable[Edit]:
    """A running command has written already what its line says; one that was refused has not. A patch that did not apply is malformed."""
    for change in shell.edits(line, stash=not call.stash_returns):
        failed = how is Ending.DONE and change.by is not None and NOTHING_CHANGED[change.by].search(call.output)
        state = Ending.MALFORMED if failed else Ending.DONE if how is Ending.RUNNING else how
        yield _edit(call, change, state, Via.SHELL)


def _edit(call: Call, change: Change, how: Ending, via: Via) -> Edit:
    path = change.path if change.path == "*" else relative(change.path, call.cwd, call.root)
    hunks = tuple(Hunk(removed=_safe_lines(hunk.removed), added=_safe_lines(hunk.added)) for hunk in change.hunks)
    return Edit(ref=call.ref, at=call.at, path=safe(path), kind=change.kind, hunks=hunks, ending=how, via=via)


def safe(raw: str, limit: int = EDIT_LIMIT) -> str:
    """The text without escapes, invisible characters and secrets (R13), its middle left out beyond `limit` characters.

    It is cut to twice the limit first, so that a secret that the first cut halves falls out with the second.
    """
    return _small(raw) if len(raw) <= SMALL else text.head_tail(_cleaned(text.head_tail(raw, 2 * limit)), limit)


def _cleaned(raw: str) -> str:
    return redact.redact(text.clean(raw if _is_unicode(raw) else _SURROGATE.sub("\ufffd", raw)))


def _is_unicode(raw: str) -> bool:
    """Is there no lone surrogate in a text: asked of the encoder, which is many times faster than a pattern."""
    try:
        return raw.isascii() or raw.encode() is not None
    except UnicodeEncodeError:
        return False


@lru_cache(maxsize=2048)
def _small(raw: str) -> str:
    """Paths, folders and command lines come again and again."""
    return _cleaned(raw)


def _safe_lines(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(safe("\n".join(rows)).split("\n")) if rows else ()


def relative(path: str, cwd: str | None, root: str | None) -> str:
    """A path with `/`, relative to the session's folder where it lies below it; `cwd` is the folder of the call."""
    path = path.replace("\\", "/") if "\\" in path and "/" not in path else path
    base = (root or cwd or "").replace("\\", "/").rstrip("/")
    here = (cwd or "").replace("\\", "/").rstrip("/")
    if here and here != base and not path.startswith(("/", "~", "$")) and path[1:2] != ":":
        path = f"{here}/{path}"
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] not in {"", ".."}:
            parts.pop()
        elif part != "." and (part or not parts):
            parts.append(part)
    path = "/".join(parts)
    return path[len(base) + 1 :] or "." if base and path.startswith(base + "/") else path
