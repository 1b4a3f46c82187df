"""The way all rooms of redaction look for something: a literal word first, a pattern only where it stands. Linear in the text."""

import re
from collections.abc import Callable

Maker = Callable[[re.Match[bytes]], bytes | None]


def swap(raw: bytes, low: bytes, word: bytes, pattern: Callable[[], re.Pattern[bytes]], make: Maker) -> bytes:
    """`raw` with what `make` says in the place of each match of `pattern()` that starts at `word`; the same object when nothing changes.

    The pattern is asked for only when the word is there, so that none is compiled in vain. `low` is `raw` in lower case; so is `word`.
    `make` gives None to leave a match as it is.
    """
    place = low.find(word)
    if place < 0:
        return raw
    form, parts, kept = pattern(), [], 0
    while place >= 0:
        match = form.match(raw, place)
        new = make(match) if match else None
        after = place + len(word)
        if match and new is not None:
            parts += [raw[kept : match.start()], new]
            kept = after = match.end()
        place = low.find(word, after)
    return b"".join(parts) + raw[kept:] if parts else raw
