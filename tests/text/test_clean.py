"""What `clean` takes out, and what it leaves."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout import text

SEQUENCES = {
    "colour": ("a\x1b[1;31mred\x1b[0mb", "aredb"),
    "private mode": ("\x1b[?25l\x1b[?1049hx\x1b[>c", "x"),
    "CSI with an intermediate byte": ("\x1b[0 qx\x1b[!p", "x"),
    "CSI cut off at the end": ("x\x1b[12;", "x"),
    "8-bit CSI": ("a\x9b31mred\x9b0m", "ared"),
    "hyperlink, ended by BEL": ("\x1b]8;;http://evil/\x07link\x1b]8;;\x07", "link"),
    "hyperlink, ended by ST": ("\x1b]8;id=1;http://evil/\x1b\\link\x1b]8;;\x1b\\", "link"),
    "clipboard": ("a\x1b]52;c;cm0gLXJm\x07b", "ab"),
    "title": ("\x1b]0;title\x1b\\x", "x"),
    "8-bit OSC": ("a\x9d0;title\x9cb", "ab"),
    "sixel, over lines": ("a\x1bPq#0;2\nabc\x1b\\b", "ab"),
    "APC": ("a\x1b_Gf=100;AAAA\x1b\\b", "ab"),
    "PM": ("a\x1b^secret\x1b\\b", "ab"),
    "SOS": ("a\x1bXsecret\x1b\\b", "ab"),
    "an unended string takes its line alone": ("a\x1b]0;evil\nFAILED test_x", "a\nFAILED test_x"),
    "character set": ("\x1b(Bx\x1b)0", "x"),
    "save, restore, reset": ("\x1b7x\x1b8\x1bc", "x"),
    "escape inside an escape": ("\x1b\x1b[0m[31mx", "[31mx"),
    "lone escape": ("x\x1b", "x"),
    "control characters": ("a\x00b\x07c\x08d\x0be\x0cf\x7fg", "abcdefg"),
    "C1": ("a\x80b\x84c\x96d", "abcd"),
    "line ends": ("a\r\nb\r\r\nc\x85d\u2028e\u2029f", "a\nb\nc\nd\ne\nf"),
    "carriage return in a line stays for the reader of progress bars": ("10%\r20%\n", "10%\r20%\n"),
    "tab and line end stay": ("a\tb\n", "a\tb\n"),
    "zero width": ("pri\u200bva\u200cte\u2060\ufeff", "private"),
    "bidi controls": ("a\u202eb\u2066c\u2069\u061cd", "abcd"),
    "tag characters": ("a\U000e0001\U000e0068\U000e0069\U000e007fb", "ab"),
    "variation selectors and fillers": ("a\ufe0fb\U000e0100c\u3164d\uffa0e\u115ff", "abcdef"),
    "soft hyphen": ("pass\u00adword", "password"),
    "lone surrogate": ("a\ud800b\udfffc", "a\ufffdb\ufffdc"),
    "what people write stays": ("naïve „Größe“ — 日本語 ✓ 👍🏽 e\u0301", "naïve „Größe“ — 日本語 ✓ 👍🏽 e\u0301"),
}


@pytest.mark.parametrize(("before", "after"), SEQUENCES.values(), ids=SEQUENCES)
def test_R13_what_steers_or_hides_is_taken_out(before: str, after: str) -> None:
    assert text.clean(before) == after


PIECES = st.sampled_from([*"\x1b\x9b\x9d\x90\x9c\x07\\[]P;0mq\n\r\t ab\u200b\u2028\x85\ud800é", "\x1b[", "\x1b]", "\x1b\\"])


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(max_examples=400, deadline=None)
def test_R13_no_text_keeps_a_control_and_cleaning_twice_is_cleaning_once(dirty: str) -> None:
    once = text.clean(dirty)
    assert text.clean(once) == once
    assert all(char in "\n\t\r" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in once)
    assert "\r\n" not in once


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("C", "Z", "M")), max_size=50))
@settings(max_examples=300, deadline=None)
def test_letters_and_signs_come_back_as_they_are(plain: str) -> None:
    visible = "".join(char for char in plain if char not in "\u115f\u1160\u3164\uffa0")
    assert text.clean(visible) == visible


def test_clean_text_comes_back_as_the_same_object() -> None:
    for plain in ("a line\nand\tanother\n", "grüße\n"):
        assert text.clean(plain) is plain


@pytest.mark.parametrize(
    ("before", "limit", "after"),
    [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…"), ("abcd", 0, ""), ("", 0, ""), ("xe\u0301\u0301z", 3, "x…"), ("x👍🏽z", 3, "x…")],
)
def test_a_cap_shows_and_parts_no_letter(before: str, limit: int, after: str) -> None:
    assert text.cap(before, limit) == after


@given(st.text(max_size=40), st.integers(0, 45))
@settings(max_examples=300, deadline=None)
def test_a_cap_is_never_longer_than_its_limit(long: str, limit: int) -> None:
    assert len(text.cap(long, limit)) <= max(limit, 0)


def test_head_and_tail_say_how_much_they_leave_out() -> None:
    assert text.head_tail("abcdefghij", 10) == "abcdefghij"
    assert text.head_tail("abcdefghij", 5) == "abc\n[... 5 characters left out ...]\nij"
    assert text.head_tail("abcdefghij", 1) == "a\n[... 9 characters left out ...]\n"
