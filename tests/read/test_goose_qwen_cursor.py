"""Goose's, Qwen Code's and Cursor's files: what each tells, and what it leaves out."""

import json

import pytest

from ruledout.errors import BadInput
from ruledout.model.action import Edit, EditKind, Ending, Hunk, Other, Read, Run
from ruledout.model.transcript import Fidelity, Transcript
from ruledout.model.turn import Role, Track
from ruledout.read import cursor, goose, qwen


def lines(*records: object) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


HEADER = {"id": "g1", "working_dir": "/r", "message_count": 2}


def goosed(name: str, arguments: object, result: object) -> Transcript:
    """A Goose session of one call."""
    call = {"type": "toolRequest", "id": "t1", "toolCall": {"status": "success", "value": {"name": name, "arguments": arguments}}}
    asked = {"role": "assistant", "created": 1, "content": [call]}
    answered = {"role": "user", "created": 2, "content": [{"type": "toolResponse", "id": "t1", "toolResult": result}]}
    return goose.read(lines(HEADER, asked, answered))


@pytest.mark.parametrize(
    ("result", "output", "exit_code", "ending"),
    [
        pytest.param({"status": "success", "value": [{"type": "text", "text": "ok"}]}, "ok", None, Ending.DONE, id="the older list; no exit told"),
        pytest.param({"Ok": [{"type": "text", "text": "ok"}]}, "ok", None, Ending.DONE, id="the oldest envelope"),
        pytest.param(
            {"status": "success", "value": {"content": [{"type": "text", "text": "no"}], "structuredContent": {"exit_code": 3}, "isError": True}},
            "no",
            3,
            Ending.DONE,
            id="the exit beside the text",
        ),
        pytest.param({"status": "error", "error": "Shell command exited with status: 2"}, "Shell command exited with status: 2", 2, Ending.DONE, id="an error"),
        pytest.param(
            {"status": "success", "value": [{"type": "text", "text": "The user has declined to run this tool. DO NOT"}]},
            "The user has declined to run this tool. DO NOT",
            None,
            Ending.REFUSED,
            id="refused by the user",
        ),
        pytest.param(
            {
                "status": "success",
                "value": [
                    {"type": "text", "text": "once", "annotations": {"audience": ["assistant"]}},
                    {"type": "text", "text": "twice", "annotations": {"audience": ["user"]}},
                ],
            },
            "once",
            None,
            Ending.DONE,
            id="the copy for people is left out",
        ),
    ],
)
def test_a_goose_command_ends_as_its_response_tells(result: object, output: str, exit_code: int | None, ending: Ending) -> None:
    transcript = goosed("developer__shell", {"command": "make"}, result)
    assert transcript.actions == (Run(ref="t1", at=0, command="make", output=output, exit=exit_code, ending=ending),)
    assert (transcript.session, transcript.cwd) == ("g1", "/r")


def test_a_goose_edit_that_failed_is_malformed() -> None:
    given = {"command": "str_replace", "path": "/r/a.py", "old_str": "x", "new_str": "y"}
    (edit,) = goosed("developer__text_editor", given, {"status": "error", "error": "'old_str' must appear exactly once"}).actions
    assert edit == Edit(ref="t1", at=0, path="a.py", kind=EditKind.REPLACE, hunks=(Hunk(removed=("x",), added=("y",)),), ending=Ending.MALFORMED)


def test_a_goose_tool_result_is_not_what_the_user_said() -> None:
    assert [turn.role for turn in goosed("developer__shell", {"command": "ls"}, {"status": "success", "value": []}).turns] == [Role.CALL, Role.OUTPUT]


def record(uuid: str, parent: str | None, kind: str, *parts: object, **rest: object) -> dict[str, object]:
    """A record of Qwen Code."""
    return {"uuid": uuid, "parentUuid": parent, "sessionId": "q1", "cwd": "/r", "type": kind, "message": {"role": "x", "parts": parts}, **rest}


def test_qwen_says_thinks_and_calls() -> None:
    call = {"functionCall": {"id": "c1", "name": "read_file", "args": {"absolute_path": "/r/a.py"}}}
    answer = {"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": "text"}}}
    transcript = qwen.read(
        lines(
            record("1", None, "user", {"text": "Look."}),
            record("2", "1", "system", subtype="ui_telemetry"),
            record("3", "2", "assistant", {"text": "Hm.", "thought": True}, {"text": "I look."}, call),
            record("4", "3", "tool_result", answer, toolCallResult={"callId": "c1", "status": "success"}),
        )
    )
    assert [(turn.role, turn.text) for turn in transcript.turns] == [
        (Role.USER, "Look."),
        (Role.ASSISTANT, "Hm."),
        (Role.ASSISTANT, "I look."),
        (Role.CALL, "read_file /r/a.py"),
        (Role.OUTPUT, "text"),
    ]
    assert transcript.actions == (Read(ref="c1", at=3, path="a.py"),)
    assert [(skipped.reason, skipped.count) for skipped in transcript.skipped] == [("not a turn: system", 1)]


