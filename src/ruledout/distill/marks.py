"""The lines that edits brought or took out, each with its state, grouped by file. Holds and changes states; knows no kinds of edit."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from ruledout.distill.lines import agree


class State(StrEnum):
    """What became of a mark."""

    ALIVE = "alive"
    DEAD = "dead"
    UNKNOWN = "unknown"


class Mark:
    """One line that an edit brought (`present`) or took out. `block[at]` is the line among its neighbours; `shape` the hunk as a whole.

    `committed`: it stood there at some commit, so going back may bring it back. `saved`: a copy of it was put away. `blurred`: a formatter may have
    rewritten it.
    """

    __slots__ = ("at", "block", "blurred", "committed", "edit", "line", "present", "saved", "shape", "state", "undone")

    def __init__(self, edit: int, block: Sequence[str], at: int, *, present: bool, shape: tuple[str, str]) -> None:
        """A line that edit number `edit` has just brought or taken out."""
        self.edit, self.block, self.at, self.line = edit, block, at, block[at]
        self.present, self.shape, self.state = present, shape, State.ALIVE
        self.committed = self.saved = self.blurred = False
        self.undone = -1

    def die(self, event: int) -> None:
        """It was taken out (or put back) by this event."""
        self.state, self.undone = State.DEAD, event

    def end(self, event: int, *, sure: bool) -> None:
        """It was taken out by this event, if that is sure; else nobody knows."""
        if sure:
            self.die(event)
        elif self.state is State.ALIVE:
            self.state = State.UNKNOWN

    def same_place(self, block: Sequence[str], at: int) -> bool:
        """May `block[at]`, a line of the same text, be this very line."""
        return agree(self.block, self.at, block, at)


class Shelf:
    """The marks of all files. Two names may be one file: a name without a folder and one with it, where the session does not say where it stood."""

    def __init__(self, *, rooted: bool) -> None:
        """`rooted`: paths below the session's folder are known to be relative to it, so an absolute one is of another folder."""
        self._rooted = rooted
        self.files: dict[str, list[Mark]] = {}
        self._by_name: dict[str, list[str]] = {}

    def name(self, path: str) -> str:
        """The name under which this file is kept; a new one where it is not known."""
        if path in self.files:
            return path
        base = path.rpartition("/")[2]
        same = [known for known in self._by_name.get(base, ()) if not self._rooted and _one_absolute(known, path) and _ends(known, path)]
        if len(same) == 1:
            return same[0]
        self.files[path] = []
        self._by_name.setdefault(base, []).append(path)
        return path

    def kin(self, path: str) -> list[str]:
        """Other names that may be the same file."""
        return [known for known in self._by_name.get(path.rpartition("/")[2], ()) if known != path and _ends(known, path)]

    def scope(self, path: str) -> list[list[Mark]]:
        """The marks that an act on this path may reach: of the file, of all files below a folder, of every file."""
        if path in {"*", ".", "./", "/"}:
            return list(self.files.values())
        below = path.rstrip("/") + "/"
        return [marks for known, marks in self.files.items() if known == path or known.startswith(below) or _ends(known, path)]

    def all(self) -> Iterable[Mark]:
        """Every mark."""
        return (mark for group in self.files.values() for mark in group)


def _one_absolute(one: str, other: str) -> bool:
    return one.startswith("/") != other.startswith("/")


def _ends(one: str, other: str) -> bool:
    return one.endswith("/" + other) or other.endswith("/" + one)


def doubt(marks: Iterable[Mark]) -> None:
    """What was gone may be back."""
    for mark in marks:
        if mark.state is State.DEAD:
            mark.state = State.UNKNOWN


def blur(marks: Iterable[Mark]) -> None:
    """What stands there may look otherwise now."""
    for mark in marks:
        mark.blurred = True
