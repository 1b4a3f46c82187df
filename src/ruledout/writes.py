"""What is written into other programs' settings, as rows that can be taken back, and the files as a Protocol.

The adapter lives in `install`; only `wiring` picks it.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class Row(Struct, frozen=True, kw_only=True):
    """One file that was written. `before` and `after` are SHA-256 of its bytes (`before` None: it was not there), `spans` what was put in, in letters.

    `made` are pointers that were new, `folders` those that had to be made, `commands` what our handlers call.
    """

    agent: str
    scope: str
    path: str
    syntax: str
    before: str | None
    after: str
    spans: tuple[tuple[int, int], ...]
    made: tuple[str, ...]
    folders: tuple[str, ...]
    commands: tuple[str, ...]
    pointers: tuple[str, ...]


class Files(Protocol):
    """Settings files and the user's own folder of this program.

    Every method raises `Refused` for a file that is not to be replaced (`linked-settings`, `read-only-settings`, `no-plain-file`, `not-yours`), and `CannotRun`
    where it cannot be done.
    """

    def folder(self, homes: Sequence[str]) -> str:
        """The first of these folders whose variable is set, else the last, with `~` as the user's home."""
        ...

    def there(self, path: str) -> bool:
        """Is there a file or folder of this name."""
        ...

    def read(self, path: str) -> bytes | None:
        """A file's bytes, None where there is none; a link is followed."""
        ...

    def check(self, path: str, below: str) -> tuple[str, ...]:
        """Whether the file may be replaced or made; the folders that are lacking. No folder between `below` and the file may be a link."""
        ...

    def write(self, path: str, before: bytes | None, after: bytes) -> None:
        """Put these bytes there, whole, with the mode that the file has; `before` must still be there."""
        ...

    def remove(self, path: str, before: bytes, folders: Sequence[str]) -> None:
        """Take a file away that has still these bytes, and these folders where they are empty."""
        ...

    def rows(self) -> tuple[Row, ...]:
        """What was written and not taken back, oldest first. `CannotRun` (`damaged-manifest`) for a manifest that cannot be read."""
        ...

    def keep(self, add: Sequence[Row] = (), drop: Sequence[Row] = ()) -> None:
        """Write down, or strike out."""
        ...

    def shim(self) -> str:
        """The fixed path of the front."""
        ...

    def lay_shim(self, text: str) -> None:
        """Write the front, for this user to run; nothing where it is so already."""
        ...

    def leave(self) -> tuple[str, ...]:
        """Take away the front, the manifest, what hooks remembered of sessions, and folders that are empty then: the paths that are gone."""
        ...


class Replayed(Struct, frozen=True, kw_only=True):
    """An installed command, tried: did it speak of what is known and keep silent of what is not; its time as a multiple of the bare interpreter's."""

    spoke: bool
    silent: bool
    ratio: float
    silent_ratio: float


class Library(Struct, frozen=True, kw_only=True):
    """The database library, the journal of the store's file (empty: no file), and the network file system that it lies on (empty: none)."""

    sqlite: str
    wal_sound: bool
    journal: str
    remote: str


class Machine(Struct, frozen=True, kw_only=True):
    """What the program stands on here. `records` None: there is no store; `fault` says what is wrong with it. `heard` and `spoke` are times, empty for never.

    `isolation` is what runs of a gate get.
    """

    version: str
    python: str
    library: Library
    isolation: str
    store: str
    records: int | None
    fault: str
    heard: str
    spoke: str
