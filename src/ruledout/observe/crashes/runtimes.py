"""Crashes as language run times print them: Go, Rust, the JVM and .NET, JavaScript engines, gdb. Used where no test runner told more."""

import re

from ruledout.model.outcome import Evidence, Frame, Kind
from ruledout.observe.crashes import stack
from ruledout.observe.late import Late
from ruledout.observe.reading import Reading

_GO = Late(r"^.{0,40}?\b(?P<head>panic|fatal error): (?P<what>[^\n]+)", re.MULTILINE)
_GO_FUNCTION = Late(r"^(?P<function>(?:[\w.\-]{1,200}/){0,20}[\w.\-]{1,200}\.[\w.*()\[\]{}<>-]{1,300}?)\((?:[^()]*|.*\.\.\.)\)$")
_GO_PLACE = Late(r"^[ \t]*(?P<path>\S+\.(?:go|s)):(?P<line>\d+)(?: \+0x[0-9a-f]+.*)?$")
_RUST = Late(
    r"^thread '(?P<thread>[^']*)'(?: \(\d+\))? panicked at (?:'(?P<old>.*)', (?P<oldplace>\S+:\d+:\d+)|(?P<place>\S+:\d+:\d+):\n(?P<what>[^\n]*))", re.MULTILINE
)
_RUST_FUNCTION = Late(r"^[ \t]*\d+:\s+(?:0x[0-9a-f]+ - )?(?P<function>.+)$")
_RUST_PLACE = Late(r"^[ \t]+at (?P<path>\S+):(?P<line>\d+)(?::\d+)?$")
_JVM = Late(
    r"^(?:Exception in thread \"[^\"\n]*\" |Caused by: |Unhandled [Ee]xception[.:][ \t]*\n?[ \t]*|== Java Exception: |[ \t]*---> )?"
    r"(?P<name>(?:[a-z_]\w*\.|[A-Z]\w*\.)+[A-Z][\w$]*(?:Exception|Error|Throwable|Fault)[\w$]*)(?:: (?P<what>[^\n]*))?$",
    re.MULTILINE,
)
_NET_INNER = Late(r"---> (?P<name>[\w.]+(?:Exception|Error)): (?P<what>[^\n]*?)(?: ---|$)", re.MULTILINE)
_JS = Late(r"^(?:Uncaught )?(?P<name>(?:[A-Z]\w*)?(?:Error|Exception))(?: \[(?P<code>[A-Z_]+)\])?(?:: (?P<what>[^\n]*))?$", re.MULTILINE)
_GDB = Late(r"^(?:Program|Thread [^\n]*) (?:received signal|terminated with signal) (?P<name>SIG[A-Z]+)[^\n]*", re.MULTILINE)


def read(output: str) -> Reading | None:
    """The crash of a run time, or a bare stack, or None."""
    for attempt in (_rust, go, gdb, _managed, _script, _bare):
        found = attempt(output)
        if found is not None:
            return found
    return None


def panic(output: str) -> Reading | None:
    """The report of a language that ends itself by a signal, or None."""
    return _rust(output) or go(output) or gdb(output)


def _made(tool: str, kind: Kind, classes: tuple[str, ...], message: str | None, frames: tuple[Frame, ...], span: str, code: str | None = None) -> Reading:  # noqa: PLR0913, PLR0917  # the fields of a reading
    return Reading(tool=tool, kind=kind, ran=Evidence.RAN, says="fail", classes=classes, message=message, frames=frames, span=span[:3000], code=code)


def go(output: str) -> Reading | None:
    """A panic or a fatal error of Go, with its first goroutine."""
    head = _GO.search(output)
    if head is None or not any(mark in output[head.start() :] for mark in ("goroutine ", "runtime stack:")):
        return None
    what = head["what"].strip()
    fault = re.match(r"runtime error: ([a-z][a-z ]+?)(?: or nil pointer.*| \[.*|:.*|$)", what)
    fault_name = fault[1].strip().capitalize() if fault else "Stack overflow" if "stack overflow" in what else None
    classes = (head["head"], fault_name) if fault_name else (head["head"],)
    at = output.find("goroutine ", head.start())
    frames = tuple(one for one in stack.paired(output[at:].split("\n")[1:300], _GO_FUNCTION, _GO_PLACE) if one.function)
    return _made("go", Kind.CRASH, classes, head[0].strip(), frames, output[head.start() :])


def _rust(output: str) -> Reading | None:
    head = _RUST.search(output)
    if head is None:
        return None
    place = (head["place"] or head["oldplace"]).rsplit(":", 2)
    frames = stack.paired(output[head.end() :].split("\n")[:400], _RUST_FUNCTION, _RUST_PLACE)
    message = head["old"] or head["what"] or ""
    return _made("rust", Kind.CRASH, ("panic",), message, frames or (Frame("", place[0], int(place[1][:9])),), output[head.start() :])


def gdb(output: str) -> Reading | None:
    """What the debugger stopped at."""
    head = _GDB.search(output)
    return _made("gdb", Kind.CRASH, (head["name"],), head[0], stack.frames(output[head.end() :].split("\n"), gap=1), output[head.start() :]) if head else None


def _managed(output: str) -> Reading | None:
    """JVM and .NET: all classes of the chain, the message and stack of the innermost."""
    chain = list(_JVM.finditer(output))[:50]
    if not chain:
        return None
    inner = list(_NET_INNER.finditer(output))
    last = inner[-1] if inner else chain[-1]
    classes = tuple(dict.fromkeys([one["name"] for one in chain] + [one["name"] for one in inner]))
    frames = stack.frames(output[last.end() :].split("\n")[:400], gap=1)
    if not frames and not output[chain[0].start() :].startswith(("Exception in", "Unhandled", "Caused by")):
        return None
    return _made("java", Kind.EXCEPTION, classes, f"{last['name']}: {last['what']}" if last["what"] else last["name"], frames, output[chain[0].start() :])


def _script(output: str) -> Reading | None:
    head = _JS.search(output)
    if head is None:
        return None
    frames = stack.frames(output[head.end() :].split("\n")[1:300], gap=6)
    return _made("javascript", Kind.EXCEPTION, (head["name"],), head[0], frames, output[head.start() :], head["code"]) if frames else None


def _bare(output: str) -> Reading | None:
    """A stack without a head: three frames at least, in more than half of the lines, or two that are all of it."""
    lines = [line for line in output.split("\n")[:200] if line.strip()]
    frames = tuple(one for one in map(stack.frame, lines) if one and (one.line or one.path))
    return (
        _made("stack", Kind.CRASH, (), None, frames[: stack.LIMIT], output)
        if len(frames) >= (2 if len(frames) == len(lines) else 3) and 2 * len(frames) > len(lines)
        else None
    )
