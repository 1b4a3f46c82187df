"""JSON for the hook alone: the interpreter's own scanner without the package around it, whose patterns take 8 ms to load. Everyone else has msgspec.

Reads one value and refuses what is behind it; writes ASCII on one line.
"""

from ruledout.errors import BadInput

TYPE_CHECKING = False  # the checker takes this name for true; `collections` would take half of a hook's time
if TYPE_CHECKING:
    from collections.abc import Callable

_FAULTS = (ValueError, StopIteration, RecursionError)


class _Context:
    """What the scanner in C asks for."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012  # the scanner asks for the attribute and keeps a table of its own


def loads(text: str) -> object:
    """The one JSON value in a text. Raises `BadInput` (`bad-json`)."""
    text = text.strip()
    try:
        value, end = _scanner()(text, 0)
    except _FAULTS:
        end = -1
    if end != len(text):
        raise BadInput("bad-json", "this is not one JSON value", "give one JSON object")
    return value


def first(text: str) -> tuple[object, int] | None:
    """The first whole JSON value of a text and where it ends, or None where there is none yet."""
    at = len(text) - len(text.lstrip())
    try:
        value, end = _scanner()(text, at)
    except _FAULTS:
        return None
    return value, end


def _scanner() -> "Callable[[str, int], tuple[object, int]]":
    try:
        from _json import make_scanner
    except ImportError:  # an interpreter without it
        from json import JSONDecoder

        return JSONDecoder(strict=False).raw_decode
    make: Callable[[object], Callable[[str, int], tuple[object, int]]] = make_scanner  # type: ignore[assignment]  # as `json.scanner` takes it
    return make(_Context)


def dumps(value: object) -> str:
    """A value of dicts, lists, texts, whole numbers, None and truth values as ASCII JSON."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_text(str(key))}:{dumps(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(dumps, value)) + "]"
    return _text(str(value))


def _text(text: str) -> str:
    try:
        from _json import encode_basestring_ascii as encode
    except ImportError:
        from json import dumps as encode
    return str(encode(text))
