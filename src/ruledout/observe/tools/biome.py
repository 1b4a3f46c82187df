"""Biome, and Ultracite which wraps it."""

import re

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, rx, short

NAME = "biome"
PROGRAMS = frozenset(("biome", "ultracite", "rome"))
_HEAD = (
    r"(?m)^(?: ?at |::error )?(\S+?)(?::(\d+):(\d+))? "
    r"((?:lint|assist|suppressions|plugin)/[\w/]+|parse|format|organizeImports|internalError/\w+|configuration|ci)(?: +(FIXABLE))? +[━═]+$"
)
_MESSAGE = r"^\s*[×✖!ℹi] (.+)$"


def claims(output: str) -> bool:
    """Its bars, or its count of files."""
    return "━━━" in output or " ══" in output or ("Checked " in output and " file" in output)


def read(output: str) -> Reading | None:
    """Each headed block; the sign in front of its message grades it."""
    heads = list(rx(_HEAD).finditer(output))
    checked = rx(r"(?m)^Checked (\d+) files? in .+$").search(output)
    counted = rx(r"(?m)^Found (\d+) (error|warning|info)s?\.?$").findall(output)
    if not heads and not checked:
        return None
    found = [_diagnostic(output, head, heads[at + 1].start() if at + 1 < len(heads) else len(output)) for at, head in enumerate(heads)]
    errors = [each for each in found if each.severity == "error"]
    failed = (
        any(word == "error" and count != "0" for count, word in counted)
        or rx(r"× Some (?:errors|warnings) were emitted").search(output) is not None
        or (bool(errors) and not checked)
    )
    first = next(iter(errors or found), None) if failed else None
    where = f"{first.file}:{first.line}:{first.column} " if first and first.line else f"{first.file} " if first else ""
    return Reading(
        tool=NAME,
        kind=Kind.DIAGNOSTIC if failed else Kind.NONE,
        ran=Evidence.RAN,
        says="fail" if failed else "pass" if checked and checked[1] != "0" else None,
        classes=(first.code,) if first and first.code else (),
        code=first.code if first else None,
        message=short(f"{where}{first.code} {first.message}" if first else None),
        diagnostics=errors_first(found),
        span=output[heads[0].start() : heads[0].start() + 1500] if heads else "",
    )


def _diagnostic(output: str, head: re.Match[str], end: int) -> Diagnostic:
    message = rx(f"(?m){_MESSAGE}").search(output, head.end(), end)
    sign = message[0].strip()[:1] if message else "×"
    grade = "error" if sign in "×✖" else "warning" if sign == "!" else "info"
    line, column = (int(part) if part else None for part in (head[2], head[3]))
    return Diagnostic(file=head[1], line=line, column=column, code=head[4], severity=grade, message=message[1] if message else "")
