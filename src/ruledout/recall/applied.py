"""A unified diff laid on the texts it is about: what the files are before it and after it. Pure.

The diff may be about to be made, or made already: then it is taken back to see what was there. Its line numbers are hints; its lines must stand as they are.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ruledout.errors import BadInput

_HEADER = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


class Block(Struct, frozen=True):
    """One hunk: where it begins before and after (from 0), the lines before and after, context with both."""

    old_at: int
    new_at: int
    old: tuple[str, ...]
    new: tuple[str, ...]


class FileDiff(Struct, frozen=True, kw_only=True):
    """The change of one file; a side is None where the file is not there."""

    old: str | None
    new: str | None
    blocks: tuple[Block, ...]


def versions(diff: str, files: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The texts before and after the diff, of the files that it touches. Raises `BadInput`: `no-diff`, `diff-does-not-apply`."""
    found = list(parse(diff))
    if not found and diff.strip():  # the diff of a clean work tree is empty, and changes nothing
        raise BadInput("no-diff", "there is no file in this diff", "give a unified diff, as `git diff` prints it")
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    for one in found:
        old, new = _sides(one, files)
        if one.old is not None:
            before[one.old] = old
        if one.new is not None:
            after[one.new] = new
    return before, after


def _sides(one: FileDiff, files: Mapping[str, str]) -> tuple[str, str]:
    """Both texts of one file: the diff laid on what is there, or taken back from it where it is there already."""
    old = files.get(one.old, "") if one.old is not None else ""
    forward = _laid(old, [(block.old_at, block.old, block.new) for block in one.blocks])
    if forward is not None and (one.old is None or one.old in files):
        return old, forward
    new = files.get(one.new, "") if one.new is not None else ""
    back = _laid(new, [(block.new_at, block.new, block.old) for block in one.blocks])
    if back is not None and (one.new is None or one.new in files):
        return back, new
    raise BadInput("diff-does-not-apply", f"{one.new or one.old}: the lines of the diff are not there", "give a diff against the work tree as it is")


def _laid(text: str, blocks: Sequence[tuple[int, tuple[str, ...], tuple[str, ...]]]) -> str | None:
    lines = text.split("\n")
    shift = 0
    for at, old, new in blocks:
        place = _place(lines, old, at + shift)
        if place is None:
            return None
        lines[place : place + len(old)] = new
        shift += len(new) - len(old)
    return "\n".join(lines)


def _place(lines: Sequence[str], wanted: Sequence[str], near: int) -> int | None:
    """The place nearest to the hint where these lines stand; the hint itself where there are none to look for."""
    if not wanted:
        return min(max(near, 0), len(lines))
    places = [at for at in range(len(lines) - len(wanted) + 1) if lines[at] == wanted[0] and list(lines[at : at + len(wanted)]) == list(wanted)]
    return min(places, key=lambda at: abs(at - near), default=None)


def parse(diff: str) -> Iterator[FileDiff]:
    """The files of a diff. Renames without a changed line count; binary files do not."""
    lines = diff.replace("\r\n", "\n").split("\n")
    at = 0
    moved: list[str] = []
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("rename from "):
            moved = [line.removeprefix("rename from ")]
        elif line.startswith("rename to ") and moved:
            moved.append(line.removeprefix("rename to "))
            if not _follows(lines, at):
                yield FileDiff(old=moved[0], new=moved[1], blocks=())
        elif line.startswith("--- ") and at < len(lines) and lines[at].startswith("+++ "):
            names = [_path(line[4:]), _path(lines[at][4:])]
            blocks, at = _blocks(lines, at + 1)
            yield FileDiff(old=names[0], new=names[1], blocks=tuple(blocks))


def _follows(lines: Sequence[str], at: int) -> bool:
    """Do changed lines of the same file follow."""
    rest = next((line for line in lines[at:] if line.startswith(("--- ", "diff ", "rename "))), "")
    return rest.startswith("--- ")


def _blocks(lines: Sequence[str], at: int) -> tuple[list[Block], int]:
    found: list[Block] = []
    while at < len(lines) and (header := _HEADER.match(lines[at])) is not None:
        counts = [1 if count is None else int(count) for count in (header[2], header[4])]
        starts = [int(header[side]) - (1 if count else 0) for side, count in zip((1, 3), counts, strict=True)]
        at += 1
        old: list[str] = []
        new: list[str] = []
        while at < len(lines) and (len(old) < counts[0] or len(new) < counts[1] or lines[at].startswith("\\")):
            sign, text = (lines[at][0], lines[at][1:]) if lines[at] else (" ", "")
            old += [text] if sign in " -" else []
            new += [text] if sign in " +" else []
            at += 1
        found.append(Block(starts[0], starts[1], tuple(old), tuple(new)))
    return found, at


def _path(shown: str) -> str | None:
    path = shown.split("\t", 1)[0].strip().strip('"')
    if path == "/dev/null":
        return None
    return path[2:] if path[:2] in ("a/", "b/") else path
