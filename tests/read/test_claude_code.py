"""Claude Code session files: what was said and done, on which branch, and how each call ended."""

import json

import pytest
from tests.read.builders import ClaudeFile

from ruledout.model.action import Edit, EditKind, Ending, Hunk, Other, Read, Run
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role, Track
from ruledout.read import claude_code


def read(file: ClaudeFile) -> Transcript:
    return claude_code.read(file.raw())


def runs(transcript: Transcript) -> list[Run]:
    return [action for action in transcript.actions if isinstance(action, Run)]


def skipped(transcript: Transcript) -> dict[str, int]:
    return {entry.reason: entry.count for entry in transcript.skipped}


def test_a_session_is_read_whole() -> None:
    file = ClaudeFile()
    file.user("fix the sum")
    file.says("I look at it.")
    file.calls("t1", "Read", given={"file_path": "/home/dev/app/src/a.py"})
    file.gives("t1", "1→x = 1")
    file.calls("t2", "Edit", given={"file_path": "/home/dev/app/src/a.py", "old_string": "x = 1\n", "new_string": "x = 2\n"})
    file.gives("t2", "The file /home/dev/app/src/a.py has been updated.", kept={"filePath": "a.py", "originalFile": "x = 1\n"})
    file.runs("t3", "pytest -q", "1 passed")
    transcript = read(file)
    assert transcript.actions == (
        Read(ref="t1", at=2, path="src/a.py"),
        Edit(ref="t2", at=4, path="src/a.py", kind=EditKind.REPLACE, hunks=(Hunk(removed=("x = 1",), added=("x = 2",)),)),
        Run(ref="t3", at=6, command="pytest -q", output="1 passed", exit=0, cwd="/home/dev/app"),
    )
    assert [(turn.role, turn.ref) for turn in transcript.turns][:4] == [
        (Role.USER, "line:0"),
        (Role.ASSISTANT, "line:1"),
        (Role.CALL, "t1"),
        (Role.OUTPUT, "t1"),
    ]
    assert (transcript.agent, transcript.session, transcript.version, transcript.cwd) == ("claude-code", "s1", "2.1.0", "/home/dev/app")
    assert transcript.skipped == ()


@pytest.mark.parametrize(
    ("output", "error", "kept", "expected"),
    [
        pytest.param("Exit code 1\n1 failed", True, None, ("1 failed", 1, Ending.DONE), id="failure-tells-its-code"),
        pytest.param("command not found", True, None, ("command not found", 1, Ending.DONE), id="failure-without-a-code"),
        pytest.param("", False, {"returnCodeInterpretation": "No matches found"}, ("[No matches found]", 1, Ending.DONE), id="grep-without-a-match"),
        pytest.param("part", False, {"interrupted": True}, ("part", None, Ending.INTERRUPTED), id="interrupted"),
        pytest.param("Exit code 143\nCommand timed out after 2m 0.0s", True, None, ("Command timed out after 2m 0.0s", 143, Ending.TIMED_OUT), id="timed-out"),
        pytest.param(
            "The user doesn't want to proceed with this tool use.",
            True,
            None,
            ("The user doesn't want to proceed with this tool use.", None, Ending.REFUSED),
            id="refused",
        ),
        pytest.param(
            "<tool_use_error>Sibling tool call errored</tool_use_error>",
            True,
            None,
            ("<tool_use_error>Sibling tool call errored</tool_use_error>", None, Ending.INTERRUPTED),
            id="sibling",
        ),
        pytest.param(
            "Permission to use Bash with command rm has been denied.",
            True,
            None,
            ("Permission to use Bash with command rm has been denied.", None, Ending.REFUSED),
            id="denied",
        ),
    ],
)
def test_how_a_command_ended(output: str, error: bool, kept: object, expected: tuple[str, int | None, Ending]) -> None:  # noqa: FBT001 - a table of cases
    file = ClaudeFile()
    file.runs("t1", "make test", output, error=error, kept=kept)
    (run,) = runs(read(file))
    assert (run.output, run.exit, run.ending) == expected


