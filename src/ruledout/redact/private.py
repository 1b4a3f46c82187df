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
    tags = _found(raw, low)
    if not tags:
        return raw
    parts, kept, depth = [], 0, 0
    for tag in tags:
        if tag["shut"] is None:
            if not depth:
                parts.append(raw[kept : tag.start()])
            depth += 1
        elif depth:
            depth -= 1
        else:
            parts.append(raw[kept : tag.start()])
        if not depth:
            parts.append(SLOT)
            kept = tag.end()
    if depth:
        return _unclosed(raw) or b"".join(parts) + SLOT
    return b"".join(parts) + raw[kept:]


def _unclosed(raw: bytes) -> bytes | None:
    """A JSON document with all texts hidden from the unclosed tag on; None where it is no JSON document."""
    if raw.lstrip()[:1] not in (b"{", b"["):
        return None
    import json  # only for a tag in a document that nobody closed

    try:
        document = json.loads(raw)
        hidden = _hide(document, [])
        return json.dumps(hidden, ensure_ascii=False).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return None


def _hide(value: object, open_tags: list[None]) -> object:
    """The value in document order: once a text leaves a tag open, every later text and number is a slot."""
    if isinstance(value, dict):
        return {key: _hide(item, open_tags) for key, item in value.items()}
    if isinstance(value, list):
        return [_hide(item, open_tags) for item in value]
    if open_tags and isinstance(value, str | float | int):
        return SLOT.decode()
    if isinstance(value, str):
        raw = value.encode("utf-8", "surrogatepass")
        depth = 0
        for tag in _tags().finditer(raw):
            depth = depth + 1 if tag["shut"] is None else max(depth - 1, 0)
        if depth:
            open_tags.append(None)
        return redact(raw, raw.lower()).decode("utf-8", "surrogatepass")
    return value
