"""MSBuild, `dotnet build`, and NuGet: how the build ended, errors with and without a place. Their tests are told by other modules."""

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, first_error, rx, short

NAME = "msbuild"
PROGRAMS = frozenset(("dotnet", "msbuild", "nuget", "xbuild"))
_ROW = (
    r"(?m)^[ \t]{0,40}(?:\d{1,6}>[ \t]{0,40})?((?:[A-Za-z]:)?[^\s:()\n][^:()\n]{0,300})(?:\((\d+)(?:,(\d+))?(?:,\d+,\d+)?\))? ?: (?:[a-z]+ )?(error|warning) "
    r"([A-Z]{2,8}\d{2,6}) ?: (.{1,400}?)(?: \[([^\[\]\n]{1,300}\.\w*proj)(?:::[^\]\n]{0,80})?\])?$"
)
_END = (
    r"(?m)^[ \t]*(Build FAILED\.|Build succeeded\.|Build failed with \d+ error.{0,60}|Build succeeded in .{1,40}"
    r"|Build succeeded with .{1,60}|Restore failed with .{1,60})$"
)


def claims(output: str) -> bool:
    """How a build ends, or a row of it."""
    return "Build FAILED" in output or "Build succeeded" in output or "Build failed with" in output or ": error " in output or "Restore failed" in output


def read(output: str) -> Reading | None:
    """The rows, which are printed twice, once each; without its closing line only rows of its own codes are taken."""
    ends = rx(_END).findall(output)
    found = errors_first(_diagnostic(row.groups()) for row in rx(_ROW).finditer(output) if ends or row[5].startswith(("CS", "NU", "MSB", "NETSDK", "BC", "FS")))
    error = first_error(found)
    if not ends and error is None:
        return None
    failed = error is not None or any("ailed" in end or "FAILED" in end for end in ends)
    where = f"{error.file}:{error.line}: " if error and error.line else f"{error.file}: " if error else ""
    return Reading(
        tool="dotnet",
        kind=Kind.DIAGNOSTIC if failed else Kind.NONE,
        ran=Evidence.RAN,
        says="fail" if failed else "pass",
        classes=(error.code,) if error and error.code else (),
        code=error.code if error else None,
        message=short(f"{where}{error.message}" if error else ends[-1]) if failed else None,
        diagnostics=found,
        span="\n".join(f"{each.file}: {each.code} {each.message}" for each in found[:20] if each.severity == "error"),
    )


def _diagnostic(row: tuple[str | None, ...]) -> Diagnostic:
    file, line, column, grade, code, message, _ = row
    return Diagnostic(
        file=(file or "").replace("\\", "/").strip(),
        line=int(line) if line else None,
        column=int(column) if column else None,
        severity=grade,
        code=code,
        message=message or "",
    )
