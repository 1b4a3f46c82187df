"""The wire form: exact, strict, and all of it under the digest."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy

import jsonschema  # type: ignore[import-untyped]  # ships no types
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.wire.examples import HANDOFF, OUTCOMES, RESIDUAL

from ruledout import digest
from ruledout.errors import BadInput
from ruledout.model import wire
from ruledout.model.proposal import ClaimedGuard, ClaimedHypothesis, Proposal
from ruledout.model.residual import SessionOutcome

BOTH = pytest.mark.parametrize("outcome", [RESIDUAL, HANDOFF], ids=["residual", "handoff"])
QUICK = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def form_of(outcome: SessionOutcome) -> dict[str, object]:
    form: dict[str, object] = json.loads(wire.encode(outcome))
    return form


def leaves(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every value in a JSON value: the leaves, and each list and object as a whole."""
    if path:
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from leaves(part, (*path, key))


def changed(form: dict[str, object], path: tuple[str | int, ...], change: Callable[[object], object]) -> bytes:
    """Canonical bytes of the form with one value changed."""
    copy = deepcopy(form)
    holder: object = copy
    for key in path[:-1]:
        holder = holder[key]  # type: ignore[index]  # the path comes from the form itself
    holder[path[-1]] = change(holder[path[-1]])  # type: ignore[index]  # the same
    return digest.canonical(copy)


@BOTH
def test_an_outcome_comes_back_as_it_was(outcome: SessionOutcome) -> None:
    record = wire.record(outcome)
    assert wire.decode(record.body) == outcome
    assert record.outcome == outcome
    assert record.digest == digest.of_bytes("record", record.body)
    assert digest.canonical(json.loads(record.body)) == record.body


@given(OUTCOMES)
@QUICK
def test_any_outcome_comes_back_as_it_was(outcome: SessionOutcome) -> None:
    body = wire.encode(outcome)
    assert wire.decode(body) == outcome
    assert wire.encode(wire.decode(body)) == body


@given(OUTCOMES, OUTCOMES)
@QUICK
def test_R11_two_different_outcomes_have_two_digests(one: SessionOutcome, other: SessionOutcome) -> None:
    assert (wire.record(one).digest == wire.record(other).digest) is (one == other)


def another(value: object) -> object:
    """A value that is not the same; of an object nothing, for its fields come one by one."""
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, list):
        return value[:-1] or [*value, "x"]
    return value + 1 if isinstance(value, int | float) else value or "x"


@BOTH
def test_R11_every_single_field_is_under_the_digest(outcome: SessionOutcome) -> None:
    """The digest covered neither the ledger, nor the guards, nor the strategy."""
    form = form_of(outcome)
    digests = {path: digest.of_bytes("record", changed(form, path, another)) for path in leaves(form) if not isinstance(at(form, path), dict)}
    assert wire.record(outcome).digest not in digests.values()
    assert len(set(digests.values())) == len(digests)
    assert {str(key) for path in digests for key in path} >= set(fields(type(outcome)))


def at(form: object, path: tuple[str | int, ...]) -> object:
    for key in path:
        form = form[key]  # type: ignore[index]  # the path comes from the form itself
    return form


def fields(kind: type[msgspec.Struct]) -> Iterator[str]:
    """The names of all fields that a value of this kind can hold, at any depth: the examples must show every one of them."""
    for field in msgspec.structs.fields(kind):
        yield field.encode_name
    for part in msgspec.inspect.type_info(kind).fields:  # type: ignore[attr-defined]  # only structs come here
        for info in (part.type, *getattr(part.type, "types", ()), getattr(part.type, "item_type", None)):
            if isinstance(info, msgspec.inspect.StructType):
                yield from fields(info.cls)


def swapped(form: dict[str, object], path: tuple[str | int, ...], value: object) -> bytes:
    return changed(form, path, lambda _: value)


BRANCH = ("falsified_branches", 0)
COLLISIONS: dict[
    str, tuple[tuple[tuple[str | int, ...], object, tuple[str | int, ...], object], tuple[tuple[str | int, ...], object, tuple[str | int, ...], object]]
] = {
    "a separator in the counterexample": (
        ((*BRANCH, "refuting_counterexample"), "a|b", (*BRANCH, "refuting_evidence_digest"), "c"),
        ((*BRANCH, "refuting_counterexample"), "a", (*BRANCH, "refuting_evidence_digest"), "b|c"),
    ),
    "a field shifted into its neighbour": (
        ((*BRANCH, "candidate_strategy"), "ab", (*BRANCH, "observed_failure_class"), "c"),
        ((*BRANCH, "candidate_strategy"), "a", (*BRANCH, "observed_failure_class"), "bc"),
    ),
    "an id shifted into a name": (
        ((*BRANCH, "rejected_hypothesis_id"), "b1:x", (*BRANCH, "hypothesis"), "y"),
        ((*BRANCH, "rejected_hypothesis_id"), "b1", (*BRANCH, "hypothesis"), "x:y"),
    ),
}


