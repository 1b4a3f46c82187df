"""Lenient JSON documents for readers: one broken member costs itself, not the session; a torn document gives what stands before the tear.

Knows no format. Typed structs leave out what a format does not need (whole prompts, whole files), and msgspec skips that without building it.
"""

import functools
import re
from collections.abc import Hashable
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct

from ruledout.errors import BadInput

T = TypeVar("T")
Piece = bytes | msgspec.Raw
"""A JSON value that has not been decoded: bytes of its own, or a view of the document it stands in, which costs no copy."""

_BOM = b"\xef\xbb\xbf"
_KEY = re.compile(r'\s*,?\s*("(?:[^"\\]|\\.)*")\s*:\s*', re.DOTALL)
_SOLID = re.compile(rb"[^\s\xef\xbb\xbf]")
_GAP = re.compile(r"[\s,]*")
_TOKEN = re.compile(rb'"([^"\\]*+(?:\\.[^"\\]*+)*+)(?:"(\s*:)?|\Z)|[{}\[\]]', re.DOTALL)
_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_BROKEN = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)


class Document(Struct, frozen=True, kw_only=True):
    """One JSON document, opened one level: an object's members or an array's elements, not decoded yet. `torn` is the byte where reading had to stop."""

    members: dict[str, Piece] = {}
    elements: tuple[Piece, ...] = ()
    torn: int | None = None

    def items(self, name: str) -> list[Piece]:
        """The elements of the member `name`; none where it is absent or no array."""
        return array(self.members.get(name, b""))

    def text(self, name: str) -> str:
        """The member `name` as text; empty where it is absent or no string."""
        return text(value(self.members.get(name, b"")))


def document(raw: bytes, format: str) -> Document:  # noqa: A002  # the reader's NAME, as in Transcript.format
    """Open a document that holds one object or array. Raises BadInput `broken-session`, naming the byte, when nothing at all can be read of it."""
    body = raw.removeprefix(_BOM).strip()
    try:
        if body.startswith(b"["):
            return Document(elements=tuple(_LIST.decode(body)))
        return Document(members=dict(_OBJECT.decode(body)))
    except _BROKEN:
        opened = _salvage(body.decode("utf-8", "replace"))
    if not opened.members and not opened.elements:
        raise BadInput(
            "broken-session",
            f"the {format} session breaks off or is damaged at byte {opened.torn}, before anything could be read",
            "give the whole session file",
        )
    return opened


def members(raw: Piece) -> dict[str, Piece]:
    """The members of a JSON object, not decoded; none where it is no object or breaks off before the first."""
    try:
        return dict(_OBJECT.decode(raw))
    except _BROKEN:
        return dict(_salvage(bytes(raw).decode("utf-8", "replace")).members)


def record(raw: bytes) -> tuple[dict[str, Piece], bytes]:
    """A line's members and the line itself. Strict: raises what msgspec raises, so that `lines.objects` can mend it."""
    return dict(_OBJECT.decode(raw)), raw


def lined(raw: bytes) -> dict[str, Piece] | None:
    """The members of the first line where the file is JSON Lines, that is where the first line is a whole object and more follows; None elsewhere."""
    begin = _SOLID.search(raw)
    end = raw.find(b"\n", begin.start()) if begin else -1
    if begin is None or end < 0 or not _SOLID.search(raw, end):
        return None
    line = raw[begin.start() : end]
    try:
        return dict(_OBJECT.decode(line))
    except _BROKEN:
        return members(line) if mapping(value(line)) else None


@functools.lru_cache(maxsize=4)
def outline(head: bytes) -> frozenset[str]:
    """The keys that the start of a file shows, each with the way to it: `messages[].info.role`. At most four levels; the lines of JSON Lines share theirs.

    It is what readers claim by: the words of a format may stand in any text, its keys in their places do not. The head may end anywhere.
    """
    if head.lstrip(_BOM + b" \t\r\n")[:1] not in (b"{", b"["):
        return frozenset()
    ways: set[str] = set()
    inside: list[tuple[bool, str]] = []
    key = ""
    for token in _TOKEN.finditer(head):
        mark = token[0][:1]
        if mark == b'"':
            if token[2] and inside and not inside[-1][0] and len(inside) <= 4:
                key = f"{inside[-1][1]}.{token[1].decode('utf-8', 'replace')}".removeprefix(".")
                ways.add(key)
        elif mark in b"{[":
            way = "" if not inside or len(inside) > 4 else f"{inside[-1][1]}[]" if inside[-1][0] else key  # no deeper: ways would grow with the square
            inside.append((mark == b"[", way))
        elif inside:
            inside.pop()
    return frozenset(ways)


