"""What a program that was simply run says of itself."""

import pytest

from ruledout.model.outcome import Result
from ruledout.observe.outcome import observe

CASES = {
    "two lines that differ": ("Expected: 345\nGot: 344\n", Result.FAIL),
    "two lines that are equal": ("Expected: 345\nGot: 345\n", Result.PASS),
    "the other way round": ("Actual: [1, 2]\nExpected: [2, 1]\n", Result.FAIL),
    "one line": ("rounding: expected 345, got 344\n", Result.FAIL),
    "one of two pairs differs": ("Expected: 1\nGot: 1\nExpected: 2\nGot: 3\n", Result.FAIL),
    "a bare value tells nothing": ("344\n", Result.UNKNOWN),
    "what was expected in words": ("Note: no branch (expected for this strategy)\n", Result.PASS),
    "an error that was expected": ("Error: no such user (expected)\n", Result.PASS),
}


@pytest.mark.parametrize("name", CASES)
def test_a_script_is_heard_only_where_it_says_what_it_expected(name: str) -> None:
    text, result = CASES[name]
    assert observe("python reproduce.py", text, 0).result is result
