"""Crashes of language run times and bare stacks, for outputs that no test runner or compiler claims. Asked last."""

import re

from ruledout.observe.crashes import runtimes
from ruledout.observe.late import Late
from ruledout.observe.reading import Reading

NAME = "stacks"
PROGRAMS: frozenset[str] = frozenset()

_MARKS = ("panic: ", "fatal error: ", "panicked at ", "received signal SIG", "terminated with signal")
_WORDS = ("Exception", "Error", "at ", "@", "0x")
"""one of these stands in whatever `_FORMS` finds"""
_FORMS = Late(
    r"^Exception in thread|^[ \t]*at \S.*:\d|[A-Z]\w{0,80}(?:Exception|Error)\b|^[^\s@]{0,200}@\S{1,300}?:\d{1,7}:\d{1,6}$|^[ \t]*#\d+ +0x",
    re.MULTILINE,
)


def claims(output: str) -> bool:
    """Does it look like a stack of a run time."""
    return any(mark in output for mark in _MARKS) or (any(word in output for word in _WORDS) and _FORMS.search(output) is not None)


def read(output: str) -> Reading | None:
    """The crash, or None."""
    return runtimes.read(output[-1_000_000:])
