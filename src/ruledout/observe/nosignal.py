"""Does a failure say anything about the code: three tiers, and the class of what does not (docs/signatures.md).

Asked in this order: how it ended, the marks of the harness, where it arose, then what the text looks like. A frame of the user's own code makes it
a matter of the code, unless the innermost error is one that the machine makes. It refuses to drop anything: it gives a class, the caller counts it.
"""

import re
from functools import cache

from ruledout.model.outcome import Frame, Kind, Signal
from ruledout.observe.frames import is_in_app
from ruledout.observe.late import Late
from ruledout.observe.marks import AMBIGUOUS, CLASSES, DOMAIN, FRAME
from ruledout.observe.reading import Reading

_READ = 200_000
"""characters looked at, half at each end"""

_BY_EXIT = {
    124: "timeout",
    126: "permission",
    127: "missing_binary",
    130: "interrupted",
    137: "oom",
    143: "interrupted",
    -2: "interrupted",
    -9: "oom",
    -15: "interrupted",
}

_BY_ERROR = (
    (Late(r"^(?:KeyboardInterrupt|InterruptedException|CancelledError|asyncio\.exceptions\.CancelledError)$"), "interrupted"),
    (Late(r"^(?:ModuleNotFoundError|ClassNotFoundException|java\.lang\.(?:ClassNotFoundException|NoClassDefFoundError))$"), "missing_module"),
    (Late(r"(?:^|\.)(?:MemoryError|OutOfMemoryError)$"), "oom"),
    (
        Late(
            r"(?:^|\.)(?:gaierror|URLError|SSLError|ConnectTimeout|ReadTimeout|ProxyError|MaxRetryError|NewConnectionError|NameResolutionError|UnknownHostException)$"
        ),
        "network",
    ),
    (Late(r"(?:^|\.)TimeoutExpired$"), "timeout"),
)
_MACHINES = (
    *("Interrupt", "CancelledError", "ModuleNotFound", "ClassNotFound", "NoClassDefFound", "MemoryError", "gaierror", "URLError", "SSLError", "Timeout"),
    *("ProxyError", "MaxRetryError", "NewConnectionError", "NameResolutionError", "UnknownHost"),
)
"""one of these stands in whatever `_BY_ERROR` finds"""
_NODE_MODULE = Late(r"Cannot find (?:module|package) '(?![./])")
_SYNTAX = Late(r"^[ \t]*(?:SyntaxError|IndentationError|TabError)\b", re.MULTILINE)
_TYPED = Late(r'File "<(?:string|stdin)>", line \d+\s*\n(?!\s*File )|^\[(?:eval|stdin)\]:\d+', re.MULTILINE)
_UNREAD = Late(r'^ *File "[^"<\n]+", line \d+\n(?:.*\n){0,4}(?:Syntax|Indentation|Tab)Error\b', re.MULTILINE)
_INLINE = Late(r"\s-(?:c|e)\s|<<")
_CODED = Late(r"^(?:Error: |\w*Error: |.{0,80}\[Errno \d+\] ).{0,120}?\b(EADDRINUSE|ENOSPC|EMFILE|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ETIMEDOUT)\b", re.MULTILINE)
_BY_CODE = {
    "EADDRINUSE": "port_or_lock", "ENOSPC": "disk", "EMFILE": "disk", "ENOTFOUND": "network", "EAI_AGAIN": "network", "ENETUNREACH": "network",
    "ETIMEDOUT": "network",
}  # fmt: skip
_ALWAYS = frozenset({"interrupted", "port_or_lock"})
"""what stays environment even where own code met it"""
_CODE_KINDS = frozenset({Kind.TEST_FAILURE, Kind.CRASH, Kind.DIAGNOSTIC})


