"""The identity of one failure, at three levels, from what was read of it (docs/signatures.md).

`exact` is a receipt of the very text, `normalised` the identity, `coarse` the family. It refuses to sign nothing: an exit status of 1 without a
word has no signature. A change of any rule here or in the masks raises `VERSION`, and the golden file says so first.
"""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from ruledout.digest import short
from ruledout.model.outcome import Diagnostic, ErrorSignature, Frame, Kind
from ruledout.observe import frames as stack
from ruledout.observe import mask
from ruledout.observe.late import Late
from ruledout.observe.reading import Reading
from ruledout.observe.span import cause, clean, decisive, detail, tells, truncated
from ruledout.redact import redact

VERSION = 1
MESSAGE = 200
"""characters of a masked message"""
SPAN = 65_536

_SIGNALS = {
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 10: "SIGUSR1",
    11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
}  # fmt: skip
_TIMEOUT = 124
_FAMILIES = {
    "gcc": "c", "g++": "c", "clang": "c", "clang++": "c", "cc": "c", "cl": "c", "ld": "c", "asan": "sanitizer", "ubsan": "sanitizer", "msan": "sanitizer",
    "tsan": "sanitizer", "lsan": "sanitizer", "cargo": "rust", "rustc": "rust", "libtest": "rust", "nextest": "rust", "jest": "javascript",
    "vitest": "javascript",
    "mocha": "javascript", "node": "javascript", "unittest": "python", "pytest": "python", "python": "python", "go": "go", "javac": "java", "junit": "java",
    "maven": "java", "gradle": "java", "java": "java", "sh": "shell", "bash": "shell", "zsh": "shell",
}  # fmt: skip
_CLASS = Late(
    r"^(?:[ |+>E]*)(?:Error: |Uncaught )?(?P<name>(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Failure|Fault)(?: \[\w+\])?)(?::|$)"
)


class Record(Struct, frozen=True, kw_only=True):
    """What is hashed, before it is. `exit` is empty where the text says more than the status does."""

    kind: Kind
    tool: str
    exit: str
    classes: tuple[str, ...]
    code: str
    message: str
    addr: str
    frames: tuple[Frame, ...]
    tests: tuple[str, ...]
    codes: tuple[str, ...]


def sign(reading: Reading, exit: int | None, text: str) -> ErrorSignature | None:  # noqa: A002  # the contract's word for it
    """The signature of a failure, or None where there is nothing to sign.

    `text` is the output, cleaned or not; `exit` None where not told. Where the reading has no message the cause is sought in the text. The caller
    knows that it failed: nothing here says so.
    """
    cleaned = clean(text)
    status = ended(reading, exit)
    span = redact(reading.span or _sought(reading, cleaned))
    record = _record(reading, status, span, cleaned)
    if record is None:
        return None
    exact = _id("e", [span[-SPAN:] if span else record.message, status])
    coarse = _id("c", _family(record))
    # A span that the cut touches may lack what would tell it apart: it equals only the very same text.
    normalised = _id("n", ["cut", exact, coarse] if truncated(span) else _identity(record))
    return ErrorSignature(
        exact=exact,
        normalised=normalised,
        coarse=coarse,
        kind=record.kind,
        tool=record.tool,
        exit=status or None,
        classes=record.classes,
        code=record.code or None,
        message=record.message,
        addr=record.addr or None,
        frames=record.frames,
        tests=record.tests,
        codes=record.codes,
    )


def again(kept: ErrorSignature) -> tuple[str, str]:
    """The normalised and the coarse id that the kept parts of a signature give by the rules of this version (`observe.carry` says when that holds)."""
    status = kept.exit or ""
    killed = status.startswith("signal:") or status == "timeout"
    structured = kept.classes or kept.frames or kept.tests or kept.code
    record = Record(
        kind=kept.kind,
        tool=kept.tool,
        exit=status if killed or not structured else "",
        classes=kept.classes,
        code=kept.code or "",
        message=kept.message,
        addr=kept.addr or "",
        frames=kept.frames,
        tests=kept.tests,
        codes=kept.codes,
    )
    return _id("n", _identity(record)), _id("c", _family(record))


def ended(reading: Reading, exit: int | None) -> str:  # noqa: A002  # as above
    """How it ended: `code:1`, `signal:SIGSEGV`, `timeout`, or empty where not told or zero."""
    if reading.kind is Kind.TIMEOUT or exit == _TIMEOUT:
        return "timeout"
    if not exit:
        return ""
    number = -exit if exit < 0 else exit - 128
    return f"signal:{_SIGNALS[number]}" if number in _SIGNALS else f"code:{exit}"


def _sought(reading: Reading, text: str) -> str:
    if reading.message and tells(reading.message):
        return reading.message
    if reading.classes or reading.failing or reading.diagnostics:
        return ""
    return cause(text)