@pytest.mark.parametrize(
    ("output", "ending"),
    [
        ("<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>", Ending.MALFORMED),
        ("<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>", Ending.MALFORMED),
        ("The user doesn't want to proceed with this tool use. The tool use was rejected", Ending.REFUSED),
    ],
)
def test_R4_an_edit_that_the_harness_or_the_user_turned_down_did_not_happen(output: str, ending: Ending) -> None:
    file = ClaudeFile()
    file.calls("t1", "Edit", given={"file_path": "/home/dev/app/a.py", "old_string": "a", "new_string": "b"})
    file.gives("t1", output, error=True, kept="Error: it")
    (edit,) = read(file).actions
    assert isinstance(edit, Edit)
    assert edit.ending is ending


def test_parallel_calls_are_siblings_on_one_living_branch() -> None:
    file = ClaudeFile()
    file.user("go")
    first = file.calls("t1", "Bash", message="m", given={"command": "pytest a"})
    second = file.calls("t2", "Bash", message="m", given={"command": "pytest b"}, parent=first)
    file.gives("t1", "1 passed", parent=first)
    file.gives("t2", "2 passed", parent=second)
    file.says("both pass")
    transcript = read(file)
    assert [run.output for run in runs(transcript)] == ["1 passed", "2 passed"]
    assert {turn.track for turn in transcript.turns} == {Track.LIVE}


def test_a_rewound_branch_is_kept_and_marked() -> None:
    file = ClaudeFile()
    start = file.user("go")
    file.says("first idea")
    file.runs("t1", "pytest a", "Exit code 1\nboom", error=True)
    file.says("second idea", parent=start)
    file.runs("t2", "pytest b", "1 passed")
    transcript = read(file)
    tracks = {run.ref: transcript.turns[run.at].track for run in runs(transcript)}
    assert tracks == {"t1": Track.REWOUND, "t2": Track.LIVE}
    assert transcript.turns[0].track is Track.LIVE


def test_progress_lines_stand_in_the_chain_without_being_turns() -> None:
    file = ClaudeFile()
    file.user("go")
    file.line("progress", data={"type": "hook_progress", "command": "x"})
    file.says("done")
    transcript = read(file)
    assert [turn.text for turn in transcript.turns] == ["go", "done"]
    assert {turn.track for turn in transcript.turns} == {Track.LIVE}
    assert skipped(transcript) == {"not a turn: progress": 1}


def test_after_a_compaction_the_same_session_goes_on() -> None:
    file = ClaudeFile()
    file.user("go")
    last = file.says("working")
    file.line("system", parent=None, subtype="compact_boundary", logicalParentUuid=last)
    file.user("This session is being continued from a previous conversation that ran out of context.", isCompactSummary=True)
    file.says("going on")
    transcript = read(file)
    assert [(turn.role, turn.track) for turn in transcript.turns] == [
        (Role.USER, Track.LIVE),
        (Role.ASSISTANT, Track.LIVE),
        (Role.NOTE, Track.LIVE),
        (Role.ASSISTANT, Track.LIVE),
    ]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<command-name>/clear</command-name>", {}),
        ("<system-reminder>be good</system-reminder>", {}),
        ("Caveat: The messages below were generated by the user while running local commands.", {}),
        ("[Request interrupted by user]", {}),
        ("anything", {"isMeta": True}),
    ],
)
def test_what_stands_in_the_users_place_is_not_always_the_users(text: str, rest: dict[str, bool]) -> None:
    file = ClaudeFile()
    file.user(text, **rest)
    assert [turn.role for turn in read(file).turns] == [Role.NOTE]


def test_a_command_typed_by_the_user_is_a_run() -> None:
    file = ClaudeFile()
    file.user("<bash-input>pytest -q</bash-input>")
    file.user("<bash-stdout>1 passed</bash-stdout><bash-stderr>warn</bash-stderr>")
    assert runs(read(file)) == [Run(ref="line:0", at=0, command="pytest -q", output="1 passed\nwarn", cwd="/home/dev/app")]


def test_the_end_of_a_background_command_goes_to_its_own_run() -> None:
    file = ClaudeFile()
    file.runs("t1", "cargo test", "Command running in background with ID: b7. Output is being written to: /tmp/b7", kept={"backgroundTaskId": "b7"})
    file.calls("t2", "TaskOutput", given={"task_id": "b7", "block": True})
    done = "<retrieval_status>success</retrieval_status>\n\n<task_id>b7</task_id>\n\n<status>completed</status>\n\n<exit_code>101</exit_code>\n\n<output>\n1 failed\n</output>"
    file.gives("t2", done)
    transcript = read(file)
    assert runs(transcript) == [Run(ref="t1", at=0, command="cargo test", output="1 failed", exit=101, cwd="/home/dev/app", result_ref="t2")]
    assert transcript.actions[1] == Other(ref="t2", at=2, name="TaskOutput")


