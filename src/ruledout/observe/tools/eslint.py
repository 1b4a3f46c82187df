"""ESLint and its kin (stylelint, standard, oxlint): the block style, the compact one and the unix one."""

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, rx, short

NAME = "eslint"
PROGRAMS = frozenset(("eslint", "stylelint", "standard", "xo", "oxlint", "tslint", "next"))
_ROW = r"^ +(\d+):(\d+) +(error|warning|✖|⚠|×|Error|Warning) +(\S.*?)(?: {2,200}([\w@/.-]+))?$"
_COMPACT = r"^(.+?): line (\d+), col (\d+), (Error|Warning)(?: -|:) (.*?)(?: \(([\w@/.-]+)\))?$"
_UNIX = r"^(\S.*?):(\d+):(\d+): (.*) \[(Error|Warning)(?:/([\w@/.-]+))?\]$"
_NEXT = r"^(\d+):(\d+) +(Error|Warning): (\S.*?)(?: {2,200}([\w@/.-]+))?$"
_SUM = r"[✖×] (\d+) problems? \((\d+) errors?, (\d+) warnings?\)"


def claims(output: str) -> bool:
    """Its closing line, or rows of a style of its own."""
    marks = ("problem", " error  ", " warning  ", ", col ", "[Error/", "[Warning/", "eslint", " ✖ ", "Error: ", "stylelint")
    return any(mark in output for mark in marks)


def read(output: str) -> Reading | None:
    """All rows, under the file that heads them."""
    found: list[Diagnostic] = []
    file = ""
    for line in output.split("\n"):
        one = _single(line)
        if one is not None:
            found.append(one)
        elif row := (rx(_ROW).match(line) or (rx(_NEXT).match(line) if file else None)):
            found.append(Diagnostic(file=file, line=int(row[1]), column=int(row[2]), code=row[5], severity=_severity(row[3]), message=row[4]))
        elif line and line[0] not in " \t✖×":
            file = line.strip().replace("\\", "/") if rx(r"^(?:/|\./|[A-Za-z]:[\\/])?[^:\n]*\.\w+$").match(line.strip()) else ""
    found = [each for each in found if each.file]
    total = rx(_SUM).search(output)
    broken = rx(r"(?m)^(?:Oops! Something went wrong!.*|ESLint couldn't find .*|Error: Could not find config file.*)$").search(output)
    if not found and not total and not broken:
        return None
    errors = [each for each in found if each.severity == "error"]
    failed = bool(errors) or bool(total and total[2] != "0") or "too many warnings" in output or bool(broken)
    first = errors[0] if errors else found[0] if found else None
    message = f"{first.file}:{first.line}:{first.column}: {first.message}" if first else (total or broken or [""])[0]
    return Reading(
        tool=NAME,
        kind=Kind.DIAGNOSTIC,
        ran=Evidence.RAN,
        says="fail" if failed else None,
        classes=(first.code,) if first and first.code and failed else (),
        code=first.code if first and failed else None,
        message=short(message),
        diagnostics=errors_first(found),
        span="\n".join(f"{each.file}: {each.message} {each.code}" for each in found[:20]) or message,
    )


def _single(line: str) -> Diagnostic | None:
    if ", col " in line and (row := rx(_COMPACT).match(line)):
        return Diagnostic(file=row[1], line=int(row[2]), column=int(row[3]), severity=row[4].lower(), message=row[5], code=row[6])
    if line.endswith("]") and (row := rx(_UNIX).match(line)):
        return Diagnostic(file=row[1], line=int(row[2]), column=int(row[3]), message=row[4], severity=row[5].lower(), code=row[6])
    return None


def _severity(word: str) -> str:
    return "error" if word in ("error", "✖", "×", "Error") else "warning"
