"""Removals of guards that a person has allowed: JSON lines beside the database, appended and never changed."""

# ruff: noqa: PTH123, PTH120, PTH103  # paths are text in this room, as in its neighbours

import os

import msgspec

from ruledout.changes import Override
from ruledout.errors import CannotRun

_PRIVATE = 0o600


class OverrideFile:
    """Implements `changes.Overrides` on one file, which need not be there yet."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Nothing is opened yet."""
        self._path = os.fspath(path)

    def listed(self) -> tuple[Override, ...]:
        """All of them, oldest first; none where there is no file. A torn or foreign line stops everything: a lost override is not to be guessed."""
        try:
            with open(self._path, "rb") as file:
                lines = file.read().split(b"\n")
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise CannotRun("bad-overrides", f"{self._path}: {error.strerror}", "make the file readable") from error
        found = []
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    found.append(msgspec.json.decode(line, type=Override))
                except msgspec.DecodeError as error:
                    raise CannotRun("bad-overrides", f"{self._path}, line {number}: {error}", "mend or remove this line") from error
        return tuple(found)

    def add(self, one: Override) -> None:
        """One line in one write, on the disk when this returns."""
        os.makedirs(os.path.dirname(os.path.abspath(self._path)), mode=0o700, exist_ok=True)  # noqa: PTH100  # the same
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _PRIVATE)
        try:
            os.write(descriptor, msgspec.json.encode(one) + b"\n")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