@pytest.mark.parametrize("pair", COLLISIONS.values(), ids=COLLISIONS)
def test_R11_parts_joined_with_separators_no_longer_share_a_digest(pair: tuple[tuple[object, ...], tuple[object, ...]]) -> None:
    """Parts were joined with `|` and `:` before hashing, so two different ledgers shared one digest."""
    digests = set()
    for first, value, second, other in pair:
        body = swapped(json.loads(swapped(form_of(RESIDUAL), first, value)), second, other)  # type: ignore[arg-type]  # paths
        assert wire.encode(wire.decode(body)) == body
        digests.add(digest.of_bytes("record", body))
    assert len(digests) == 2


def test_R11_no_step_one_step_and_two_equal_steps_have_three_digests() -> None:
    form = form_of(RESIDUAL)
    branches = form["falsified_branches"]
    assert isinstance(branches, list)
    digests = {digest.of_bytes("record", swapped(form, ("falsified_branches",), branches * times)) for times in (0, 1, 2)}
    assert len(digests) == 3


def test_a_lone_surrogate_in_a_field_is_refused_with_its_path() -> None:
    """It crashed the hash."""
    form = form_of(RESIDUAL)
    with pytest.raises(BadInput, match=r"\$\.root_cause_invariant: text with a lone surrogate"):
        swapped(form, ("root_cause_invariant",), "\ud800")
    body = wire.encode(RESIDUAL).replace(b"The cache key", b"\\ud800")
    with pytest.raises(BadInput):
        wire.decode(body)


GOOD = wire.encode(RESIDUAL)
REFUSED: dict[str, tuple[bytes, str, str]] = {
    "nothing": (b"", "not-json", "truncated"),
    "no UTF-8": (b"\xff\xfe", "not-json", "byte 0"),
    "a byte order mark": (b"\xef\xbb\xbf" + GOOD, "not-json", "byte 0"),
    "trailing bytes": (GOOD + b"{}", "not-json", "trailing"),
    "NaN": (GOOD.replace(b'"seconds":1.25', b'"seconds":NaN', 1), "not-json", "invalid character"),
    "an infinity": (GOOD.replace(b'"seconds":1.25', b'"seconds":1e999', 1), "not-json", "out of range"),
    "an array": (b"[]", "no-record", "an array"),
    "another object": (b"{}", "no-record", "$.schema"),
    "a schema that is true": (GOOD.replace(b'"schema":1', b'"schema":true'), "no-record", "$.schema"),
    "a later schema": (GOOD.replace(b'"schema":1', b'"schema":2'), "later-schema", "2 is later than 1"),
    "another status": (GOOD.replace(b'"RESOLVED"', b'"SOLVED"'), "no-record", "$.status"),
    "no status": (GOOD.replace(b',"status":"RESOLVED"', b""), "no-record", "$.status"),
    "an unknown field": (GOOD.replace(b'{"base"', b'{"aaa":1,"base"'), "wrong-shape", "`aaa` - at `$.verified_patch_receipt`"),
    "an unknown field at the top": (GOOD.replace(b'{"corroboration"', b'{"aaa":1,"corroboration"'), "wrong-shape", "`aaa`"),
    "a missing field": (GOOD.replace(b'"count":2,', b""), "wrong-shape", "`count` - at `$.falsified_branches[0]`"),
    "a missing field that has a default": (GOOD.replace(b',"replayed":1', b""), "not-canonical", "$.corroboration.replayed"),
    "a wrong type": (GOOD.replace(b'"count":2', b'"count":"2"'), "wrong-shape", "$.falsified_branches[0].count"),
    "a wrong word": (GOOD.replace(b'"grade":"corroborated"', b'"grade":"best"'), "wrong-shape", "$.corroboration.grade"),
    "a number too great": (GOOD.replace(b'"replayed":1', b'"replayed":9007199254740992'), "not-canonical", "$.corroboration.replayed"),
    "a key twice": (GOOD.replace(b'"schema":1', b'"schema":1,"schema":1'), "duplicate-key", "'schema'"),
    "a key twice inside": (GOOD.replace(b'"count":2', b'"count":2,"count":2'), "duplicate-key", "'count'"),
    "white space": (GOOD.replace(b'"count":2', b'"count": 2'), "not-canonical", "white space"),
    "a line end behind it": (GOOD + b"\n", "not-canonical", "white space"),
    "another order": (b'{"status":"RESOLVED",' + GOOD[1:].replace(b',"status":"RESOLVED"', b""), "not-canonical", "key order"),
    "another escape": (GOOD.replace(b"The cache", b"\\u0054he cache"), "not-canonical", "escapes"),
    "another spelling of a number": (GOOD.replace(b'"seconds":1.25', b'"seconds":1.250', 1), "not-canonical", "numbers"),
    "nested too deeply": (b'{"a":' * 100_000, "not-json", "nested too deeply"),
    "arrays nested too deeply": (b"[" * 100_000, "not-json", "nested too deeply"),
}


