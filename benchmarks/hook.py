"""How long a hook takes, whole processes: the silent way of the front to a bare shell that reads as much, and the speaking way to a bare interpreter."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from _measure import report
from ruledout import fingerprint, hot
from ruledout.doors.front import front
from ruledout.model import wire
from ruledout.recall import heat
from ruledout.store.hot_store import spelled
from ruledout.testing import samples

TIMES = 60
RECORDS = 500


def index(folder: Path) -> tuple[str, str]:
    """A hot index of many records; the edit that is known."""
    old, new = "    return sum(items) - tax", "    return sum(items) * tax"
    rows: list[str] = []
    words: set[str] = set()
    for at in range(RECORDS):
        path = "src/cart.py" if at == 0 else f"src/part{at}/module{at}.py"
        dead = samples.branch(fingerprints=[fingerprint.edit(path, [old], [new])], files=[path])
        residual = samples.residual(cause=f"The part {at} is rounded twice.", branches=[dead])
        guard = msgspec.structs.replace(residual.required_defensive_guards[0], location=f"{path}:41")
        record = wire.record(msgspec.structs.replace(residual, required_defensive_guards=(guard,)))
        rows += heat.lines(record)
        words.update(heat.words(record))
    place = folder / ".git/ruledout"
    place.mkdir(parents=True)
    (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (folder / "src").mkdir()
    (folder / "src/cart.py").write_text(f"def total(items):\n{old}\n")
    (place / "hot.idx").write_bytes(hot.written(rows, RECORDS))
    (place / "hot.words").write_bytes(spelled(words))
    return old, new


def call(root: Path, path: str, old: str, new: str, session: str) -> bytes:
    """An edit about to be made, as Claude Code tells of it."""
    given = {"file_path": str(root / path), "old_string": old, "new_string": new, "replace_all": False}
    event = {"session_id": session, "transcript_path": "/t.jsonl", "cwd": str(root), "hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": given}
    return json.dumps(event).encode()


def run(argv: Sequence[str], raw: bytes, cwd: Path, env: dict[str, str]) -> tuple[float, bool]:
    """One whole run in milliseconds, and whether it spoke."""
    start = time.perf_counter()
    done = subprocess.run(argv, input=raw, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=cwd, env=env, check=False)
    return (time.perf_counter() - start) * 1000, bool(done.stdout)


def main() -> None:
    """Measure both ways in turns with what they are held against, so that a busy moment hits them all."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        old, new = index(root)
        script = root / "ruledout-hook"
        script.write_text(front(sys.executable))
        script.chmod(0o755)
        env = {"PATH": os.environ["PATH"], "HOME": name, "XDG_STATE_HOME": f"{name}/state"}
        ways: dict[str, tuple[list[str], str]] = {
            "shell": (["sh", "-c", ":"], "docs/other.txt"),
            "reading": (["sh", "-c", "cat >/dev/null"], "docs/other.txt"),
            "silent": ([str(script), "claude"], "docs/other.txt"),
            "python": ([sys.executable, "-I", "-S", "-c", "pass"], "docs/other.txt"),
            "speaking": ([str(script), "claude"], "src/cart.py"),
        }
        runs: dict[str, list[tuple[float, bool]]] = {way: [] for way in ways}
        for at in range(TIMES):
            for way, (argv, path) in ways.items():
                runs[way].append(run(argv, call(root, path, old, new, f"s{at}"), root, env))
        ms = {way: round(statistics.median(took for took, _ in found), 2) for way, found in runs.items()}
        spoke = {way: sum(said for _, said in runs[way]) for way in ("silent", "speaking")}
        least = 3 * ms["shell"] + ms["reading"] - ms["shell"]
        report("hook silent", ms["silent"] / least, 1.0, unit="x (3 bare shells and reading the input)", ms=ms, spoke=spoke["silent"])
        report("hook speaking", ms["speaking"] / (1.6 * ms["python"] + 10), 1.0, unit="x (1.6 bare interpreters and 10 ms)", ms=ms, spoke=spoke["speaking"])


if __name__ == "__main__":
    main()
