"""Files that belong to other programs, read and replaced with care: whole or not at all, with their mode, never through a link.

What another program changed meanwhile is not written over.
"""

import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from ruledout.errors import CannotRun, Refused
from ruledout.writes import Row

MOST = 32_000_000
"""bytes of a settings file that is looked at"""
MANIFEST, SHIM = "installed.json", "ruledout-hook"
_TRACES = ("sessions", "live.words")


class _Manifest(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    version: int
    rows: tuple[Row, ...]
    folders: tuple[str, ...] = ()


class Disk:
    """The user's settings files. `state` is the user's own folder of this program, `home` the user's, `env` what moves agents' folders."""

    def __init__(self, state: Path, home: Path, env: Mapping[str, str], *, windows: bool = False) -> None:
        """Touch nothing yet."""
        self._state, self._home, self._env, self._windows = state, home, env, windows

    def folder(self, homes: Sequence[str]) -> str:
        """As `Files.folder` says; a variable counts when it is an absolute path."""
        for one in homes[:-1]:
            head, _, rest = one.removeprefix("$").partition("/")
            value = self._env.get(head, "")
            if one.startswith("$") and Path(value).is_absolute():
                return str(Path(value) / rest)
        return str(self._home / homes[-1].removeprefix("~/"))

    def there(self, path: str) -> bool:
        """As `Files.there` says."""
        return Path(path).exists()

    def read(self, path: str) -> bytes | None:
        """As `Files.read` says."""
        try:
            mode = os.stat(path).st_mode  # noqa: PTH116  # a path of a hostile tree may be none at all
            if not stat.S_ISREG(mode):
                raise Refused("no-plain-file", f"{path} is no regular file", "move it away, or put the entries where it leads by hand")
            with Path(path).open("rb") as file:
                data = file.read(MOST + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Refused("unreadable-settings", f"{path}: {error.strerror or error}", "make it readable for this user") from None
        if len(data) > MOST:
            raise Refused("huge-settings", f"{path} is larger than {MOST // 1_000_000} MB", "put the entries in by hand, as `--dry-run` shows them elsewhere")
        return data

    def check(self, path: str, below: str) -> tuple[str, ...]:
        """As `Files.check` says."""
        at = Path(path)
        by_hand = "put the entries in by hand (`ruledout init --dry-run` shows them for a plain file), or make it a plain file"
        try:
            found = at.lstat()
        except FileNotFoundError:
            found = None
        except OSError as error:
            raise Refused("unreadable-settings", f"{path}: {error.strerror or error}", "make its folder a folder of this user") from None
        for link in (at, *at.parents):
            if link.is_symlink() and (link == at or (link != Path(below) and link.is_relative_to(below))):
                raise Refused("linked-settings", f"{link} is a link to {os.readlink(link)}", by_hand)  # noqa: PTH115  # its own words, unresolved
        if found is not None:
            self._replaceable(at, found, by_hand)
            return ()
        lacking = [str(one) for one in at.parents if not one.exists()]
        near = at.parents[len(lacking)]
        if not near.is_dir() or not _writable(near):
            raise Refused("read-only-settings", f"{near} takes no new file", "make it writable for this user, or put the file there by hand")
        return tuple(lacking)

    def _replaceable(self, at: Path, found: os.stat_result, by_hand: str) -> None:
        if not stat.S_ISREG(found.st_mode):
            raise Refused("no-plain-file", f"{at} is no regular file", by_hand)
        if not found.st_mode & 0o222 or not _writable(at) or not _writable(at.parent):
            raise Refused("read-only-settings", f"{at} is read-only", f"make it writable (`chmod u+w {at}`) and run this again, or put the entries in by hand")
        if found.st_nlink > 1 and not self._windows:
            raise Refused("linked-settings", f"{at} has {found.st_nlink} names (hard links), and only this one would change", by_hand)
        if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
            raise Refused("not-yours", f"{at} belongs to another user", "run this as its owner")

    def write(self, path: str, before: bytes | None, after: bytes) -> None:
        """As `Files.write` says: written beside, synced, renamed."""
        at = Path(path)
        with _told(path):
            at.parent.mkdir(parents=True, exist_ok=True)
            mode = stat.S_IMODE(at.stat().st_mode) if before is not None else None
            beside = at.with_name(f".{at.name}.ruledout-{os.getpid()}")
            try:
                _put(beside, after, mode)
                self._unchanged(path, before)
                beside.replace(at)
            except BaseException:
                with suppress(OSError):
                    beside.unlink()
                raise
            _sync(at.parent)

    def _unchanged(self, path: str, before: bytes | None) -> None:
        if self.read(path) != before:
            raise CannotRun("changed-meanwhile", f"{path} was changed by another program just now", "run this again")

    def remove(self, path: str, before: bytes, folders: Sequence[str]) -> None:
        """As `Files.remove` says."""
        with _told(path):
            self._unchanged(path, before)
            Path(path).unlink()
            for folder in sorted(folders, key=len, reverse=True):
                with suppress(OSError):
                    Path(folder).rmdir()

    def rows(self) -> tuple[Row, ...]:
        """As `Files.rows` says."""
        return self._manifest().rows

    def _manifest(self) -> _Manifest:
        """The manifest; `folders` are those above our own that were not there before."""
        data = self.read(str(self._state / MANIFEST))
        if data is None:
            return _Manifest(version=1, rows=(), folders=tuple(str(one) for one in self._state.parents if not one.exists()))
        try:
            return msgspec.json.decode(data, type=_Manifest)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            mend = "move it away; `ruledout uninstall` then takes out what it finds by its command"
            raise CannotRun("damaged-manifest", f"{self._state / MANIFEST}: {error}", mend) from None

    def keep(self, add: Sequence[Row] = (), drop: Sequence[Row] = ()) -> None:
        """As `Files.keep` says."""
        path = self._state / MANIFEST
        before = self.read(str(path))
        held = self._manifest()
        rows = [row for row in held.rows if row not in drop] + list(add)
        after = msgspec.json.format(msgspec.json.encode(_Manifest(version=1, rows=tuple(rows), folders=held.folders)), indent=1) + b"\n"
        if after != before and (rows or before is not None):
            self._own()
            self.write(str(path), before, after)

    def shim(self) -> str:
        """As `Files.shim` says."""
        return str(self._state / "bin" / f"{SHIM}{'.ps1' if self._windows else ''}")

    def lay_shim(self, text: str) -> None:
        """As `Files.lay_shim` says."""
        path, data = Path(self.shim()), text.encode()
        before = self.read(str(path))
        if before == data and os.access(path, os.X_OK):
            return
        self._own()
        self.write(str(path), before, data)
        with _told(str(path)):
            path.chmod(0o700)

    def _own(self) -> None:
        with _told(str(self._state)):
            self._state.mkdir(mode=0o700, parents=True, exist_ok=True)

    def leave(self) -> tuple[str, ...]:
        """As `Files.leave` says."""
        gone: list[str] = []
        above: tuple[str, ...] = ()
        with suppress(CannotRun):
            above = self._manifest().folders
        for path in (Path(self.shim()), self._state / MANIFEST, self._state / _TRACES[1], *sorted((self._state / _TRACES[0]).glob("*.json"))):
            with suppress(FileNotFoundError), _told(str(path)):
                path.unlink()
                gone.append(str(path))
        for folder in (self._state / "bin", self._state / _TRACES[0], self._state, *map(Path, above)):
            with suppress(OSError):
                folder.rmdir()
                gone.append(str(folder))
        return tuple(gone)


class _told:  # noqa: N801  # reads as a word where it is used
    """What the system refuses, as `CannotRun` with the path."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
            raise CannotRun("not-writable", f"{self._path}: {error.strerror or error}", "make it writable for this user") from None


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK)


def _put(path: Path, data: bytes, mode: int | None) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
    with os.fdopen(descriptor, "wb") as file:
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
