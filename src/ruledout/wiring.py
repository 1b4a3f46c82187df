"""The only room that knows all others: reads the environment and the files, picks adapters, hands in the clock. It holds no rule.

Nothing is imported at the top that a verb may not need.
"""

import os
import stat
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ruledout.checkout import common_dir, current_branch, home_of, inside, relative, repository, repository_of, require_repository
from ruledout.errors import BadInput, CannotRun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from ruledout.changes import Changes, Overrides
    from ruledout.demo import Ground
    from ruledout.model.proposal import Proposal
    from ruledout.observe.matchers import Matcher
    from ruledout.ports import Clock, GateRunner, SessionSource, Store
    from ruledout.rerun import Grants, Rerunner

__all__ = ("common_dir", "current_branch", "home_of", "inside", "relative", "repository", "repository_of", "require_repository")  # asked here by the doors

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
        raise BadInput("no-such-file", f"{name} is not there", "name a file that exists") from error
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
    """The bytes of an ordinary input file, or of standard input for `-`. Raises `BadInput` as `session_bytes` does, and for a folder."""
    if os.path.isdir(name):  # noqa: PTH112  # as above
        raise BadInput("not-a-file", f"{name} is a folder", "name a file")
    return session_bytes(name)


def proposal_of(name: str | None) -> "Proposal | None":
    """The proposal in a JSON file (`-`: standard input), strictly read."""
    if name is None:
        return None
    from ruledout.model import wire

    return wire.proposal(text_of(name))


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
    """The store of a repository, open for as long as it is needed; where there is none, reading makes none.

    Raises `CannotRun` (`not-in-a-repository`) for a folder that is not there: nothing is known of it, which is not "clear" (R14).
    """
    if repo is not None and not os.path.isdir(repo) and repository(repo) is None:  # noqa: PTH112  # as above
        raise CannotRun("not-in-a-repository", f"the folder {repo} is not there", "name the repository's folder with --repo DIR")
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


def rerunner(told: "Callable[[str, int, int], None] | None" = None) -> "Rerunner":
    """What runs commands and records again, given the same environment as a proof; `told` as there."""
    from ruledout.prove.rerunner import Rerunner as Runs

    return Runs(dict(os.environ), told=told)


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


def clock() -> "Clock":
    """The wall clock in UTC."""
    return _Wall()


class _Wall:
    def now(self) -> str:
        """Now, to the second."""
        from datetime import UTC, datetime

        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def sessions(repo: str | None) -> "SessionSource":
    """The sessions that agents keep on this machine, and inside the work tree that is asked about."""
    from pathlib import Path

    from ruledout.sources.disk import Disk
    from ruledout.sources.places import Machine

    root = repository(repo)
    return Disk(Machine(home=str(Path.home()), system=sys.platform, env=os.environ, repository=str(root) if root else None))


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
