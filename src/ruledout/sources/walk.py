"""Walks down folders by shell patterns, level by level, and counts what it does not take (R14). Follows no link, so there are no loops; opens no file."""

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from ruledout.model.transcript import Skipped

MOST_ENTRIES = 200_000
"""Files and folders looked at in one place; a place that holds more is left there."""
LINK, DEVICE, DENIED, CROWDED = (
    "symbolic link, which is not followed",
    "FIFO, socket or device",
    "folder that may not be read",
    "more entries than are looked at",
)


class Tally:
    """What was passed over: a count and the first place for each reason."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._counts: dict[str, tuple[int, str]] = {}

    def skip(self, reason: str, path: str, count: int = 1) -> None:
        """One more, or several, for this reason."""
        known, first = self._counts.get(reason, (0, path))
        self._counts[reason] = (known + count, first)

    def skipped(self) -> tuple[Skipped, ...]:
        """All reasons in their order. Paths are made fit for printing: file names may hold bytes that are no text."""
        return tuple(Skipped(reason=reason, count=count, first=printable(first)) for reason, (count, first) in sorted(self._counts.items()))


class Walk:
    """One walk under one root, which itself may be a link, as settings often are."""

    def __init__(self, tally: Tally, *, folders: bool) -> None:
        """`folders`: what the last part of a pattern names is a folder, not a file."""
        self._tally = tally
        self._folders = folders
        self._left = MOST_ENTRIES

    def entries(self, folder: str, parts: Sequence[str]) -> Iterator["os.DirEntry[str]"]:
        """The entries under this folder that fit, in the order of their names."""
        for entry in self._listed(folder):
            self._left -= 1
            if self._left == 0:
                self._tally.skip(CROWDED, folder)
            if self._left <= 0:
                return
            if fnmatchcase(entry.name, parts[0]):
                yield from self._fitting(entry, parts)

    def _fitting(self, entry: "os.DirEntry[str]", parts: Sequence[str]) -> Iterator["os.DirEntry[str]"]:
        """What an entry that fits the first part comes to."""
        if entry.is_symlink():
            self._tally.skip(LINK, entry.path)
        elif entry.is_dir(follow_symlinks=False):
            if len(parts) > 1:
                yield from self.entries(entry.path, parts[1:])
            elif self._folders:
                yield entry
        elif not entry.is_file(follow_symlinks=False):
            self._tally.skip(DEVICE, entry.path)
        elif len(parts) == 1 and not self._folders:
            yield entry

    def _listed(self, folder: str) -> list["os.DirEntry[str]"]:
        """A folder's entries by name; none where it is not there, which is no news, or may not be read, which is."""
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError:
            self._tally.skip(DENIED, folder)
            return []


def printable(path: str) -> str:
    """A path as text that can be printed and written."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