@pytest.mark.parametrize(
    ("said", "status", "exit_code", "ending"),
    [
        pytest.param("Output: ok\nError: (none)\nExit Code: 0\nSignal: 0", "success", 0, Ending.DONE, id="told"),
        pytest.param("Output: no\nError: (none)\nExit Code: 2\nSignal: 0", "error", 2, Ending.DONE, id="told, not zero"),
        pytest.param("spawn failed", "error", None, Ending.DONE, id="an error without an exit is no zero"),
        pytest.param("", "cancelled", None, Ending.REFUSED, id="cancelled"),
    ],
)
def test_a_qwen_command_ends_as_its_lines_tell(said: str, status: str, exit_code: int | None, ending: Ending) -> None:
    call = {"functionCall": {"id": "c1", "name": "run_shell_command", "args": {"command": "make"}}}
    answer = {"functionResponse": {"id": "c1", "name": "run_shell_command", "response": {"error" if status == "error" else "output": said}}}
    transcript = qwen.read(lines(record("1", None, "assistant", call), record("2", "1", "tool_result", answer, toolCallResult={"status": status})))
    (run,) = transcript.actions
    assert isinstance(run, Run)
    assert (run.exit, run.ending, run.output) == (exit_code, ending, said)


def test_what_a_qwen_session_rewound_stands_on_its_own_track() -> None:
    transcript = qwen.read(
        lines(record("1", None, "user", {"text": "a"}), record("2", "1", "user", {"text": "dropped"}), record("3", "1", "user", {"text": "instead"}))
    )
    assert [(turn.text, turn.track) for turn in transcript.turns] == [("a", Track.LIVE), ("dropped", Track.REWOUND), ("instead", Track.LIVE)]


def cursored(*blocks: object, role: str = "assistant") -> Transcript:
    return cursor.read(lines({"role": role, "message": {"content": blocks}}))


def test_R14_a_cursor_call_whose_result_is_not_in_the_file_is_missing_it() -> None:
    edit = {"type": "tool_use", "name": "StrReplace", "input": {"path": "/r/a.py", "old_string": "x", "new_string": "y"}}
    shell = {"type": "tool_use", "name": "Shell", "input": {"command": "pytest", "working_directory": "/r"}}
    transcript = cursored({"type": "text", "text": "I try.\n\n[REDACTED]"}, edit, shell)
    assert transcript.turns[0].text == "I try."
    assert transcript.actions == (
        Edit(ref="line:0", at=1, path="a.py", kind=EditKind.REPLACE, hunks=(Hunk(removed=("x",), added=("y",)),), ending=Ending.MISSING),
        Run(ref="line:0", at=2, command="pytest", output="", exit=None, ending=Ending.MISSING, cwd="/r"),
    )
    assert (transcript.fidelity, transcript.cwd) == (Fidelity.LOSSY, "/r")


def test_cursor_in_two_folders_has_no_folder_of_its_own() -> None:
    calls = [{"type": "tool_use", "name": "Shell", "input": {"command": "ls", "working_directory": folder}} for folder in ("/a", "/b")]
    assert cursored(*calls).cwd is None


def test_what_a_cursor_user_asked_stands_between_its_tags() -> None:
    said = {"type": "text", "text": "<timestamp>today</timestamp>\n<user_query>\nFix it.\n</user_query>"}
    assert [(turn.role, turn.text) for turn in cursored(said, role="user").turns] == [(Role.USER, "Fix it.")]


def test_a_cursor_patch_given_as_text_is_an_edit() -> None:
    patch = "*** Begin Patch\n*** Delete File: old.py\n*** End Patch"
    (edit,) = cursored({"type": "tool_use", "name": "ApplyPatch", "input": patch}).actions
    assert (type(edit), getattr(edit, "kind", None)) == (Edit, EditKind.DELETE)


def test_a_tool_that_no_list_knows_is_other() -> None:
    assert cursored({"type": "tool_use", "name": "AskQuestion", "input": {}}).actions == (Other(ref="line:0", at=0, name="AskQuestion", ending=Ending.MISSING),)


@pytest.mark.parametrize("reader", [goose, cursor, qwen], ids=lambda reader: reader.NAME)
def test_a_file_without_anything_to_read_is_refused(reader: "object") -> None:
    with pytest.raises(BadInput, match="can be read"):
        reader.read(b'{"x": 1}\n{"y": 2}\n')  # type: ignore[attr-defined]  # each is a module with it