def array(raw: Piece) -> list[Piece]:
    """The elements of a JSON array, not decoded; none where it is no array."""
    if bytes(memoryview(raw)[:64]).lstrip()[:1] != b"[":
        return []
    try:
        return list(_LIST.decode(raw))
    except _BROKEN:
        return list(_salvage(bytes(raw).decode("utf-8", "replace")).elements)


def decode(raw: Piece, kind: type[T]) -> T | None:
    """The value as `kind`, or None. Bytes that are no strict JSON (NaN, lone surrogates, control characters, bad UTF-8) get a second, slower try."""
    try:
        return cast("T", _decoder(cast("Hashable", kind)).decode(raw))
    except _BROKEN:
        pass
    import json

    try:
        return msgspec.convert(_whole(json.loads(bytes(raw).decode("utf-8", "replace"), strict=False)), kind)
    except (ValueError, RecursionError):
        return None


def value(raw: Piece) -> Any:  # noqa: ANN401  # any JSON value
    """The value, of whatever type; None where it cannot be read."""
    return decode(raw, object)


def text(given: object) -> str:
    """What a value says: a string, the texts of a list of content blocks joined by line ends, or nothing."""
    if isinstance(given, str):
        return given
    if isinstance(given, dict):
        return text(given.get("text", given.get("content")))
    if isinstance(given, list):
        return "\n".join(part for part in map(text, given) if part)
    return ""


def mapping(given: object) -> dict[str, Any]:
    """The value where it is an object; a string that holds one, decoded; else an empty object."""
    if isinstance(given, str) and given.lstrip().startswith("{"):
        given = value(given.encode("utf-8", "replace"))
    return given if isinstance(given, dict) else {}


def integer(given: object) -> int | None:
    """The value where it is a whole number, else None."""
    return given if isinstance(given, int) and not isinstance(given, bool) else None


@functools.cache
def _decoder(kind: Hashable) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(cast("type[Any]", kind))


def _whole(given: Any) -> Any:  # noqa: ANN401  # any JSON value in, the same out
    """The value with every lone surrogate replaced: such text can be neither printed nor bound."""
    if isinstance(given, str):
        return given.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(given, list):
        return [_whole(part) for part in given]
    if isinstance(given, dict):
        return {_whole(name): _whole(part) for name, part in given.items()}
    return given


def _salvage(body: str) -> Document:
    """What stands before the place where the document breaks."""
    start = _GAP.match(body)
    at = start.end() if start else 0
    if body[at : at + 1] == "[":
        elements, end, whole = _elements(body, at + 1)
        return Document(elements=tuple(elements), torn=None if whole else _byte(body, end))
    if body[at : at + 1] == "{":
        return _members(body, at + 1)
    return Document(torn=_byte(body, at))


def _members(body: str, at: int) -> Document:
    import json

    scanner = json.JSONDecoder(strict=False)
    members: dict[str, Piece] = {}
    while found := _KEY.match(body, at):
        name = text(decode(found[1].encode("utf-8", "replace"), str))
        try:
            value, at = scanner.raw_decode(body, found.end())
            members[name] = _dump(value)
        except (ValueError, RecursionError):
            at = found.end()
            if body[at : at + 1] == "[":
                elements, at, _ = _elements(body, at + 1)
                members[name] = b"[" + b",".join(map(bytes, elements)) + b"]"
            return Document(members=members, torn=_byte(body, at))
    whole = body[at:].strip() == "}"
    return Document(members=members, torn=None if whole else _byte(body, at))


def _elements(body: str, at: int) -> tuple[list[Piece], int, bool]:
    """The elements from `at` on, where reading stopped, and whether it stopped at the closing bracket."""
    import json

    scanner = json.JSONDecoder(strict=False)
    elements: list[Piece] = []
    while True:
        gap = _GAP.match(body, at)
        at = gap.end() if gap else at
        if body[at : at + 1] == "]":
            return elements, at, True
        try:
            value, at = scanner.raw_decode(body, at)
        except (ValueError, RecursionError):
            return elements, at, False
        elements.append(_dump(value))


def _dump(value: object) -> bytes:
    import json

    return json.dumps(_whole(value)).encode()


def _byte(body: str, at: int) -> int:
    """The place `at` of the text as a byte of the file."""
    return len(body[:at].encode("utf-8", "replace"))
