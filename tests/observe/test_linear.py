"""No pattern of `observe` runs away: each is fed its own worst inputs, and its time must grow with the text, not with its square.

Times are compared with each other, never with a clock: four times the text may take seven times as long. What is over in no time at the small size
is not measured closer.
"""

import re
import time
from itertools import islice

import pytest
from tests.observe.patterns import all_patterns, attacks

from ruledout.observe import matchers
from ruledout.observe.outcome import observe

SMALL, LARGE = 1200, 4800
GROWTH = 8.0
"""where the square would be 16 and a straight line is 4"""
LOOKS = 6
"""so many looks in a row must say that a pattern runs away"""
NOISE_S = 0.0015
"""what takes less at the small size is no reason to look closer: a square from there on is some seconds for the largest line that is read"""
SHORT = frozenset(
    # asked of one name, one path, one pattern of settings or one call at a time, each capped
    ("places._MIXED.0", "frames._FOREIGN_PATH.0", "runaway._TOKEN.0")
)
PATTERNS = {name: pattern for pattern, name in {pattern: name for name, pattern in reversed(all_patterns().items())}.items() if name not in SHORT}


def seconds(pattern: re.Pattern[str], text: str) -> float:
    """The best of two: what others take of the machine only adds."""
    best = float("inf")
    for _ in range(2):
        begun = time.process_time()
        for _hit in islice(pattern.finditer(text), 100_000):
            pass
        best = min(best, time.process_time() - begun)
        if best < NOISE_S:
            break
    return best


def runaway(source: str, flags: int) -> str | None:
    """The beginning of a text on which the pattern takes more than its share, or None."""
    pattern = re.compile(source, flags)
    for small, large in zip(attacks(source, flags, SMALL), attacks(source, flags, LARGE), strict=True):
        if seconds(pattern, small) > NOISE_S and all(_grows(pattern, small, large) for _ in range(LOOKS)):
            return str(large[:80])
    return None


def _grows(pattern: re.Pattern[str], small: str, large: str) -> bool:
    """Whether the larger text takes more than its share. On a busy machine one look may say so by chance; a pattern that runs away says so each time."""
    first = seconds(pattern, small)
    return first > NOISE_S and seconds(pattern, large) > GROWTH * first * len(large) / max(1, 4 * len(small))


@pytest.mark.parametrize("room", sorted({re.split(r"[.:]", name)[0] for name in PATTERNS}))
def test_every_pattern_is_linear_on_its_own_worst_input(room: str) -> None:
    found = {name: text for name, (source, flags) in PATTERNS.items() if re.split(r"[.:]", name)[0] == room and (text := runaway(source, flags))}
    assert found == {}


def test_a_pattern_that_runs_away_is_caught() -> None:
    assert runaway(r"([\w.:-]+)\s*=\s*(?:x|y)", 0) is not None
    assert runaway(r"(?m)^\s+x", 0) is not None
    assert runaway(r"(?m)^[ \t]+x", 0) is None


def test_a_matcher_of_settings_cannot_take_long_on_any_line() -> None:
    regexp = r"^(.*)x(.*)x(.*)x$"
    own = matchers.parse([{"owner": "slow", "pattern": [{"regexp": regexp, "message": 1}]}])
    few, many = ("\n".join(["x" * 60 + "y" + "x" * 60] * count) for count in (4, 16))

    def spent(text: str) -> float:
        begun = time.process_time()
        matchers.read(own, text)
        return time.process_time() - begun

    assert any(spent(many) < GROWTH * max(spent(few), NOISE_S) for _ in range(LOOKS))


WHOLE = {
    "dots": ".", "spaces": " ", "letters": "a", "brackets": "[", "colons": "a:1:", "paths": "/a/b.c:1 ", "lines": "a\n", "blank lines": " \n", "braces": "{", "tags": "<a ",
    "counts": "1 failed, ", "frames": "  at f (a.js:1:2)\n", "errors": "Error: a\n", "quotes": "\"'", "escapes": "\x1b[", "hex": "0x1f ", "hosts": "http://a.b/", "equals": "=",
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_reading_an_output_is_linear(name: str) -> None:
    def spent(size: int) -> float:
        text = WHOLE[name] * (size // len(WHOLE[name]))
        begun = time.process_time()
        observe("make check", text, 1)
        return time.process_time() - begun

    observe("make check", WHOLE[name] * 100, 1)
    small, large = (min(spent(size) for _ in range(2)) for size in (6000, 24_000))
    assert large < 3 * GROWTH * max(small, NOISE_S)
