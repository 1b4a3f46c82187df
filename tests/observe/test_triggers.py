"""The look before the masks never hides a hit: what is found mask by mask is what one pattern of all masks finds."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.observe import mask as masking
from ruledout.observe.masks import GROUPS, NAMES, VOLATILE
from ruledout.observe.triggers import NEEDS, likely

ALL = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in GROUPS))
FEW = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in GROUPS if name in VOLATILE))
PIECES = (
    *("deadbeef", "0x7ffe12", "0X1F", "+0x3f/0x90", "a1b2c3d4-0001-4000-8000-a1b2c3d4e5f6", "00-" + "a1" * 16 + "-" + "b2" * 8 + "-01", "@1f2e3d4c"),
    *("https://a.b/c?d=1", "x.y@example.org", "GET /users/17", "/tmp/x/y.py:3", "C:\\a\\b.c:9", "src/a.py:12:4", "Makefile:3", "a.ts(3,4)"),
    *(
        "2026-11-30T12:00:01.5Z",
        "30 Nov 2026",
        "Mon, Nov 3 2025 10:00:00 UTC",
        "1.2.26",
        "12:00:01",
        "00:1a:2b:3c:4d:5e",
        "fe80::1:2",
        "[::1]:80",
        "10.0.0.1:80",
    ),
    *("localhost:8080", "Port 8080", "port=99", "3.2s", "17 ms", "1h 2m", "5 KiB", "12-bytes", "errno 13", "Error: 4", "E-12", "ABC-123", "exit code 3"),
    *("pid 77", "==123==", "x[12]:", "goroutine 7", "Thread-3", "pool-1-thread-2", "gw3", "thread 'main' (12)", "CPU: 3", "line 12", "#4", "lines: 3-9"),
    *("sha256:" + "a" * 20, "web-7f9x", "1.5", "0.123456", "1,234,567", "123456", '"' + "a b " * 20 + '"', "'" + "x" * 61 + "'", "<uuid>", "<num2>"),
    *(" ", "\n", ":", "-", "/", ".", "(", ")", "a", "Z", "9", "é", "٣", "\u0130", "\u017f", "\u212a", "µ"),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join) | st.text(max_size=60))
def test_mask_by_mask_finds_what_one_pattern_finds(text: str) -> None:
    for names, whole in ((NAMES, ALL), (VOLATILE, FEW)):
        found = [(name, hit.span()) for name, hit in masking._found(text, likely(text, names))]
        assert found == [(hit.lastgroup, hit.span()) for hit in whole.finditer(text)]


def test_every_mask_has_its_look() -> None:
    assert set(NEEDS) == set(NAMES)


def test_a_plain_message_asks_hardly_any_mask() -> None:
    assert likely("assert count == right", NAMES) == []
    assert likely("assert 641 == 642", NAMES) == []
