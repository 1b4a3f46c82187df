"""Bytes to values: every line is a value, blank, or counted."""

import msgspec
import pytest

from ruledout.errors import BadInput
from ruledout.read import lines

Counted = dict[str, list[str]]


def read(raw: bytes) -> tuple[list[tuple[int, object]], Counted]:
    counted: Counted = {}
    found = list(lines.objects(raw, msgspec.json.decode, lambda reason, place: counted.setdefault(reason, []).append(place)))
    return found, counted


@pytest.mark.parametrize(
    ("raw", "values", "counted"),
    [
        pytest.param(b'{"a":1}\r\n\n  \n{"b":2}', [(0, {"a": 1}), (3, {"b": 2})], {}, id="blank-lines-and-crlf"),
        pytest.param(b'{"a":1}{"b":2}\n', [(0, {"a": 1}), (0, {"b": 2})], {}, id="glued"),
        pytest.param(b'{"a":1}{"b":\n{"c":3}', [(0, {"a": 1}), (1, {"c": 3})], {"not JSON, behind an object": ["line:0"]}, id="glued-and-torn"),
        pytest.param(b'{"a":1}\n{"b":', [(0, {"a": 1})], {"not JSON": ["line:1"]}, id="torn"),
        pytest.param(b"\0\0\0\n{}", [(1, {})], {"NUL bytes": ["line:0"]}, id="nul"),
        pytest.param(b'\0\0{"a":1}', [(0, {"a": 1})], {}, id="nul-before"),
        pytest.param(b'{"a":"\\ud800","\\udfff":[{"x":"\\ud83d\\ude00"}]}', [(0, {"a": "\ufffd", "\ufffd": [{"x": "\U0001f600"}]})], {}, id="lone-surrogates"),
        pytest.param(b'{"a":"\xff"}', [(0, {"a": "\ufffd"})], {}, id="bad-utf8"),
        pytest.param('{"a":"x\u2028y\x85z"}'.encode(), [(0, {"a": "x\u2028y\x85z"})], {}, id="line-separators-in-text"),
        pytest.param(b'{"a":NaN}', [(0, {"a": None})], {}, id="nan"),
        pytest.param(b'{"a":' + b"9" * 5000 + b"}", [], {"not JSON": ["line:0"]}, id="huge-number"),
        pytest.param(b"[" * 100_000 + b"\n{}", [(1, {})], {"nested too deeply": ["line:0"]}, id="deep"),
        pytest.param(b"\xef\xbb\xbf{}", [(0, {})], {}, id="mark-in-front"),
    ],
)
def test_what_becomes_of_a_line(raw: bytes, values: list[tuple[int, object]], counted: Counted) -> None:
    assert read(raw) == (values, counted)


def test_R14_a_line_that_is_too_long_is_counted_and_the_next_one_read() -> None:
    raw = b'"' + b"a" * (lines.MAX_LINE + 1) + b'"\n{"a":1}\n'
    assert read(raw) == ([(1, {"a": 1})], {"line longer than 16 MiB": ["line:0"]})


def test_a_document_is_decoded_with_what_real_files_hold() -> None:
    assert lines.document(b'\xef\xbb\xbf{"a":"\\ud800"}') == {"a": "\ufffd"}


@pytest.mark.parametrize("raw", [b"", b"hello", b"{", b"[" * 100_000 + b"]" * 100_000])
def test_what_is_no_document_is_refused_in_words(raw: bytes) -> None:
    with pytest.raises(BadInput) as refused:
        lines.document(raw)
    assert refused.value.slug == "unreadable-json"


def test_a_line_of_one_byte_is_a_line() -> None:
    assert read(b"\0\n1\n{}") == ([(1, 1), (2, {})], {"NUL bytes": ["line:0"]})


def test_many_objects_on_one_line_are_read_in_step_with_their_number() -> None:
    found, counted = read(b"{}" * 200_000)
    assert (len(found), counted) == (200_000, {})
