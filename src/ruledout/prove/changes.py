"""Texts before and after a change, read through our own bare repository: no hook, filter or configuration of theirs is used, and nothing is written."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ruledout.changes import Versions
from ruledout.errors import BadInput, CannotRun
from ruledout.prove import location, surroundings
from ruledout.prove.git import LINK, SUBMODULE, Entries, Entry, Repository, entry_of

PUBLISHED = re.compile(r"\.ruledout/[^/]+\.json")
_LARGEST = 2 << 20
"""bytes of a file beyond which it is not read: no guard stands in it"""


class GitChanges(Repository):
    """Implements `changes.Changes` for the work tree at `root`; `folder` is an empty one of ours that is thrown away afterwards."""

    def __init__(self, root: str, folder: Path, environment: Mapping[str, str]) -> None:
        """Lay out the bare repository. Raises `BadInput` for a folder that is no repository, `CannotRun` without git."""
        where = location.site(root)
        super().__init__(where, folder, surroundings.search_path(environment, where.root, ()))
        self._index_of_a_hook(environment.get("GIT_INDEX_FILE"))

    def _index_of_a_hook(self, told: str | None) -> None:
        """Within a hook of `git commit -a` or `git commit FILE`, what will be committed stands in an index of its own, which git names to the hook."""
        index = self.site.root / told if told else None
        if index is not None and index.is_file() and index.resolve().is_relative_to(self.site.gitdir.resolve()):
            (self.folder / "index").write_bytes(index.read_bytes())

    def staged(self) -> Versions:
        """From HEAD to the index."""
        return self._versions("staged", self._head(), {path: entry for path, (_, entry) in self.tracked().items()})

    def uncommitted(self) -> Versions:
        """From HEAD to the work tree, untracked files with it."""
        found: dict[str, Entry] = {}
        kept: dict[str, bytes] = {}
        for path, (flag, entry) in self.tracked().items():
            seen = entry_of(self, self.site.root / path) if entry.mode != SUBMODULE else (entry, b"")
            if seen is not None:
                found[path], kept[seen[0].oid] = seen
            elif flag in "Ss":
                found[path] = entry
        for path in self.others(None)[0]:
            seen = entry_of(self, self.site.root / path)
            if seen is not None:
                found[path], kept[seen[0].oid] = seen
        return self._versions("uncommitted work", self._head(), found, kept)

    def between(self, older: str, newer: str, *, forked: bool) -> Versions:
        """From one revision to another."""
        old, new = self.resolve(older), self.resolve(newer)
        if forked:
            old = self.resolve(self._parted(old[0], new[0]))
        return self._versions(f"{older}{'...' if forked else '..'}{newer}", self.entries(old[1]), self.entries(new[1]))

    def _parted(self, one: str, other: str) -> str:
        try:
            return self._git("merge-base", one, other).decode().split()[0]
        except CannotRun:
            seen = f"{one[:12]} and {other[:12]} have no common commit here"
            raise CannotRun("no-common-commit", seen, "fetch more of the history (`fetch-depth: 0` in a workflow), or give A..B") from None

    def files(self) -> "WorkTree":
        """The tracked files, read when they are asked for."""
        return WorkTree(self.site.root, frozenset(self.tracked()))

    def _head(self) -> Entries:
        """The files of HEAD; none before the first commit."""
        try:
            return self.entries(self.resolve("HEAD")[1])
        except BadInput:
            return {}

    def _versions(self, title: str, old: Entries, new: Entries, kept: Mapping[str, bytes] | None = None) -> Versions:
        changed = [path for path in sorted({*old, *new}) if old.get(path) != new.get(path)]
        known = dict(kept or {})
        wanted = {entry.oid for side in (old, new) for path in changed if (entry := side.get(path)) is not None and entry.mode not in (LINK, SUBMODULE)}
        known.update(self.blobs(wanted - known.keys()))
        sides = [{path: text for path in changed if (entry := side.get(path)) is not None and (text := _text(known.get(entry.oid)))} for side in (old, new)]
        return Versions(title=title, before=sides[0], after=sides[1], published=self._published(old))

    def _published(self, entries: Entries) -> tuple[str, ...]:
        names = [path for path, entry in entries.items() if PUBLISHED.fullmatch(path) and entry.mode not in (LINK, SUBMODULE)]
        blobs = self.blobs(entries[path].oid for path in names)
        return tuple(text for path in sorted(names) if (text := _text(blobs[entries[path].oid])) is not None)


class WorkTree(Mapping[str, str]):
    """The text files of a work tree by path; those that are no text are not there."""

    def __init__(self, root: Path, paths: frozenset[str]) -> None:
        """Nothing is read yet."""
        self._root = root
        self._paths = paths

    def __getitem__(self, path: str) -> str:
        """The text as it stands on the disk."""
        if path not in self._paths:
            raise KeyError(path)
        try:
            text = _text((self._root / path).read_bytes())
        except FileNotFoundError:
            text = None
        except OSError as error:
            raise CannotRun("unreadable-file", f"{path}: {error.strerror}", "make the file readable") from error
        if text is None:
            raise KeyError(path)
        return text

    def __iter__(self) -> Iterator[str]:
        """All tracked paths."""
        return iter(sorted(self._paths))

    def __len__(self) -> int:
        """How many are tracked."""
        return len(self._paths)


def _text(data: bytes | None) -> str | None:
    if data is None or len(data) > _LARGEST or b"\0" in data:
        return None
    return data.decode("utf-8", "replace").replace("\r\n", "\n")
