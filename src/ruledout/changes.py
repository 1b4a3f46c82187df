"""What is asked of a repository by whoever watches its changes: the texts before and after, and the removals that a person has allowed.

Protocols and values beside `ports`. The adapters live in `prove` and `store`; only `wiring` picks them. Holds no rule.
Reading runs nothing of the repository's.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct


class Versions(Struct, frozen=True, kw_only=True):
    """The text files that a change touches, before and after it, by path relative to the repository's root. A file that is added or deleted is in one of both.

    Files that are no text, too large, or links stand in neither; `title` says what the change is (`staged`, `main..HEAD`).
    """

    title: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    published: tuple[str, ...] = ()
    """the records that the repository publishes as they stand before the change, so that no change can take its own judge out"""


class Changes(Protocol):
    """Reads a repository without running anything of it: no hook, filter, alias or configuration."""

    def staged(self) -> Versions:
        """From HEAD to the index. Before the first commit everything is new."""
        ...

    def uncommitted(self) -> Versions:
        """From HEAD to the work tree, untracked files with it."""
        ...

    def between(self, older: str, newer: str, *, forked: bool) -> Versions:
        """From one revision to another; `forked`: from where they parted. Raises `BadInput` for what is no revision."""
        ...

    def files(self) -> Mapping[str, str]:
        """The tracked text files as they stand in the work tree, read as they are asked for."""
        ...


class Override(Struct, frozen=True, kw_only=True):
    """A person's word that a guard may go: which, in which record, why, and when."""

    at: str
    guard: str
    record: str
    because: str


class Overrides(Protocol):
    """Appended to, never changed; kept beside the records."""

    def listed(self) -> Sequence[Override]:
        """All of them, oldest first. Raises `CannotRun` (`bad-overrides`) for a line that cannot be read."""
        ...

    def add(self, one: Override) -> None:
        """Put one behind the others; on the disk when this returns."""
        ...
