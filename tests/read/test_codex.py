"""Codex sessions: items and events of one call are one call, polls belong to their command, texts in the user's place are told apart."""

import json

import pytest
from tests.read.builders import CodexFile

from ruledout.model.action import Edit, EditKind, Ending, Hunk, Run, Via
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import codex

PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n one\n-two\n+three\n*** Add File: b.py\n+new\n*** End Patch"


def runs(transcript: Transcript) -> list[Run]:
    return [action for action in transcript.actions if isinstance(action, Run)]


def test_a_session_is_read_whole() -> None:
    file = CodexFile()
    file.says("# AGENTS.md instructions for /home/dev/app", role="user")
    file.says("fix it", role="user")
    file.event("user_message", message="fix it")
    file.event("agent_message", message="I look.")
    file.says("I look.")
    file.calls("c1", "exec_command", cmd="pytest -q", workdir="/home/dev/app/sub")
    file.gives("c1", "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOriginal token count: 3\nOutput:\n1 failed\n")
    file.patches("c2", PATCH, "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM src/a.py\n")
    transcript = codex.read(file.raw())
    assert transcript.actions == (
        Run(ref="c1", at=3, command="pytest -q", output="1 failed\n", exit=1, cwd="/home/dev/app/sub"),
        Edit(ref="c2", at=5, path="src/a.py", kind=EditKind.REPLACE, hunks=(Hunk(removed=("one", "two"), added=("one", "three")),)),
        Edit(ref="c2", at=5, path="b.py", kind=EditKind.WRITE, hunks=(Hunk(added=("new",)),)),
    )
    assert [(turn.role, turn.text, turn.ref) for turn in transcript.turns[:3]] == [
        (Role.NOTE, "# AGENTS.md instructions for /home/dev/app", "line:2"),
        (Role.USER, "fix it", "line:3"),
        (Role.ASSISTANT, "I look.", "line:6"),
    ]
    assert (transcript.agent, transcript.version, transcript.session, transcript.cwd) == ("codex", "0.140.0", "c1", "/home/dev/app")


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        pytest.param("Exit code: 2\nWall time: 0.1 seconds\nOutput:\nboom\n", ("boom\n", 2, Ending.DONE), id="shell-command"),
        pytest.param('{"output":"boom","metadata":{"exit_code":3,"duration_seconds":0.1}}', ("boom", 3, Ending.DONE), id="old-shell"),
        pytest.param(
            "Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out after 10000 milliseconds\nhalf",
            ("command timed out after 10000 milliseconds\nhalf", 124, Ending.TIMED_OUT),
            id="timed-out",
        ),
        pytest.param("aborted by user after 12.3s", ("aborted by user after 12.3s", None, Ending.INTERRUPTED), id="aborted"),
        pytest.param("exec command rejected by user", ("exec command rejected by user", None, Ending.REFUSED), id="refused"),
        pytest.param(
            "failed to parse function arguments: missing field `cmd`",
            ("failed to parse function arguments: missing field `cmd`", None, Ending.MALFORMED),
            id="malformed",
        ),
        pytest.param("Output:\nplain", ("plain", None, Ending.DONE), id="no-code"),
        pytest.param("no header at all", ("no header at all", None, Ending.DONE), id="bare"),
    ],
)
def test_how_a_command_ended(output: str, expected: tuple[str, int | None, Ending]) -> None:
    file = CodexFile()
    file.calls("c1", "shell_command", command="make test")
    file.gives("c1", output)
    (run,) = runs(codex.read(file.raw()))
    assert (run.output, run.exit, run.ending) == expected


def test_the_output_and_exit_of_polls_go_to_the_command_that_runs() -> None:
    file = CodexFile()
    file.calls("c1", "exec_command", cmd="bun test")
    file.gives("c1", "Chunk ID: 1\nWall time: 30 seconds\nProcess running with session ID 65\nOriginal token count: 3\nOutput:\none\n")
    file.calls("c2", "write_stdin", session_id=65, chars="")
    file.gives("c2", "Chunk ID: 2\nWall time: 30 seconds\nProcess running with session ID 65\nOriginal token count: 3\nOutput:\ntwo\n")
    file.calls("c3", "write_stdin", session_id=65, chars="")
    file.gives("c3", "Chunk ID: 3\nWall time: 1 seconds\nProcess exited with code 1\nOriginal token count: 3\nOutput:\n1 failed\n")
    transcript = codex.read(file.raw())
    assert runs(transcript) == [Run(ref="c1", at=0, command="bun test", output="one\ntwo\n1 failed\n", exit=1, cwd="/home/dev/app", result_ref="c3")]
    assert [action.ref for action in transcript.actions] == ["c1", "c2", "c3"]


def test_an_event_fills_in_the_exit_that_the_output_does_not_tell() -> None:
    file = CodexFile()
    file.calls("c1", "shell_command", command="make")
    file.event("exec_command_end", call_id="c1", command=["bash", "-lc", "make"], exit_code=2, aggregated_output="boom", status="failed")
    file.gives("c1", "boom")
    assert [(run.exit, run.output) for run in runs(codex.read(file.raw()))] == [(2, "boom")]


def test_a_command_that_only_an_event_tells_of_is_a_run() -> None:
    file = CodexFile()
    file.event(
        "exec_command_end",
        call_id="u1",
        command=["/bin/zsh", "-lc", "pytest -q"],
        cwd="/home/dev/app",
        exit_code=1,
        aggregated_output="1 failed",
        source="user_shell",
    )
    assert runs(codex.read(file.raw())) == [Run(ref="u1", at=0, command="pytest -q", output="1 failed", exit=1, cwd="/home/dev/app")]


