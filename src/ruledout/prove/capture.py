"""What is kept of a stream that may never end: its head and its tail."""

from collections import deque


class Kept:
    """Head and tail of a stream within a cap."""

    def __init__(self, cap: int | None) -> None:
        self._half = None if cap is None else max(cap // 2, 1)
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._size = 0
        self.lost = 0

    def add(self, data: bytes) -> None:
        """Take the next bytes; what falls between head and tail is counted and forgotten."""
        if self._half is None:
            self._head += data
            return
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if not data:
            return
        self._tail.append(data)
        self._size += len(data)
        while self._size - len(self._tail[0]) > self._half:
            gone = len(self._tail.popleft())
            self._size -= gone
            self.lost += gone

    def value(self) -> bytes:
        """Head, a line that says how much is missing, tail."""
        gap = b"\n[... %d bytes left out ...]\n" % self.lost if self.lost else b""
        return bytes(self._head) + gap + b"".join(self._tail)
