"""Messages as lines of bytes, off a descriptor of our own. It understands none of them; one that is too long is passed over and said to be so."""

import os
import sys
from collections import deque

LONGEST = 4 * 1024 * 1024
"""Bytes of one message. What a tool takes is far below: a longer one is a mistake or an attack, and is never held in memory."""
TOO_LONG = b"\n"
"""stands for a line that was longer: no line holds a line end"""
_CHUNK = 64 * 1024


class Lines:
    """The lines that come in on a descriptor, without their ends. The last one counts without an end, too."""

    def __init__(self, descriptor: int, longest: int = LONGEST) -> None:
        """Read from this descriptor from now on; nobody else may."""
        self._descriptor, self._longest = descriptor, longest
        self._ready: deque[bytes] = deque()
        self._parts: list[bytes] = []
        self._size, self._ended = 0, False

    def next(self) -> bytes | None:
        """The next line, waiting for it; `TOO_LONG` in the place of one that is; None at the end."""
        while not self._ready and not self._ended:
            self._read()
        return self._ready.popleft() if self._ready else None

    def waits(self, seconds: float) -> bool:
        """Whether a line is there, or comes within that time, so that `next` would not wait. Where pipes cannot be watched (Windows): only what is read."""
        from time import monotonic

        until = monotonic() + seconds
        while not self._ready and not self._ended and self._watched(max(0.0, until - monotonic())):
            self._read()
        return bool(self._ready) or self._ended

    def _watched(self, seconds: float) -> bool:
        if sys.platform == "win32":
            return False
        from select import select

        return bool(select([self._descriptor], [], [], seconds)[0])

    def _read(self) -> None:
        try:
            chunk = os.read(self._descriptor, _CHUNK)
        except OSError:  # the other side is gone, in a way that is no end of file
            chunk = b""
        if not chunk:
            self._ended = True
            self._end(b"") if self._size else None
            return
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            self._end(part)
        self._add(rest)

    def _add(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self._longest:
            self._parts.clear()
        elif part:
            self._parts.append(part)

    def _end(self, part: bytes) -> None:
        self._add(part)
        self._ready.append(TOO_LONG if self._size > self._longest else b"".join(self._parts))
        self._parts, self._size = [], 0
