"""Vitest."""

from ruledout.model.outcome import Evidence, Frame, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import counts, rx, short, unique

NAME = "vitest"
PROGRAMS = frozenset(("vitest",))
_WORDS = {"passed": "passed", "failed": "failed", "skipped": "skipped", "todo": "skipped"}
_TESTS = r"(?m)^ *Tests  +(.+)$"
_FILES = r"(?m)^ *Test Files  +(.+)$"
_FAIL = r"(?m)^ *FAIL +(?:\|[^|\n]+\| +)?(\S.*?)(?: \d+ms)?$"
_TICK = r"(?m)^ *([✓×❯↓]) (?:\|[^|\n]+\| )?(\S.*?)(?: \(\d+ tests?.*\))?(?: {1,2}\d+(?:\.\d+)? ?m?s)?$"
_ERROR = r"(?m)^((?:\w+\.)*\w*(?:Error|Exception)\b[\w ]*|Error): (.*)$"
_AT = r"(?m)^ +❯ (?:(\S+) )?(\S+?):(\d+):(\d+)$"


def claims(output: str) -> bool:
    """Its totals, banner or failure headings."""
    return (
        "Test Files " in output or "vitest" in output or "⎯⎯⎯" in output or " RUN  v" in output or ("\n FAIL " in output and " > " in output) or " × " in output
    )


def read(output: str) -> Reading | None:
    """Failing ids as the headings print them: `path > Suite > test`."""
    totals, files = rx(_TESTS).findall(output), rx(_FILES).findall(output)
    headings = unique(name.strip() for name in rx(_FAIL).findall(output))
    ticks = rx(_TICK).findall(output)
    empty = "No test files found" in output or "No test suite found" in output
    if not (totals or files or empty or (headings and " > " in " ".join(headings)) or ("⎯⎯" in output and headings)):
        return None
    tests = unique(name for name in headings if " > " in name)
    crossed = unique(name for mark, name in ticks if mark == "×")
    failing = tests or crossed or unique(name.split(" [")[0].strip() for name in headings)
    tally = counts(rx(r"(?<!\d)(\d{1,9}) (\w{1,20})").findall(totals[-1]), _WORDS) if totals else None
    unhandled = "Unhandled Error" in output or "Unhandled Rejection" in output
    failed = bool(failing) or bool(tally and tally.failed) or any("failed" in line for line in files) or (unhandled and "Errors " in output)
    ran = bool(tally and tally.passed) or any("passed" in line for line in files)
    error = rx(_ERROR).search(output, max(0, output.find("⎯⎯⎯"))) if failed else None
    return Reading(
        tool=NAME,
        kind=Kind.TEST_FAILURE if failed else Kind.NONE if ran else Kind.GATE_INVALID,
        ran=Evidence.RAN if ran or failed else Evidence.NONE,
        says="fail" if failed else "pass" if ran else "none_ran",
        classes=(error[1].strip(),) if error else ((_thrown(output),) if failed and _thrown(output) else ()),
        message=short(error[0] if error else _summary(output)) if failed else None,
        frames=tuple(Frame(at[1] or "<anonymous>", at[2], int(at[3])) for at in rx(_AT).finditer(output))[:50] if failed else (),
        failing=failing if failed else (),
        passing=unique(name for mark, name in ticks if mark == "✓" and " > " in name),
        skipping=unique(name for mark, name in ticks if mark == "↓"),
        counts=tally,
        span=output[error.start() : error.start() + 2000].split("\n⎯⎯⎯", maxsplit=1)[0] if error else "",
    )


def _thrown(output: str) -> str:
    """The class in the excerpt of the source, where the message itself was cut off."""
    found = rx(r"\bthrow new (\w+(?:Error|Exception))\(").search(output)
    return found[1] if found else ""


def _summary(output: str) -> str | None:
    found = rx(r"(?m)^.*(?:throw new \w+\(.*|No test files found.*|Tests  +\d+ failed.*)$").search(output)
    return found[0].strip() if found else None
