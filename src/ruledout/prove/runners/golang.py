"""`go test`, by its own JSON events on standard output."""

import json
from collections.abc import Sequence
from pathlib import Path

from ruledout.model.gate import ReportSource, TestStatus
from ruledout.prove.report import Prepared, Report, locate, merge

NAME = "go"
_STATUS = {"pass": TestStatus.PASSED, "fail": TestStatus.FAILED, "skip": TestStatus.SKIPPED}


def claims(argv: Sequence[str]) -> bool:
    """`go test`."""
    index = locate(argv, frozenset(("go",)))
    return index is not None and tuple(argv[index + 1 : index + 2]) == ("test",)


def prepare(argv: Sequence[str], out: Path) -> Prepared:
    """With `-json`, and `-count=1` so that no result comes from a cache."""
    del out
    index = (locate(argv, frozenset(("go",))) or 0) + 2
    asked = [word.lstrip("-").partition("=")[0] for word in argv[index:]]
    extra = [option for option in ("-json", "-count=1") if option.lstrip("-").partition("=")[0] not in asked]
    return Prepared(argv=(*argv[:index], *extra, *argv[index:]), env={})


def read(out: Path, output: str, exit_status: int | None) -> Report | None:
    """The events; a package that fails without a failing test did not build."""
    del out
    tests: dict[str, TestStatus] = {}
    failed_tests: set[str] = set()
    failed_packages: set[str] = set()
    seen = False
    for line in output.splitlines():
        if not line.startswith("{"):
            continue
        try:
            event = json.loads(line)
            action, package, test = event["Action"], event.get("Package", event.get("ImportPath", "")), event.get("Test")
        except (ValueError, KeyError, TypeError):
            continue
        seen = True
        if test and action in _STATUS:
            merge(tests, f"{package}.{test}", _STATUS[action])
            failed_tests |= {package} if action == "fail" else set()
        elif action in ("fail", "build-fail") and not test:
            failed_packages.add(package)
    if not seen:
        return Report(tests={}, source=ReportSource.NONE, unbuilt=("",)) if exit_status not in (0, None) and "FAIL" in output else None
    return Report(tests=tests, source=ReportSource.REPORT, unbuilt=tuple(sorted(failed_packages - failed_tests)))