def test_a_background_command_that_nobody_looked_at_is_still_running() -> None:
    file = ClaudeFile()
    file.runs("t1", "npm run dev", "Command running in background with ID: b7.")
    (run,) = runs(read(file))
    assert (run.ending, run.exit) == (Ending.RUNNING, None)


def test_a_notice_tells_how_a_background_command_ended() -> None:
    file = ClaudeFile()
    file.runs("t1", "cargo test", "Command running in background with ID: b7.")
    file.user(
        "<task-notification>\n<task-id>b7</task-id>\n<status>failed</status>\n<summary>Background command failed with exit code 2</summary>\n</task-notification>"
    )
    (run,) = runs(read(file))
    assert (run.ending, run.exit, run.result_ref) == (Ending.DONE, 2, "line:2")


def test_a_call_without_a_result_is_missing_and_one_the_user_stopped_is_interrupted() -> None:
    file = ClaudeFile()
    file.calls("t1", "Bash", given={"command": "pytest"})
    file.user("[Request interrupted by user for tool use]")
    file.calls("t2", "Bash", given={"command": "pytest"})
    assert [run.ending for run in runs(read(file))] == [Ending.INTERRUPTED, Ending.MISSING]


def test_a_side_chain_is_a_subagent_of_the_call_that_started_it() -> None:
    file = ClaudeFile()
    file.user("go")
    file.calls("t1", "Task", given={"prompt": "look around", "description": "d"})
    main = file.last
    file.user("look around", parent=None, isSidechain=True)
    file.calls("s1", "Bash", given={"command": "ls"}, isSidechain=True)
    file.gives("s1", "a.py", isSidechain=True)
    file.gives("t1", "there is a.py", parent=main)
    transcript = read(file)
    assert [action.ref for action in transcript.actions] == ["t1"]
    (side,) = transcript.subagents
    assert (side.parent_ref, [action.ref for action in side.actions]) == ("t1", ["s1"])


def test_a_subagents_own_file_is_read_as_a_session() -> None:
    file = ClaudeFile()
    file.user("look around", parent=None, isSidechain=True, agentId="a1")
    file.calls("s1", "Bash", given={"command": "ls"}, isSidechain=True, agentId="a1")
    file.gives("s1", "a.py", isSidechain=True, agentId="a1")
    transcript = read(file)
    assert ([action.ref for action in transcript.actions], transcript.subagents, transcript.session) == (["s1"], (), "s1")


def test_a_subagents_messages_in_progress_lines_are_a_subagent() -> None:
    file = ClaudeFile()
    file.calls("t1", "Task", given={"prompt": "p"})
    call = {"type": "tool_use", "id": "s1", "name": "Bash", "input": {"command": "ls"}}
    inner = {"type": "assistant", "uuid": "x1", "message": {"role": "assistant", "content": [call]}}
    file.line("progress", parentToolUseID="t1", data={"type": "agent_progress", "agentId": "a1", "message": inner})
    (side,) = read(file).subagents
    assert (side.parent_ref, side.session, [action.ref for action in side.actions]) == ("t1", "a1", ["s1"])


def test_lines_copied_by_a_resume_are_read_once() -> None:
    file = ClaudeFile()
    file.runs("t1", "pytest", "1 passed")
    file.rows += file.rows
    transcript = read(file)
    assert len(runs(transcript)) == 1
    assert skipped(transcript) == {"copy of an earlier line": 2}


def test_the_stream_form_wrapped_once_more_is_read() -> None:
    rows = [
        {"type": "system", "message": {"subtype": "init", "claude_code_version": "2.0.76", "cwd": "/home/dev/app", "session_id": "z"}},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]}},
        {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "a.py", "is_error": False}]}},
        {"type": "result", "message": {"subtype": "success"}},
    ]
    transcript = claude_code.read("\n\n".join(json.dumps(row) for row in rows).encode())
    assert [(run.ref, run.exit, run.output) for run in runs(transcript)] == [("t1", 0, "a.py")]
    assert (transcript.version, transcript.cwd, transcript.session) == ("2.0.76", "/home/dev/app", "z")


