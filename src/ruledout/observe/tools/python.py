"""Plain Python: a traceback that came out of a program, and the interpreter's own complaints."""

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe import traceback
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx, short

NAME = "python"
PROGRAMS = frozenset(("python", "ipython", "pypy", "py_compile", "compileall"))
_EARLY = r"(?m)^(?:\S*python[\d.]*: (?:can't open file|No module named|Error while finding module)|\S*python[\d.]*: can't find '__main__').*$"


def claims(output: str) -> bool:
    """A traceback, a syntax error, or the interpreter itself."""
    return "Traceback (most recent call last)" in output or "SyntaxError: " in output or "IndentationError: " in output or "python" in output


def read(output: str) -> Reading | None:
    """The last exception that came out, with its chain."""
    if early := rx(_EARLY).search(output):
        name = "ModuleNotFoundError" if "No module" in early[0] else "FileNotFoundError"
        return Reading(tool=NAME, kind=Kind.GATE_INVALID, says="fail", classes=(name,), message=short(early[0]), span=early[0])
    found = traceback.raised(output)
    if not found:
        return None
    chain = traceback.last_chain(found, output)
    last = chain[0]
    return Reading(
        tool=NAME,
        kind=Kind.EXCEPTION,
        ran=Evidence.RAN,
        says="fail",
        classes=tuple(each.name for each in chain),
        message=short(traceback.message(output, last)),
        frames=last.frames[:50],
        diagnostics=_place(last),
        span=output[chain[-1].start : last.end],
    )


def _place(last: traceback.Raised) -> tuple[Diagnostic, ...]:
    if last.name not in ("SyntaxError", "IndentationError", "TabError") or not last.frames:
        return ()
    return (Diagnostic(file=last.frames[0].path, line=last.frames[0].line, severity="error", code=last.name, message=last.line),)
