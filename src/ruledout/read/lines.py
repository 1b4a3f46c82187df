"""Bytes to JSON values, line by line: whatever a file holds, each line is a value or is counted (R14), never an exception.

Knows JSON Lines and JSON, no format. Lines end with a line feed only: `splitlines` would cut inside strings that hold U+2028. A line beyond 16 MiB is left
unread. msgspec decodes; the standard library is asked only when it fails, for what real files hold: two objects on one line, lone surrogates, bad UTF-8.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

import msgspec

from ruledout.errors import BadInput
from ruledout.observe.late import Late

T = TypeVar("T")
Skip = Callable[[str, str], None]
"""Takes the reason and the place of something left out."""

MAX_LINE = 16 * 1024 * 1024
MAX_DOCUMENT = 512 * 1024 * 1024
_DEPTH = 200
_MARK = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n\0"
_GAP = Late(r"[ \t\r\n\0,]*")
_SURROGATE = Late("[\ud800-\udfff]")


def physical(raw: bytes) -> Iterator[tuple[int, bytes | None]]:
    """The lines with their 0-based numbers, without line feeds; one at a time, so that a big file is not held twice. None for one that is too long."""
    start, number, size = 0, 0, len(raw)
    while start < size:
        end = raw.find(b"\n", start)
        end = size if end < 0 else end
        yield number, raw[start:end] if end - start <= MAX_LINE else None
        start, number = end + 1, number + 1


def objects(raw: bytes, decode: Callable[[bytes], T], skip: Skip) -> Iterator[tuple[int, T]]:
    """The objects of a JSON Lines file with the number of their line; glued ones share it.

    `decode` takes the bytes of one object (`msgspec.json.Decoder(...).decode`). Blank lines are passed over; every other line that gives nothing is counted.
    """
    for number, whole in physical(raw):
        if whole is None:
            skip("line longer than 16 MiB", f"line:{number}")
            continue
        line = whole if number else whole.removeprefix(_MARK)
        try:
            yield number, decode(line)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            if line.strip(_BLANK):
                for part in _mended(line, f"line:{number}", skip):
                    yield from _decoded(part, number, decode, skip)
            elif b"\0" in line:
                skip("NUL bytes", f"line:{number}")


def _decoded(part: bytes, number: int, decode: Callable[[bytes], T], skip: Skip) -> Iterator[tuple[int, T]]:
    """A mended object decoded, or counted as of an unknown shape."""
    try:
        yield number, decode(part)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        skip("not a record", f"line:{number}")


def _mended(line: bytes, place: str, skip: Skip) -> Iterator[bytes]:
    """The objects of a line that msgspec refuses, as JSON that it takes; the rest of the line is counted."""
    import json

    text = line.decode("utf-8", "replace").strip(" \t\r\n\0")
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
            yield msgspec.json.encode(_whole(value))
        except RecursionError:
            skip("nested too deeply", place)
            return
        except (ValueError, OverflowError, msgspec.MsgspecError):
            skip("not JSON" if at == 0 else "not JSON, behind an object", place)
            return
        gap = _GAP.match(text, end)
        at = gap.end() if gap else end


def _whole(value: object, depth: int = 0) -> object:
    """The value with U+FFFD for every lone surrogate."""
    if depth > _DEPTH:
        raise RecursionError
    if isinstance(value, str):
        return _SURROGATE.sub("�", value)
    if isinstance(value, list):
        return [_whole(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("�", key): _whole(item, depth + 1) for key, item in value.items()}
    return value


def document(raw: bytes) -> object:
    """A file that is one JSON document, decoded; lone surrogates and bad UTF-8 as U+FFFD. Raises `BadInput` (`unreadable-json`) where it is none."""
    if len(raw) > MAX_DOCUMENT:
        raise BadInput("too-big", f"a JSON document of {len(raw)} bytes", "give a file below 512 MiB")
    try:
        return msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        import json
    try:
        return _whole(json.loads(raw.decode("utf-8", "replace").strip("\ufeff\0 \t\r\n")))
    except (ValueError, RecursionError) as error:
        raise BadInput("unreadable-json", f"the file is no JSON document: {str(error)[:120] or 'nested too deeply'}", "give the whole session file") from error
