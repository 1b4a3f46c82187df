"""What holds for every reader: it knows its own, tells what happened, and comes through any damage."""

import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ruledout.errors import BadInput
from ruledout.model.action import Ending, Run
from ruledout.model.turn import Role
from ruledout.read import detect


def test_a_session_is_read_by_the_reader_of_its_format(sample: tuple[str, bytes]) -> None:
    name, raw = sample
    assert detect.read(raw).format == name


def test_only_one_reader_claims_a_session_before_the_general_one(sample: tuple[str, bytes]) -> None:
    name, raw = sample
    from importlib import import_module

    claiming = [known for known, module in detect.READERS.items() if import_module(module).claims(raw[: detect.HEAD])]
    assert claiming[0] == name
    assert set(claiming) <= {name, "messages"}


def test_the_task_and_the_failing_run_are_found(sample: tuple[str, bytes]) -> None:
    name, raw = sample
    transcript = detect.read(raw)
    assert any(turn.role is Role.USER and "fix the bug" in turn.text.lower() for turn in transcript.turns)
    runs = [action for action in transcript.actions if isinstance(action, Run)]
    last = runs[-1]
    assert last.ending is Ending.DONE
    untold = {"swe-agent", "aider", "specstory", "console", "otel", "inspect", "cursor"}
    assert last.exit == (None if name in untold else 1)
    assert ("ok" if name == "swe-agent" else "FAIL" if name == "pi" else "1 failed") in last.output


def test_an_action_points_at_its_call(sample: tuple[str, bytes]) -> None:
    transcript = detect.read(sample[1])
    for action in transcript.actions:
        turn = transcript.turns[action.at]
        assert (turn.role, turn.ref) == (Role.CALL, action.ref)


def test_a_session_cut_anywhere_is_read_or_refused_in_words(sample: tuple[str, bytes]) -> None:
    raw = sample[1]
    for cut in range(0, len(raw), 7):
        _read_or_refuse(raw[:cut])


def test_a_mark_of_a_utf8_file_in_front_changes_nothing(sample: tuple[str, bytes]) -> None:
    name, raw = sample
    if not raw.startswith(b"PK"):
        assert detect.read(b"\xef\xbb\xbf" + raw).format == name


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_changed_bytes_never_crash_a_reader(samples: dict[str, bytes], data: st.DataObject) -> None:
    raw = bytearray(samples[data.draw(st.sampled_from(sorted(samples)))])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw)))
        raw[at : at + data.draw(st.integers(0, 6))] = data.draw(
            st.sampled_from([b"", b"\x00", b"\xff", b'"', b"{", b"]", b"null", b"\\ud800", b"1e999", b"NaN", b"\n", b"[[[[[[", b"{}"])
        )
    _read_or_refuse(bytes(raw))


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_value_of_another_type_anywhere_never_crashes_a_reader(samples: dict[str, bytes], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(name for name, raw in samples.items() if raw[:1] in b"{[")))
    lines = [json.loads(line) for line in samples[name].splitlines()]
    line = data.draw(st.integers(0, len(lines) - 1))
    lines[line] = _changed(lines[line], data)
    _read_or_refuse(b"\n".join(json.dumps(value).encode() for value in lines))


def _changed(value: object, data: st.DataObject) -> object:
    """The value with one thing somewhere in it of another type."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: _changed(value[key], data)}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], _changed(value[at], data), *value[at + 1 :]]
    return data.draw(st.sampled_from([None, True, 7, -1, 1.5, "", "x", "\ud800", [], [None], {}, {"a": [1]}, ["x", {"text": "y"}], 10**30]))


def _read_or_refuse(raw: bytes) -> None:
    """Nothing but a transcript of clean text or a refusal in words comes out."""
    with suppress(BadInput):
        transcript = detect.read(raw)
        for turn in transcript.turns:
            turn.text.encode()
        for action in transcript.actions:
            assert 0 <= action.at < len(transcript.turns)


def test_R14_nested_a_hundred_thousand_deep_is_refused_in_words() -> None:
    with pytest.raises(BadInput):
        detect.read(b'{"messages": [{"role": "user", "content": ' + b"[" * 100_000 + b"]" * 100_000 + b"}]}")
