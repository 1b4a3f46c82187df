"""Plain message lists: calls as objects and in the text, in every list and line form."""

import json

import pytest

from ruledout.errors import BadInput
from ruledout.model.action import Edit, EditKind, Ending, Hunk, Other, Read, Run
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import messages

PROMPT = "\n\n(Open file: n/a)\n(Current directory: /repo)\nbash-$"
USER = {"role": "user", "content": "Fix it."}
CALL = {
    "role": "assistant",
    "content": "Run.",
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "pytest"}'}}],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "1 failed"}
TASK = "We're currently solving the following issue." + PROMPT


def read(value: object) -> Transcript:
    return messages.read(json.dumps(value).encode())


def runs(transcript: Transcript) -> list[tuple[str, str, str, int | None]]:
    return [(run.ref, run.command, run.output, run.exit) for run in transcript.actions if isinstance(run, Run)]


@pytest.mark.parametrize(
    "raw",
    [
        json.dumps([USER, CALL, RESULT]),
        json.dumps({"messages": [USER, CALL, RESULT]}),
        json.dumps({"history": [USER, CALL, RESULT], "info": {}}),
        "\n".join(map(json.dumps, [USER, CALL, RESULT])),
        "\n".join(json.dumps({"messages": [USER, CALL, RESULT], "instance_id": name}) for name in "ab"),
    ],
    ids=["list", "object", "another key", "a message a line", "a session a line"],
)
def test_every_form_of_the_list_is_read(raw: str) -> None:
    assert messages.claims(raw.encode())
    assert runs(messages.read(raw.encode())) == [("c1", "pytest", "1 failed", None)]


def test_R14_further_sessions_of_a_file_are_counted() -> None:
    raw = "\n".join(json.dumps({"messages": [USER], "instance_id": name}) for name in "abc").encode()
    transcript = messages.read(raw)
    assert transcript.session == "a"
    assert [(skipped.reason, skipped.count, skipped.first) for skipped in transcript.skipped] == [("further session in the file", 2, "line:1")]


def test_blocks_in_the_other_vendors_form_are_calls_and_results() -> None:
    call = {
        "role": "assistant",
        "content": [{"type": "text", "text": "Run."}, {"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "pytest"}}],
    }
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "1 failed"}]}]}
    transcript = read([USER, call, result])
    assert runs(transcript) == [("t1", "pytest", "1 failed", None)]
    assert [turn.role for turn in transcript.turns] == [Role.USER, Role.ASSISTANT, Role.CALL, Role.OUTPUT]


def test_items_of_the_responses_form_are_calls_and_results() -> None:
    items = [
        USER,
        {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"command": "ls"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "a"},
    ]
    assert runs(read(items)) == [("c1", "ls", "a", None)]


@pytest.mark.parametrize(
    ("output", "exit_code", "ending"),
    [
        ("ok\n[Command finished with exit code 0]", 0, Ending.DONE),
        ("no\n[The command completed with exit code 2.]", 2, Ending.DONE),
        ("Exit code: 3\nOutput:\nx", 3, Ending.DONE),
        ("nothing told", None, Ending.DONE),
        ("x\n[The command has no new output after 120 seconds. You may wait longer.]", None, Ending.RUNNING),
        ("x\n[The command timed out after 120 seconds.]", None, Ending.TIMED_OUT),
    ],
)
def test_an_exit_is_told_by_the_text_only(output: str, exit_code: int | None, ending: Ending) -> None:
    run = read([USER, CALL, {**RESULT, "content": output}]).actions[0]
    assert isinstance(run, Run)
    assert (run.exit, run.ending) == (exit_code, ending)


def test_a_command_that_outlives_its_call_ends_with_the_call_that_waits_for_it() -> None:
    slow = {**RESULT, "content": "...\n[The command has no new output after 30 seconds.]"}
    wait = {"role": "assistant", "content": "", "tool_calls": [{"id": "c2", "function": {"name": "execute_bash", "arguments": '{"command": ""}'}}]}
    end = {"role": "tool", "tool_call_id": "c2", "content": "2 failed\n[Command finished with exit code 2]"}
    run, other = read([USER, CALL, slow, wait, end]).actions
    assert run == Run(ref="c1", at=2, command="pytest", output=end["content"], exit=2, result_ref="c2")
    assert isinstance(other, Other)


