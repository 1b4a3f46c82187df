"""The only room that knows all others: reads the environment and the files, picks adapters, hands in the clock. It holds no rule.

Nothing is imported at the top that a verb may not need.
"""

import os
import stat
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ruledout.errors import BadInput, CannotRun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from ruledout.changes import Changes, Overrides
    from ruledout.demo import Ground
    from ruledout.model.proposal import Proposal
    from ruledout.observe.matchers import Matcher
    from ruledout.ports import Clock, GateRunner, SessionSource, Store
    from ruledout.recall.question import Question
    from ruledout.rerun import Grants, Rerunner

STDIN = "-"


def session_bytes(name: str) -> bytes:
    """The bytes of a session file; `-` is standard input; a folder of event files comes as one event a line, in file-name order.

    Raises `BadInput` for what is not there, is no regular file (a FIFO or device is never opened), or may not be read.
    """
    if name == STDIN:
        return sys.stdin.buffer.read()
    try:
        mode = os.stat(name or ".").st_mode  # noqa: PTH116  # pathlib takes 3 ms to load, which `inspect` need not wait for
        if stat.S_ISDIR(mode):
            return _folder(name or ".")
        if not stat.S_ISREG(mode):
            raise BadInput("not-a-file", f"{name} is neither a file nor a folder", "name a session file")
        with open(name, "rb") as file:  # noqa: PTH123  # as above
            return file.read()
    except FileNotFoundError as error:
        raise BadInput("no-such-file", f"{name} is not there", "name a session file that exists") from error
    except OSError as error:
        raise BadInput("unreadable", f"{name} cannot be read: {error.strerror}", "check its permissions") from error


def _folder(name: str) -> bytes:
    from pathlib import Path

    path = Path(name)
    parts = [entry for entry in sorted(path.iterdir()) if entry.suffix == ".json" and stat.S_ISREG(entry.lstat().st_mode)]
    if not parts:
        raise BadInput("empty-folder", f"{path} holds no event files (*.json)", "name a session file, or the folder that holds its events")
    return b"\n".join(part.read_bytes().replace(b"\r\n", b" ").replace(b"\n", b" ") for part in parts)


def text_of(name: str) -> bytes:
    """The bytes of an ordinary input file, or of standard input for `-`."""
    return session_bytes(name)


def proposal_of(name: str | None) -> "Proposal | None":
    """The proposal in a JSON file (`-`: standard input), strictly read."""
    if name is None:
        return None
    from ruledout.model import wire

    return wire.proposal(text_of(name))


def repository(start: str | None) -> "Path | None":
    """The top folder of the work tree that holds `start` (default: the current folder), or None. Reads no configuration, starts no process."""
    from pathlib import Path

    here = Path(start or ".").resolve()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)


def common_dir(root: "Path") -> "Path":
    """The git common directory of a work tree: shared by all its worktrees, never committed."""
    entry = root / ".git"
    if entry.is_dir():
        return entry
    git_dir = root / entry.read_text(encoding="utf-8").partition("gitdir:")[2].strip()
    shared = git_dir / "commondir"
    return (git_dir / shared.read_text(encoding="utf-8").strip()).resolve() if shared.exists() else git_dir.resolve()


def current_branch(root: "Path | None") -> str | None:
    """The branch that a work tree stands on, or None."""
    if root is None:
        return None
    entry = root / ".git"
    try:
        git_dir = entry if entry.is_dir() else root / entry.read_text(encoding="utf-8").partition("gitdir:")[2].strip()
        head = (git_dir / "HEAD").read_text(encoding="utf-8").strip()
    except OSError:
        return None
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else None


def state_dir() -> "Path":
    """The user's own state directory for this program, by the platform's custom."""
    from pathlib import Path

    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "ruledout"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "ruledout"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "ruledout"


def store_path(repo: str | None) -> "Path":
    """Where the records of a repository live: `ruledout/ruledout.db` in its git common directory; for a folder that is none, in the user's state directory."""
    root = repository(repo)
    return (common_dir(root) / "ruledout" if root else state_dir()) / "ruledout.db"


