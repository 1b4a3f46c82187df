"""jest and vitest, which write the same JSON."""

import json
from collections.abc import Sequence
from pathlib import Path

from ruledout.model.gate import ReportSource, TestStatus
from ruledout.prove.report import Prepared, Report, locate, merge

NAME = "jest"
_FILE = "jest.json"
_STATUS = {
    "passed": TestStatus.PASSED,
    "failed": TestStatus.FAILED,
    "pending": TestStatus.SKIPPED,
    "skipped": TestStatus.SKIPPED,
    "todo": TestStatus.SKIPPED,
    "disabled": TestStatus.SKIPPED,
}


def claims(argv: Sequence[str]) -> bool:
    """`jest`, `vitest`, behind the usual wrappers."""
    return locate(argv, frozenset(("jest", "vitest", "jest.js", "vitest.mjs"))) is not None


def prepare(argv: Sequence[str], out: Path) -> Prepared:
    """With a JSON report; vitest keeps its own text beside it."""
    index = locate(argv, frozenset(("vitest", "vitest.mjs")))
    if index is None:
        extra = ["--json", f"--outputFile={out / _FILE}"]
    else:
        extra = ["--reporter=default", "--reporter=json", f"--outputFile.json={out / _FILE}", "--retry=0"]
        extra += [] if "run" in argv or "--run" in argv else ["--run"]
    return Prepared(argv=(*argv, *extra), env={})


def read(out: Path, output: str, exit_status: int | None) -> Report | None:
    """The report; a file that failed without any test in it did not load."""
    del output, exit_status
    try:
        report = json.loads((out / _FILE).read_text("utf-8", "replace"))
        files = list(report["testResults"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    tests: dict[str, TestStatus] = {}
    unbuilt: list[str] = []
    notes: list[str] = []
    for file in files:
        results = file.get("assertionResults") or []
        if file.get("status") == "failed" and not results:
            unbuilt.append(str(file.get("name", "")))
        for result in results:
            name = " > ".join((*result.get("ancestorTitles", ()), result.get("title", "")))
            test_id = f"{file.get('name', '')} > {name}"
            merge(tests, test_id, _STATUS.get(result.get("status"), TestStatus.ERROR))
            if (result.get("invocations") or 1) > 1:
                notes.append(f"retried={test_id}")
    return Report(tests=tests, source=ReportSource.REPORT, unbuilt=tuple(unbuilt), notes=tuple(notes))
