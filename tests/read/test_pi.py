"""pi: the tree's live branch, exit statuses by failure only, compaction, the user's own commands."""

import json

import pytest

from ruledout.model.action import Ending, Run
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role, Track
from ruledout.read import pi

HEADER = {"type": "session", "version": 3, "id": "s1", "cwd": "/repo"}


def entry(name: str, parent: str | None, **message: object) -> dict[str, object]:
    return {"type": "message", "id": name, "parentId": parent, "message": message}


def calls(name: str, parent: str | None, call: str, tool: str = "bash", **arguments: object) -> dict[str, object]:
    return entry(name, parent, role="assistant", content=[{"type": "toolCall", "id": call, "name": tool, "arguments": arguments}])


def gives(name: str, parent: str, call: str, text: str, *, error: bool = False, **more: object) -> dict[str, object]:
    return entry(name, parent, role="toolResult", toolCallId=call, content=[{"type": "text", "text": text}], isError=error, **more)


def session(*entries: object, header: object = HEADER) -> Transcript:
    return pi.read(b"\n".join(json.dumps(line).encode() for line in (header, *entries)))


@pytest.mark.parametrize(
    ("text", "error", "more", "exit_code", "ending"),
    [
        ("ok", False, {}, 0, Ending.DONE),
        ("FAIL\n\nCommand exited with code 2", True, {}, 2, Ending.DONE),
        ("x", False, {"details": {"exitCode": 5}}, 5, Ending.DONE),
        ("x\n\nCommand timed out after 30 seconds", True, {}, None, Ending.TIMED_OUT),
        ("Command aborted", True, {}, None, Ending.INTERRUPTED),
        ("Blocked: command references a protected directory", True, {}, None, Ending.REFUSED),
    ],
)
def test_a_failure_tells_its_exit_and_a_success_is_a_zero(text: str, error: bool, more: dict[str, object], exit_code: int | None, ending: Ending) -> None:  # noqa: FBT001  # a table's column
    run = session(calls("a", None, "c1", command="go test"), gives("b", "a", "c1", text, error=error, **more)).actions[0]
    assert run == Run(ref="c1", at=0, command="go test", output=text, exit=exit_code, ending=ending)


def test_an_edit_that_did_not_match_is_malformed() -> None:
    read = session(
        calls("a", None, "c1", "edit", path="a.go", edits=[{"oldText": "x", "newText": "y"}]),
        gives("b", "a", "c1", "Could not find the exact text in a.go.", error=True),
    )
    assert [action.ending for action in read.actions] == [Ending.MALFORMED]


def test_a_branch_that_was_left_is_rewound() -> None:
    read = session(
        entry("a", None, role="user", content="Fix it."),
        entry("b", "a", role="assistant", content=[{"type": "text", "text": "first try"}]),
        entry("c", "a", role="assistant", content=[{"type": "text", "text": "second try"}]),
    )
    assert [(turn.text, turn.track) for turn in read.turns] == [("Fix it.", Track.LIVE), ("first try", Track.REWOUND), ("second try", Track.LIVE)]


def test_a_loop_of_parents_ends() -> None:
    assert len(session(entry("a", "b", role="user", content="x"), entry("b", "a", role="user", content="y")).turns) == 2


def test_version_1_has_no_tree_and_everything_lives() -> None:
    lines = ({"type": "message", "message": {"role": "user", "content": "Fix it."}}, {"type": "message", "message": {"role": "assistant", "content": "Done."}})
    read = session(*lines, header={"type": "session", "id": "s", "cwd": "/repo"})
    assert [(turn.role, turn.track, turn.ref) for turn in read.turns] == [(Role.USER, Track.LIVE, "line:1"), (Role.ASSISTANT, Track.LIVE, "line:2")]


def test_the_users_own_command_is_a_run_and_a_compaction_is_a_note() -> None:
    read = session(
        entry("a", None, role="bashExecution", command="make", output="boom", exitCode=2),
        {"type": "compaction", "id": "b", "parentId": "a", "summary": "So far."},
    )
    assert read.actions == (Run(ref="line:1", at=0, command="make", output="boom", exit=2),)
    assert (read.turns[-1].role, read.turns[-1].text) == (Role.NOTE, "So far.")


def test_R14_records_of_unknown_types_are_counted_and_books_are_not() -> None:
    read = session(
        {"type": "model_change", "id": "m", "parentId": None}, {"type": "moon_phase", "id": "n", "parentId": "m"}, entry("a", "n", role="user", content="x")
    )
    assert [(skipped.reason, skipped.count, skipped.first) for skipped in read.skipped] == [("record of an unknown type", 1, "line:2")]
