"""Valgrind: memcheck's errors and leaks, helgrind's and DRD's races, with the first stack. No report of its own errors is no pass of the program."""

from ruledout.model.outcome import Evidence, Frame, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx, short

NAME = "valgrind"
PROGRAMS = frozenset(("valgrind",))
_ERRORS = r"(?m)^==\d+== ERROR SUMMARY: ([\d,]+) errors? from"
_HEAD = (
    r"(?m)^==\d+== ((?:Invalid (?:read|write) of size \d+|Conditional jump or move depends on uninitialised.{0,40}|Use of uninitialised value.{0,20}"
    r"|Syscall param .{1,80}|Invalid free\(\).{0,60}|Mismatched free\(\).{0,60}|Source and destination overlap.{0,80}|Possible data race.{0,80}"
    r"|Conflicting (?:load|store) by thread.{0,80}|Thread #\d+: lock order .{0,80}|Process terminating with default action of signal \d+ \(SIG\w+\)"
    r"|[\d,]+ (?:\([^)\n]{1,60}\) )?bytes in [\d,]+ blocks are (?:definitely|possibly|indirectly) lost.{0,60}|Jump to the invalid address.{0,60}))$"
)
_FRAME = r"==\d+== +(?:at|by) 0x[0-9A-Fa-f]+: (.{1,200}?) \((?:([^():\n]{1,200}):(\d+)|in ([^()\n]{1,200}))\)"
_KINDS = (
    ("definitely lost", "Leak"), ("possibly lost", "Leak"), ("indirectly lost", "Leak"), ("Invalid read", "Invalid read"), ("Invalid write", "Invalid write"),
    ("uninitialised", "Uninitialised value"), ("Invalid free", "Invalid free"), ("Mismatched free", "Mismatched free"), ("data race", "Data race"),
    ("Conflicting", "Data race"), ("lock order", "Lock order"), ("terminating", "Fatal signal"), ("overlap", "Overlap"), ("Syscall", "Syscall param"),
)  # fmt: skip


def claims(output: str) -> bool:
    """Its banner or its closing line."""
    return "== ERROR SUMMARY: " in output or "== Memcheck, " in output or "== Helgrind, " in output or "== DRD, " in output


def read(output: str) -> Reading | None:
    """The first error with its stack; what it says where it found none is not what the program says."""
    head = rx(_HEAD).search(output)
    closing = rx(_ERRORS).findall(output)
    errors = int(closing[-1].replace(",", "")) if closing else 0
    if not errors and head is None:
        return Reading(tool=NAME, ran=Evidence.RAN, says="pass") if closing else None
    if head is None:
        return Reading(tool=NAME, kind=Kind.CRASH, ran=Evidence.RAN, says="fail", message=f"{errors} errors", span=f"{errors} errors")
    frames = _frames(output[head.end() + 1 : head.end() + 8000])
    return Reading(
        tool=NAME,
        kind=Kind.CRASH,
        ran=Evidence.RAN,
        says="fail" if errors or "terminating" in head[1] else None,
        classes=(next((name for words, name in _KINDS if words in head[1]), head[1][:60]),),
        message=short(head[1]),
        frames=frames,
        span=output[head.start() : head.start() + 2000],
    )


def _frames(text: str) -> tuple[Frame, ...]:
    """The stack under the head, innermost first; it ends at the first line that is no frame."""
    frames: list[Frame] = []
    for line in text.split("\n")[:60]:
        found = rx(_FRAME).match(line)
        if found is None:
            break
        frames.append(Frame(found[1], (found[2] or found[4] or "").replace("\\", "/"), int(found[3]) if found[3] else None))
    return tuple(frames)
