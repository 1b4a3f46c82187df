"""Stack frames out of crash reports, in every printed form: one line in, one frame out, innermost first. It knows no report's head or end."""

import re
from collections.abc import Iterable

from ruledout.model.outcome import Frame
from ruledout.observe.late import Late

LIMIT = 64
"""frames read of one stack"""
LINE = 1000
"""characters of a line that may be a frame"""

_FORMS = (
    # gdb: `#2  0x0c in f (a=1, b=...) at usb/x.c:362`, `#0 f () from /lib/x.so`
    Late(
        r"^[ \t]*#\d{1,4}\s+(?:0x[0-9a-fA-F]+ in )?(?P<function>[^\s(]+(?: ?<[^>]*>)?) \(.*?\)(?: at (?P<path>[^\s:]+):(?P<line>\d+)"
        r"| from (?P<module>\S+))$"),
    Late(r"^[ \t]*#\d{1,4}\s+(?:0x[0-9a-fA-F]+ in )?(?P<function>[^\s(]+) \((?:|[\w@]+=.*)\)$"),
    # sanitizers: `#1 0x5584 in ns::f(int) const /src/a.c:4:7`, `#2 0x7f (libc.so+0x10)`, HWASan: `#0 0x7e9a  frame1`
    Late(
        r"^[ \t]*#\d{1,4}\s+0x[0-9a-fA-F]+ +in {1,4}(?P<function>\S.*?)(?: {1,4}(?P<path>[^\s()]{1,400}?):(?P<line>\d+)(?::\d+)?"
        r"| {1,4}\((?P<module>[^()\s]*(?: [^()\s]+)*)\).*)?$"),
    # TSan: `#0 w /tmp/a.c:3 (a+0x11d9)`
    Late(r"^[ \t]*#\d{1,4}\s+(?!0x|\d|[A-Z]+ +cov:)(?P<function>\S.*?)(?: (?P<path>[^\s():]+):(?P<line>\d+)(?::\d+)?)?(?: \([^()]*\))*$"),
    Late(r"^[ \t]*#\d{1,4}\s+0x[0-9a-fA-F]+\s+(?!in )(?P<function>[A-Za-z_~]\S*?)?\s*(?:\((?P<module>[^()]*)\).*)?$"),
    # JVM, Kotlin, Scala: `at a.B.m(B.java:12) ~[jar]`
    Late(r"^[ \t]*at (?P<function>[\w.$<>/@-]+)\((?:(?P<path>[^():\n]+):(?P<line>\d+)|(?P<module>[^()]*))\)(?: ~?\[.*\])?$"),
    # V8 and Firefox: `at f (file.js:1:2)`, `at file.js:1:2`, `f@file.js:1:2`
    Late(
        r"^[ \t]*at (?:async )?(?:(?P<function>[^\s()][^()]*?(?:\([^()]*\))?) \()?(?P<path>(?:\w+://|node:|[A-Za-z]:|file:)?[^\s():]*(?:\(\d+\))?"
        r"|eval code):(?P<line>\d+)(?::\d+)?\)?$"),
    Late(r"^[ \t]*at (?P<function>[\w.`<>+,\[\]]+) ?\(.*?\)(?: in (?P<path>.+?):(?:line )?(?P<line>\d+))?$"),
    Late(r"^[ \t]*at (?:async )?(?P<function>[^\s()]+(?: \[as \w+\])?) \(eval at .*\)$"),
    Late(r"^[ \t]*(?P<function>[^\s@]*(?:\[\"[^\"]*\"\])?)@(?P<path>\w+://[^\s]+?|[^\s:@]+):(?P<line>\d+)(?::\d+)?$"),
    # casr and go on one line: `runtime.x(0x1) in /go/src/a.go:12 +0x4`
    Late(r"^[ \t]*(?P<function>[\w./*()\[\]{}-]+?)\([^()]*\) in (?P<path>\S+):(?P<line>\d+)(?: .*)?$"),
    # zircon: `bt#01: 0x00108425 f arch/x86/faults.cpp:97`, `bt#02: [ inline ] f a.cpp:1`
    Late(r"^.{0,200}?bt#\d+: (?:0x[0-9a-f]+|\[ inline \]) (?P<function>\S.*?) (?P<path>[^\s:]+):(?P<line>\d+)"),
    # kernels: ` [<ffffffff81>] dump_stack+0xc1/0x124 lib/x.c:1`, `f() at f+0x47/frame 0xff`
    Late(
        r"^.*?(?<![\w.:-])(?:netbsd:)?(?P<function>[A-Za-z_][\w.$]*)\+(?:0x)?[0-9a-f]+(?:/0x[0-9a-f]+)?(?: (?:\[\w+\] )?(?P<path>[\w./-]+):(?P<line>\d+)"
        r"| \[\w+\]|/frame 0x[0-9a-f]+|:)?.{0,40}$"),
)  # fmt: skip


def frame(line: str) -> Frame | None:
    """The frame on this line, or None."""
    if len(line) > LINE:
        return None
    for form in _FORMS:
        found = form.match(line)
        if found:
            parts = found.groupdict()
            number = parts.get("line")
            path = (parts.get("path") or parts.get("module") or "").replace("\\", "/")
            return Frame(
                re.sub(r"\+0x[0-9a-f]+$", "", (parts.get("function") or "").strip()), re.sub(r"\+0x[0-9a-f]+$", "", path), int(number[:9]) if number else None
            )
    return None


def frames(lines: Iterable[str], *, gap: int = 0) -> tuple[Frame, ...]:
    """The first run of frame lines; it ends behind more than `gap` lines that are none."""
    found: list[Frame] = []
    missed = 0
    for line in lines:
        one = frame(line)
        missed = 0 if one else missed + 1
        if one:
            found.append(one)
        if (found and missed > gap) or len(found) >= LIMIT:
            break
    return tuple(found)


def paired(lines: Iterable[str], function: Late, place: Late) -> tuple[Frame, ...]:
    """Frames of two lines, as Go and Rust print them: a function, then its place. Either may miss."""
    found: list[Frame] = []
    for line in lines:
        if len(line) > LINE:
            continue
        at = place.match(line)
        if at:
            if found and not found[-1].path:
                found[-1] = Frame(found[-1].function, at["path"].replace("\\", "/"), int(at["line"][:9]))
            continue
        named = function.match(line)
        if named:
            found.append(Frame(named["function"].strip(), ""))
        elif found and not line.strip():
            break
        if len(found) >= LIMIT:
            break
    return tuple(found)
