"""A pattern that is compiled when it is first asked. A run that shows no crash pays nothing for the patterns that read one."""

import re
from collections.abc import Callable, Iterator
from typing import Any


class Late:
    """Asked like `re.Pattern`; the text is the same."""

    __slots__ = ("_form", "flags", "pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        """Keep the pattern; a mistake in it shows at the first use, so every one is used in a test."""
        self.pattern = pattern
        self.flags = int(flags)
        self._form: re.Pattern[str] | None = None

    def _made(self) -> re.Pattern[str]:
        if self._form is None:
            self._form = re.compile(self.pattern, self.flags)
        return self._form

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The first hit that begins at `start` or later."""
        return self._made().search(text, start)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """A hit that begins at `start`."""
        return self._made().match(text, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """A hit of the whole."""
        return self._made().fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All hits, in order."""
        return self._made().finditer(text)

    def split(self, text: str) -> list[str | Any]:
        """The parts between the hits."""
        return self._made().split(text)

    def sub(self, instead: str | Callable[[re.Match[str]], str], text: str) -> str:
        """The text with something else in place of each hit."""
        return self._made().sub(instead, text)
