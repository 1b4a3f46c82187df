"""What `wiring` is for the verbs that install and examine: agents' settings, the command that is tried, and what the program stands on. Holds no rule."""

import os
import sys
from typing import TYPE_CHECKING

from ruledout import wiring

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from ruledout.writes import Files, Machine, Replayed


def settings_files() -> "Files":
    """Agents' settings, and the user's own folder of this program."""
    from pathlib import Path

    from ruledout.install.disk import Disk

    return Disk(wiring.state_dir(), Path.home(), os.environ, windows=sys.platform == "win32")


def replayer() -> "Callable[[str, str], Replayed] | None":
    """What tries an installed hook; None where that was never done (Windows)."""
    from ruledout.install.replay import Replayer
    from ruledout.prove import process

    def start(argv: "Sequence[str]", cwd: str, env: "Mapping[str, str]", given: bytes) -> tuple[bytes, float]:
        ended = process.quiet(argv, cwd, env, given, 20.0)
        return ended.output, ended.seconds

    return None if sys.platform == "win32" else Replayer(wiring.state_dir(), start, os.environ)


def machine(repo: str | None) -> "Machine":
    """What the program stands on here; the store is opened and its list read, no more."""
    from pathlib import Path
    from tempfile import gettempdir

    from ruledout import __version__
    from ruledout.errors import RuledoutError
    from ruledout.prove import sandbox
    from ruledout.store.sqlite_about import about
    from ruledout.writes import Machine

    path = wiring.store_path(repo)
    mounts = Path("/proc/mounts")
    records, fault = None, ""
    try:
        with wiring.store(repo) as opened:
            records = len(opened.listed()) if path.exists() else None
    except RuledoutError as error:
        fault = error.message
    return Machine(
        version=__version__,
        python=sys.executable,
        library=about(str(path), mounts.read_text(encoding="utf-8", errors="replace") if mounts.exists() else ""),
        isolation=sandbox.level(os.environ.get("PATH", os.defpath), gettempdir()).isolation.value,
        store=str(path),
        records=records,
        fault=fault,
        heard=_latest(*(wiring.state_dir() / "sessions").glob("*.json")),
        spoke=_latest(path.with_name("ledger.jsonl")),
    )


def _latest(*paths: "Path") -> str:
    """When the newest of these files was changed, in UTC; empty where none is there."""
    from datetime import UTC, datetime

    times = [path.stat().st_mtime for path in paths if path.is_file()]
    return datetime.fromtimestamp(max(times), UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if times else ""


def front() -> tuple[str, bool]:
    """The interpreter that the hook's front starts, and whether it is to be PowerShell's."""
    return sys.executable, sys.platform == "win32"
