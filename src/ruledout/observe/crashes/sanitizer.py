"""Reports of the sanitizers, libFuzzer and of failed checks in native code: kind of fault, access, class of address, the first stack.

Stacks of who freed or allocated are no identity and are not read. A fault at an address below 0x1000 is another class than one elsewhere.
"""

import re

from ruledout.model.outcome import Evidence, Frame, Kind
from ruledout.observe.crashes import stack
from ruledout.observe.late import Late
from ruledout.observe.reading import Reading

_HEAD = Late(r"^.*?(?:==\d+==\s*)?(?:ERROR|WARNING|FATAL): (?P<tool>\w*Sanitizer|libFuzzer):? ?(?P<what>.*)$", re.MULTILINE)
_UNDEFINED = Late(r"^(?P<place>[^\s:]+:\d+(?::\d+)?): runtime error: (?P<what>.*)$", re.MULTILINE)
_LEAK = Late(r"^(Direct|Indirect) leak of \d+ byte", re.MULTILINE)
_DETECTED = Late(r"^===BUG DETECTED: (?P<what>.+?) ?===", re.MULTILINE)
_ACCESS = Late(r"^(?:[ \t]*(?P<a>READ|WRITE) of size|.*caused by a (?P<b>READ|WRITE) memory access)", re.MULTILINE)
_LOCATION = Late(r"^  Location is ([^\n]{1,120}?) of size", re.MULTILINE)
_ADDRESS = Late(r"(?:unknown address|on address|address) (0x[0-9a-fA-F]+)")
_CHECKS = (
    (Late(r"^.*\bSecurity (D?CHECK) failed: ?(?P<what>.*)$", re.MULTILINE), "Security {0} failure"),
    (Late(r"^.*\b(?:Debug )?(?:D?CHECK(?:_[A-Z]{2})?(?:\(.*\))?|Check) failed[:;]? ?(?P<what>.*)$", re.MULTILINE), "CHECK failure"),
    (
        Late(
            r"^.*(?:ASSERTION FAILED: |Assertion [`'\"]|ASSERT(?:ION)? ?failed|Assertion failed:?|assertion ['\"`][^\n]{1,200} failed|assertion failed at "
            r"|: assertion failed).*$",
            re.MULTILINE | re.IGNORECASE,
        ),
        "ASSERT",
    ),
)
_UNDEFINED_KINDS = (
    ("unsigned integer overflow", "Unsigned-integer-overflow"), ("integer overflow", "Integer-overflow"), ("negation of", "Integer-overflow"),
    ("division by zero", "Divide-by-zero"), ("not a valid value for type 'bool'", "Invalid-bool-value"), ("not a valid value", "Invalid-enum-value"),
    ("upcast of null pointer", "Upcast-of-null-pointer"), ("which does not point to an object", "Bad-cast"), ("downcast", "Bad-cast"),
    ("control flow integrity check", "Bad-cast"), ("shift", "Undefined-shift"), ("out of bounds", "Index-out-of-bounds"),
    ("variable length array", "Non-positive-vla-bound-value"), ("implicit conversion", "Implicit-conversion"),
    ("incorrect function type", "Incorrect-function-pointer-type"), ("insufficient space", "Object-size"), ("misaligned address", "Misaligned-address"),
    ("assumption is violated", "Assumption-violation"), ("null pointer passed as argument", "Invalid-null-argument"),
    ("load of null pointer", "Null-dereference READ"), ("store to null pointer", "Null-dereference WRITE"), ("null pointer", "Null-dereference"),
    ("without returning a value", "No-return-value"), ("unreachable", "Unreachable code"), ("representable values", "Float-cast-overflow"),
    ("pointer", "Pointer-overflow"),
)  # fmt: skip
_FAULTS = (
    ("attempting double-free", "double-free"), ("attempting free", "Invalid-free"), ("bad-free", "Invalid-free"), ("deadly signal", "Fatal-signal"),
    ("timeout after", "Timeout"), ("out-of-memory", "Out-of-memory"), ("requested allocation size", "Out-of-memory"), ("failed to allocate", "Out-of-memory"),
    ("allocator is out of memory", "Out-of-memory"), ("fuzz target exited", "Unexpected-exit"), ("overwrites its const input", "Overwrites-const-input"),
    ("FPE ", "Floating-point-exception"), ("ABRT ", "Abrt"), ("BUS ", "Bus"), ("ILL ", "Illegal-instruction"), ("TRAP ", "Breakpoint"),
    ("breakpoint", "Breakpoint"), ("data race", "Data race"), ("lock-order-inversion", "Lock-order-inversion"), ("detected memory leaks", "Leak"),
)  # fmt: skip
_TYPE = Late(r"^([A-Za-z][\w-]*(?: [a-z][\w-]*){0,3}?)(?= on |:|;| \(|$)")