def tier(command: str, exit: int | None, output: str, reading: Reading | None) -> tuple[Signal, str | None]:  # noqa: A002  # the contract's word
    """The tier of a failed run, and its class where it is not a plain matter of the code (`missing_binary`, `network`, `timeout` ...).

    `output` is cleaned. A class with `Signal.YES` never comes. Nothing known at all is ambiguous, without a class.
    """
    text = output if len(output) <= _READ else output[: _READ // 2] + "\n" + output[-_READ // 2 :]
    for answer in (_ended(exit, text, reading), _snippet(command, text, reading), _made_by_machine(reading, text)):
        if answer:
            return answer
    if _is_code(reading, text):
        return Signal.YES, None
    return _by_text(text, exit)


def _ended(exit: int | None, text: str, reading: Reading | None) -> tuple[Signal, str] | None:  # noqa: A002  # as above
    """An exit status that says it all, unless a tool told of its own failures before."""
    kind = "timeout" if reading is not None and reading.kind is Kind.TIMEOUT else _BY_EXIT.get(exit or 0)
    if kind is None or (kind not in {"interrupted", "timeout"} and (_has_failures(reading) or DOMAIN.search(text))):
        return None
    return _tiered(kind)


def _snippet(command: str, text: str, reading: Reading | None) -> tuple[Signal, str] | None:
    """A syntax error in what was typed: `python -c`, a here-document, `node -e`, or a file that does not parse, so that none of it ran (R4: a typo)."""
    if (
        not any(word in text for word in ("SyntaxError", "IndentationError", "TabError"))
        or not _SYNTAX.search(text)
        or (reading is not None and reading.failing)
    ):
        return None
    typed = _TYPED.search(text) or _UNREAD.search(text) or (_INLINE.search(command) and not FRAME.search(text) and 'File "' not in text)
    return _tiered("agent_syntax") if typed else None


def _made_by_machine(reading: Reading | None, text: str) -> tuple[Signal, str] | None:
    """The innermost error is one that no code of the user's makes. With an own frame or a failing test below it, it is ambiguous."""
    innermost = reading.classes[-1] if reading is not None and reading.classes else ""
    machine = any(word in innermost for word in _MACHINES)
    kind = next((kind for pattern, kind in _BY_ERROR if machine and pattern.search(innermost)), None) or _missing(reading)
    if kind is None:
        coded = _CODED.search(text) if any(code in text for code in _BY_CODE) else None
        kind = _BY_CODE[coded[1]] if coded and not _has_failures(reading) else None
    if kind is None:
        return None
    return (Signal.AMBIGUOUS, kind) if kind not in _ALWAYS and (_has_failures(reading) or _own_frame(reading, text)) else _tiered(kind)


def _missing(reading: Reading | None) -> str | None:
    """A package that Node does not find; a relative module is the project's own and a matter of the code."""
    found = _NODE_MODULE.search(reading.message) if reading is not None and reading.classes and reading.message and "Cannot find " in reading.message else None
    return "missing_module" if found else None


def _is_code(reading: Reading | None, text: str) -> bool:
    if reading is not None and (_has_failures(reading) or (reading.kind in _CODE_KINDS and reading.says != "none_ran")):
        return True
    return _own_frame(reading, text) or DOMAIN.search(text) is not None


def _has_failures(reading: Reading | None) -> bool:
    return reading is not None and bool(reading.failing or any(row.severity in {"error", "fatal"} for row in reading.diagnostics))


def _own_frame(reading: Reading | None, text: str) -> bool:
    """Is the user's own code on the stack: as read, else as a Python traceback prints it. A script that could not even be opened has no frame."""
    if reading is not None and reading.frames:
        return any(map(is_in_app, reading.frames))
    return any(is_in_app(Frame(found[2], found[1])) for found in FRAME.finditer(text))


def _by_text(text: str, exit: int | None) -> tuple[Signal, str | None]:  # noqa: A002  # as above
    found = next((kind for kind, pattern in _classes() if pattern.search(text)), None)
    if found is not None:
        if found == "network" and re.search(r"127\.0\.0\.1|localhost|\[?::1\]?", text):
            return Signal.AMBIGUOUS, found
        return _tiered("port_or_lock" if found == "vcs_state" else found)
    crashed = exit is not None and (exit < 0 or 128 < exit < 160)
    return (Signal.YES, None) if crashed else (Signal.AMBIGUOUS, None)


def _tiered(kind: str) -> tuple[Signal, str]:
    return (Signal.AMBIGUOUS if kind in AMBIGUOUS else Signal.NO), kind


@cache
def _classes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern, re.MULTILINE)) for kind, pattern in CLASSES)
