"""Git where it checks: `diff --check`, and the hooks of commit and push, as far as no tool's own words are there."""

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, rx, short

NAME = "git"
PROGRAMS = frozenset(("git", "pre-commit", "lefthook", "husky", "lint-staged"))
_ROW = r"(?m)^(\S+):(\d+): (trailing whitespace|space before tab in indent|new blank line at EOF|leftover conflict marker|indent with spaces|tab in indent)\.?$"
_HOOK = (
    r"(?m)^(?:husky - .*(?:failed|exited with code [1-9]).*|.*hook declined.*|error: failed to push some refs.*"
    r"|✖ (?:eslint|prettier|.*failed).*|\[FAILED\] .*|.{0,200}?\.{3}(?:\([^)\n]{0,60}\))?Failed)$"
)
_LISTED = r"(?m)^\[COMPLETED\] Running tasks for staged files|^.{0,200}?\.{3}(?:\([^)\n]{0,60}\))?Passed$"


def claims(output: str) -> bool:
    """A row of `diff --check`, or the words of a hook runner."""
    return (
        "whitespace" in output
        or "hook" in output
        or "husky" in output
        or "[COMPLETED]" in output
        or "[FAILED]" in output
        or "...Passed" in output
        or "...Failed" in output
        or "failed to push" in output
        or "conflict marker" in output
    )


def read(output: str) -> Reading | None:
    """The rows, or which hook said no."""
    rows = errors_first(Diagnostic(file=each[1], line=int(each[2]), severity="error", message=each[3]) for each in rx(_ROW).finditer(output))
    if rows:
        first = rx(_ROW).search(output)
        return Reading(
            tool=NAME,
            kind=Kind.DIAGNOSTIC,
            ran=Evidence.RAN,
            says="fail",
            classes=(rows[0].message,),
            message=short(first[0] if first else None),
            diagnostics=rows,
            span=first[0] if first else "",
        )
    if failed := rx(_HOOK).search(output):
        name = "push rejected" if "failed to push" in failed[0] else "pre-commit check"
        line = rx(r"(?m)^\W{0,6}(?:error|warning|Error|⚠️?|✖|✗|❌)\W+\S.*$").search(output)
        return Reading(tool=NAME, kind=Kind.DIAGNOSTIC, ran=Evidence.RAN, says="fail", classes=(name,), message=short((line or failed)[0]), span=failed[0])
    return Reading(tool=NAME, ran=Evidence.RAN, says="pass") if rx(_LISTED).search(output) else None
