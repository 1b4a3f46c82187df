"""`node --test`, by a TAP report in a file of its own."""

import re
from collections.abc import Sequence
from pathlib import Path

from ruledout.model.gate import ReportSource, TestStatus
from ruledout.prove.report import Prepared, Report, locate, merge

NAME = "node"
_FILE = "node.tap"
_POINT = re.compile(r"^(?P<indent> *)(?P<not>not )?ok \d+(?: - (?P<name>.*?))?(?: # (?P<directive>SKIP|TODO)\b.*)?$", re.IGNORECASE)
_SCRIPT = re.compile(r"\.[cm]?[jt]s$")


def claims(argv: Sequence[str]) -> bool:
    """`node --test`."""
    return locate(argv, frozenset(("node",))) is not None and "--test" in argv


def prepare(argv: Sequence[str], out: Path) -> Prepared:
    """With a second reporter that writes TAP; the text stays on standard output."""
    index = list(argv).index("--test")
    extra = ("--test-reporter=spec", "--test-reporter-destination=stdout", "--test-reporter=tap", f"--test-reporter-destination={out / _FILE}")
    return Prepared(argv=(*argv[:index], *extra, *argv[index:]), env={})


def read(out: Path, output: str, exit_status: int | None) -> Report | None:
    """The TAP file; None where node did not get so far."""
    del output, exit_status
    try:
        text = (out / _FILE).read_text("utf-8", "replace")
    except OSError:
        return None
    return tap(text, ReportSource.REPORT)


def tap(text: str, source: ReportSource) -> Report:
    """TAP with nested points. The parent comes after its children, so names are joined backwards: `parent > child`."""
    points = [found for line in text.splitlines() if (found := _POINT.match(line)) is not None]
    tests: dict[str, TestStatus] = {}
    parents: list[tuple[int, str]] = []
    unbuilt: tuple[str, ...] = ()
    last = 1 << 30
    for point in reversed(points):
        depth, name = len(point["indent"]), (point["name"] or "").strip()
        while parents and parents[-1][0] >= depth:
            parents.pop()
        leaf = depth <= last
        last = depth
        full = " > ".join((*(parent for _, parent in parents), name))
        parents.append((depth, name))
        status = TestStatus.FAILED if point["not"] else TestStatus.PASSED
        if point["directive"]:
            status = TestStatus.SKIPPED if point["directive"].upper() == "SKIP" else TestStatus.XFAILED
        if _SCRIPT.search(name) and depth == 0:
            unbuilt = ("",) if point["not"] and leaf else unbuilt
            continue
        merge(tests, full, status)
    return Report(tests=tests, source=source, complete=_came_to_its_end(text, points, source), unbuilt=unbuilt)


def _came_to_its_end(text: str, points: Sequence[re.Match[str]], source: ReportSource) -> bool:
    """As many points as the plan says. A script's own text may do without a plan; a runner's report may not."""
    plan = re.search(r"^1\.\.(\d+)", text, re.MULTILINE)
    if plan is None:
        return source is ReportSource.TEXT
    return sum(not point["indent"] for point in points) >= int(plan[1])
