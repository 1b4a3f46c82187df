"""Batches: one JSON object a line in, one out, same order. A line that is no question stops the batch, by its number."""

import sys
from collections.abc import Callable
from typing import TypeVar

import msgspec

from ruledout.doors.show.plain import as_line
from ruledout.errors import BadInput

Asked = TypeVar("Asked")


def question(kind: type[Asked], shape: str, line: bytes, place: str) -> Asked:
    """One question, strictly read; `BadInput` names the place and the shape."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BadInput("bad-question", f"{place}: {error}", f"give {shape} as one JSON object") from error


def answer_lines(kind: type[Asked], shape: str, answer: Callable[[Asked], object]) -> int:
    """Answer standard input line by line; exit 0 whatever the answers say."""
    for number, line in enumerate(sys.stdin.buffer, 1):
        if line.strip():
            sys.stdout.write(as_line(answer(question(kind, shape, line, f"line {number} of standard input"))))
    return 0
