"""C and its kin: gcc, clang, the linker, clang-tidy, javac, kotlinc, scalac, swiftc; and make, ninja and cmake around them."""

import re

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, first_error, rx, short

NAME = "cc"
PROGRAMS = frozenset(
    (
        "gcc",
        "g++",
        "cc",
        "c++",
        "clang",
        "clang++",
        "ld",
        "javac",
        "kotlinc",
        "scalac",
        "swiftc",
        "clang-tidy",
        "make",
        "gmake",
        "ninja",
        "cmake",
        "nvcc",
        "zig",
        "swift",
    )
)
_PLACE = (
    r"(?m)^[ \t]*(?:\d+> ?|\[\w+\] |Exit code: \d+ - |e: |w: )*+"
    r"(?:file://)?((?:[A-Za-z]:)?[^\s:()\n][^:()\n]{0,300}\.\w+)(?::|:\[| ?\()(\d{1,7})(?:[:,](\d{1,6}))?(?:,\d{1,7},\d{1,6})?[\])]?"
    r"(?: ?:)? ?(?:\d+: )?(fatal error"
    r"|error|warning|note)(?: ?\[?([A-Z]{1,4}\d{3,5})\]?)? ?: ?(.+?)(?: \[(-W[\w=+-]+|[\w.-]+(?:,[\w.,=-]+)?)\])?$"
)
_FORTRAN = (
    r"(?m)^[ \t]*((?:[A-Za-z]:)?[^\s:()\n][^:()\n]{0,200}\.[fF]\w{0,4}):(\d+)(?:[.:](\d+)(?:-\d+)?)?:\n(?:.*\n){1,5}?"
    r"(Fatal Error|Error|Warning): (.+)$"
)
_OBJECT = r"(?m)^[ \t]*(?:\[\w+\] )?(?:\d+> ?)?([^\s:][^:\n]{0,200}?) : (fatal error|error|warning) (LNK\d{4}): (.+)$"
_QUOTED = r"'([^'\n]{1,200})'"
_LINKER = (
    r"(?m)^.*(?:undefined reference to [`'‘](?P<symbol>.+?)['’]|Undefined symbols for architecture|multiple definition of .+"
    r"|cannot find -l\S+|undefined symbol: \S+|ld: .*not found.*).*$"
)
_MAKE = r"(?m)^(?:\S*make(?:\[\d+\])?: \*\*\* .+|ninja: (?:error: .*|build stopped: .*)|CMake Error.*|FAILED: .*|\S+: recipe for target .* failed)$"
_RULE = r"(?m)^\S*make(?:\[\d+\])?: \*\*\* No rule to make target .+$"
_CMAKE = r"(?m)^CMake (Error|Warning)(?: \(dev\))? at (\S+?):(\d+) \((.+?)\):\n+(?:  (.+))?"


def claims(output: str) -> bool:
    """A graded place, a linker's complaint, make's stars."""
    marks = (
        "error: ",
        "warning: ",
        "undefined reference",
        "*** ",
        "ninja: ",
        "CMake Error",
        "Undefined symbols",
        " error ",
        "multiple definition",
        "fatal error",
        " at (1)",
    )
    return any(mark in output for mark in marks)


def read(output: str) -> Reading | None:
    """All graded places; the linker's first complaint; make's own words only where nothing else is there."""
    found = _diagnostics(output)
    error = first_error(found)
    linker = rx(_LINKER).search(output)
    wrapper = rx(_RULE).search(output) or rx(_MAKE).search(output)
    if not found and not linker and not wrapper:
        return None
    failed = bool(error or linker or wrapper)
    where = f"{error.file}:{error.line}: " if error and error.line else ""
    message = f"{where}error: {error.message}" if error else (linker or wrapper or [None])[0]
    name = error.code or "compile error" if error else "linker error" if linker else "make" if wrapper else None
    return Reading(
        tool=NAME if found or linker else "make",
        kind=Kind.DIAGNOSTIC if failed else Kind.NONE,
        ran=Evidence.RAN,
        says="fail" if failed else None,
        classes=(_class(name, linker, wrapper),) if failed and name else (),
        code=error.code if error else None,
        message=short(message),
        diagnostics=found,
        span="\n".join(f"{each.file}: {each.severity}: {each.message}" for each in found[:20] if each.severity == "error") or message or "",
    )


def _class(name: str, linker: re.Match[str] | None, wrapper: re.Match[str] | None) -> str:
    if name == "linker error" and linker and "undefined" in linker[0].lower():
        return "linker_undefined_reference"
    if name == "make" and wrapper and "No rule to make" in wrapper[0]:
        return "no_rule"
    return name


def _diagnostics(output: str) -> tuple[Diagnostic, ...]:
    found = [(each.start(), _placed(each)) for each in rx(_PLACE).finditer(output)]
    if ": " in output and rx(r"\.[fF]\w{0,4}:\d").search(output):
        found += [(each.start(), _fortran(each)) for each in rx(_FORTRAN).finditer(output)]
    if "CMake " in output:
        found += [(each.start(), _cmake(each)) for each in rx(_CMAKE).finditer(output)]
    if " LNK" in output:
        found += [(each.start(), _linked(each)) for each in rx(_OBJECT).finditer(output)]
    return errors_first(each for _, each in sorted(found, key=lambda one: one[0]))


def _placed(each: re.Match[str]) -> Diagnostic:
    return Diagnostic(
        file=each[1].replace("\\", "/"),
        line=int(each[2]),
        column=int(each[3]) if each[3] else None,
        severity="error" if "error" in each[4] else each[4],
        code=each[5] or each[7],
        message=each[6],
    )


def _fortran(each: re.Match[str]) -> Diagnostic:
    """A block of gfortran: the place, the source, a mark under it, the message."""
    grade = "error" if "Error" in each[4] else "warning"
    return Diagnostic(file=each[1].replace("\\", "/"), line=int(each[2]), column=int(each[3]) if each[3] else None, severity=grade, message=each[5])


def _cmake(each: re.Match[str]) -> Diagnostic:
    return Diagnostic(file=each[2], line=int(each[3]), severity=each[1].lower(), code=each[4], message=each[5] or "")


def _linked(each: re.Match[str]) -> Diagnostic:
    """Microsoft's linker names an object, or itself and the library it could not open."""
    quoted = rx(_QUOTED).search(each[4])
    file = quoted[1] if each[1].strip() == "LINK" and quoted else each[1].strip()
    return Diagnostic(file=file.replace("\\", "/"), severity="error" if "error" in each[2] else "warning", code=each[3], message=each[4])