def test_calls_in_the_text_are_answered_by_the_next_message() -> None:
    call = "Mend it.\n\n<function=str_replace_editor>\n<parameter=command>str_replace</parameter>\n<parameter=path>/a.py</parameter>\n<parameter=old_str>\n  one\n</parameter>\n<parameter=new_str>\n  two\n</parameter>\n</function>"
    transcript = read(
        [
            USER,
            {"role": "assistant", "content": call},
            {"role": "user", "content": "OBSERVATION:\nThe file /a.py has been edited."},
            {"role": "user", "content": "thanks"},
        ]
    )
    assert transcript.actions == (Edit(ref="step:1", at=2, path="/a.py", kind=EditKind.REPLACE, hunks=(Hunk(removed=("  one",), added=("  two",)),)),)
    assert [(turn.role, turn.text) for turn in transcript.turns][1::2] == [(Role.ASSISTANT, "Mend it."), (Role.OUTPUT, "The file /a.py has been edited.")]
    assert transcript.turns[-1].role is Role.USER


def test_an_edit_that_did_not_match_is_malformed() -> None:
    edit = {"id": "c2", "function": {"name": "str_replace_editor", "arguments": '{"command": "str_replace", "path": "/a.py", "old_str": "x", "new_str": "y"}'}}
    answer = "OBSERVATION:\nERROR:\nNo replacement was performed, old_str `x` did not appear verbatim in /a.py."
    transcript = read([USER, {"role": "assistant", "content": "", "tool_calls": [edit]}, {"role": "tool", "tool_call_id": "c2", "content": answer}])
    assert [action.ending for action in transcript.actions] == [Ending.MALFORMED]


def test_rows_in_the_language_of_swe_agent_are_edits_and_runs() -> None:
    rows = [
        {"role": "system", "system_prompt": "SETTING", "text": None},
        {"role": "user", "text": TASK},
        {"role": "ai", "text": "Open it.\n\n```\nopen a.py\n```"},
        {"role": "user", "text": "[File: /repo/a.py (2 lines total)]\n1:one\n2:two\n" + PROMPT},
        {"role": "ai", "text": "Mend it.\n\n```\nedit 1:1\nuno\nend_of_edit\n```"},
        {"role": "user", "text": "[File: /repo/a.py (2 lines total)]\n1:uno\n2:two\nFile updated." + PROMPT},
        {"role": "ai", "text": "Done.\n\n```\nsubmit\n```"},
    ]
    transcript = read({"instance_id": "i", "trajectory": rows, "generated_patch": "diff --git a/a.py b/a.py\n"})
    assert [type(action).__name__ for action in transcript.actions] == ["Read", "Edit", "Other"]
    edit = transcript.actions[1]
    assert isinstance(edit, Edit)
    assert (edit.ref, edit.path, edit.hunks) == ("step:4", "a.py", (Hunk(removed=("one",), added=("uno",)),))
    assert (transcript.cwd, transcript.final_patch) == ("/repo", "diff --git a/a.py b/a.py\n")
    assert isinstance(transcript.actions[0], Read)


def test_what_a_harness_says_in_the_users_place_is_a_note() -> None:
    again = "Please continue working on the task on whatever approach you think is suitable."
    assert [turn.role for turn in read([USER, {"role": "assistant", "content": "Done."}, {"role": "user", "content": again}]).turns][-1] is Role.NOTE


def test_the_newest_response_of_a_logged_model_call_is_read_too() -> None:
    response = {"choices": [{"message": {"role": "assistant", "content": "Run.", "tool_calls": CALL["tool_calls"]}}]}
    assert runs(read({"messages": [USER], "response": response})) == [("c1", "pytest", "", None)]


def test_a_document_without_a_list_is_refused() -> None:
    with pytest.raises(BadInput, match="none of"):
        messages.read(b'{"a": 1}')


def test_a_megabyte_of_unclosed_tags_is_read_in_one_pass() -> None:
    said = "<function=bash><parameter=a>" * 40_000
    assert len(read([USER, {"role": "assistant", "content": said}]).actions) == 1
