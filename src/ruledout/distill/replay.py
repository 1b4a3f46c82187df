"""Replays the session's edits, file by file, line by line, to know which of the lines an edit brought are still there at the end.

Works without the files: a line lives from the edit that brought it to the edit that takes it out. Where the session does not show what an act did to
a file, the answer is `unknown`, and unknown never falsifies (R4, R14). White space does not count: reformatting a line does not kill it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ruledout.model.action import Edit, EditKind, Ending, Hunk
from ruledout.model.attempt import Survival

_COMMENT = re.compile(r"^(#(?!\[|!|include|define|if|endif)|//|/\*|\*|--\s|<!--|%|;)")
_WORD = re.compile(r"[A-Za-z_]\w*|\d+")
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """return nil null none true false if else elif end fi done break continue pass raise throw throws err error not and or try except catch finally
        then do begin let var const mut new self this in is for while match case default switch fn func def int string bool void""",
    )
)
_DECLARES = re.compile(
    r"^\s*(?:(?:pub(?:\([a-z]+\))?|public|private|protected|static|export|default|async|abstract|override|final|unsafe|extern)\s+)*"
    r"(?:def|fn|func|function|class|struct|enum|interface|impl|trait|mod|module|import|from|use|require|include|package|#include|@)\b"
)
LEAST_STATEMENTS = 3
"""with so many statements, declarations and imports alone do not keep an edit alive"""
MOVED_SHARE = 0.5
"""this share of an edit's lines alive anywhere else counts as moved, not gone"""


def key(line: str) -> str:
    """A line without its white space: what it is recognised by."""
    return "".join(line.split())


def significant(line: str) -> bool:
    """True for a line that carries meaning: no blank, bracket, comment, nor keywords alone."""
    bare = line.strip()
    return not _COMMENT.match(bare) and any(word.lower() not in _KEYWORDS for word in _WORD.findall(bare))


def _weighty(lines: Sequence[str]) -> set[str]:
    """The keys of the lines that carry an edit's meaning: its statements; where it has none to speak of, whatever is significant."""
    told = [line for line in lines if significant(line)]
    statements = [line for line in told if not _DECLARES.match(line)]
    return {key(line) for line in (statements if len(statements) >= LEAST_STATEMENTS else told)}


def net(hunk: Hunk) -> tuple[list[str], list[str]]:
    """The lines of a hunk that really go and really come, without what stands on both sides."""
    came, went = Counter(map(key, hunk.added)), Counter(map(key, hunk.removed))
    return _only(hunk.removed, went - came), _only(hunk.added, came - went)


def _shape(removed: Sequence[str], added: Sequence[str]) -> tuple[str, str]:
    """A hunk as a whole: taking lines out is undone only by its exact inverse; the same line elsewhere is another matter."""
    return "".join(map(key, removed)), "".join(map(key, added))


def _only(lines: Iterable[str], left: Counter[str]) -> list[str]:
    left, out = Counter(left), []
    for line in lines:
        if left[key(line)] > 0:
            left[key(line)] -= 1
            out.append(line)
    return out


class _Mark:
    """One line that an edit brought (`wanted` present) or took out (`wanted` absent)."""

    __slots__ = ("committed", "edit", "line", "present", "shape", "state", "undone")

    def __init__(self, edit: int, line: str, *, present: bool, shape: tuple[str, str]) -> None:
        self.edit, self.line, self.present, self.state, self.committed = edit, key(line), present, "alive", False
        self.shape = shape
        self.undone = -1

    def die(self, event: int) -> None:
        """It was taken out (or put back) by this event."""
        self.state, self.undone = "dead", event


