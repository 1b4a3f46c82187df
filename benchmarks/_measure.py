"""What the benchmarks share: the program's path, best of n in turns, one JSON line. A figure is a ratio within one run, so that it travels between machines."""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Options(NamedTuple):
    """How to measure: the program's argv, the interpreter that it runs on, and how often."""

    program: list[str]
    python: str
    best_of: int


def options(about: str, best_of: int) -> Options:
    """Read `--program PATH` and `--best-of N`. Without a path the package of this interpreter is measured."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--program", type=Path, help="the program to measure; default: python -m ruledout")
    parser.add_argument("--best-of", type=int, default=best_of, metavar="N", help=f"how often each is run (default {best_of})")
    given = parser.parse_args()
    if given.program is None:
        return Options([sys.executable, "-m", "ruledout"], sys.executable, given.best_of)
    beside = given.program.absolute().parent / "python"
    return Options([str(given.program.absolute())], str(beside) if beside.exists() else sys.executable, given.best_of)


# As a user has it: modules are compiled once and kept. What switches that off is for the caller's own work.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds(argv: Sequence[str], cwd: Path | None = None) -> float:
    """How long one run took, start to end. An exit code other than 0 and 1 (which is an answer) means that it did not run."""
    start = time.perf_counter()
    done = subprocess.run(argv, cwd=cwd, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    took = time.perf_counter() - start
    if done.returncode not in {0, 1}:
        raise SystemExit(f"{' '.join(argv)}: exit code {done.returncode}: {done.stderr.decode(errors='replace').strip()[-500:]}")
    return took


def best(best_of: int, *argvs: Sequence[str], cwd: Path | None = None) -> list[float]:
    """The best time of each command, run in turns so that a busy moment hits them all; once before that, unmeasured, to warm up."""
    for argv in argvs:
        seconds(argv, cwd)
    rounds = [[seconds(argv, cwd) for argv in argvs] for _ in range(best_of)]
    return [min(times) for times in zip(*rounds, strict=True)]


def peak(argv: Sequence[str]) -> int:
    """The largest resident size of one run in bytes, as the kernel counted it for this child alone.

    Counted on Linux and macOS. The figure cannot be smaller than this process, so callers hold nothing big.
    """
    with subprocess.Popen(argv, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in {0, 1}:
        raise SystemExit(f"{' '.join(argv)}: exit code {child.returncode}")
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def can(program: Sequence[str], verb: str) -> bool:
    """Whether the program has this verb."""
    return subprocess.run([*program, verb, "--help"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


def report(bench: str, figure: float, bar: float | None, **rest: object) -> None:
    """Print what was measured, as one JSON line."""
    within = None if bar is None else figure <= bar
    print(json.dumps({"bench": bench, "figure": round(figure, 3), "bar": bar, "within": within, **rest}), flush=True)


def skip(bench: str, why: str) -> None:
    """Say that this could not be measured, as one JSON line."""
    print(json.dumps({"bench": bench, "skipped": why}), flush=True)
