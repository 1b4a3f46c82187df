"""The change to be proved, read from bytes: base, work tree, and the two sides of the difference."""

import hashlib
import os
from collections.abc import Mapping, Sequence

from msgspec import Struct

from ruledout import digest
from ruledout.model.gate import PatchKind, PatchReceipt
from ruledout.prove import sides
from ruledout.prove.git import SUBMODULE, Entries, Entry, Repository, entry_of

_MANIFESTS = frozenset(
    [
        "requirements.txt",
        "poetry.lock",
        "uv.lock",
        "pdm.lock",
        "Pipfile",
        "Pipfile.lock",
        "package.json",
        "package-lock.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "bun.lockb",
        "Cargo.toml",
        "Cargo.lock",
        "go.mod",
        "go.sum",
        "Gemfile",
        "Gemfile.lock",
        "composer.json",
        "composer.lock",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "mix.lock",
    ]
)
_SETTINGS = (".toml", ".yaml", ".yml", ".ini", ".cfg", ".json", ".env", ".conf", ".properties")
_CACHES = frozenset(
    ("__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".git", ".idea", ".vscode", ".DS_Store", ".coverage", "htmlcov")
)

_LENT_FILES = 500


class Change(Struct, frozen=True, kw_only=True):
    """One path, before and after; None where it is not there."""

    path: str
    before: Entry | None
    after: Entry | None


class Patch(Struct, frozen=True, kw_only=True):
    """A change. `base`, `after` and `red` (base with the test side) are tree ids; `carried` are ignored paths that runs need."""

    commit: str
    base: str
    after: str
    red: str
    changes: tuple[Change, ...]
    product: tuple[str, ...]
    tests: tuple[str, ...]
    mixed: tuple[str, ...]
    files: Entries
    carried: tuple[str, ...]
    submodules: tuple[str, ...]


def find(repository: Repository, base: str | None, globs: Sequence[str], named: Sequence[str] = (), excludes: str | None = None) -> Patch:
    """The patch from `base` (HEAD where None) to the work tree, untracked files included, ignored ones not.

    `named` are paths that the gate's argv names: a script that is the gate belongs to the test side. Raises `BadInput` for a bad revision or glob.
    """
    globs = sides.checked_globs(globs)
    commit, tree = repository.resolve(base if base is not None else "HEAD")
    before = repository.entries(tree)
    after, smudged, carried = _work_tree(repository, excludes)
    before = {path: Entry(entry.mode, smudged.get(entry.oid, entry.oid)) for path, entry in before.items()}
    changes = tuple(
        Change(path=path, before=before.get(path), after=after.get(path)) for path in sorted({*before, *after}) if before.get(path) != after.get(path)
    )
    same = _only_space(repository, changes)
    real = [change for change in changes if change.path not in same]
    tests = _test_side(changes, real, globs, named, sides.packages(after))
    product = tuple(change.path for change in real if change.path not in tests)
    red, mixed = _red(repository, before, [change for change in changes if change.path in tests], [change for change in real if change.path in product])
    submodules = tuple(path for path, entry in after.items() if entry.mode == SUBMODULE)
    return Patch(
        commit=commit,
        base=repository.put_tree(before),
        after=repository.put_tree(after),
        red=repository.put_tree(red),
        changes=changes,
        product=product,
        tests=tuple(sorted(tests)),
        mixed=mixed,
        files=after,
        carried=(*carried, *submodules),
        submodules=submodules,
    )


def receipt(patch: Patch) -> PatchReceipt:
    """Digest and shape of the change: the digest is over path, mode and blob before and after, as `git diff --raw` shows them."""
    rows = [[*_named(change.path), *_row(change.before), *_row(change.after)] for change in patch.changes]
    names = [path.rpartition("/")[2] for path in patch.product]
    kind = PatchKind.GIT
    if names and all(name in _MANIFESTS for name in names):
        kind = PatchKind.DEPENDENCY
    elif names and all(name.endswith(_SETTINGS) for name in names):
        kind = PatchKind.CONFIGURATION
    return PatchReceipt(
        kind=kind,
        base=patch.commit,
        tree=patch.after,
        patch_digest=digest.tagged("patch", rows),
        files=tuple(_shown(change.path) for change in patch.changes),
        product=tuple(_shown(path) for path in patch.product),
        tests=tuple(_shown(path) for path in patch.tests),
    )


def _named(path: str) -> list[str]:
    """A path in the digest; bytes that are no UTF-8 in hexadecimal, marked as such, so that no two paths are one."""
    plain = path.encode("utf-8", "replace").decode() == path
    return [path] if plain else ["bytes", os.fsencode(path).hex()]


def _shown(path: str) -> str:
    """A path as text: bytes that are no UTF-8 become the replacement character."""
    return os.fsencode(path).decode("utf-8", "replace")


def _row(entry: Entry | None) -> list[str]:
    return [entry.mode, entry.oid] if entry is not None else ["000000", ""]


def _work_tree(repository: Repository, excludes: str | None) -> tuple[dict[str, Entry], dict[str, str], tuple[str, ...]]:
    """The work tree as entries; blobs that a filter changed on the way out, with what is on the disk instead; ignored paths to carry over."""
    root, tracked = repository.site.root, repository.tracked()
    found: dict[str, Entry] = {}
    waiting: dict[str, bytes] = {}
    for path, (flag, entry) in tracked.items():
        if entry.mode == SUBMODULE:
            found[path] = entry
            continue
        seen = entry_of(repository, root / path)
        if seen is None:
            if flag in "Ss":  # a sparse checkout: not there, and not meant to be
                found[path] = entry
            continue
        found[path] = seen[0]
        if seen[0].oid != entry.oid:
            waiting[path] = seen[1]
    smudged = _smudged(repository, {tracked[path][1].oid: data for path, data in waiting.items()})
    plain, ignored = repository.others(excludes)
    for path in plain:
        seen = entry_of(repository, root / path) if not path.endswith("/") else None
        if seen is not None:
            found[path], waiting[path] = seen
    for data in waiting.values():
        repository.put(data)
    return found, smudged, _carried(ignored)


def _smudged(repository: Repository, pairs: Mapping[str, bytes]) -> dict[str, str]:
    """Of files that differ from their blob, those that a filter wrote so: line ends, Git LFS, git-crypt. Blob id to the id of what is on the disk.

    Seen from the bytes alone: what the index says of time and size can be forged, and an edit must not pass for a filter.
    """
    found = {}
    blobs = repository.blobs(pairs)
    for oid, data in pairs.items():
        blob = blobs[oid]
        lfs = blob.startswith(b"version https://git-lfs") and b"sha256:" + hashlib.sha256(data).hexdigest().encode() in blob
        if lfs or blob.startswith(b"\0GITCRYPT\0") or (b"\r\n" in data and data.replace(b"\r\n", b"\n") == blob):
            found[oid] = repository.oid(data)
    return found


def _carried(ignored: Sequence[str]) -> tuple[str, ...]:
    """Ignored paths to lend to runs: folders as they are, and single files as far as a plan may hold them (each is a mount of its own)."""
    needed = [path for path in ignored if _needed(path)]
    few = frozenset([path for path in needed if not path.endswith("/")][:_LENT_FILES])
    return tuple(path.rstrip("/") for path in needed if path.endswith("/") or path in few)


def _needed(path: str) -> bool:
    """Is an ignored path carried over: everything but caches and files of secrets."""
    parts = path.rstrip("/").split("/")
    return not _CACHES.intersection(parts) and not parts[-1].startswith(".env") and not parts[-1].endswith((".pyc", ".swp", ".log"))


def _test_side(changes: Sequence[Change], real: Sequence[Change], globs: Sequence[str], named: Sequence[str], packages: frozenset[str]) -> frozenset[str]:
    """Paths that judge: by their names, or because the gate names them and they are new or a check, not the program itself."""
    tests = {change.path for change in changes if sides.is_test(change.path, globs, packages=packages)}
    rest = {change.path: change for change in real if change.path not in tests}
    judges = {path for path, change in rest.items() if path in named and (change.before is None or sides.is_check(path))}
    return frozenset(tests | judges if not globs and rest.keys() - judges else tests)


def _only_space(repository: Repository, changes: Sequence[Change]) -> frozenset[str]:
    """Paths whose change touches nothing that runs: line ends, trailing space, empty lines, comments of Python."""
    pairs = [
        (change.path, change.before, change.after)
        for change in changes
        if change.before is not None and change.after is not None and change.before.mode == change.after.mode != SUBMODULE
    ]
    blobs = repository.blobs(entry.oid for _, before, after in pairs for entry in (before, after))
    return frozenset(path for path, before, after in pairs if sides.bare(path, blobs[before.oid]) == sides.bare(path, blobs[after.oid]))


def _red(repository: Repository, before: Entries, tests: Sequence[Change], product: Sequence[Change]) -> tuple[dict[str, Entry], tuple[str, ...]]:
    """Base with the test side of the patch; files that hold both sides get the new test part on the old product part."""
    red, mixed = dict(before), []
    for change in tests:
        if change.after is None:
            red.pop(change.path, None)
        else:
            red[change.path] = change.after
    for change in product:
        if change.before is None or change.after is None or not change.path.endswith(".rs"):
            continue
        blobs = repository.blobs((change.before.oid, change.after.oid))
        old, new = (blobs[entry.oid].decode("utf-8", "surrogateescape") for entry in (change.before, change.after))
        both = sides.inline_tests(change.path, old, new)
        if both is not None and both not in (old, new):
            red[change.path] = Entry(change.before.mode, repository.put(both.encode("utf-8", "surrogateescape")))
            mixed.append(change.path)
    _clear(red)
    return red, tuple(mixed)


def _clear(red: dict[str, Entry]) -> None:
    """A path cannot be a file and a folder: where the test side turned one into the other, the deeper one wins."""
    for path in list(red):
        parent = path.rpartition("/")[0]
        while parent:
            red.pop(parent, None)
            parent = parent.rpartition("/")[0]
