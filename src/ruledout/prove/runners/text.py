"""Any other command, by its text: what `observe` reads out of it. A command whose text names no test has no identity, and is no gate."""

import re
from collections.abc import Sequence
from pathlib import Path

from ruledout.model.gate import ReportSource, TestStatus
from ruledout.model.outcome import Evidence
from ruledout.observe import outcome as observed
from ruledout.prove.report import Prepared, Report, merge
from ruledout.prove.runners import node, pytest, unittest

NAME = "text"
_DOCTEST_PASSED = re.compile(r"^ *\d+ (?:tests?|passed)(?: passed)?(?: in)? (?P<id>[A-Za-z_][\w.]*)(?: passed)?$", re.MULTILINE)
_DOCTEST_FAILED = re.compile(r'^File "[^"]+", line \d+, in (?P<id>[\w.]+)$', re.MULTILINE)
_UNITTEST = re.compile(
    r"^(?P<name>\w+) \((?P<where>[\w.]+)\)(?:\n[^\n]*?)?(?:\s\.\.\.\s)(?P<status>ok|FAIL|ERROR|skipped|expected failure|unexpected success)", re.MULTILINE
)
_UNITTEST_STATUS = {
    "ok": TestStatus.PASSED,
    "FAIL": TestStatus.FAILED,
    "ERROR": TestStatus.ERROR,
    "skipped": TestStatus.SKIPPED,
    "expected failure": TestStatus.XFAILED,
    "unexpected success": TestStatus.XPASSED,
}


def claims(argv: Sequence[str]) -> bool:
    """Everything."""
    return bool(argv)


def prepare(argv: Sequence[str], out: Path) -> Prepared:
    """As it is, with pytest's plug-in within reach: a Makefile, `tox` or a script may call pytest."""
    return pytest.prepare(argv, out)


def read(out: Path, output: str, exit_status: int | None) -> Report | None:
    """Pytest's report where one was written, else TAP, unittest's and doctest's lines, else what `observe` finds."""
    written = pytest.read(out, output, exit_status)
    if written is not None:
        return written
    told = unittest.read(out, output, exit_status)
    if told is not None and (told.tests or told.unbuilt):
        return told
    text = output.replace("\r\n", "\n")
    if re.search(r"^(?:not )?ok \d+\b", text, re.MULTILINE):
        return node.tap(text, ReportSource.TEXT)
    tests: dict[str, TestStatus] = {}
    for found in _UNITTEST.finditer(text):
        where = found["where"] if found["where"].endswith("." + found["name"]) else f"{found['where']}.{found['name']}"
        merge(tests, where, _UNITTEST_STATUS[found["status"]])
    if "Failed example:" in text or "passed all tests" in text or "items had no tests" in text:
        _doctest(text, tests)
    return Report(tests=tests, source=ReportSource.TEXT) if tests else _observed(output, exit_status)


def _doctest(text: str, tests: dict[str, TestStatus]) -> None:
    for found in _DOCTEST_PASSED.finditer(text):
        merge(tests, found["id"], TestStatus.PASSED)
    for found in _DOCTEST_FAILED.finditer(text):
        merge(tests, found["id"], TestStatus.FAILED)


def _observed(output: str, exit_status: int | None) -> Report | None:
    seen = observed.observe("", output, exit_status)
    tests: dict[str, TestStatus] = {}
    for name in seen.passing:
        merge(tests, name, TestStatus.PASSED)
    for name in seen.failing:
        merge(tests, name, TestStatus.FAILED)
    if not tests and seen.evidence is not Evidence.RAN:
        return None
    return Report(tests=tests, source=ReportSource.TEXT if tests else ReportSource.NONE)
