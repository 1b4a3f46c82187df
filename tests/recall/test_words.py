"""Words of prose and code are cut the same way for keeping and for asking."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.recall.words import concepts, words

CASES = {
    "an identifier is kept whole and in parts": ("parseHTTPHeader", ["parsehttpheader", "pars", "http", "header"]),
    "snake case": ("max_retry_count", ["max_retry_count", "max", "retry", "count"]),
    "a dotted name": ("http.client.read", ["http.client.read", "http", "client", "read"]),
    "a path": ("src/net/pool.py", ["src/net/pool.py", "src", "net", "pool", "py"]),
    "a Windows path": (r"src\net\pool.py", ["src/net/pool.py", "src", "net", "pool", "py"]),
    "a test id": ("tests/a.py::test_total", ["tests/a.py::test_total", "test", "py", "test", "total"]),
    "codes stay as they are": ("E0382 TS2345 utf8", ["e0382", "ts2345", "utf8"]),
    "forms of a word meet": ("retry retries retried retrying", ["retry"] * 4),
    "a final e does not part them": ("cache caches cached caching", ["cach"] * 4),
    "a doubled letter neither": ("run running stopped stop", ["run", "run", "stop", "stop"]),
    "words in ss are no plurals": ("process class pass", ["process", "class", "pass"]),
    "stop words and single letters leave": ("the a is to of x y", []),
    "scripts without spaces in pairs": ("缓存错误", ["缓存错误", "缓存", "存错", "错误"]),
    "width and case do not part": ("ＣＡＣＨＥ", ["cach"]),
    "nothing": ("", []),
    "punctuation": ("!!! --- ... ::", []),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_text_is_cut_into_search_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_what_stands_in_every_session_is_no_concept() -> None:
    assert concepts("The test fails with an error in the file; fix the function, 42 times") == frozenset({"time"})


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gives_lower_case_words_of_a_bounded_length_and_concepts_among_them(text: str) -> None:
    found = words(text)
    assert all(word == word.lower() and 1 < len(word) <= 80 for word in found if word.isascii())
    assert concepts(text) <= set(found)
