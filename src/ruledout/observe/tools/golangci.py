"""golangci-lint and the single Go linters that print `file:line:col: message (linter)`."""

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, rx, short

NAME = "golangci-lint"
PROGRAMS = frozenset(("golangci-lint", "staticcheck", "revive", "nilaway", "govulncheck"))
_ROW = r"(?m)^(\S+\.go):(\d+)(?::(\d+))?: (.+) \(([A-Za-z][\w-]*)\)$"
_PLACE = r"(?m)^(\S+\.go):(\d+):(\d+): (.+)$"
_SUM = r"(?m)^(\d+) issues?[.:]"
_BROKEN = r"(?m)^(?:level=error msg=|Error: |ERRO |WARN \[runner\] Can't run).*$"


def claims(output: str) -> bool:
    """Its count of issues, or a linter's name behind a Go place."""
    return " issues" in output or " issue" in output or (".go:" in output and rx(_ROW).search(output) is not None)


def read(output: str) -> Reading | None:
    """All rows, with the linter as code."""
    found = errors_first(
        Diagnostic(file=each[1], line=int(each[2]), column=int(each[3]) if each[3] else None, severity="error", message=each[4], code=each[5])
        for each in rx(_ROW).finditer(output)
    )
    sums = rx(_SUM).findall(output)
    if not found and not sums:
        return None
    failed = bool(found) or any(count != "0" for count in sums)
    line = rx(_ROW).search(output) or rx(_PLACE).search(output)
    if failed and not found:  # a message over several lines has its linter at the end of the last
        listed = rx(r"(?m)^\* ([\w-]+): \d+$").search(output)
        code = listed[1] if listed else None
        found = errors_first(
            Diagnostic(file=each[1], line=int(each[2]), column=int(each[3]), severity="error", message=each[4], code=code)
            for each in rx(_PLACE).finditer(output)
        )
    first = found[0] if found else None
    return Reading(
        tool=NAME,
        kind=Kind.DIAGNOSTIC if failed else Kind.NONE,
        ran=Evidence.RAN,
        says="fail" if failed else "pass",
        classes=(first.code,) if first and first.code else (),
        code=first.code if first else None,
        message=short(line[0] if line else None),
        diagnostics=found,
        span="\n".join(each[0] for each in list(rx(_ROW).finditer(output))[:20]),
    )
