"""What the machine made, out of a message: typed masks, special before general, checked and renumbered (docs/signatures.md).

It keeps what carries a refutation: quoted names, error codes, errno, HTTP status, exit codes, integers of up to four digits. It masks what changes
from run to run: ids, addresses, times, places on the disk, process and thread numbers, line numbers. It refuses to guess: a hit that its check
does not confirm stays as it is. Linear in the text: bounded or single-class quantifiers only, and a cap.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from ruledout.observe.late import Late
from ruledout.observe.masks import CHECKS, NAMES, NUMBERED, PATTERNS, VOLATILE
from ruledout.observe.triggers import likely

CAP = 65_536
"""characters read of a text"""

_SLOT = Late("\x00([a-z]+)\x01(\\d+)\x02")
_SPACE = Late(r"[ \t\f\v]+")


def mask(text: str) -> str:
    """The text with typed slots (`<uuid>`, `<tmp>`, `<num>` ...) for what changes between equal runs.

    A value that comes twice has one number; a type that comes once has none. White space is collapsed within lines, lines stay. Idempotent.
    """
    return _settled(text, NAMES)


def volatile(text: str) -> str:
    """The text with slots only for values that no rerun repeats: ids of objects, addresses, times, temp paths. For test ids, where numbers are names."""
    return _settled(text, VOLATILE)


def coarse(text: str) -> str:
    """The first line, masked, with every slot, quoted string, number and single name between colons gone: the family of a message, without its values."""
    first = mask(text).split("\n", 1)[0]
    plain = _SPACE.sub(" ", _MADE_NAME.sub(_unnamed, _coarse().sub(_plain, first))).strip()
    head, *parts = plain.split(": ")
    return ": ".join([head, *("<*>" if " " not in part and part and not _SAYING.search(part) else part for part in parts)])


def _settled(text: str, names: tuple[str, ...]) -> str:
    """Mask until nothing moves: a slot can uncover a neighbour, as a cut path does. Two rounds do in practice, three are the limit."""
    text = text[:CAP].replace("\x00", "").replace("\x01", "").replace("\x02", "")
    for _ in range(3):
        done = _masked(text, names)
        if done == text:
            break
        text = done
    return text


def _masked(text: str, names: tuple[str, ...]) -> str:
    seen: dict[str, dict[str, int]] = {}
    hits: dict[str, int] = {}

    def slot(kind: str, value: str) -> str:
        hits[kind] = hits.get(kind, 0) + 1
        numbers = seen.setdefault(kind, {})
        return f"\x00{kind}\x01{numbers.setdefault(value, len(numbers) + 1)}\x02"

    parts, kept = [], 0
    for name, found in _found(text, likely(text, names)):
        parts += [text[kept : found.start()], CHECKS[name](found[0], slot)]
        kept = found.end()
    marked = "".join(parts) + text[kept:] if parts else text
    numbered = _SLOT.sub(lambda m: f"<{m[1]}{m[2] if m[1] in NUMBERED and hits[m[1]] > 1 else ''}>", marked) if hits else marked
    return "\n".join(_SPACE.sub(" ", line).strip() for line in numbered.split("\n")).strip("\n")


def _found(text: str, names: Sequence[str]) -> Iterator[tuple[str, re.Match[str]]]:
    """The hits from left to right, of two at one place the earlier mask's: as one pattern of all finds them, without compiling those that cannot hit."""
    ahead = [(found.start(), order, name, found) for order, name in enumerate(names) if (found := PATTERNS[name].search(text))]
    while ahead:
        _, _, name, first = min(ahead, key=_place)
        yield name, first
        end = first.end()
        ahead = [
            (found.start(), order, name, found)
            for at, order, name, old in ahead
            if (found := old if at >= end else PATTERNS[name].search(text, end)) is not None
        ]


def _place(hit: tuple[int, int, str, re.Match[str]]) -> tuple[int, int]:
    return hit[:2]


@cache
def _coarse() -> re.Pattern[str]:
    quoted = r"\"(?:[^\"\\\n]|\\.){0,300}\"|`[^`'\n]{0,300}[`']|(?<![\w])'(?:[^'\\\n]|\\.){0,300}'(?!\w)|‘[^’\n]{0,300}’|“[^”\n]{0,300}”"
    codes = r"(?i:\b(?:errno|error|code|status|exit|signal|http)[ =:\[(#]{0,2})\d+|\b[A-Z]{1,6}-?\d{2,6}\b"
    return re.compile(rf"(?P<keep>{codes})|(?P<quoted>{quoted})|(?P<slot><[a-z]+\d*>)|(?P<num>(?<![A-Za-z_])-?\d[\d.,]*)")


_MADE_NAME = Late(r"(?<![\w-])[A-Za-z][\w.]{0,60}(?:-(?:<\*>|[\w.])+){1,20}")
"""names joined by dashes, as clusters and queues make them; those with a digit or a slot in them are values"""
_SAYING = Late(r"(?:Error|Exception|Warning)\b|^(?:error|fatal|failed|panic|FATAL|ERROR|FAILED|warning|cannot|denied|refused|killed|aborted)$")


def _unnamed(found: re.Match[str]) -> str:
    return "<*>" if "<*>" in found[0] or any(map(str.isdigit, found[0])) else found[0]


def _plain(found: re.Match[str]) -> str:
    return found[0] if found.lastgroup == "keep" else "<*>"
