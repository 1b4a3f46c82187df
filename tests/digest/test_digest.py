"""Canonical bytes and tagged digests."""

import json
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout import digest
from ruledout.errors import BadInput

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def test_the_canonical_form_is_that_of_rfc_8785() -> None:
    value = {"numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 1e-27], "string": '€$\u000f\nA\'B"\\\\"/', "literals": [None, True, False]}
    wanted = '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    assert digest.canonical(value) == wanted.encode()


def test_keys_are_ordered_by_utf_16_units() -> None:
    assert digest.canonical({"\ue000": 1, "\U00010000": 2}) == '{"\U00010000":2,"\ue000":1}'.encode()


def deep() -> object:
    value: object = 1
    for _ in range(20_000):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        (float("nan"), "$: NaN or an infinity"),
        ({"a": [0, float("-inf")]}, "$.a[1]: NaN or an infinity"),
        ({"a": {"b": "x\ud800"}}, "$.a.b: text with a lone surrogate"),
        (["ok", {"\udfff": 1}], "$[1].'\\udfff': this key"),
        ({"n": 2**53}, "$.n: a whole number beyond 2^53 - 1"),
        ({"n": -(2**53)}, "$.n: a whole number beyond 2^53 - 1"),
        ({1: 2}, "$.1: this key"),
        ({"s": {1, 2}}, "$.s: a value of type set"),
        ({"b": b"x"}, "$.b: a value of type bytes"),
        (deque([1]), "$: a value of type deque"),
        (deep(), "$: nested too deeply"),
    ],
    ids=["nan", "infinity", "lone surrogate", "lone surrogate in a key", "too great", "too small", "a number as key", "a set", "bytes", "a deque", "deep"],
)
def test_what_has_no_canonical_form_is_refused_with_its_path(value: object, seen: str) -> None:
    with pytest.raises(BadInput) as caught:
        digest.canonical(value)
    assert caught.value.message.startswith(seen)
    assert caught.value.mend


def test_a_lone_surrogate_does_not_crash_the_hash() -> None:
    with pytest.raises(BadInput):
        digest.tagged("residual", {"root_cause": "\ud800"})
    assert digest.of_bytes("\ud800", b"").startswith("r1:sha256:")


@given(JSON)
@settings(max_examples=300, deadline=None)
def test_the_canonical_form_reads_back_to_the_value(value: object) -> None:
    assert json.loads(digest.canonical(value), parse_int=float) == value


@given(JSON, JSON)
@settings(max_examples=300, deadline=None)
def test_two_values_share_a_digest_only_when_they_share_their_json(left: object, right: object) -> None:
    same = digest.canonical(left) == digest.canonical(right)
    assert (digest.tagged("t", left) == digest.tagged("t", right)) is same


def test_equal_bytes_of_five_kinds_have_five_digests() -> None:
    kinds = ("patch", "gate", "record", "leaf", "node")
    assert len({digest.of_bytes(kind, b"same") for kind in kinds}) == len(kinds)


@given(st.text(alphabet="ab:|0123", max_size=6), st.binary(max_size=6), st.text(alphabet="ab:|0123", max_size=6), st.binary(max_size=6))
@settings(max_examples=500, deadline=None)
def test_kind_and_bytes_cannot_run_into_each_other(kind: str, data: bytes, other: str, more: bytes) -> None:
    assert (digest.of_bytes(kind, data) == digest.of_bytes(other, more)) is ((kind, data) == (other, more))


def test_parts_with_separators_in_them_do_not_share_a_digest() -> None:
    """`|` and `:` between parts made two different ledgers one."""
    ledgers: list[list[object]] = [["a|b", "c"], ["a", "b|c"], ["a", "b", "c"], ["a|b|c"], [], [""], ["", ""], [["a"], "b"], [["a", "b"]]]
    assert len({digest.tagged("ledger", ledger) for ledger in ledgers}) == len(ledgers)


def test_a_digest_is_as_it_always_was() -> None:
    assert digest.tagged("record", {"b": 1, "a": [True, None, "é"]}) == "r1:sha256:417676b98781a408874ddd44e07e798f49369b3f30a9541d2afeaae6c90d9d61"
