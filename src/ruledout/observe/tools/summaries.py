"""Runners whose closing line and list of failures tell all there is: .NET, CTest, ExUnit, Deno, Flutter and Dart, Xcode. One row a runner."""

import re

from msgspec import Struct

from ruledout.model.outcome import Counts, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import number, rx, short, unique

NAME = "summaries"
PROGRAMS = frozenset(("dotnet", "ctest", "mix", "deno", "flutter", "dart", "xcodebuild", "swift"))


class _Runner(Struct, frozen=True):
    """The mark that is looked for first, the closing line with counts as named groups, the line of a failing test, the line that says how it ended."""

    tool: str
    mark: str
    closing: str
    failing: str
    error: str = r"(?m)^[ \t]*(\S{0,120}(?:Error|Exception)\S{0,120}: .+)$"


_RUNNERS = (
    _Runner(
        "dotnet",
        "Passed:",
        r"(?m)^[ \t]*(?P<word>Passed|Failed|Skipped)!\s+-\s+"
        r"Failed:\s+(?P<failed>\d+), Passed:\s+(?P<passed>\d+), Skipped:\s+(?P<skipped>\d+), Total:\s+(?P<total>\d+)",
        r"(?m)^[ \t]+Failed (\S.*?) \[[<\d. ]+ ?m?s\]$",
        r"(?m)^[ \t]*Error Message:[ \t]*\n[ \t]*(\S.*)$",
    ),
    _Runner(
        "ctest",
        "tests passed",
        r"(?m)^\d+% tests passed, (?P<failed>\d+) tests? failed out of (?P<total>\d+)",
        r"(?m)^\t\s*\d+ - (.+?) \((?:Failed|Timeout|SEGFAULT|Subprocess aborted|Not Run|Exception.*)\)$",
    ),
    _Runner(
        "ExUnit",
        " tests, ",
        r"(?m)^(?:\d+ (?:doctests?|propert(?:y|ies)), )*(?P<total>\d+) tests?, (?P<failed>\d+) failures?(?:, (?P<skipped>\d+) (?:skipped|excluded))?$",
        r"(?m)^ +\d+\) (test .+ \([\w.]+\))$",
        r"(?m)^ +(\*\* \(\w\S*\) .+|Assertion with .+|match \(=\) failed.*)$",
    ),
    _Runner(
        "deno",
        " | ",
        r"(?m)^(?P<word>ok|FAILED) \| (?P<passed>\d+) passed(?: \(\d+ steps?\))? \| "
        r"(?P<failed>\d+) failed(?: \(\d+ steps?\))?(?: \| (?P<skipped>\d+) (?:ignored"
        r"|filtered out))?",
        r"(?m)^(\S.*?) \.\.\. FAILED \(\d+m?s\)$",
        r"(?m)^error: (\S.+)$",
    ),
    _Runner(
        "flutter",
        ": ",
        r"(?m)^\d\d:\d\d \+(?P<passed>\d+)(?: ~(?P<skipped>\d+))?(?: -(?P<failed>\d+))?: (?P<word>All tests passed!|Some tests failed\.|All tests skipped\.)",
        r"(?m)^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: (.+?) \[E\]$",
    ),
    _Runner(
        "xcode",
        "Executed ",
        r"(?m)^[ \t]*Executed (?P<total>\d+) tests?, with (?:(?P<skipped>\d+) tests? skipped and )?(?P<failed>\d+) failures? \(",
        r"(?m)^Test Case '(?:-\[)?(.+?)\]?' failed",
        r"(?m)^(\S+:\d+: error: .+)$",
    ),
)


def claims(output: str) -> bool:
    """One of the marks, and the closing line that belongs to it."""
    return any(runner.mark in output and rx(runner.closing).search(output) is not None for runner in _RUNNERS)


def read(output: str) -> Reading | None:
    """The last closing line of the first runner that has one."""
    for runner in _RUNNERS:
        if runner.mark in output and (closing := list(rx(runner.closing).finditer(output))):
            return _reading(runner, closing[-1], output)
    return None


def _reading(runner: _Runner, closing: re.Match[str], output: str) -> Reading:
    found = {name: number(value) or 0 for name, value in closing.groupdict().items() if name != "word" and value is not None}
    failed = found.get("failed", 0)
    passed = found.get("passed", max(0, found.get("total", 0) - failed - found.get("skipped", 0)))
    error = rx(runner.error).search(output) if failed else None
    named = rx(r"^(?:\*\* \()?([\w.]+(?:Error|Exception))").match(error[1]) if error else None
    return Reading(
        tool=runner.tool,
        kind=Kind.TEST_FAILURE if failed else Kind.NONE if passed else Kind.GATE_INVALID,
        ran=Evidence.RAN if failed or passed else Evidence.NONE,
        says="fail" if failed else "pass" if passed else "none_ran",
        classes=(named[1],) if named else (),
        message=short(error[1] if error else closing[0]) if failed else None,
        failing=unique(name.strip() for name in rx(runner.failing).findall(output)) if failed else (),
        counts=Counts(passed=passed, failed=failed, skipped=found.get("skipped"), total=found.get("total")),
        span=(error or closing)[0] if failed else "",
    )
