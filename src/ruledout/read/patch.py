"""Patches as text to changes of files: the `*** Begin Patch` envelope of `apply_patch`, and unified diffs. Lenient, as the tools that apply them are.

Reads no file, so it does not say whether a patch applies.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ruledout.model.action import EditKind, Hunk
from ruledout.observe.late import Late


class Change(Struct, frozen=True, kw_only=True):
    """A change of one file without its place in a session. `path` as written."""

    path: str
    kind: EditKind
    hunks: tuple[Hunk, ...] = ()
    by: str | None = None
    """`patch`, `apply_patch`, `git` or `stash`: the program whose refusal means that nothing changed"""


_FILE = Late(r"^\*\*\* (Add|Update|Delete) File: (.+?)\s*$")
_MOVE = Late(r"^\*\*\* Move to: (.+?)\s*$")
_GIT = Late(r"^diff --git (?:\"?a/)?(.+?)\"? \"?b/(.+?)\"?$")


def lines(text: str) -> tuple[str, ...]:
    """A text as lines without line ends; a line end at the end makes no empty last line."""
    if not text:
        return ()
    return tuple(line.removesuffix("\r") for line in text.removesuffix("\n").split("\n"))


def changes(text: str) -> tuple[Change, ...]:
    """The changes of a patch of either kind, in its order; empty where it is none."""
    if "*** Begin Patch" in text or _FILE.search(text) or text.startswith("*** "):
        return tuple(_envelope(text.split("\n")))
    return tuple(_unified(text.split("\n")))


def _envelope(rows: list[str]) -> Iterator[Change]:
    """Files of an `apply_patch` envelope. A move is a deletion and a change under the new name."""
    start = 0
    while start < len(rows):
        if not (found := _FILE.match(rows[start])):
            start += 1
            continue
        end = start + 1
        while end < len(rows) and not (_FILE.match(rows[end]) or rows[end].startswith("*** End Patch")):
            end += 1
        verb, path, body = found[1], found[2], rows[start + 1 : end]
        if verb == "Delete":
            yield Change(path=path, kind=EditKind.DELETE, by="apply_patch")
        elif verb == "Add":
            added = tuple(row[1:].removesuffix("\r") for row in body if row.startswith("+"))
            yield Change(path=path, kind=EditKind.WRITE, hunks=(Hunk(added=added),), by="apply_patch")
        else:
            if body and (moved := _MOVE.match(body[0])):
                yield Change(path=path, kind=EditKind.DELETE, by="apply_patch")
                path = moved[1]
            yield Change(path=path, kind=EditKind.REPLACE, hunks=tuple(_hunks(body)), by="apply_patch")
        start = end


def _hunks(body: Iterable[str]) -> Iterator[Hunk]:
    """The hunks between `@@` lines, context kept on both sides. Hunks that change nothing are left out."""
    removed: list[str] = []
    added: list[str] = []
    for raw in [*body, "@@"]:
        row = raw.removesuffix("\r")
        if row.startswith("@@"):
            if removed != added:
                yield Hunk(removed=tuple(removed), added=tuple(added))
            removed, added = [], []
        elif row.startswith("+"):
            added.append(row[1:])
        elif row.startswith("-"):
            removed.append(row[1:])
        elif not row.startswith(("\\", "***")):
            removed.append(row[1:])
            added.append(row[1:])


def _unified(rows: list[str]) -> Iterator[Change]:
    """Files of a unified diff, with or without git's headers."""
    for head, body in _files(rows):
        old, new = _names(head)
        hunks = tuple(_hunks(body))
        if new is None and old:
            yield Change(path=old, kind=EditKind.DELETE, by="patch")
        elif old is None and new:
            yield Change(path=new, kind=EditKind.WRITE, hunks=tuple(Hunk(added=hunk.added) for hunk in hunks), by="patch")
        elif old and new:
            if old != new:
                yield Change(path=old, kind=EditKind.DELETE, by="patch")
            yield Change(path=new, kind=EditKind.REPLACE, hunks=hunks, by="patch")


def _files(rows: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Header lines and body lines of each file of the diff. Hunks are told by their marks, not by their counts, which models get wrong."""
    head: list[str] = []
    body: list[str] = []
    for at, row in enumerate(rows):
        pair = row.startswith("--- ") and at + 1 < len(rows) and rows[at + 1].startswith("+++ ")
        if row.startswith("diff --git ") or (pair and (body or any(line.startswith("--- ") for line in head))):
            yield head, body
            head, body = [row], []
        elif row.startswith("@@") or (body and (not row or row[0] in " +-\\")):
            body.append(row)
        elif not body:
            head.append(row)
    while body and not body[-1]:
        body.pop()
    yield head, body


def _names(head: list[str]) -> tuple[str | None, str | None]:
    """The old and the new path; None for the side on which the file does not exist."""
    old = new = None
    git = False
    for row in head:
        if found := _GIT.match(row):
            git, old, new = True, found[1], found[2]
        elif row.startswith("deleted file mode"):
            new = None
        elif row.startswith("new file mode"):
            old = None
        elif row.startswith(("--- ", "+++ ")):
            path = row[4:].split("\t")[0].strip().strip('"')
            path = path[2:] if path.startswith(("a/", "b/")) else path
            side = None if path == "/dev/null" else path
            old, new = (side, new) if row.startswith("---") else (old, side)
    if not git and not any(row.startswith("+++ ") for row in head):
        return None, None
    return old, new
