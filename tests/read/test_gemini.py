"""Gemini CLI: the exit inside the output's text, cancelled calls, what was read into a prompt, the line form with its updates."""

import json

import pytest

from ruledout.model.action import Ending, Run
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role, Track
from ruledout.read import gemini

HEAD = {"sessionId": "s1", "projectHash": "h", "startTime": "t", "lastUpdated": "t"}


def call(output: str, status: str = "success", name: str = "run_shell_command", **args: object) -> dict[str, object]:
    return {
        "id": "c1",
        "name": name,
        "args": args or {"command": "pytest"},
        "status": status,
        "result": [{"functionResponse": {"response": {"output": output}}}],
    }


def session(*messages: object) -> Transcript:
    return gemini.read(json.dumps({**HEAD, "messages": messages}).encode())


def lines(*records: object) -> Transcript:
    return gemini.read(b"\n".join(json.dumps(record).encode() for record in (HEAD, *records)))


def says(name: str, text: str, kind: str = "user") -> dict[str, object]:
    return {"id": name, "type": kind, "content": text}


@pytest.mark.parametrize(
    ("output", "exit_code", "ending"),
    [
        ("Output: ok\nProcess Group PGID: 9", 0, Ending.DONE),
        ("Output: 1 failed\nExit Code: 1\nProcess Group PGID: 9", 1, Ending.DONE),
        ("Command: x\nDirectory: (root)\nOutput: ok\nError: (none)\nExit Code: 0\nSignal: (none)", 0, Ending.DONE),
        ("Output: \nSignal: 9\nProcess Group PGID: 9", None, Ending.DONE),
        ("Command was automatically cancelled because it exceeded the timeout of 5.0 minutes.", None, Ending.TIMED_OUT),
        ("Command was cancelled by user before it could complete.", None, Ending.INTERRUPTED),
    ],
)
def test_an_exit_is_told_by_the_lines_around_the_output(output: str, exit_code: int | None, ending: Ending) -> None:
    run = session({"id": "m", "type": "gemini", "content": "", "toolCalls": [call(output)]}).actions[0]
    assert run == Run(ref="c1", at=0, command="pytest", output=output, exit=exit_code, ending=ending)


@pytest.mark.parametrize(
    ("status", "output", "ending"),
    [
        ("error", "Failed to edit, 0 occurrences found for old_string", Ending.MALFORMED),
        ("cancelled", "[Operation Cancelled] Reason: User denied execution.", Ending.REFUSED),
    ],
)
def test_a_call_that_did_not_succeed_is_not_done(status: str, output: str, ending: Ending) -> None:
    edit = call(output, status, "replace", file_path="a.py", old_string="x", new_string="y")
    assert [action.ending for action in session({"id": "m", "type": "gemini", "content": "", "toolCalls": [edit]}).actions] == [ending]


def test_files_that_a_prompt_drew_in_are_a_note() -> None:
    content = [{"text": "Fix @a.py"}, {"text": "\n--- Content from referenced files ---"}, {"text": "secret file"}]
    read = session({"id": "m", "type": "user", "content": content}, says("n", "updated", "info"))
    assert [(turn.role, turn.text, turn.ref) for turn in read.turns] == [
        (Role.USER, "Fix @a.py", "step:0"),
        (Role.NOTE, "\n--- Content from referenced files ---\nsecret file", "step:0"),
        (Role.NOTE, "updated", "step:1"),
    ]


def test_in_the_line_form_the_last_of_an_id_wins_and_a_rewind_is_kept_apart() -> None:
    read = lines(says("a", "Fix it."), says("b", "first", "gemini"), says("b", "first, longer", "gemini"), {"$rewindTo": "b"}, says("c", "second", "gemini"))
    assert [(turn.text, turn.track, turn.ref) for turn in read.turns] == [
        ("first, longer", Track.REWOUND, "line:3"),
        ("Fix it.", Track.LIVE, "line:1"),
        ("second", Track.LIVE, "line:5"),
    ]


def test_an_update_that_sets_the_messages_replaces_them() -> None:
    read = lines(says("a", "old"), {"$set": {"messages": [says("x", "new"), says("y", "answer", "gemini")]}}, {"$set": {"lastUpdated": "t2"}})
    assert [(turn.role, turn.text) for turn in read.turns] == [(Role.USER, "new"), (Role.ASSISTANT, "answer")]
    assert read.session == "s1"


def test_R14_what_is_of_an_unknown_type_is_counted() -> None:
    read = session(says("a", "x", "oracle"), says("b", "y"))
    assert [(skipped.reason, skipped.first) for skipped in read.skipped] == [("message of an unknown type", "step:0")]
