"""Python's linters and type checkers: ruff, flake8, pylint, mypy, pyright, black, isort."""

import re
from collections.abc import Iterable

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, rx, short

NAME = "python-lint"
PROGRAMS = frozenset(
    (
        "ruff",
        "mypy",
        "dmypy",
        "pyright",
        "basedpyright",
        "flake8",
        "pylint",
        "black",
        "isort",
        "pycodestyle",
        "pydocstyle",
        "pyflakes",
        "bandit",
        "ty",
        "pyrefly",
    )
)
_ROW = r"(?m)^(?:\*+ )?(\S+\.(?:pyi?|ipynb)):(\d+)(?::(\d+))?:?(?::cell \S+)? ([A-Z]{1,6}\d{2,5})(?::| \[\*\]| ) *(.*)$"
_BLOCK = r"(?m)^([A-Z]{1,6}\d{2,5}|invalid-syntax|error\[[\w-]+\]|warning\[[\w-]+\])(?: \[[*-]\])?:? (.+)\n +--> (\S+?):(\d+):(\d+)$"
_MYPY = r"(?m)^(\S+\.pyi?):(\d+)(?::(\d+))?(?::\d+:\d+)?: (error|warning|note): (.*?)(?:  \[([\w-]+)\])?$"
_BLACK = r"(?m)^error: ?cannot format (\S[^\n]{0,300}?\.(?:pyi?|ipynb)): (Cannot parse[^:\n]{0,80}): (\d+):(\d+): ?(.*)$"
_PYRIGHT = r"(?m)^ *(\S+\.pyi?):(\d+):(\d+) - (error|warning|information): (.*?)(?: \((report\w+)\))?$"
_PASSED = (
    r"(?m)^(?:All checks passed!|Success: no issues found.*|0 errors, .*|All done! .*|Your code has been rated at 10\.00/10.*"
    r"|\d+ files? (?:already formatted|would be left unchanged).*)$"
)
_FAILED = (
    r"(?m)^(?:Found (?!0)\d+ errors?.*|(?!0 )\d+ errors?, .*|would reformat .*|Would reformat: .*|Oh no! .*"
    r"|ERROR: .+ Imports are incorrectly sorted.*|error: cannot format .*|\d+ files? would be reformatted.*)$"
)


def claims(output: str) -> bool:
    """A place in a Python file with a message, or a closing line."""
    marks = (".py:", ".pyi:", "checks passed", "no issues found", " errors, ", "reformat", "incorrectly sorted", "already formatted", "Oh no!", "-->")
    return any(mark in output for mark in marks)


def read(output: str) -> Reading | None:
    """All rows, of whichever of them."""
    found, tool = _rows(output)
    passed = _asked(_PASSED, output, "passed!", "no issues", "0 errors", "All done!", "rated at", "already formatted", "left unchanged")
    failed = _asked(_FAILED, output, " error", "reformat", "Oh no!", "incorrectly sorted", "cannot format")
    if not found and not passed and not failed:
        return None
    errors = [each for each in found if each.severity in ("error", None)]
    first = errors[0] if errors else None
    says = "fail" if errors or failed else "pass" if passed else None
    message = f"{first.file}:{first.line}: {first.message}" if first else failed[0] if failed else None
    return Reading(
        tool=tool or _named(output),
        kind=Kind.DIAGNOSTIC if says == "fail" else Kind.NONE,
        ran=Evidence.RAN,
        says=says,
        classes=(first.code,) if first and first.code else (("format",) if failed and "reformat" in failed[0] else ()),
        code=first.code if first else None,
        message=short(message),
        diagnostics=found,
        span="\n".join(f"{each.file}: {each.code} {each.message}" for each in found[:20]) or message or "",
    )


def _asked(pattern: str, output: str, *words: str) -> re.Match[str] | None:
    """The first hit of a pattern in which one of these words always stands."""
    return rx(pattern).search(output) if any(word in output for word in words) else None


def _all(pattern: str, output: str, *words: str) -> Iterable[re.Match[str]]:
    """All hits of a pattern in which one of these words always stands."""
    return rx(pattern).finditer(output) if any(word in output for word in words) else ()


def _rows(output: str) -> tuple[tuple[Diagnostic, ...], str | None]:
    mypy = [_typed(each) for each in _all(_MYPY, output, ": error", ": warning", ": note")]
    if mypy:
        return errors_first(mypy), "mypy"
    pyright = [_typed(each) for each in _all(_PYRIGHT, output, " - error", " - warning", " - information")]
    if pyright:
        return errors_first(pyright), "pyright"
    blocks = [
        Diagnostic(
            file=each[3],
            line=int(each[4]),
            column=int(each[5]),
            code=rx(r"^\w+\[|\]$").sub("", each[1]),
            severity="warning" if each[1].startswith("warning") else "error",
            message=each[2],
        )
        for each in _all(_BLOCK, output, "--> ")
        if "." in each[3] and each[3].rpartition(".")[2] in ("py", "pyi", "ipynb")
    ]
    rows = [
        Diagnostic(file=each[1], line=int(each[2]), column=int(each[3]) if each[3] else None, code=each[4], message=each[5])
        for each in rx(_ROW).finditer(output)
    ]
    return errors_first([*blocks, *rows, *map(_unformatted, _all(_BLACK, output, "cannot format "))]), None


def _unformatted(each: re.Match[str]) -> Diagnostic:
    """What Black could not parse."""
    return Diagnostic(file=each[1].replace("\\", "/"), line=int(each[3]), column=int(each[4]), severity="error", message=f"{each[2]}: {each[5]}")


def _typed(each: re.Match[str]) -> Diagnostic:
    grade = {"information": "info"}.get(each[4], each[4])
    return Diagnostic(
        file=each[1].replace("\\", "/"), line=int(each[2]), column=int(each[3]) if each[3] else None, severity=grade, message=each[5], code=each[6]
    )


def _named(output: str) -> str:
    if "Success: no issues found" in output or rx(r"Found \d+ errors? in \d+ files?").search(output):
        return "mypy"
    if rx(r"(?<!\d)\d{1,9} errors?, \d{1,9} warnings?").search(output):
        return "pyright"
    return (
        "ruff"
        if "checks passed" in output or "fixable with" in output or "formatted" in output
        else "black"
        if "reformat" in output or "All done!" in output
        else "pylint"
    )