class Replay:
    """The session's edits, played one after the other. `commands` gives the shell command for an edit's ref, where there is one."""

    def __init__(self, events: Sequence[Edit | None], commands: Mapping[str, str], final_patch: str | None = None) -> None:
        """Play all events: edits, and None where the work so far was committed. Nothing is read from outside."""
        self._commands = commands
        self._files: dict[str, list[_Mark]] = {}
        self._known: dict[str, list[str]] = {}
        self._own: dict[int, list[_Mark]] = {}
        self._weighty: dict[int, set[str]] = {}
        self._unknown: set[int] = set()
        self._alive: set[str] | None = None
        self._stash_popped = any("stash pop" in c or "stash apply" in c for c in commands.values())
        self._final = {key(line[1:]) for line in (final_patch or "").split("\n") if line.startswith("+") and not line.startswith("+++")}
        for number, edit in enumerate(events):
            if edit is None:
                self._commit()
            elif edit.ending in (Ending.DONE, Ending.TIMED_OUT):
                self._play(number, edit)

    def fate(self, number: int) -> Survival:
        """What became of one edit, by its index in the events."""
        marks = self._own.get(number, [])
        weighty = [m for m in marks if m.line in self._weighty.get(number, set())] or marks
        if any(m.state == "alive" for m in weighty) or self._came_back(weighty):
            return Survival.SURVIVES
        if number in self._unknown or not weighty or any(m.state == "unknown" for m in weighty):
            return Survival.UNKNOWN
        return Survival.GONE

    def undone(self, number: int) -> int | None:
        """The index of the event that took out the last of what this edit brought; None where something of it lives or is unknown."""
        if self.fate(number) is not Survival.GONE:
            return None
        return max(m.undone for m in self._own[number])

    def _came_back(self, marks: Sequence[_Mark]) -> bool:
        """R4: lines that were taken out and stand there again by a later edit, here or in another file, are not gone."""
        lines = {m.line for m in marks if m.present}
        if not lines:
            return False
        if self._alive is None:
            self._alive = {m.line for group in self._files.values() for m in group if m.present and m.state == "alive"} | self._final
        return len(lines & self._alive) >= max(1, MOVED_SHARE * len(lines))

    def _play(self, number: int, edit: Edit) -> None:
        path = self._place(edit.path)
        marks = self._files.setdefault(path, [])
        if edit.kind is EditKind.RESTORE:
            self._restore(number, path, edit)
        elif edit.kind is EditKind.DELETE:
            _kill(marks, number)
            self._known.pop(path, None)
        elif edit.kind is EditKind.OPAQUE:
            self._unknown.add(number)
        elif edit.kind is EditKind.PATTERN:
            self._pattern(number, edit, marks)
        elif edit.kind is EditKind.WRITE:
            self._write(number, edit, path)
        else:
            for hunk in edit.hunks:
                self._hunk(number, hunk, path)

    def _place(self, path: str) -> str:
        """One name for a file that the session calls by an absolute and by a relative path."""
        if path in self._files:
            return path
        for known in self._files:
            if known.endswith("/" + path) or path.endswith("/" + known):
                return known
        return path

    def _write(self, number: int, edit: Edit, path: str) -> None:
        content = [line for hunk in edit.hunks for line in hunk.added]
        before = self._known.get(path) or [line for hunk in edit.hunks for line in hunk.removed]
        text, lines = "".join(map(key, content)), set(map(key, content))
        for mark in self._files[path]:
            lost = mark.present and mark.state != "dead" and mark.line not in lines and mark.line not in text
            if lost or (not mark.present and mark.line in lines):
                mark.die(number)
        went, came = net(Hunk(removed=tuple(before), added=tuple(content)))
        self._bring(number, path, came, went, ("", ""))
        self._known[path] = content

    def _hunk(self, number: int, hunk: Hunk, path: str) -> None:
        went, came = net(hunk)
        text = "".join(map(key, hunk.added))
        gone, inverse = Counter(map(key, went)), _shape(hunk.added, hunk.removed)
        for mark in reversed(self._files[path]):
            if mark.present and mark.state == "alive" and gone[mark.line] > 0 and mark.line not in text:
                gone[mark.line] -= 1
                mark.die(number)
            elif not mark.present and mark.shape == inverse:
                mark.die(number)
        self._bring(number, path, came, went, _shape(hunk.removed, hunk.added))
        self._follow(path, hunk)

    def _follow(self, path: str, hunk: Hunk) -> None:
        """Keep the known content of a file in step; forget it when the hunk does not fit."""
        lines = self._known.get(path)
        if lines is None:
            return
        old, size = list(hunk.removed), len(hunk.removed)
        at = next((i for i in range(len(lines) - size + 1) if lines[i : i + size] == old), None) if size else len(lines)
        if at is None:
            del self._known[path]
        else:
            self._known[path] = [*lines[:at], *hunk.added, *lines[at + size :]]

    def _bring(self, number: int, path: str, came: Sequence[str], went: Sequence[str], shape: tuple[str, str]) -> None:
        """Note what an edit brought; an edit that only takes out is followed by what it took out."""
        brings = any(significant(line) for line in came)
        lines = came if brings or not went else went
        present = lines is came
        new = [_Mark(number, line, present=present, shape=shape) for line in lines if line.strip()]
        self._own.setdefault(number, []).extend(new)
        self._weighty.setdefault(number, set()).update(_weighty(lines))
        self._files[path].extend(new)

    def _pattern(self, number: int, edit: Edit, marks: list[_Mark]) -> None:
        """`sed -i` and the like: a line that holds the pattern may have changed; nobody saw how."""
        self._unknown.add(number)
        patterns = [key(line) for hunk in edit.hunks for line in hunk.removed if line.strip()]
        for mark in marks:
            if mark.state == "alive" and (not patterns or any(p in mark.line for p in patterns)):
                mark.state = "unknown"

    def _restore(self, number: int, path: str, edit: Edit) -> None:
        command = self._commands.get(edit.ref, "")
        if "stash" in command and self._stash_popped:
            return
        groups = list(self._files.values()) if edit.path == "*" else [self._files[path]]
        if "git " in command:
            for group in groups:
                _kill([m for m in group if not m.committed], number)
        else:  # a backup copied over: what it held is not known
            for mark in (m for group in groups for m in group if m.state == "alive"):
                mark.state = "unknown"
        if edit.path == "*":
            self._known.clear()
        else:
            self._known.pop(path, None)

    def _commit(self) -> None:
        """Going back to HEAD no longer undoes what was committed."""
        for mark in (m for group in self._files.values() for m in group):
            mark.committed = True


def _kill(marks: Iterable[_Mark], event: int) -> None:
    for mark in marks:
        if mark.state != "dead":
            mark.die(event)
