"""Cline and Roo: calls as tags and as blocks, answers in the user's place, the program's details left out."""

import json

import pytest

from ruledout.model.action import Edit, EditKind, Ending, Hunk, Run
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import cline

DETAILS = "<environment_details>\n# Current Working Directory (/repo) Files\na.py\n</environment_details>"


def says(*texts: str) -> dict[str, object]:
    return {"role": "user", "ts": 1, "content": [{"type": "text", "text": text} for text in texts]}


def answers(text: str) -> dict[str, object]:
    return {"role": "assistant", "ts": 2, "content": [{"type": "text", "text": text}]}


def session(*messages: object) -> Transcript:
    return cline.read(json.dumps(messages).encode())


def test_the_programs_details_are_counted_and_tell_the_folder() -> None:
    read = session(says("<task>\nFix it.\n</task>", DETAILS))
    assert [(turn.role, turn.text) for turn in read.turns] == [(Role.USER, "<task>\nFix it.\n</task>")]
    assert read.cwd == "/repo"
    assert [(skipped.reason, skipped.count) for skipped in read.skipped] == [("environment details", 1)]


@pytest.mark.parametrize(
    ("answer", "exit_code", "ending"),
    [
        ("Command executed.\nOutput:\nok", None, Ending.DONE),
        ("Command executed in terminal within working directory '/repo'. Exit code: 2\nOutput:\nno", 2, Ending.DONE),
        ("The user denied this operation.", None, Ending.REFUSED),
        ("Command is still running in the user's terminal.", None, Ending.RUNNING),
        ("Command execution timed out after 30 seconds.\nOutput:\n...", None, Ending.TIMED_OUT),
    ],
)
def test_a_command_in_tags_is_answered_by_the_next_turn(answer: str, exit_code: int | None, ending: Ending) -> None:
    call = answers("Run.\n<execute_command>\n<command>pytest -q</command>\n<requires_approval>false</requires_approval>\n</execute_command>")
    read = session(says("<task>x</task>"), call, says("[execute_command for 'pytest -q'] Result:", answer, DETAILS))
    assert read.actions == (Run(ref="step:1", at=2, command="pytest -q", output=answer, exit=exit_code, ending=ending),)
    assert read.turns[1].text == "Run."


@pytest.mark.parametrize(
    "block",
    [
        "<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE",
        "------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE",
        "<<<<<<< SEARCH\n:start_line:4\n-------\none\n=======\ntwo\n>>>>>>> REPLACE",
    ],
    ids=["old", "new", "Roo"],
)
def test_a_replacement_in_tags_is_an_edit_in_every_spelling(block: str) -> None:
    call = answers(f"<replace_in_file>\n<path>a.py</path>\n<diff>\n{block}\n</diff>\n</replace_in_file>")
    read = session(says("<task>x</task>"), call, says("[replace_in_file for 'a.py'] Result:", "The content was successfully saved."))
    assert read.actions == (Edit(ref="step:1", at=1, path="a.py", kind=EditKind.REPLACE, hunks=(Hunk(removed=("one",), added=("two",)),)),)


def test_a_file_with_tags_of_its_own_is_written_whole() -> None:
    call = answers("<write_to_file><path>a.html</path><content>\n<p>\n<content>x</content>\n</p>\n</content></write_to_file>")
    (edit,) = session(says("<task>x</task>"), call, says("[write_to_file for 'a.html'] Result:", "saved")).actions
    assert isinstance(edit, Edit)
    assert edit.hunks == (Hunk(added=("<p>", "<content>x</content>", "</p>")),)


def test_blocks_with_ids_are_calls_of_these_ids() -> None:
    call = {
        "role": "assistant",
        "ts": 2,
        "content": [{"type": "tool_use", "id": "t1", "name": "run_commands", "input": {"commands": ["npm test", "npm run lint"]}}],
    }
    result = {
        "role": "user",
        "ts": 3,
        "content": [{"type": "tool_result", "tool_use_id": "t1", "content": '[{"query": "npm test", "result": "1 failed", "exitCode": 1}]'}],
    }
    assert session(says("<task>x</task>"), call, result).actions == (Run(ref="t1", at=1, command="npm test\nnpm run lint", output="1 failed", exit=1),)


def test_what_the_program_says_in_the_users_place_is_a_note() -> None:
    assert session(says("[ERROR] You did not use a tool in your previous response!")).turns[0].role is Role.NOTE


def test_the_later_file_with_its_session_is_known() -> None:
    raw = json.dumps({"version": 1, "agent": "lead", "sessionId": "s1", "messages": [says("Fix it.")]}).encode()
    assert cline.claims(raw)
    assert (cline.read(raw).session, [turn.text for turn in cline.read(raw).turns]) == ("s1", ["Fix it."])


def test_a_megabyte_of_unclosed_tags_is_read_in_bounded_time() -> None:
    assert session(answers("<write_to_file>" + "<a>" * 300_000 + "</write_to_file>")).actions