def _record(reading: Reading, status: str, span: str, text: str) -> Record | None:
    errors = [row for row in reading.diagnostics if row.severity in {"error", "fatal", None}]
    said = _said(reading, errors, span, text)
    frames = stack.own(reading.frames)
    if errors and not frames:
        frames = (Frame("", stack.where(errors[0].file)),)
    message = _message(redact(said if "\n" in said else _with_detail(said, text)))
    tests = tuple(sorted({_test(test) for test in reading.failing}))
    killed = status.startswith("signal:") or status == "timeout"
    classes = reading.classes or _classes(said)
    if not (message or frames or tests or reading.code or killed):
        return None  # a class alone is as generic as an exit status
    structured = classes or frames or tests or reading.code
    return Record(
        kind=_kind(reading.kind, status, bool(message or structured)),
        tool=reading.tool.lower(),
        exit=status if killed or not structured else "",
        classes=tuple(map(mask.mask, classes)),
        code=reading.code or "",
        message=message,
        addr=_addr(reading.addr),
        frames=frames,
        tests=tests,
        codes=tuple(sorted({row.code for row in errors if row.code})),
    )


def _said(reading: Reading, errors: Sequence[Diagnostic], span: str, text: str) -> str:
    """The line that names the failure. A summary or a wrapper's word is taken only where there is nothing else at all, a summary never."""
    for said in (reading.message or "", errors[0].message if errors else "", decisive(span)):
        if said and tells(said.split("\n", 1)[0]):
            return said
    return "" if reading.frames or reading.failing or errors else decisive(cause(text))


def _with_detail(said: str, text: str) -> str:
    """The line and the one below it that names what it is about (javac's `symbol:`, Scala's `found:`), where the text has one."""
    at = text.find(said) if said else -1
    found = detail(text[at + len(said) :].split("\n", 9)[1:9]) if at >= 0 else None
    return f"{said}\n{found}" if found else said


def _kind(kind: Kind, status: str, told: bool) -> Kind:  # noqa: FBT001  # a fact about the record, used once
    if kind is not Kind.NONE:
        return kind
    if status == "timeout":
        return Kind.TIMEOUT
    return Kind.SIGNAL if status.startswith("signal:") and not told else kind


def _classes(said: str) -> tuple[str, ...]:
    found = next((m for m in map(_CLASS.match, said.split("\n")) if m), None)
    return (found["name"],) if found else ()


def _message(said: str) -> str:
    lines = [line[:4000] for line in said.split("\n") if line.strip()]
    return "\n".join(mask.mask("\n".join(lines[:2])).split("\n"))[:MESSAGE]


def _test(test: str) -> str:
    return re.sub(r"^\[gw\d+\] ", "", mask.volatile(test))


def _addr(addr: str | None) -> str:
    """`null` (below 0x1000), wild, stack; a raw address is classed."""
    if not addr or not addr.startswith("0x"):
        return addr or ""
    try:
        return "null" if int(addr, 16) < 0x1000 else "wild"
    except ValueError:
        return ""


def _identity(record: Record) -> list[object]:
    pairs = [[frame.function, frame.path] for frame in record.frames]
    return [record.kind.value, record.tool, record.exit, record.classes, record.code, record.message, record.addr, pairs, record.tests, record.codes]


def _family(record: Record) -> list[object]:
    """Kind, family of tools, innermost class, code, class of address, and the first of: in-app function, test id without parameters, message without values."""
    tool = _FAMILIES.get(record.tool, record.tool)
    function = next((frame.function for frame in record.frames if frame.function and frame.function != "<module>"), "")
    test = re.sub(r"\[.*\]$|\(.*\)$", "", record.tests[0]) if record.tests else ""
    message = "" if record.kind is Kind.CRASH and record.classes else mask.coarse(record.message)
    place = ["function", function] if function else ["test", test] if test else ["message", message]
    killed = record.exit if not (function or test or message) else ""
    return [record.kind.value, tool, record.classes[-1:], record.code, record.addr, place, killed]


def _id(level: str, parts: Iterable[object]) -> str:
    """`dbs1:n:` and 128 bits of SHA-256 over a length-prefixed encoding: no two lists of parts share their bytes."""
    body = b"".join(map(_encoded, [level, *parts]))
    return f"dbs{VERSION}:{level}:{short(body)}"


def _encoded(part: object) -> bytes:
    if isinstance(part, str):
        raw = part.encode("utf-8", "surrogatepass")
        return b"s%d:%b" % (len(raw), raw)
    items = [_encoded(item) for item in part] if isinstance(part, (list, tuple)) else []
    return b"l%d:%b" % (len(items), b"".join(items))
