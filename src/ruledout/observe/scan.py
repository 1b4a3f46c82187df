"""What all toolchains need to look through an output: cached patterns, lines, and a window on outputs that are very long. It knows no tool."""

import re
from collections.abc import Iterable
from functools import cache

from ruledout.model.outcome import Counts, Diagnostic

WINDOW = 64 * 1024
"""of a longer output only the head and the tail are read, half of this each"""
MESSAGE = 300
"""characters that a message may have"""
MOST = 400
"""ids, frames and diagnostics beyond these are not kept"""
_PREFIX = (
    r"^(?:\[(?![^\]\n]{1,200}:\d|(?i:info|error|warn|warning|debug|low|medium|high)\])[\w.-]+(?::[\w.:-]+)?\] "
    r"|[\w@./-]+:(?:test|build|lint|typecheck|check)[\w:-]*: "
    r"|[\w./-]+ (?:test|build|lint|typecheck|check)[\w:-]*: (?=.)|[\w-]+-\d+  ?\| )"
)

rx = cache(re.compile)


def window(text: str) -> str:
    """The head and the tail of a long output, cut at line ends; a shorter one as it is."""
    if len(text) <= WINDOW:
        return text
    half = WINDOW // 2
    head = text[:half].rpartition("\n")[0]
    tail = text[-half:].partition("\n")[2]
    return f"{head}\n{tail}"


def without_prefixes(text: str) -> str:
    """Without the task names that runners set before each line (`[lint:go] `, `web:test: `), where most lines have one."""
    lines = text.split("\n")
    found = [rx(_PREFIX).match(line) for line in lines[:40]]
    named = [match for match in found if match is not None]
    if not named or 3 * len(named) < len([line for line in lines[:40] if line.strip()]):
        return text
    return "\n".join(line[match.end() :] if (match := rx(_PREFIX).match(line)) else line for line in lines)


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """In order of first appearance, at most `MOST`, without empty ones."""
    return tuple(dict.fromkeys(name for name in names if name))[:MOST]


def line_at(text: str, at: int) -> str:
    """The whole line around an index, stripped."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)].strip()


def short(message: str | None) -> str | None:
    """A message on one line, at most `MESSAGE` characters; None for nothing."""
    if not message or not message.strip():
        return None
    line = " ".join(message.split())
    return line if len(line) <= MESSAGE else line[: MESSAGE - 1] + "…"


def number(text: str | None) -> int | None:
    """A count or line number, or None where it is none that a tool would print."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def counts(found: Iterable[tuple[str, str]], names: dict[str, str]) -> Counts | None:
    """Counts from `(number, word)` pairs, under the contract's names; words that `names` does not know are left out."""
    sums: dict[str, int] = {}
    for count, word in found:
        name = names.get(word.lower())
        if name and (value := number(count)) is not None:
            sums[name] = sums.get(name, 0) + value
    return Counts(**sums) if sums else None


def errors_first(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Each diagnostic once, in the order of the output, at most `MOST`."""
    seen: dict[tuple[str, int | None, int | None, str | None, str], Diagnostic] = {}
    for each in found:
        seen.setdefault((each.file, each.line, each.column, each.code, each.message), each)
    return tuple(seen.values())[:MOST]


def first_error(found: tuple[Diagnostic, ...]) -> Diagnostic | None:
    """The first error, else None."""
    return next((each for each in found if each.severity == "error"), None)
