"""A pattern that is compiled when it is first asked. A run that shows no crash pays nothing for the patterns that read one."""

import re
from collections.abc import Callable, Iterator
from functools import cache


@cache
def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    return re.compile(pattern, flags)


class Late:
    """Asked like `re.Pattern`; the text is the same."""

    __slots__ = ("flags", "pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        """Keep the pattern; a mistake in it shows at the first use, so every one is used in a test."""
        self.pattern = pattern
        self.flags = int(flags)

    def search(self, text: str) -> re.Match[str] | None:
        """The first hit."""
        return _compiled(self.pattern, self.flags).search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """A hit at the beginning."""
        return _compiled(self.pattern, self.flags).match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """A hit of the whole."""
        return _compiled(self.pattern, self.flags).fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All hits, in order."""
        return _compiled(self.pattern, self.flags).finditer(text)

    def sub(self, instead: str | Callable[[re.Match[str]], str], text: str) -> str:
        """The text with something else in place of each hit."""
        return _compiled(self.pattern, self.flags).sub(instead, text)