def test_a_streamed_subagent_is_told_by_the_call_that_started_it() -> None:
    rows = [
        {"type": "system", "subtype": "init", "cwd": "/home/dev/app", "session_id": "z", "tools": ["Bash"], "claude_code_version": "2.1.0"},
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "t1", "name": "Task", "input": {"prompt": "p"}}]}, "parent_tool_use_id": None},
        {
            "type": "assistant",
            "message": {"content": [{"type": "tool_use", "id": "s1", "name": "Bash", "input": {"command": "ls"}}]},
            "parent_tool_use_id": "t1",
        },
    ]
    (side,) = claude_code.read("\n".join(json.dumps(row) for row in rows).encode()).subagents
    assert (side.parent_ref, [action.ref for action in side.actions]) == ("t1", ["s1"])


def test_a_write_keeps_what_stood_there_before() -> None:
    file = ClaudeFile()
    file.calls("t1", "Write", given={"file_path": "/home/dev/app/a.py", "content": "new\n"})
    file.gives("t1", "The file /home/dev/app/a.py has been updated.", kept={"type": "update", "originalFile": "old\n"})
    assert read(file).actions == (Edit(ref="t1", at=0, path="a.py", kind=EditKind.WRITE, hunks=(Hunk(removed=("old",), added=("new",)),)),)


def test_R14_glued_torn_and_broken_lines_lose_nothing_else() -> None:
    file = ClaudeFile()
    file.user("one")
    file.says("two")
    file.says("three \ud800")
    file.says("four")
    rows = [row.encode() for row in file.rows]
    raw = rows[0] + rows[1] + b"\n\n\0\0\0\n" + rows[2] + b"\nnot json\n" + rows[3] + b"\n" + rows[3][:40]
    transcript = claude_code.read(raw)
    assert [turn.text for turn in transcript.turns] == ["one", "two", "three \ufffd", "four"]
    assert skipped(transcript) == {"NUL bytes": 1, "not JSON": 2}


def test_a_prompt_that_waited_in_the_queue_is_the_users() -> None:
    file = ClaudeFile()
    file.line("attachment", attachment={"type": "queued_command", "prompt": "also the docs"})
    file.line("attachment", attachment={"type": "hook_success", "content": "x"})
    transcript = read(file)
    assert [(turn.role, turn.text) for turn in transcript.turns] == [(Role.USER, "also the docs")]
    assert skipped(transcript) == {"not a turn: attachment": 1}


def test_a_document_of_lines_is_read_with_the_places_of_its_entries() -> None:
    said = {"type": "user", "message": {"role": "user", "content": "go"}}
    call = {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]}}
    raw = json.dumps({"loglines": [said, 7, call]}, indent=1).encode()
    assert claude_code.claims(raw)
    transcript = claude_code.read(raw)
    (turn, _call) = transcript.turns
    assert (turn.text, turn.ref) == ("go", "line:2")
    assert raw.split(b"\n")[2].strip() == b"{"
    assert [run.command for run in runs(transcript)] == ["ls"]


def test_a_line_whose_parent_was_cut_off_hangs_on_the_one_before_it() -> None:
    file = ClaudeFile()
    file.user("one")
    file.says("two")
    file.says("three", parent="lost")
    file.says("four")
    transcript = read(file)
    assert {turn.track for turn in transcript.turns} == {Track.LIVE}


def test_looks_that_show_only_what_is_new_are_put_together() -> None:
    file = ClaudeFile()
    file.runs("t1", "cargo test", "Command running in background with ID: b7")
    for number, (status, text) in enumerate([("running", "one"), ("completed", "two")]):
        file.calls(f"p{number}", "BashOutput", given={"bash_id": "b7"})
        file.gives(f"p{number}", f"<status>{status}</status>\n\n<exit_code>{'0' if number else ''}</exit_code>\n\n<stdout>\n{text}\n</stdout>")
    (run,) = runs(read(file))
    assert (run.output, run.exit, run.ending, run.result_ref) == ("one\ntwo\n", 0, Ending.DONE, "p1")
