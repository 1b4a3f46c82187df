# ruff: noqa: PTH119  # paths of another root are text here: `pathlib` would resolve them against ours
"""unittest, run by a small program of ours in place of `python -m unittest`: the same loader and arguments, and each result written as it comes."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from ruledout.model.gate import ReportSource, TestStatus
from ruledout.prove.report import Prepared, Report, locate, merge

NAME = "unittest"
PROGRAM = "ruledout_unittest.py"
INSIDE = Path(__file__).parent.parent / "inside" / "plugins"
_FILE = "unittest.jsonl"


def claims(argv: Sequence[str]) -> bool:
    """`python -m unittest`, behind the usual wrappers."""
    index = locate(argv, frozenset(("unittest",)))
    return index is not None and index >= 2 and argv[index - 1] == "-m" and "python" in " ".join(os.path.basename(word) for word in argv[:index])


def prepare(argv: Sequence[str], out: Path) -> Prepared:
    """`-m unittest` becomes our program."""
    index = locate(argv, frozenset(("unittest",))) or 0
    program = out / PROGRAM
    program.write_bytes((INSIDE / PROGRAM).read_bytes())
    return Prepared(argv=(*argv[: index - 1], str(program), *argv[index + 1 :]), env={"RULEDOUT_REPORT": str(out / _FILE)})


def read(out: Path, output: str, exit_status: int | None) -> Report | None:
    """The program's lines; None where it did not start."""
    del output, exit_status
    try:
        lines = (out / _FILE).read_text("utf-8", "replace").splitlines()
    except OSError:
        return None
    tests: dict[str, TestStatus] = {}
    marks: list[str] = []
    unbuilt: list[str] = []
    for line in lines:
        try:
            kind, name, status = json.loads(line)
        except ValueError:
            continue
        if kind != "test":
            marks.append(kind)
        elif name.startswith("unittest.loader._FailedTest."):
            unbuilt.append(name.removeprefix("unittest.loader._FailedTest."))
        else:
            merge(tests, name, TestStatus(status))
    return Report(tests=tests, source=ReportSource.REPORT, complete=0 < marks.count("end") >= marks.count("start"), unbuilt=tuple(unbuilt))
