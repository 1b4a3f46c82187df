"""A unified diff as hunks of one file each, so that every hunk can be looked up by its fingerprint.

Reads git's and plain `diff -u` output, takes the counts in `@@` at their word (a removed line may itself begin with `--`), and passes over what is no hunk.
Refuses nothing: text that is no diff has no hunks.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

_MARK = re.compile(r"^(?:@@ -\d|diff --|--- \S|Only in |Binary files )", re.MULTILINE)
_HEADER = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


class Line(Struct, frozen=True):
    """One line of a hunk: `sign` is a space, `-` or `+`; `text` without the line end."""

    sign: str
    text: str


class FileHunk(Struct, frozen=True):
    """One hunk in one file; `path` without `a/` and `b/`, the new one where a file was renamed."""

    path: str
    lines: tuple[Line, ...]

    @property
    def removed(self) -> tuple[str, ...]:
        """The lines before, context included."""
        return tuple(line.text for line in self.lines if line.sign != "+")

    @property
    def added(self) -> tuple[str, ...]:
        """The lines after, context included."""
        return tuple(line.text for line in self.lines if line.sign != "-")

    def groups(self) -> tuple["FileHunk", ...]:
        """The runs of changed lines, each by itself and without context."""
        runs: list[list[Line]] = [[]]
        for line in self.lines:
            if line.sign != " ":
                runs[-1].append(line)
            elif runs[-1]:
                runs.append([])
        return tuple(FileHunk(self.path, tuple(run)) for run in runs if run)


def is_diff(text: str) -> bool:
    """Whether a text has the marks of a unified diff, be it one without hunks, or is empty, as the diff of a clean work tree is."""
    return not text.strip() or _MARK.search(text) is not None


def hunks(diff: str) -> tuple[FileHunk, ...]:
    """The hunks of a unified diff, in order. Binary files, mode changes and pure renames have none."""
    return tuple(_hunks(diff.split("\n")))


def _hunks(lines: list[str]) -> Iterator[FileHunk]:
    old = new = ""
    at = 0
    while at < len(lines):
        line = lines[at].rstrip("\r")
        at += 1
        header = _HEADER.match(line)
        if header and (old or new):
            before, after = (1 if count is None else int(count) for count in header.groups())
            body, at = _body(lines, at, before, after)
            yield FileHunk(old if new == "/dev/null" else new, body)
        elif line.startswith("--- ") and at < len(lines) and lines[at].startswith("+++ "):
            old, new = _path(line[4:]), _path(lines[at][4:].rstrip("\r"))
            at += 1


def _body(lines: list[str], at: int, before: int, after: int) -> tuple[tuple[Line, ...], int]:
    found: list[Line] = []
    while at < len(lines) and (before > 0 or after > 0):
        line = lines[at].rstrip("\r")
        sign, text = (line[0], line[1:]) if line else (" ", "")  # an empty context line may have lost its space
        if sign not in " -+\\":
            break
        at += 1
        if sign == "\\":
            continue
        before -= sign != "+"
        after -= sign != "-"
        found.append(Line(sign, text))
    return tuple(found), at


def _path(shown: str) -> str:
    """The path of a `---` or `+++` line: without time stamp, quotes and git's prefix."""
    path = shown.split("\t", 1)[0].strip().strip('"')
    return path[2:] if path[:2] in ("a/", "b/") else path
