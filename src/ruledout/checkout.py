"""The work tree that we stand in, read from its files: top folder, git's common folder, branch, and files as the repository names them.

Starts no process and reads no configuration. Nothing is imported at the top that a verb may not need.
"""

import os
from typing import TYPE_CHECKING

from ruledout.errors import BadInput, CannotRun

if TYPE_CHECKING:
    from pathlib import Path

    from ruledout.recall.question import Question


def repository(start: str | None) -> "Path | None":
    """The top folder of the work tree that holds `start` (default: the current folder), or None. Reads no configuration, starts no process."""
    from pathlib import Path

    here = Path(start or ".").resolve()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)


def require_repository(repo: str | None) -> "Path":
    """The work tree's top folder; `CannotRun` where there is none."""
    root = repository(repo)
    if root is None:
        raise CannotRun("not-in-a-repository", f"{repo or 'this folder'} is no git repository", "run it inside the repository, or name it with --repo DIR")
    return root


def _path_in(file: "Path") -> str:
    """The path that a file of git holds: bytes of any encoding."""
    return os.fsdecode(file.read_bytes())


def common_dir(root: "Path") -> "Path":
    """The git common directory of a work tree: shared by all its worktrees, never committed."""
    entry = root / ".git"
    if entry.is_dir():
        return entry
    git_dir = root / _path_in(entry).partition("gitdir:")[2].strip()
    shared = git_dir / "commondir"
    return (git_dir / _path_in(shared).strip()).resolve() if shared.exists() else git_dir.resolve()


def current_branch(root: "Path | None") -> str | None:
    """The branch that a work tree stands on, or None."""
    if root is None:
        return None
    entry = root / ".git"
    try:
        git_dir = entry if entry.is_dir() else root / _path_in(entry).partition("gitdir:")[2].strip()
        head = (git_dir / "HEAD").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else None


def repository_of(folder: str | None) -> "Path | None":
    """The git common directory of the repository that holds a folder, or None. A session names it, so relative and network paths are not asked."""
    from pathlib import Path

    if not folder or folder.startswith(("//", "\\\\")) or not Path(folder).is_absolute():
        return None
    try:
        root = repository(folder)
        return common_dir(root).resolve() if root and ((root / ".git").is_dir() or (root / ".git").is_file()) else None
    except (OSError, ValueError, RuntimeError):  # not to be read, no path at all, or links in a circle
        return None


def home_of(folder: str | None, repo: str | None) -> str | None:
    """The repository that a session belongs to: the one asked for, else the session's own where it is still there, else the current one."""
    from pathlib import Path

    if repo is not None:
        return repo
    return folder if folder and Path(folder).is_dir() and repository(folder) else None


def inside(file: str, repo: str | None) -> str:
    """A file as the repository names it, wherever we stand in it. Raises `BadInput` for one outside."""
    from pathlib import Path

    root = require_repository(repo)
    path = (Path(repo) if repo is not None else Path()).resolve() / file
    for one in (path, root / file):
        found = Path(os.path.normpath(one))
        if found.is_relative_to(root) and (one is not path or found.exists()):
            return found.relative_to(root).as_posix()
    raise BadInput("outside", f"{file} is not inside {root}", "name a file of this repository")


def relative(asked: "Question", repo: str | None) -> "Question":
    """A question whose edit names an absolute path inside the repository, with the path as records have it."""
    from pathlib import Path

    if asked.edit is None or not asked.edit.path.startswith(("/", "\\")):
        return asked
    from msgspec import structs

    path, root = Path(asked.edit.path), repository(repo)
    if root is None or not path.is_relative_to(root):
        return asked
    return structs.replace(asked, edit=structs.replace(asked.edit, path=path.relative_to(root).as_posix()))
