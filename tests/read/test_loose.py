"""Lenient documents: what is whole is kept, a tear is named, keys are found in their places."""

import json
import tracemalloc

import pytest

from ruledout.errors import BadInput
from ruledout.read import loose


def test_members_and_elements_come_as_they_stand() -> None:
    document = loose.document(b'{"a": [1, {"b": 2}], "c": "x"}', "any")
    assert [bytes(part) for part in document.items("a")] == [b"1", b'{"b": 2}']
    assert document.text("c") == "x"
    assert document.items("c") == []
    assert [bytes(part) for part in loose.document(b"[1, 2]", "any").elements] == [b"1", b"2"]


@pytest.mark.parametrize(
    "raw", [b'{"a": [{"n": 1}, {"n": 2}, {"n": 3', b'{"a": [{"n": 1}, {"n": 2}, {"n": \x00\x00}, {"n": 4}]}', b'{"a": [{"n": 1}, {"n": 2},']
)
def test_R14_what_stands_before_a_tear_is_kept_and_the_tear_is_named(raw: bytes) -> None:
    document = loose.document(raw, "any")
    assert [json.loads(bytes(part)) for part in document.items("a")] == [{"n": 1}, {"n": 2}]
    assert document.torn is not None
    assert document.torn >= 16


@pytest.mark.parametrize("raw", [b"", b"nonsense", b'{"a', b"\xff\xfe", b'"text"'])
def test_a_document_of_which_nothing_can_be_read_names_the_byte(raw: bytes) -> None:
    with pytest.raises(BadInput) as caught:
        loose.document(raw, "any")
    assert caught.value.slug == "broken-session"
    assert "byte" in caught.value.message


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'"\\ud800 x"', "� x"),
        (b'"\\ud83d\\ude00"', "😀"),
        (b'"a\x01b"', "a\x01b"),
        (b'"\xff"', "�"),
        (b"1e999", float("inf")),
        (b"{", None),
        (b"", None),
        (b"[" * 5_000 + b"]" * 5_000, None),
    ],
)
def test_bytes_that_are_no_strict_json_are_read_where_they_can_be(raw: bytes, value: object) -> None:
    assert loose.value(raw) == value


def test_text_is_found_in_strings_blocks_and_lists() -> None:
    assert loose.text([{"type": "text", "text": "a"}, {"content": ["b"]}, 7, None, "c"]) == "a\nb\nc"


def test_the_outline_names_keys_in_their_places_and_never_those_in_texts() -> None:
    head = b'{"a": {"b": [{"c": "{\\"no\\": 1}"}, {"d": [[{"e": 1}]]}]}, "f": "trajectory"'
    assert loose.outline(head) == {"a", "a.b", "a.b[].c", "a.b[].d", "f"}


def test_the_outline_of_lines_is_shared_and_of_other_files_empty() -> None:
    assert loose.outline(b'{"type": 1}\n{"data": {"x": 1}}\n') == {"type", "data", "data.x"}
    assert loose.outline(b'text with "key": 1') == frozenset()


def test_an_outline_that_ends_inside_a_string_ignores_what_the_string_holds() -> None:
    assert loose.outline(b'{"a": "torn {\\"b\\": [') == {"a"}


@pytest.mark.parametrize(
    ("raw", "keys"),
    [
        (b'\n{"a": 1}\n{"b": 2}\n', {"a"}),
        (b'{"a": "\\ud800"}\n{"b": 2}', {"a"}),
        (b'{"a": 1}\n', None),
        (b'{\n  "a": 1\n}\n', None),
        (b"[1]\n[2]", None),
        (b"", None),
    ],
)
def test_lines_of_objects_are_told_from_one_document(raw: bytes, keys: set[str] | None) -> None:
    first = loose.lined(raw)
    assert (None if first is None else set(first)) == keys


def test_the_outline_of_very_deep_arrays_costs_no_more_than_their_length() -> None:
    head = b'{"a":{"b":[{"c":' + b"[" * 65_000
    tracemalloc.start()
    assert loose.outline(head) == {"a", "a.b", "a.b[].c"}
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000
