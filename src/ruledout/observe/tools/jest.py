"""Jest, and bun's own runner, whose marks are alike."""

from ruledout.model.outcome import Counts, Evidence, Frame, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import counts, rx, short, unique

NAME = "jest"
PROGRAMS = frozenset(("jest", "react-scripts", "craco", "bun"))
_WORDS = {"passed": "passed", "failed": "failed", "total": "total", "skipped": "skipped", "todo": "skipped", "pending": "skipped"}
_BUN_WORDS = {"pass": "passed", "fail": "failed", "skip": "skipped", "todo": "skipped"}
_FILE = r"(?m)^ ?(PASS|FAIL|RUNS) +(?:[^\s›>]+ )??(\S+\.[a-z]\w{0,9})(?: \([\d.]+ ?m?s\))?$"
_TESTS = r"(?m)^ *Tests: +(.+)$"
_SUITES = r"(?m)^ *Test Suites: +(.+)$"
_BULLET = r"(?m)^ {0,4}● (.+?)(?:\s*)$"
_TICK = r"(?m)^( *)([✓✔√✕✗×✘○⚬⚪✎]) (.+?)(?: \(\d+(?:\.\d+)? ?m?s\))?$"
_ERROR = r"(?m)^ {2,}((?:\w+\.)*\w*(?:Error|Exception)(?: \[[\w-]+\])?): (.*)$"
_AT = r"(?m)^ +at (?:(?:async )?(.+?) \()?((?:file://)?[^()\n]+?):(\d+):(\d+)\)?$"
_BUN = r"(?m)^ *\((pass|fail|skip|todo)\) (.+?)(?: \[[\d.]+m?s\])?$|^(✓|✗|»|✎) (.+?)(?: \[[\d.]+m?s\])?$"
_BUN_SUM = r"(?m)^ *(\d+) (pass|fail|skip|todo)$"
_NOT_TESTS = (
    "Console",
    "Deprecation Warning",
    "Validation Warning",
    "Validation Error",
    "Multiple configurations",
    "Cannot log after",
    "process.exit",
    "Obsolete",
)
_THRESHOLD = r"(?m)^.*(?:coverage threshold for .+ not met|threshold for .* not met).*$"


def claims(output: str) -> bool:
    """Its totals, its file lines with bullets, or bun's summary."""
    if "Tests: " in output or "Test Suites: " in output or "\nRan all test suites" in output or "No tests found, exiting" in output or "● " in output:
        return True
    if (
        "(pass) " in output
        or "(fail) " in output
        or "bun test v" in output
        or ("expect() calls" in output and "Ran " in output)
        or '"numFailedTests"' in output
    ):
        return True
    return (
        (("PASS " in output or "FAIL " in output or "✓" in output or "✕" in output or "✔" in output) and rx(_FILE).search(output) is not None)
        or "✕ " in output
        or "✓ " in output
    )


def read(output: str) -> Reading | None:
    """Failing ids as the bullets print them (`Suite › test`), else the crosses; a file that could not run stands for itself."""
    if '"numFailedTests"' in output and (report := _report(output)):
        return report
    totals, suites = rx(_TESTS).findall(output), rx(_SUITES).findall(output)
    files = rx(_FILE).findall(output)
    bun = _bun(output)
    if bun is not None and not totals:
        return bun
    empty = "No tests found" in output
    ticks = _ticks(output)
    bullets = _bullets(output)
    timed = bool(ticks["passed"]) and all(rx(r"^ *[✓✔√○] .+ \(\d+ m?s\)$").match(line) for line in output.split("\n") if line.strip())
    if not (totals or suites or files or empty or bullets or ticks["failed"] or timed):
        return None
    failing = unique(bullets) or ticks["failed"]
    broken = unique(path for word, path in files if word == "FAIL") if not failing or "Test suite failed to run" in output else ()
    tally = counts(rx(r"(?<!\d)(\d{1,9}) (\w{1,20})").findall(totals[-1]), _WORDS) if totals else None
    missed = rx(_THRESHOLD).search(output)
    failed = (
        bool(failing or broken or missed)
        or bool(tally and tally.failed)
        or (bool(suites) and "failed" in suites[-1])
        or any(word == "FAIL" for word, _ in files)
    )
    ran = bool(tally and (tally.passed or tally.failed)) or any(word == "PASS" for word, _ in files) or bool(ticks["passed"])
    says = "fail" if failed else "pass" if ran else "none_ran"
    reading = Reading(
        tool=NAME,
        kind=Kind.TEST_FAILURE if failed else Kind.NONE if ran else Kind.GATE_INVALID,
        ran=Evidence.RAN if ran or failed else Evidence.NONE,
        says=says,
        failing=failing or _suites_failed(output, files),
        passing=ticks["passed"],
        skipping=ticks["skipped"],
        counts=tally,
    )
    return _with_error(reading, output, missed[0] if missed and not failing else None) if failed else reading


def _bullets(output: str) -> list[str]:
    """The headings of failures; console blocks and warnings have bullets of their own. A suite that could not run goes by its file."""
    found = []
    files = [(each.start(), each[2]) for each in rx(_FILE).finditer(output) if each[1] == "FAIL"]
    for bullet in rx(_BULLET).finditer(output):
        name = bullet[1]
        if name.endswith("Test suite failed to run") or " › Test suite failed" in name:
            name = next((path for at, path in reversed(files) if at < bullet.start()), "")
        if name and not name.startswith(_NOT_TESTS):
            found.append(name.strip())
    return found


