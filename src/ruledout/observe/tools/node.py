"""Node: an error that came out of a program, with its stack; its own test runner (TAP and spec)."""

import re

from ruledout.model.outcome import Counts, Evidence, Frame, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx, short, unique

NAME = "node"
PROGRAMS = frozenset(("node", "tsx", "ts-node", "deno", "tap", "bun"))
_TAP = r"(?m)^( *)(not ok|ok) \d+(?:(?: -)? (.*?))?(?: # (SKIP|TODO|skip|todo|time=).*)?(?: \{)?$"
_SPEC = r"(?m)^( *)([✖✔﹣]) (.+?) \([\d.]+ms\)(?: # .*)?$"
_SUM = r"(?m)^[#ℹ] (tests|pass|fail|cancelled|skipped|todo) +(\d+)$"
_ERROR = r"(?m)^(?:Uncaught )?(?:[A-Za-z_$][\w$.]*: )?([A-Z][\w$.]*(?:Error|Exception)|Error)(?: \[(\w+)\])?(?:: ?(.*))?$"
_AT = r"(?m)^ +at (?:(?:async )?(?:new )?(.+?) \()?((?:file://|node:)?[^()\n]+?):(\d+)(?::(\d+))?\)?$"
_CODE = r"(?m)^ +code: '(\w+)'"


def claims(output: str) -> bool:
    """A stack, TAP, or the summary of its runner."""
    return "\n    at " in output or "TAP version" in output or "ok 1" in output or "ℹ tests" in output or "# pass " in output or "\nNode.js v" in output


def read(output: str) -> Reading | None:
    """Test results where there are any, else the first error in front of a stack."""
    sums = {word: int(count) for word, count in rx(_SUM).findall(output)}
    points = [point for point in rx(_TAP).findall(output) if "TAP version" in output or sums or len(point[0]) == 0]
    if sums or (points and "ok 1" in output):
        return _tests(output, sums, points)
    error = _first_error(output)
    if error is None:
        return None
    code = rx(_CODE).search(output)
    name = "MODULE_NOT_FOUND" if code and code[1] in ("MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND") else error[1]
    return Reading(
        tool=NAME,
        kind=Kind.EXCEPTION,
        ran=Evidence.RAN,
        says="fail",
        classes=(name,),
        code=error[2] or (code[1] if code else None),
        message=short(error[0]),
        frames=_frames(output, error.end()),
        span=_span(output, error.start()),
    )


def _first_error(output: str) -> re.Match[str] | None:
    """An error line with a stack behind it, at most twenty lines of message between."""
    if "    at " not in output:
        return None
    for error in rx(_ERROR).finditer(output):
        behind = output[error.end() : error.end() + 3000].split("\n", 21)[:21]
        if any(rx(_AT).match(line) for line in behind):
            return error
    return None


def _frames(output: str, at: int) -> tuple[Frame, ...]:
    found = (Frame(each[1] or "<anonymous>", each[2].removeprefix("file://"), int(each[3])) for each in rx(_AT).finditer(output, at))
    return tuple(frame for frame in found if not frame.path.startswith("node:"))[:50]


def _span(output: str, start: int) -> str:
    lines = output[start : start + 6000].split("\n")
    end = next((number for number, line in enumerate(lines) if number and rx(_AT).match(line) and not rx(_AT).match((*lines, "")[number + 1])), len(lines) - 1)
    return "\n".join(lines[: end + 1])


def _tests(output: str, sums: dict[str, int], points: list[tuple[str, str, str, str]]) -> Reading:
    specs = rx(_SPEC).findall(output)
    failing = unique([*(name for _, word, name, skip in points if word == "not ok" and not skip), *(name for _, mark, name in specs if mark == "✖")])
    passing = unique([*(name for _, word, name, skip in points if word == "ok" and not skip), *(name for _, mark, name in specs if mark == "✔")])
    failed = bool(failing) or bool(sums.get("fail") or sums.get("cancelled"))
    ran = failed or bool(passing) or bool(sums.get("pass"))
    error = rx(r"(?m)^ +error: (?:\|-\n +)?['\"]?(.+?)['\"]?$|^ +(\w*Error(?: \[\w+\])?): (.*)$").search(output) if failed else None
    name = rx(r"(?m)^ +name: '(\w+)'").search(output) if failed else None
    tally = Counts(passed=sums.get("pass"), failed=sums.get("fail"), skipped=sums.get("skipped"), total=sums.get("tests")) if sums else None
    return Reading(
        tool="node:test" if sums else "tap",
        kind=Kind.TEST_FAILURE if failed else Kind.NONE,
        ran=Evidence.RAN if ran else Evidence.NONE,
        says="fail" if failed else "pass" if ran else "none_ran",
        classes=(name[1],) if name else ((error[2].split(" [")[0],) if error and error[2] else ()),
        message=short(error[1] or error[0]) if error else None,
        frames=_frames(output, error.end()) if error else (),
        failing=failing,
        passing=passing,
        skipping=unique(name for _, _, name, skip in points if skip and skip.lower() == "skip"),
        counts=tally or Counts(passed=len(passing), failed=len(failing)),
        span=output[error.start() : error.start() + 2000] if error else "",
    )
