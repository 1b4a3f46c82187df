"""Lines of program text as replaying compares them: what a line is recognised by, which lines carry an edit's meaning. Knows no files and no edits' fates."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ruledout.model.action import Hunk

_COMMENT = re.compile(r"^(#(?!\[|!|include|define|if|endif)|//|/\*|\*(?:\s|/|$)|--\s|<!--|%|;)")
_WORD = re.compile(r"[A-Za-z_]\w*|\d+")
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """return nil null none true false if else elif end fi done break continue pass raise throw throws err error not and or try except catch finally
        then do begin let var const mut new self this in is for while match case default switch fn func def int string bool void""",
    )
)
_DECLARES = re.compile(
    r"^\s*(?:(?:pub(?:\([a-z]+\))?|public|private|protected|static|export|default|async|abstract|override|final|unsafe|extern)\s+)*"
    r"(?:def|fn|func|function|class|struct|enum|interface|impl|trait|mod|module|import|from|use|require|include|package|#include|@)\b"
)
LEAST_STATEMENTS = 3
"""with so many statements, declarations and imports alone do not keep an edit alive"""


def key(line: str) -> str:
    """A line without its white space: what it is recognised by."""
    return "".join(line.split())


def keys(lines: Iterable[str]) -> list[str]:
    """Each line's key."""
    return [key(line) for line in lines]


def significant(line: str) -> bool:
    """True for a line that carries meaning: no blank, bracket, comment, nor keywords alone."""
    bare = line.strip()
    return not _COMMENT.match(bare) and any(word.lower() not in _KEYWORDS for word in _WORD.findall(bare))


def weighty(lines: Sequence[str]) -> set[str]:
    """The keys of the lines that carry an edit's meaning: its statements; where it has none to speak of, whatever is significant."""
    told = [line for line in lines if significant(line)]
    statements = [line for line in told if not _DECLARES.match(line)]
    return {key(line) for line in (statements if len(statements) >= LEAST_STATEMENTS else told)}


def net(hunk: Hunk) -> tuple[list[str], list[str]]:
    """The lines of a hunk that really go and really come, without what stands on both sides."""
    came, went = Counter(map(key, hunk.added)), Counter(map(key, hunk.removed))
    return _only(hunk.removed, went - came), _only(hunk.added, came - went)


def shape(removed: Sequence[str], added: Sequence[str]) -> tuple[str, str]:
    """A hunk as a whole: taking lines out is undone only by its exact inverse; the same line elsewhere is another matter."""
    return "".join(map(key, removed)), "".join(map(key, added))


def _only(lines: Iterable[str], left: Counter[str]) -> list[str]:
    left, out = Counter(left), []
    for line in lines:
        if left[key(line)] > 0:
            left[key(line)] -= 1
            out.append(line)
    return out


def agree(one: Sequence[str], at: int, other: Sequence[str], place: int, reach: int = 3) -> bool:
    """Do the neighbours of `one[at]` and `other[place]` agree, as far as both blocks show them: may it be the same line of the same file."""
    for step in (*range(-reach, 0), *range(1, reach + 1)):
        here, there = at + step, place + step
        if 0 <= here < len(one) and 0 <= there < len(other) and one[here] != other[there]:
            return False
    return True