def _suites_failed(output: str, files: list[tuple[str, str]]) -> tuple[str, ...]:
    """The files of suites that could not run."""
    return unique(path for word, path in files if word == "FAIL") if "Test suite failed to run" in output else ()


def _ticks(output: str) -> dict[str, tuple[str, ...]]:
    """Names by their mark, with the names of the suites that they are indented under."""
    found: dict[str, list[str]] = {"passed": [], "failed": [], "skipped": []}
    if not any(mark in output for mark in "✓✔√✕✗×✘○"):
        return dict.fromkeys(found, ())
    above: list[tuple[int, str]] = []
    for line in output.split("\n"):
        tick = rx(_TICK).match(line)
        margin = len(line) - len(line.lstrip())
        if tick:
            above = [each for each in above if each[0] < margin]
            name = " › ".join([*(title for _, title in above), tick[3].removeprefix("skipped ")])
            found["passed" if tick[2] in "✓✔√" else "skipped" if tick[2] in "○⚬⚪✎" else "failed"].append(name)
        elif margin and line.strip() and margin <= 12:
            above = [*(each for each in above if each[0] < margin), (margin, line.strip())]
        elif line.strip():
            above = []
    return {state: unique(names) for state, names in found.items()}


def _with_error(reading: Reading, output: str, complaint: str | None) -> Reading:
    start = next((bullet.start() for bullet in rx(_BULLET).finditer(output) if not bullet[1].startswith(_NOT_TESTS)), -1)
    end = output.find("\n  ● ", start + 5) if start >= 0 else -1
    block = output[start : end if end > 0 else min(len(output), start + 6000)] if start >= 0 else ""
    error = rx(_ERROR).search(block) if block else None
    first = next((line.strip() for line in block.split("\n")[1:] if line.strip()), None)
    fallback = complaint or next(iter(rx(r"(?m)^ *(?:FAIL .*|Tests: .*failed.*)$").findall(output)), None)
    name = error[1].split(" [")[0] if error else ("AssertionError" if first and first.startswith("expect(") else None)
    return Reading(
        tool=reading.tool,
        kind=reading.kind,
        ran=reading.ran,
        says=reading.says,
        failing=reading.failing,
        passing=reading.passing,
        skipping=reading.skipping,
        counts=reading.counts,
        classes=(name,) if name else (),
        message=short(
            complaint or (error[0].strip() if error and (not first or error[0].strip() == first) else first) or (fallback.strip() if fallback else None)
        ),
        frames=tuple(Frame(at[1] or "<anonymous>", at[2].removeprefix("file://"), int(at[3])) for at in rx(_AT).finditer(block))[:50],
        span=block.strip() or fallback or "",
    )


def _bun(output: str) -> Reading | None:
    sums = rx(_BUN_SUM).findall(output)
    marks = rx(_BUN).findall(output) if "(pass)" in output or "(fail)" in output or sums else []
    if not (sums and ("Ran " in output or "expect() calls" in output)) and not ("(pass) " in output or "(fail) " in output):
        return None
    states = [(word or {"✓": "pass", "✗": "fail", "»": "skip", "✎": "todo"}[mark], name or other) for word, name, mark, other in marks]
    tally = counts(sums, _BUN_WORDS)
    failing = unique(name for word, name in states if word == "fail")
    failed = bool(failing) or bool(tally and tally.failed)
    ran = failed or bool(tally and tally.passed) or any(word == "pass" for word, _ in states)
    error = rx(r"(?m)^(?:error|(\w*Error)): (.+)$").search(output) if failed else None
    return Reading(
        tool="bun",
        kind=Kind.TEST_FAILURE if failed else Kind.NONE,
        ran=Evidence.RAN if ran else Evidence.NONE,
        says="fail" if failed else "pass" if ran else "none_ran",
        classes=(error[1],) if error and error[1] else (),
        message=short(error[0]) if error else None,
        frames=tuple(Frame(at[1] or "<anonymous>", at[2], int(at[3])) for at in rx(_AT).finditer(output))[:50] if failed else (),
        failing=failing,
        passing=unique(name for word, name in states if word == "pass"),
        skipping=unique(name for word, name in states if word in ("skip", "todo")),
        counts=tally,
        span=output[error.start() : error.start() + 2000] if error else "",
    )


def _report(output: str) -> Reading | None:
    """The `--json` report."""
    import json

    start = output.find("{")
    try:
        report = json.loads(output[start : output.rfind("}") + 1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(report, dict) or not isinstance(report.get("numTotalTests"), int):
        return None
    results = [each for suite in _dicts(report.get("testResults")) for each in _dicts(suite.get("assertionResults"))]
    by_state = [(str(each.get("status")), str(each.get("fullName") or each.get("title"))) for each in results]
    failed, passed, total = (int(report.get(f"num{word}Tests") or 0) for word in ("Failed", "Passed", "Total"))
    pending = int(report.get("numPendingTests") or 0) + int(report.get("numTodoTests") or 0)
    return Reading(
        tool=NAME,
        kind=Kind.TEST_FAILURE if failed else Kind.NONE,
        ran=Evidence.RAN if failed or passed else Evidence.NONE,
        says="fail" if failed or report.get("success") is False else "pass" if passed else "none_ran",
        failing=unique(name for state, name in by_state if state == "failed"),
        passing=unique(name for state, name in by_state if state == "passed"),
        counts=Counts(passed=passed, failed=failed, skipped=pending, total=total),
    )


def _dicts(value: object) -> list[dict[str, object]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
