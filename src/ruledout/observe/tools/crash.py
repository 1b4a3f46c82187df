"""Crash reports of native code and of kernels: the first family that finds its report reads it. Asked before test runners, whose output may hold one."""

import re

from ruledout.observe.late import Late
from ruledout.observe.reading import Reading

NAME = "crash"
PROGRAMS: frozenset[str] = frozenset({"gdb", "lldb", "dmesg"})

_ABORTED = frozenset({"Abrt", "Fatal-signal", "Breakpoint", "Illegal-instruction"})
_MARKS = (
    *("received signal SIG", "terminated with signal", "Sanitizer", "libFuzzer", ": runtime error: ", "Call Trace", "Kernel panic", "kernel BUG", "BUG: "),
    *("panic: ", "heck failed", "CHECK failed", "ASSERT", "unreferenced object", "Fatal trap", "general protection fault", "KVM internal error", "uvm_fault"),
    *("detected stall", "UBSan", "double fault", "Unhandled fault", "INFO: ", "WARNING: ", "Internal error", "lock error", "FATAL ERROR"),
)
_STACKS = Late(r"goroutine \d+ \[|^runtime stack:", re.MULTILINE)


def claims(output: str) -> bool:
    """Does it look like a crash report; the families look closer."""
    return any(mark in output for mark in _MARKS) or (("goroutine " in output or "runtime stack:" in output) and _STACKS.search(output) is not None)


def read(output: str) -> Reading | None:
    """The report, or None."""
    from ruledout.observe.crashes import runtimes  # loaded where there is a crash to read

    text = output[-2_000_000:]
    # A test run of Go tells its failing tests beside the panic: that is its own toolchain's to read.
    found = _first(text) or runtimes.gdb(text) or (runtimes.go(text) if "--- FAIL: " not in text and "\nFAIL\t" not in text else None)
    if found is not None and found.classes[0] in _ABORTED:
        # Go, Rust and others abort on purpose behind their own report: that report is the cause.
        return runtimes.panic(text) or found
    return found


def _first(text: str) -> Reading | None:
    from ruledout.observe.crashes import kernel, sanitizer

    families = (sanitizer, kernel) if "Sanitizer: " in text else (kernel, sanitizer)
    return next((found for family in families if (found := family.read(text)) is not None), None)