@contextmanager
def store(repo: str | None, *, make: bool = False) -> "Iterator[Store]":
    """The store of a repository, open for as long as it is needed; where there is none, reading makes none."""
    path = store_path(repo)
    if not make and not path.exists():
        from ruledout.store.empty import EmptyStore

        yield EmptyStore()
        return
    from ruledout.store.hot_store import HotStore

    opened = HotStore(path, clock())
    try:
        yield opened
    finally:
        opened.close()


def matchers() -> "Sequence[Matcher]":
    """The problem matchers in the settings of the repository we stand in: of `.ruledout.toml`, else of `pyproject.toml`.

    Raises `BadInput` as `config.from_own` does. Where no file has the word, nothing is parsed.
    """
    root = repository(None)
    if root is None:
        return ()
    for name, words in ((".ruledout.toml", (b"matchers",)), ("pyproject.toml", (b"tool.ruledout", b"matchers"))):
        path = root / name
        if path.is_file() and all(word in (raw := path.read_bytes()[:1_000_000]) for word in words):
            from ruledout import config

            read = config.from_own if name == ".ruledout.toml" else config.from_pyproject
            return read(raw.decode("utf-8", "replace")).matchers
    return ()


def runner(told: "Callable[[str, int, int], None] | None" = None) -> "GateRunner":
    """The gate runner, given the caller's environment to choose from; `told` hears how far long work has come."""
    from ruledout.prove.gate import Runner

    return Runner(dict(os.environ), told=told)


def rerunner() -> "Rerunner":
    """What runs commands and records again, given the same environment as a proof."""
    from ruledout.prove.rerunner import Rerunner as Runs

    return Runs(dict(os.environ))


def grants() -> "Grants":
    """The user's own list of what may run, in the user's state directory: no file of a repository is asked (R12)."""
    from ruledout.store.grants import Folder

    return Folder(str(state_dir() / "trust"), clock())


@contextmanager
def changes(repo: str | None) -> "Iterator[Changes]":
    """The changes of a repository, read from a folder of our own that is gone afterwards."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from ruledout.prove.changes import GitChanges

    with TemporaryDirectory(prefix="ruledout-read-") as folder:
        yield GitChanges(str(require_repository(repo)), Path(folder), dict(os.environ))


def overrides(repo: str | None) -> "Overrides":
    """The removals of guards that were allowed, beside the records."""
    from ruledout.store.overrides import OverrideFile

    return OverrideFile(store_path(repo).with_name("overrides.jsonl"))


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


def clock() -> "Clock":
    """The wall clock in UTC."""
    return _Wall()


class _Wall:
    def now(self) -> str:
        """Now, to the second."""
        from datetime import UTC, datetime

        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def home_of(folder: str | None, repo: str | None) -> str | None:
    """The repository that a session belongs to: the one asked for, else the session's own where it is still there, else the current one."""
    from pathlib import Path

    if repo is not None:
        return repo
    return folder if folder and Path(folder).is_dir() and repository(folder) else None


def sessions(repo: str | None) -> "SessionSource":
    """The sessions that agents keep on this machine, and inside the work tree that is asked about."""
    from pathlib import Path

    from ruledout.sources.disk import Disk
    from ruledout.sources.places import Machine

    root = repository(repo)
    return Disk(Machine(home=str(Path.home()), system=sys.platform, env=os.environ, repository=str(root) if root else None))


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


def require_repository(repo: str | None) -> "Path":
    """The work tree's top folder; `CannotRun` where there is none."""
    root = repository(repo)
    if root is None:
        raise CannotRun("not-in-a-repository", f"{repo or 'this folder'} is no git repository", "run it inside the repository, or name it with --repo DIR")
    return root


@contextmanager
def demo_ground(keep: str | None) -> "Iterator[Ground]":
    """The demo's repository, laid out in `keep` or in a temporary folder that is gone afterwards."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from ruledout.demo import lay_out

    if keep is not None:
        yield lay_out(Path(keep), dict(os.environ))
        return
    with TemporaryDirectory(prefix="ruledout-demo-") as folder:
        yield lay_out(Path(folder) / "shares", dict(os.environ))
