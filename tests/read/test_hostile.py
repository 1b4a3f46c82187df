"""Damaged and hostile files: no exception, no hang, nothing lost without being counted."""

import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.read.builders import ClaudeFile, CodexFile

from ruledout.model.transcript import Transcript
from ruledout.read import claude_code, codex


def claude() -> bytes:
    file = ClaudeFile()
    start = file.user("go \u2028 now")
    file.runs("t1", "cat > a.py <<'E'\nx\nE\npytest", "Exit code 1\nboom", error=True)
    file.calls("t2", "Edit", given={"file_path": "/home/dev/app/a.py", "old_string": "x", "new_string": "y"}, parent=start)
    file.gives("t2", "done", kept={"originalFile": "x"})
    file.line("progress", parentToolUseID="t1", data={"type": "agent_progress", "agentId": "a", "message": {"type": "user", "message": {"content": "p"}}})
    file.user("<task-notification><task-id>b</task-id><status>completed</status></task-notification>")
    return file.raw()


def rollout() -> bytes:
    file = CodexFile()
    file.calls("c1", "exec_command", cmd="pytest")
    file.gives("c1", "Process running with session ID 6\nOutput:\n")
    file.calls("c2", "write_stdin", session_id=6, chars="")
    file.event("exec_command_end", call_id="c1", command=["x"], exit_code=1, aggregated_output="boom")
    file.patches("c3", "*** Begin Patch\n*** Update File: a\n@@\n-a\n+b\n*** End Patch", '{"output":"ok","metadata":{"exit_code":0}}')
    return file.raw()


SAMPLES = [claude(), rollout()]
PIECES = [b"", b"\0", b"\xff", b'"', b"{", b"}", b"[", b"null", b"1e999", b"\\ud800", b"\n", b"{}", b'{"a":1}', b"\\", b",", b"true", b"9" * 30]


@given(st.sampled_from(SAMPLES), st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 9), st.sampled_from(PIECES)), min_size=1, max_size=6))
@settings(max_examples=150, deadline=None)
def test_changed_bytes_never_crash_a_reader(sample: bytes, changes: list[tuple[int, int, bytes]]) -> None:
    raw = bytearray(sample)
    for at, length, piece in changes:
        raw[at : at + length] = piece
    for reader in (claude_code, codex):
        whole(reader.read(bytes(raw)))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.sampled_from(SAMPLES), st.data())
@settings(max_examples=150, deadline=None)
def test_values_of_another_type_never_crash_a_reader(sample: bytes, data: st.DataObject) -> None:
    rows = [json.loads(line) for line in sample.splitlines()]
    row = data.draw(st.integers(0, len(rows) - 1))
    spots = list(every_spot(rows[row]))
    holder, key = spots[data.draw(st.integers(0, len(spots) - 1))]
    holder[key] = data.draw(VALUES)
    raw = "\n".join(json.dumps(line) for line in rows).encode()
    for reader in (claude_code, codex):
        whole(reader.read(raw))


def every_spot(value: object) -> list[tuple[dict[str, object], str]]:
    """Every key of every object in a value."""
    if isinstance(value, dict):
        return [spot for key in value for spot in [(value, key), *every_spot(value[key])]]
    return [spot for item in value for spot in every_spot(item)] if isinstance(value, list) else []


def whole(transcript: Transcript) -> None:
    """Its texts can be written, its actions point at turns."""
    repr(transcript).encode()
    assert all(0 <= action.at < len(transcript.turns) for action in transcript.actions)


@pytest.mark.parametrize("reader", [claude_code, codex])
@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"user","uuid":"x","message":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"type":"response_item","payload":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}",
        b"[" * 100_000,
        b'{"type":"user","message":{"content":[' + b'{"type":"tool_result","content":' * 1_500 + b'"x"' + b"}" * 1_500 + b"]}}",
    ],
    ids=["closed", "payload", "open", "blocks"],
)
def test_R14_nested_beyond_reason_is_counted(reader: object, line: bytes) -> None:
    transcript = reader.read(line + b"\n")  # type: ignore[attr-defined] # a module
    assert transcript.turns == ()
    assert sum(entry.count for entry in transcript.skipped) == 1


def test_a_tree_that_bites_its_tail_is_read() -> None:
    file = ClaudeFile()
    file.user("one", parent="u1")
    file.user("two", parent="u0")
    transcript = claude_code.read(file.raw())
    assert [turn.text for turn in transcript.turns] == ["one", "two"]


def test_many_outputs_are_capped_as_they_are_read() -> None:
    file = ClaudeFile()
    noise = "".join(f"{number:x} " for number in range(200_000))
    for number in range(20):
        file.runs(f"t{number}", "pytest", noise)
    raw = file.raw()
    del file
    tracemalloc.start()
    transcript = claude_code.read(raw)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(transcript.actions) == 20
    assert peak < len(raw)
