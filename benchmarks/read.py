"""How long `inspect` works on real sessions, in one process, to `json.loads` of the same bytes; and what memory it takes, to the largest file.

The sessions are other people's and do not come with the project: `--data DIR` names a folder with a `MANIFEST.tsv` (columns `local_path` and `kind`). Files
that hold no JSON have nothing to be compared with: their time is told apart. The slowest files are named with the parts of their time (read, observe, judge)
and the functions that took most of it.
"""

import argparse
import cProfile
import csv
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from _measure import report, skip
from ruledout import wiring
from ruledout.distill import session
from ruledout.errors import BadInput
from ruledout.flows import inspect_session as flow

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "transcripts"
BAR, MEMORY_BAR = 6, 2
SMALL = 100_000
"""Bytes below which a file is not named as the slowest: there, what is done once for each file outweighs the rest."""


class Times(NamedTuple):
    """One file: bytes, and seconds of `json.loads` (None without JSON), of all of `inspect`, and of its parts."""

    name: str
    path: Path
    size: int
    loads: float | None
    whole: float
    read: float
    observe: float

    @property
    def judge(self) -> float:
        """What is left of the whole."""
        return self.whole - self.read - self.observe

    @property
    def ratio(self) -> float:
        """Whole to `json.loads`; 0 without JSON."""
        return self.whole / self.loads if self.loads else 0.0


class Clock:
    """Wraps a function and counts its seconds."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Nothing counted yet."""
        self.function, self.seconds = function, 0.0

    def __call__(self, *given: object) -> object:
        """Call it, and count."""
        start = time.perf_counter()
        try:
            return self.function(*given)
        finally:
            self.seconds += time.perf_counter() - start


def sessions(data: Path) -> list[Path]:
    """The real sessions of the manifest; a folder of event files is one."""
    if not (data / "MANIFEST.tsv").exists():
        return []
    with (data / "MANIFEST.tsv").open(encoding="utf-8", newline="") as manifest:
        rows = [data / row["local_path"] for row in csv.DictReader(manifest, delimiter="\t") if row["kind"] == "real"]
    paths = dict.fromkeys(path.parent if path.name.startswith("event-0") else path for path in rows)
    return [path for path in paths if path.exists()]


def loads_seconds(raw: bytes) -> float | None:
    """How long the standard library takes: a document whole, else line by line; None for what is no JSON."""
    start = time.perf_counter()
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        start, read = time.perf_counter(), 0
        for line in raw.split(b"\n"):
            try:
                json.loads(line)
                read += len(line)
            except (ValueError, RecursionError):
                continue
        if read * 2 < len(raw):
            return None
    return time.perf_counter() - start


def inspect_seconds(raw: bytes, name: str) -> tuple[float, float, float]:
    """Seconds of the whole, of reading and of observing."""
    read, observe = Clock(vars(flow)["read"]), Clock(vars(session)["seen_runs"])
    vars(flow)["read"], vars(session)["seen_runs"] = read, observe  # the same functions, with a clock
    try:
        whole = Clock(flow.inspect_session)
        whole(raw, name)
        return whole.seconds, read.seconds, observe.seconds
    finally:
        vars(flow)["read"], vars(session)["seen_runs"] = read.function, observe.function


def measured(paths: list[Path], best_of: int) -> list[Times]:
    """The best of so many rounds of each file that a reader claims. Round after round over all, so that no file finds what it left in a cache."""
    best: dict[Path, Times] = {}
    for _ in range(best_of + 1):  # the first round also loads modules and makes expressions, and so is rarely the best
        for path in paths:
            raw = wiring.session_bytes(str(path))
            try:
                whole, read, observe = inspect_seconds(raw, path.name)
            except BadInput:
                continue
            loads, known = loads_seconds(raw), best.get(path)
            if known is None:
                best[path] = Times("/".join(path.parts[-2:]), path, len(raw), loads, whole, read, observe)
            else:
                loads = min(loads, known.loads) if loads and known.loads else None
                whole, read, observe = min((whole, read, observe), (known.whole, known.read, known.observe))
                best[path] = known._replace(loads=loads, whole=whole, read=read, observe=observe)
    return list(best.values())