def read(output: str) -> Reading | None:
    """The first report of a sanitizer, or a check that failed in native code with a stack behind it."""
    head, undefined = _HEAD.search(output), _UNDEFINED.search(output)
    if undefined and (head is None or undefined.start() < head.start()):
        return _reading(output, undefined, _undefined(undefined["what"]), _addr(undefined["what"]))
    detected = _DETECTED.search(output)
    if detected:
        return _reading(output, head or detected, _named(detected["what"]), None, message=detected[0])
    if head is None:
        return _check(output)
    rest = output[head.start() : head.start() + 4000]
    access = _ACCESS.search(rest)
    kind = _fault(head["what"], (access["a"] or access["b"]) if access else "", _addr(head["what"]))
    leak = _LEAK.search(rest) if kind == "Leak" else None
    said = (
        _check(output[: head.start() + 1], bare=True)
        if kind in {"Abrt", "Fatal-signal", "Breakpoint", "Illegal-instruction"} or kind.startswith(("SEGV", "Null"))
        else None
    )
    if said is not None:
        return _reading(output, head, said.classes[0], None, message=said.message or "")
    return _reading(output, head, f"{leak[1]}-leak" if leak else kind, _addr(head["what"]))


def _fault(what: str, access: str, addr: str | None) -> str:
    named = next((name for words, name in _FAULTS if words in what), "")
    if named:
        return named
    if what.startswith(("SEGV", "access-violation")):
        return ("Null-dereference" if addr == "null" else "SEGV") + (f" {access}" if access else "")
    found = _TYPE.match(what)
    return found[1] if found else what[:60]


def _undefined(what: str) -> str:
    return next((name for words, name in _UNDEFINED_KINDS if words in what), "Undefined-behavior")


def _named(what: str) -> str:
    return "Command injection" if "hell" in what else what.split(":", 1)[0].replace("domain name", "DNS").strip()


def _addr(text: str) -> str | None:
    found = _ADDRESS.search(text)
    if found is None:
        return None
    value = int(found[1], 16)
    return "null" if value < 0x1000 else "stack" if "stack-" in text else "wild"


def _check(output: str, *, bare: bool = False) -> Reading | None:
    """A check that failed in native code. A bare assertion, without a stack, is one only where a signal follows: other languages assert too."""
    for pattern, name in _CHECKS:
        found = pattern.search(output)
        if found:
            kind = name.format(*[g.upper() for g in found.groups()[:1] if g])
            frames = _useful(stack.frames(output[found.end() :].split("\n")[:400], gap=3))
            said = re.sub(r"^(?:\[[^\]]*\]|# ?)\s*", "", found[0]).strip()
            return _made(kind, said, frames, None, output[found.start() : found.start() + 3000]) if frames or bare or pattern is not _CHECKS[2][0] else None
    return None


def _reading(output: str, head: re.Match[str], kind: str, addr: str | None, message: str = "") -> Reading:
    frames = _useful(stack.frames(output[head.start() :].split("\n")[:300]))
    where = _LOCATION.search(output[head.start() : head.start() + 4000]) if kind == "Data race" else None
    said = message or (head.groupdict().get("what") or head[0]) + (f", {where[1]}" if where else "")
    return _made(kind, said.strip(), frames, addr, output[head.start() : head.start() + 3000])


def _useful(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Without the frames on top that only report or abort; all of them where there is nothing else."""
    first = next((at for at, one in enumerate(frames) if one.function and not _REPORTING.match(one.function)), 0)
    return frames[first:]


_REPORTING = Late(
    r"^(?:raise|abort|gsignal|__GI_\w+|__assert\w*|__pthread_kill\w*|pthread_kill|__sanitizer\w*|_sanitizer\w*|__interceptor_\w+|__asan\w*"
    r"|__msan\w*|__libc_message|__libc_fatal|malloc_printerr|_int_free"
    r"|fuzzer::.*|backtrace|V8_Fatal|logging::.*|\w*ImmediateCrash|v8::base::OS::Abort|abort_message|demangling_terminate_handler"
    r"|std::.*terminate.*|std::(?:sys|process|panicking)::.*|core::panicking::.*"
    r"|__cxa_\w+|libpthread\S*|libc\S*|\[vdso\]|\S+\.so(?:\.\d+)*|wait4|do_system|str\w*|mem\w*|__str\w*|__mem\w*|operator (?:new|delete).*|malloc"
    r"|calloc|realloc|free|runtime\.raise.*|.*[Ss]ignal[Hh]andler.*|g_log\w*|_objc_terminate)(?:\(.*)?$"
)


def _made(kind: str, message: str, frames: tuple[Frame, ...], addr: str | None, span: str) -> Reading:
    return Reading(tool="sanitizer", kind=Kind.CRASH, ran=Evidence.RAN, says="fail", classes=(kind,), message=message, frames=frames, addr=addr, span=span)