@pytest.mark.parametrize(("body", "slug", "seen"), REFUSED.values(), ids=REFUSED)
def test_what_was_not_written_so_is_refused_with_its_place(body: bytes, slug: str, seen: str) -> None:
    with pytest.raises(BadInput) as caught:
        wire.decode(body)
    assert caught.value.slug == slug
    assert seen in caught.value.message
    assert caught.value.mend


@given(st.binary(max_size=200) | st.text(max_size=100).map(lambda text: text.encode("utf-8", "surrogatepass")))
@settings(max_examples=500, deadline=None)
def test_no_bytes_crash_the_reader(body: bytes) -> None:
    for read in (wire.decode, wire.proposal):
        try:
            read(body)
        except BadInput:
            continue


@given(st.integers(0, len(GOOD) - 1), st.binary(max_size=2))
@settings(max_examples=300, deadline=None)
def test_R11_no_damage_to_a_record_is_read_as_the_same_record(place: int, patch: bytes) -> None:
    damaged = GOOD[:place] + patch + GOOD[place + 1 :]
    try:
        outcome = wire.decode(damaged)
    except BadInput:
        return
    assert (outcome == RESIDUAL) is (damaged == GOOD)


def test_a_proposal_is_read_in_any_layout() -> None:
    body = b"""{
      "root_cause": "The key omits the locale.", "falsified_count": -7,
      "hypotheses": [{"attempt": "a1", "text": "The clock."}],
      "guards": [{"location": "a.py:3", "snippet": "if x:", "neutralizes": ["symptom"]}]
    }"""
    assert wire.proposal(body) == Proposal(
        root_cause="The key omits the locale.",
        hypotheses=(ClaimedHypothesis(attempt="a1", text="The clock."),),
        guards=(ClaimedGuard(location="a.py:3", snippet="if x:", neutralizes=("symptom",)),),
        falsified_count=-7,
    )
    assert wire.proposal(b"{}") == Proposal()


@pytest.mark.parametrize(
    ("body", "slug", "seen"),
    [
        (b'{"fix_verified": true}', "wrong-shape", "`fix_verified`"),
        (b'{"verified": true}', "wrong-shape", "`verified`"),
        (b'{"root_cause": 3}', "wrong-shape", "$.root_cause"),
        (b'{"guards": [{"location": "a"}]}', "wrong-shape", "$.guards[0]"),
        (b'{"root_cause": "a", "root_cause": "b"}', "duplicate-key", "'root_cause'"),
        (b'{"falsified_count": 1e400}', "not-json", "out of range"),
        (b"null", "no-record", "nothing"),
        (b'{"root_cause": "\\ud800"}', "not-json", ""),
    ],
)
def test_R2_a_proposal_that_claims_what_it_cannot_is_refused(body: bytes, slug: str, seen: str) -> None:
    with pytest.raises(BadInput) as caught:
        wire.proposal(body)
    assert (caught.value.slug, seen in caught.value.message) == (slug, True), caught.value.message


@BOTH
def test_an_example_fits_the_schema(outcome: SessionOutcome) -> None:
    jsonschema.Draft202012Validator.check_schema(wire.schema())
    jsonschema.validate(form_of(outcome), wire.schema())


@BOTH
def test_the_schema_refuses_what_the_reader_refuses(outcome: SessionOutcome) -> None:
    form = form_of(outcome)
    for key in form:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({name: value for name, value in form.items() if name != key}, wire.schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**form, "verified": True}, wire.schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**form, "schema": 2}, wire.schema())
