"""Where an act happens: the repository, its hot index, the commit and branch checked out, the user's state folder. Reads small files, starts nothing."""

# ruff: noqa: PTH100, PTH103, PTH105, PTH110, PTH111, PTH112, PTH113, PTH118, PTH120, PTH123, PTH202  # pathlib would cost a hook its start-up

import os
import sys

from ruledout.hot import Hot

TYPE_CHECKING = False  # the checker takes this name for true; `collections` would take half of a hook's time
if TYPE_CHECKING:
    from collections.abc import Mapping

MOST = 1_000_000
"""bytes of a file that is looked into"""
_MOST_INDEX = 64_000_000


class Place:
    """A work tree: its top folder, and the folder of the hot index in the git common directory."""

    __slots__ = ("folder", "git", "root")

    def __init__(self, root: str, git: str, folder: str) -> None:
        """Put it together."""
        self.root, self.git, self.folder = root, git, folder

    def hot(self) -> Hot:
        """The hot index; empty where there is none."""
        return Hot(read(f"{self.folder}/hot.idx", _MOST_INDEX) or b"")

    def head(self) -> "tuple[str, str]":
        """The commit and the branch that are checked out, each empty where it is not told."""
        told = _line(f"{self.git}/HEAD")
        if not told.startswith("ref: "):
            return told, ""
        ref = told[5:]
        shared = os.path.dirname(self.folder)
        commit = _line(f"{self.git}/{ref}") or _line(f"{shared}/{ref}")
        if not commit:
            packed = read(f"{shared}/packed-refs", MOST) or b""
            at = packed.find(f" {ref}\n".encode())
            commit = packed[max(0, at - 40) : at].decode("ascii", "replace") if at >= 0 else ""
        return commit, ref.removeprefix("refs/heads/")

    def names(self, path: str, cwd: str) -> "list[str]":
        """The spellings under which records may know a file: from the top folder, from the current one, and as written."""
        whole = absolute(path, cwd)
        found = [_below(whole, self.root), _below(os.path.realpath(whole), os.path.realpath(self.root)), _below(whole, cwd), path.removeprefix("./")]
        return list(dict.fromkeys(one.replace(os.sep, "/") for one in found if one))


def of(start: str) -> "Place | None":
    """The work tree that holds a folder, or None."""
    at = os.path.abspath(start or ".")
    while True:
        entry = f"{at.rstrip('/')}/.git"
        if os.path.isdir(entry):
            return Place(at, entry, f"{entry}/ruledout")
        told = _line(entry)
        if told.startswith("gitdir: "):
            git = os.path.join(at, told[8:])
            common = _line(f"{git}/commondir")
            return Place(at, git, f"{os.path.normpath(os.path.join(git, common)) if common else git}/ruledout")
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above


def absolute(path: str, cwd: str) -> str:
    """A path as the session means it."""
    return os.path.normpath(os.path.join(cwd or ".", path))


def state(env: "Mapping[str, str]") -> str:
    """The user's own state folder, as `wiring.state_dir` has it."""
    home = env.get("HOME") or os.path.expanduser("~")
    if sys.platform == "win32":
        return os.path.join(env.get("LOCALAPPDATA") or f"{home}/AppData/Local", "ruledout")
    if sys.platform == "darwin":
        return f"{home}/Library/Application Support/ruledout"
    return f"{env.get('XDG_STATE_HOME') or f'{home}/.local/state'}/ruledout"


def blocking(env: "Mapping[str, str]") -> bool:
    """Did the user ask that exact repeats be stopped: by the environment, or `block = true` in the user's own settings, never in a repository's (R12)."""
    if "RULEDOUT_BLOCK" in env:
        return env["RULEDOUT_BLOCK"] == "1"
    folder = env.get("APPDATA", "") if sys.platform == "win32" else env.get("XDG_CONFIG_HOME") or f"{env.get('HOME') or os.path.expanduser('~')}/.config"
    rows = (read(f"{folder}/ruledout/config.toml", 100_000) or b"").decode("utf-8", "replace").splitlines()
    return any(row.partition("#")[0].replace(" ", "") == "block=true" for row in rows)


def read(path: str, most: int) -> "bytes | None":
    """A regular file's bytes; None for one that is not there, is no file, is longer, or may not be read."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > most:
            return None
        with open(path, "rb") as file:
            return file.read(most)
    except (OSError, ValueError):
        return None


def write(path: str, data: bytes) -> None:
    """Put these bytes in place of the file's, whole, for this user alone. Raises `OSError`."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    beside = f"{path}.{os.getpid()}"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)
    os.replace(beside, path)


def append(path: str, line: str, most: int) -> None:
    """A line behind the others; the older half goes when there are more than `most` bytes."""
    held = read(path, 4 * most) if os.path.exists(path) and os.path.getsize(path) > most else None
    if held is not None:
        write(path, held[len(held) // 2 :].partition(b"\n")[2])
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(descriptor, line.encode("utf-8", "replace") + b"\n")
    finally:
        os.close(descriptor)


def _line(path: str) -> str:
    return (read(path, 4096) or b"").decode("utf-8", "replace").partition("\n")[0].strip()


def _below(path: str, folder: str) -> str:
    return path[len(folder.rstrip("/\\")) + 1 :] if folder and path.startswith(folder.rstrip("/\\") + os.sep) else ""
