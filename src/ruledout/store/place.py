"""Where a store's files stand: private to the user whatever the umask, written whole or not at all, and on what kind of file system.

Decides no path (wiring does) and reads no record. On Windows the permission bits say nothing and are left alone.
"""

# ruff: noqa: PTH100, PTH101, PTH102, PTH105, PTH107, PTH110, PTH112, PTH116, PTH118, PTH120, PTH123, PTH208  # pathlib would cost every hook its start-up

import os
from contextlib import suppress

from ruledout.errors import CannotRun

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600

_REMOTE = frozenset(
    ("9p", "afs", "ceph", "cifs", "drvfs", "glusterfs", "gfs2", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs")
)


def head_path(path: str) -> str:
    """The small file beside the database that holds the head of the chain."""
    return f"{path}.head"


def prepare(path: str) -> None:
    """Make the folder (0700) and an empty file (0600) where there is none, and take others' rights from a file that has them.

    Raises `CannotRun`: `lost-store` when the database is gone or empty while its head is still there, `not-writable` when it cannot be made.
    """
    headed = os.path.exists(head_path(path))  # asked first: another process that is just beginning the store writes the file before the head
    try:
        size = os.stat(path).st_size
    except FileNotFoundError:
        size = -1
    except OSError as error:
        raise _unusable(path, error) from None
    if size <= 0 and headed:
        seen = "is gone" if size < 0 else "is empty"
        raise CannotRun(
            "lost-store", f"{path} {seen}, but {head_path(path)} says that it held records", f"restore it, or remove {head_path(path)} to start anew"
        )
    try:
        if size < 0:
            _make_folder(os.path.dirname(os.path.abspath(path)))
            _make_file(path)
        elif os.name == "posix" and os.stat(path).st_mode & 0o077:
            os.chmod(path, PRIVATE_FILE)
    except OSError as error:
        raise _unusable(path, error) from None


def write_whole(path: str, data: bytes) -> None:
    """Put these bytes in place of the file's, all or none: written beside, synced, renamed. One writer at a time, which the caller sees to."""
    beside = f"{path}.new"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
    try:
        _own(descriptor)
        os.write(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(beside, path)


def read_whole(path: str) -> bytes | None:
    """The file's bytes, or None when there is no such file."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def backups(path: str) -> tuple[str, ...]:
    """The copies made before migrations, oldest version first."""
    folder, name = os.path.split(os.path.abspath(path))
    return tuple(os.path.join(folder, other) for other in sorted(os.listdir(folder)) if other.startswith(f"{name}.backup-v"))


def remote(path: str, mounts: str) -> str | None:
    """The file system's name when the path lies on a network or shared one, where locks and write-ahead logs cannot be relied on; else None.

    `mounts` is the text of `/proc/mounts`; empty text (another platform) knows no remote mount.
    """
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ").rstrip("/") + "/"
        if f"{path}/".startswith(point) and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind if kind in _REMOTE or kind.startswith("fuse.") else None


def wal_is_sound(version: tuple[int, int, int]) -> bool:
    """Whether this SQLite is known free of the fault that could lose a write when a write-ahead log is reset (3.7.0 to 3.51.2, and 3.52.0)."""
    if version[:2] in {(3, 44), (3, 50)}:
        return version >= ((3, 44, 6) if version[1] == 44 else (3, 50, 7))
    return version >= (3, 51, 3) and version != (3, 52, 0)


def copies_to(path: str) -> str | None:
    """A new empty private file to copy the store into, or None when the copy that it is for is already there."""
    if os.path.exists(path):
        return None
    beside = f"{path}.new"
    with suppress(FileNotFoundError):
        os.remove(beside)
    _make_file(beside)
    return beside


def rename(old: str, new: str) -> None:
    """Give a finished file its name."""
    os.replace(old, new)


def remove(path: str) -> None:
    """Take a file away; one that is gone already is no fault."""
    with suppress(FileNotFoundError):
        os.remove(path)


def _make_folder(folder: str) -> None:
    if os.path.isdir(folder):
        return
    parent = os.path.dirname(folder)
    _make_folder(parent)
    try:
        os.mkdir(folder, PRIVATE_FOLDER)
    except FileExistsError:  # another process was first
        return
    os.chmod(folder, PRIVATE_FOLDER)
    if os.name == "posix":  # the name of the new folder must outlast a power cut as the records in it do
        descriptor = os.open(parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _make_file(path: str) -> None:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    except FileExistsError:
        return
    try:
        _own(descriptor)
    finally:
        os.close(descriptor)


def _own(descriptor: int) -> None:
    if os.name == "posix":  # a umask may have taken the owner's own rights
        os.fchmod(descriptor, PRIVATE_FILE)


def _unusable(path: str, error: OSError) -> CannotRun:
    return CannotRun("not-writable", f"{path}: {error.strerror or error}", "make the folder writable for this user, or choose another place")


def folder(path: str) -> str:
    """The folder that a store's file stands in."""
    return os.path.dirname(os.path.abspath(path))