def hot(path: Path) -> list[str]:
    """The functions in which the work on a file stays longest, with their share of it."""
    raw = wiring.session_bytes(str(path))
    profile = cProfile.Profile(builtins=False)  # what the library does in C counts for who asked for it
    profile.runcall(flow.inspect_session, raw, path.name)
    rows = sorted(profile.getstats(), key=lambda row: row.inlinetime, reverse=True)
    total = sum(row.inlinetime for row in rows)
    return [f"{place(row.code)} {100 * row.inlinetime / total:.0f} %" for row in rows[:4]]


def place(code: object) -> str:
    """Where a function is, in short."""
    name = getattr(code, "co_name", None)
    return f"{Path(code.co_filename).stem}.{name}" if name else str(code).strip("<>")  # type: ignore[attr-defined]  # code has it where it has a name


def growth(paths: list[Path]) -> int:
    """By how many bytes the largest resident size of this process grows while it inspects these files, one after another."""
    sizes = {path: len(wiring.session_bytes(str(path))) for path in paths}
    for path in sorted(paths, key=lambda path: sizes[path] >= SMALL):  # small ones first: what is loaded once is loaded before the count begins
        if sizes[path] >= SMALL:
            break
        _inspect(path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for path in paths:
        _inspect(path)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * (1 if sys.platform == "darwin" else 1024)


def _inspect(path: Path) -> None:
    with suppress(BadInput):
        flow.inspect_session(wiring.session_bytes(str(path)), path.name)


def told(times: Times) -> dict[str, object]:
    """One file's figures in milliseconds."""
    parts = {part: round(getattr(times, part) * 1000, 1) for part in ("whole", "read", "observe", "judge")}
    return {"file": times.name, "bytes": times.size, "ratio": round(times.ratio, 2), "loads_ms": round((times.loads or 0) * 1000, 1), "ms": parts}


def main() -> None:
    """Measure, and print two figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="where the sessions are (default: ../shared/data/transcripts beside the project)")
    parser.add_argument("--best-of", type=int, default=3, metavar="N", help="how often each file is inspected (default 3)")
    parser.add_argument("--worst", type=int, default=3, metavar="N", help="how many of the slowest files to name (default 3)")
    parser.add_argument("--program", type=Path, help="taken for the sake of `make bench`; the package of this interpreter is measured")
    parser.add_argument("--growth", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    paths = sessions(asked.data)
    if not paths:
        skip("read", f"there are no sessions at {asked.data}")
        return
    if asked.growth:
        print(growth(paths))
        return
    # First, while this process is small: a child's largest size is never counted smaller than its parent's.
    grown = int(subprocess.run([sys.executable, __file__, "--growth", "--data", str(asked.data)], capture_output=True, text=True, check=True).stdout)
    files = measured(paths, asked.best_of)
    compared = [times for times in files if times.loads]
    if not compared:
        skip("read", "none of the sessions holds JSON")
        return
    total = {part: sum(getattr(times, part) for times in compared) for part in ("loads", "whole", "read", "observe", "judge")}
    slowest = sorted((times for times in compared if times.size >= SMALL), key=lambda times: times.ratio, reverse=True)
    longest = max(compared, key=lambda times: times.whole)
    report(
        "read",
        total["whole"] / total["loads"],
        BAR,
        unit="x json.loads, in one process",
        files=len(compared),
        bytes=sum(times.size for times in compared),
        ms={part: round(seconds * 1000, 1) for part, seconds in total.items()},
        slowest=[{**told(times), "hot": hot(times.path)} for times in slowest[: asked.worst]],
        longest=told(longest) | {"hot": hot(longest.path)},
        without_json={"files": len(files) - len(compared), "ms": round(sum(times.whole for times in files if not times.loads) * 1000, 1)},
        not_read=len(paths) - len(files),
    )
    largest = max(times.size for times in files)
    report("read_memory", grown / largest, MEMORY_BAR, unit="x the largest file, above the process itself", bytes=largest, growth_bytes=grown)


if __name__ == "__main__":
    main()
