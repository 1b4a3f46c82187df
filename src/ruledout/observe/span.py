"""From raw output to the lines that say what went wrong: cleaned text, marks of a cut, the cause span (docs/signatures.md).

Cleaning keeps every line that a person would have read and takes out what a terminal, a CI or a progress bar added. Finding the cause is for text
that no toolchain read. It refuses lines that every failure ends with: they are no cause.
"""

import re
import unicodedata
from collections.abc import Sequence

from ruledout.observe.late import Late
from ruledout.observe.spans import ERROR, STRONG, is_generic, is_start, is_wrapper
from ruledout.text import clean as printable
from ruledout.text import folded

_CI_TIME = Late(r"^(?:\ufeff)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z ?", re.MULTILINE)
_CI_GROUP = Late(r"^(?:##\[(?:group|endgroup|section|command)\]|::(?:group|endgroup|add-mask)::|section_(?:start|end):\d+:).*\n?", re.MULTILINE)
_CI_MARK = Late(r"^(?:##\[(error|warning|debug)\]|::(error|warning|debug|notice)(?: [^\n:]*)?::)", re.MULTILINE)
_BAR = Late(r"^[^\n]{0,200}(?:\d{1,3}%\|[^\n]{0,300}\||[━█▏▎▍▌▋▊▉░▒╸╺]{3,}|\[[=#>. -]{8,}\] {0,3}\d{1,3}(?:\.\d)?%)[^\n]{0,200}\n?", re.MULTILINE)
_CI_GROUPS = ("##[", "::group", "::endgroup", "::add-mask", "section_start:", "section_end:")
_CI_MARKS = ("##[", "::error", "::warning", "::debug", "::notice")
"""one of these stands in whatever `_CI_GROUP`, or `_CI_MARK`, finds"""
_BARS = Late(r"[━█▏▎▍▌▋▊▉░▒╸╺]{3}")
_METER = Late(r"\] {0,3}\d{1,3}(?:\.\d)?%")
"""what `_BAR` needs, where it does not end in `%|`"""
_CONTROL = Late(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_PLAIN = bytes((0x09, 0x0A, *range(0x20, 0x7F)))
_CUT_WORDS = ("truncated", "clipped", "left out", "omitted", "elided", "<snip", "… +", "…+")
"""one of these stands in whatever `_CUT` finds"""
_CUT = Late(
    r"\[\.{3} [\d,]+ (?:characters|lines|bytes|tokens) (?:left out|omitted|truncated)[^\]\n]{0,20}\]|\.{3} ?\[[^\]\n]{0,60}truncated[^\]\n]{0,60}\] ?(?:\.{3})?"
    r"|<(?:response|output) (?:clipped|truncated)>|\[?(?:output|response|result|log|message) (?:was |has been )?(?:truncated|clipped)\b"
    r"|\b[\d,]{1,12} (?:characters|chars|lines|bytes|tokens) (?:were |have been )?(?:truncated|elided|omitted|clipped)"
    r"|\btruncated (?:output|to [\d,]+ (?:characters|lines))|… ?\+[\d,]+ lines|<(?:truncated|elided|snip)[^>\n]{0,40}>|\[truncated[^\]\n]{0,40}\]",
    re.IGNORECASE,
)


def clean(output: str) -> str:
    """The text as a terminal would have shown it in the end: NFC, plain line ends, no escapes, no CI prefixes and group lines, no progress bars."""
    if not output.isascii():
        output = _composed(output)
    if "\x1b" in output:
        output = printable(output)
    if "\r" in output:
        output = "\n".join(map(_overwritten, output.replace("\r\n", "\n").split("\n")))
    if "\b" in output:
        output = "\n".join(map(_backspaced, output.split("\n")))
    odd = _odd(output)
    if odd and _CONTROL.search(odd):
        output = printable(output)
        odd = _odd(output)
    if "Z" in output[:40] or "##[" in output or "::" in output[:4000]:
        output = _without_ci(output)
    if "%|" in output or (odd and _BARS.search(odd)) or ("%" in output and _METER.search(output)):
        output = _BAR.sub("", output)
    return output


def _odd(output: str) -> str:
    """What a text holds besides line ends, tabs and printable ASCII: hardly anything, found at a glance."""
    return output.encode("utf-8", "surrogatepass").translate(None, _PLAIN).decode("utf-8", "surrogatepass")


def _without_ci(output: str) -> str:
    """Without the prefixes and group lines of a CI."""
    if "Z" in output:
        output = _CI_TIME.sub("", output)
    if "##[" in output or "::" in output or "section_" in output:
        output = _CI_GROUP.sub("", output) if any(mark in output for mark in _CI_GROUPS) else output
        output = _CI_MARK.sub(lambda m: f"{m[1] or m[2]}: ", output) if any(mark in output for mark in _CI_MARKS) else output
    return output


def truncated(output: str) -> bool:
    """Does an agent or a CI say in the text that it cut it."""
    low = folded(output)
    return any(word in low for word in _CUT_WORDS) and _CUT.search(output) is not None


def cause(text: str) -> str:
    """The lines of a cleaned text that say why it failed, or the empty string.

    In this order: the last traceback, the first report of a known shape (panic, sanitizer, compiler error), the first line that looks like an
    error, a wrapper's line (`make: *** ... Error 1`), the last line that is not generic. Ask only about an output that failed.
    """
    lines = [line[:4000] for line in text[-1_000_000:].split("\n")]
    return next((found for begin in (_traceback, _started, _error_line, _wrapper_line, _last_line) if (found := begin(lines))), "")


def decisive(span: str) -> str:
    """The one or two lines of a cause span that name the failure: the end of a traceback, else its beginning."""
    lines = [line for line in span.split("\n") if line.strip()]
    if lines and "Traceback (most recent call last)" in lines[0]:
        return next((line for line in lines[1:] if line[:1] not in " \t|+" and _RAISED.match(line)), lines[-1])
    named = detail(lines[1:8])
    if named is not None or is_start(lines[0] if lines else ""):
        return "\n".join([*lines[:1], *([named] if named else [])])
    return "\n".join(lines[:2])


def tells(line: str) -> bool:
    """Does this line name a failure of its own: neither one that every failure ends with, nor a wrapper's word about what it wrapped."""
    return not (is_generic(line) or is_wrapper(line))


def detail(lines: Sequence[str]) -> str | None:
    """The first of these lines that names what the message above is about, up to a blank line."""
    upto = next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    return next((line for line in lines[:upto] if _DETAIL.match(line)), None)


_DETAIL = Late(r"^\s+(?:symbol|found|required|expected|reason|cause): +\S")

_RAISED = Late(r"^[ |+]*[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Group|Failed)?(?::|$)")


def _traceback(lines: list[str]) -> str:
    start = next((i for i in range(len(lines) - 1, -1, -1) if "Traceback (most recent call last)" in lines[i]), None)
    if start is None:
        return ""
    end, indent = start + 1, len(lines[start]) - len(lines[start].lstrip(" |+"))
    while end < len(lines) and (lines[end][indent:].startswith((" ", "\t")) or not lines[end].strip()):
        end += 1
    return "\n".join(lines[start : min(end + 3, len(lines))]).rstrip()


def _started(lines: list[str]) -> str:
    start = next((i for i, line in enumerate(lines) if is_start(line)), None)
    if start is None:
        return ""
    end = next((i for i in range(start + 1, min(start + 30, len(lines))) if is_wrapper(lines[i])), start + 30)
    return "\n".join(lines[start:end]).rstrip()


def _error_line(lines: list[str]) -> str:
    """The first line that begins as an error, else the first that holds a word of one."""
    for pattern in (STRONG, ERROR):
        at = next((i for i, line in enumerate(lines) if pattern.search(line) and tells(line)), None)
        if at is not None:
            return _with_next(lines, at)
    return ""


def _wrapper_line(lines: list[str]) -> str:
    return next((line.strip() for line in lines if is_wrapper(line) and not is_generic(line)), "")


def _last_line(lines: list[str]) -> str:
    """The last line that is not generic, or both where there are only two."""
    said = [line.strip() for line in lines if line.strip() and not is_generic(line)]
    return "\n".join(said if len(said) == 2 else said[-1:])


def _with_next(lines: list[str], at: int) -> str:
    """The line, and the one behind it where the first announces it (`error:`) or it is indented under it."""
    follows = lines[at + 1] if at + 1 < len(lines) else ""
    announces = lines[at].rstrip().endswith(":") or (follows.startswith((" ", "\t")) and len(lines[at].strip()) < 40)
    return "\n".join([lines[at].strip(), *([follows.strip()] if announces and follows.strip() else [])])


def _composed(output: str) -> str:
    return output if unicodedata.is_normalized("NFC", output) else unicodedata.normalize("NFC", output)


def _overwritten(line: str) -> str:
    """What a line shows after its carriage returns: the last thing written that is not empty."""
    return next((part for part in reversed(line.split("\r")) if part.strip()), "") if "\r" in line else line


def _backspaced(line: str) -> str:
    if "\b" not in line:
        return line
    shown: list[str] = []
    for char in line:
        if char != "\b":
            shown.append(char)
        elif shown:
            shown.pop()
    return "".join(shown)
