"""Crashes of language run times and bare stacks, for outputs that no test runner or compiler claims. Asked last."""

import re

from ruledout.observe.crashes import runtimes
from ruledout.observe.late import Late
from ruledout.observe.reading import Reading

NAME = "stacks"
PROGRAMS: frozenset[str] = frozenset()

_MARKS = Late(
    r"panic: |fatal error: |panicked at |^Exception in thread|received signal SIG|terminated with signal|^[ \t]*at \S+.*:\d+|[A-Z]\w*(?:Exception"
    r"|Error)\b|^\S*@\S+:\d+:\d+$|^[ \t]*#\d+ +0x",
    re.MULTILINE,
)


def claims(output: str) -> bool:
    """Does it look like a stack of a run time."""
    return _MARKS.search(output) is not None


def read(output: str) -> Reading | None:
    """The crash, or None."""
    return runtimes.read(output[-1_000_000:])
