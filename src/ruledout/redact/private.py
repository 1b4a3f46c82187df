r"""What a person put between `<private>` tags, in whatever spelling: nested, upper case, with blanks, HTML- or JSON-escaped, with invisible letters.

An opening tag that is never closed hides all up to the end of the message. Inside a JSON document that is the end of its string and every later
string, so that the document stays JSON.
"""

import re
from functools import cache

SLOT = b"<secret:private>"

_HIDDEN = rb"(?:\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf|\xc2\xad|\xcd\x8f|\xef\xb8[\x80-\x8f]|\xf3\xa0[\x80-\xbf][\x80-\xbf])*"
_ABOVE_ASCII = bytes(range(0x80, 0x100))


@cache
def _tags() -> re.Pattern[bytes]:
    """An opening or closing tag; group `shut` stands in a closing one."""
    word = _HIDDEN.join(bytes([letter]) for letter in b"private")
    less = rb"(?:<|&lt;|&#0*60;|&#x0*3c;|\\+u003c|\\+x3c)"
    more = rb"(?:>|&gt;|&#0*62;|&#x0*3e;|\\+u003e|\\+x3e)"
    gap = rb"(?:\s|\\[nrt]|" + _HIDDEN[:-1] + rb"){0,20}"
    return re.compile(
        less + gap + rb"(?P<shut>(?:\\{0,4}/|&#0*47;|&#x0*2f;|\\+u002f)" + gap + rb")?" + word + gap + rb"(?:\s[^<>\n]{0,200}?)?" + more, re.IGNORECASE
    )


def _found(raw: bytes, low: bytes) -> list[re.Match[bytes]]:
    """All tags in order. Looked for only about the word itself, or everywhere when the word shows only without its invisible letters."""
    if not raw.isascii() and low.translate(None, _ABOVE_ASCII).count(b"private") > low.count(b"private"):
        return list(_tags().finditer(raw))
    tags: list[re.Match[bytes]] = []
    place = low.find(b"private")
    while place >= 0:
        lead = raw[max(0, place - _LEAD) : place]
        for at in _openings(lead):
            tag = _tags().match(raw, max(0, place - _LEAD) + at)
            if tag and tag.end() > place:
                tags.append(tag)
                break
        place = low.find(b"private", place + 7)
    return tags


_LEAD = 40


def _openings(lead: bytes) -> list[int]:
    """Places where a tag may begin: the last `<`, `&` and escaped `<` (with all its backslashes), the nearest first."""
    if lead.endswith((b"<", b"</")):
        return [lead.rindex(b"<")]
    code = lead.lower().rfind(b"3c")
    escaped = len(lead[:code].rstrip(b"uU0xX").rstrip(b"\\")) if code > 0 else -1
    places = {lead.rfind(b"<"), lead.rfind(b"&"), escaped}
    return sorted((place for place in places if place >= 0), reverse=True)


def redact(raw: bytes, low: bytes) -> bytes:
    """The bytes without what stands between the tags; a closing tag that closes nothing goes too."""
    return _text(raw, _found(raw, low), [0])


def _text(raw: bytes, tags: list[re.Match[bytes]], depth: list[int]) -> bytes:
    """A text in which `depth[0]` tags are open from before. Leaves in `depth[0]` how many are open after it."""
    if not tags:
        return SLOT if depth[0] and raw else raw
    new, after, quotes = _cut(raw, tags, depth[0])
    if (after or quotes or depth[0]) and raw.lstrip()[:1] in (b"{", b"[", b'"'):
        document = _document(raw, depth)
        if document is not None:
            return document
    depth[0] = after
    return new


def _cut(raw: bytes, tags: list[re.Match[bytes]], depth: int) -> tuple[bytes, int, bool]:
    """The bytes outside the tags, how many stay open, and whether a quote went with what was between them."""
    parts, kept, start = [], 0, 0
    gone = []
    for tag in tags:
        if tag["shut"] is None:
            if not depth:
                parts.append(raw[kept : tag.start()])
                start = tag.start()
            depth += 1
            continue
        if depth:
            depth -= 1
        else:
            parts.append(raw[kept : tag.start()])
            start = tag.start()
        if not depth:
            gone.append(raw[start : tag.end()])
            parts.append(SLOT)
            kept = tag.end()
    parts.append(SLOT if depth else raw[kept:])
    return b"".join(parts), depth, any(b'"' in piece for piece in gone)


def _document(raw: bytes, depth: list[int]) -> bytes | None:
    """A JSON document, each of its texts cut by itself, in the order in which they stand, open tags carried on; None where it is no document."""
    import json  # only for tags in a document that do not close in the text where they open

    before = depth[0]
    try:
        hidden = _hide(json.loads(raw), depth)
        return json.dumps(hidden, ensure_ascii=False).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        depth[0] = before
        return None


def _hide(value: object, depth: list[int]) -> object:
    """The value with its texts cut; while a tag is open, numbers are slots too. Keys are the document's, not the person's."""
    if isinstance(value, dict):
        return {str(_hide(key, [0])): _hide(item, depth) for key, item in value.items()}
    if isinstance(value, list):
        return [_hide(item, depth) for item in value]
    if isinstance(value, str):
        raw = value.encode("utf-8", "surrogatepass")
        return _text(raw, _found(raw, raw.lower()), depth).decode("utf-8", "surrogatepass")
    return SLOT.decode() if depth[0] and isinstance(value, int | float) else value