def test_an_aborted_turn_interrupts_what_was_open() -> None:
    file = CodexFile()
    file.calls("c1", "exec_command", cmd="pytest")
    file.event("turn_aborted", reason="interrupted")
    (run,) = runs(codex.read(file.raw()))
    assert run.ending is Ending.INTERRUPTED


def test_a_patch_that_does_not_apply_changed_nothing() -> None:
    file = CodexFile()
    file.patches("c1", PATCH, "apply_patch verification failed: Failed to find expected lines in /home/dev/app/src/a.py:\ntwo")
    assert {action.ending for action in codex.read(file.raw()).actions} == {Ending.MALFORMED}


def test_a_patch_in_a_shell_command_is_an_edit_and_a_run() -> None:
    file = CodexFile()
    file.calls("c1", "exec_command", cmd=f"apply_patch <<'EOF'\n{PATCH}\nEOF")
    file.gives("c1", "Process exited with code 0\nOutput:\nSuccess.")
    edit, other, run = codex.read(file.raw()).actions
    assert isinstance(edit, Edit)
    assert isinstance(other, Edit)
    assert isinstance(run, Run)
    assert (edit.path, edit.via, other.path, run.exit) == ("src/a.py", Via.SHELL, "b.py", 0)


def test_the_old_shell_tool_takes_an_argv() -> None:
    file = CodexFile()
    file.calls("c1", "shell", command=["bash", "-lc", "pytest -q"], workdir="/home/dev/app")
    file.item("local_shell_call", call_id="c2", action={"type": "exec", "command": ["ls", "a b"], "working_directory": "/work"})
    assert [(run.command, run.cwd) for run in runs(codex.read(file.raw()))] == [("pytest -q", "/home/dev/app"), ("ls 'a b'", "/work")]


def test_a_bare_rollout_is_read() -> None:
    rows = [
        {"id": "c1", "timestamp": "2025-08-01T00:00:00Z", "instructions": None, "git": {}},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "fix"}]},
        {"record_type": "state"},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["bash","-lc","make"]}', "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": '{"output":"ok","metadata":{"exit_code":0,"duration_seconds":1}}'},
    ]
    raw = "\n".join(json.dumps(row) for row in rows).encode()
    assert codex.claims(raw)
    transcript = codex.read(raw)
    assert runs(transcript) == [Run(ref="c1", at=1, command="make", output="ok", exit=0)]
    assert transcript.turns[0].text == "fix"


def test_the_events_of_codex_exec_are_read() -> None:
    item = {"id": "item_1", "type": "command_execution", "command": "bash -lc 'pytest -q'", "aggregated_output": "1 failed", "exit_code": 1, "status": "failed"}
    rows = [
        {"type": "thread.started", "thread_id": "x"},
        {"type": "item.started", "item": {**item, "aggregated_output": "", "exit_code": None, "status": "in_progress"}},
        {"type": "item.completed", "item": item},
        {"type": "item.completed", "item": {"id": "item_2", "type": "file_change", "changes": [{"path": "a.py", "kind": "update"}], "status": "completed"}},
        {"type": "item.completed", "item": {"id": "item_3", "type": "agent_message", "text": "It fails."}},
    ]
    raw = "\n".join(json.dumps(row) for row in rows).encode()
    assert codex.claims(raw)
    transcript = codex.read(raw)
    assert transcript.actions == (
        Run(ref="item_1", at=0, command="pytest -q", output="1 failed", exit=1),
        Edit(ref="item_2", at=2, path="a.py", kind=EditKind.OPAQUE),
    )
    assert transcript.turns[-1].text == "It fails."


def test_a_terminal_recording_is_read_from_its_events() -> None:
    def told(kind: str, **rest: object) -> dict[str, object]:
        return {"ts": "t", "dir": "to_tui", "kind": "codex_event", "payload": {"id": "0", "msg": {"type": kind, **rest}}}

    rows = [
        {"ts": "t", "dir": "meta", "kind": "session_start", "cwd": "/home/dev/app"},
        {"ts": "t", "dir": "from_tui", "kind": "op", "payload": {"type": "user_input", "items": [{"type": "text", "text": "fix"}]}},
        told("agent_message_delta", delta="I "),
        told("agent_message_delta", delta="look."),
        told("agent_message", message="I look."),
        told("exec_command_begin", call_id="c1", command=["bash", "-lc", "make"], cwd="/home/dev/app"),
        told("exec_command_end", call_id="c1", stdout="ok", stderr="", exit_code=0),
        told("patch_apply_begin", call_id="c2", changes={"a.py": {"update": {"unified_diff": "@@ -1 +1 @@\n-a\n+b\n", "move_path": None}}}),
        told("patch_apply_end", call_id="c2", stdout="", stderr="", success=False),
        told("agent_message_delta", delta="Done."),
        told("task_complete"),
    ]
    raw = "\n".join(json.dumps(row) for row in rows).encode()
    assert codex.claims(raw)
    transcript = codex.read(raw)
    assert transcript.actions == (
        Run(ref="c1", at=2, command="make", output="ok", exit=0, cwd="/home/dev/app"),
        Edit(ref="c2", at=3, path="a.py", kind=EditKind.REPLACE, hunks=(Hunk(removed=("a",), added=("b",)),), ending=Ending.MALFORMED),
    )
    assert [turn.text for turn in transcript.turns if turn.role in {Role.USER, Role.ASSISTANT}] == ["fix", "I look.", "Done."]
