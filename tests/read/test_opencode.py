"""OpenCode's exports: exit statuses in the metadata, errors, reverts, the same id twice."""

import json

import pytest

from ruledout.model.action import Ending, Run
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role, Track
from ruledout.read import opencode


def part(call: str, command: str = "npm test", tool: str = "bash", **state: object) -> dict[str, object]:
    return {
        "type": "tool",
        "tool": tool,
        "callID": call,
        "id": f"prt_{command}",
        "state": {"status": "completed", "input": {"command": command, "workdir": "/repo/web"}, "output": "out", **state},
    }


def message(role: str, *parts: object, name: str = "msg", **info: object) -> dict[str, object]:
    return {"info": {"role": role, "id": name, **info}, "parts": list(parts)}


def session(*messages: object, **info: object) -> Transcript:
    return opencode.read(json.dumps({"info": {"id": "ses", "directory": "/repo", "version": "1.14.30", **info}, "messages": messages}).encode())


def test_a_run_has_its_exit_from_the_metadata_and_its_folder_from_the_call() -> None:
    run = session(message("assistant", part("c1", metadata={"exit": 2, "output": "out"}))).actions[0]
    assert run == Run(ref="c1", at=0, command="npm test", output="out", exit=2, cwd="/repo/web")


@pytest.mark.parametrize(
    ("tool", "error", "ending"),
    [
        ("edit", "oldString not found in content", Ending.MALFORMED),
        ("bash", "The user rejected permission to use this specific tool call.", Ending.REFUSED),
        ("bash", "Tool execution aborted", Ending.INTERRUPTED),
        ("bash", "spawn ENOENT", Ending.DONE),
    ],
)
def test_an_error_ends_a_call_by_its_kind(tool: str, error: str, ending: Ending) -> None:
    assert session(message("assistant", part("c1", tool=tool, status="error", error=error, output=None))).actions[-1].ending is ending


def test_a_call_that_is_still_running_has_no_result() -> None:
    assert session(message("assistant", part("c1", status="running", output=None))).actions[0].ending is Ending.MISSING


def test_the_same_call_id_twice_gives_the_second_its_parts_id() -> None:
    read = session(message("assistant", part("REDACTED", "ls"), part("REDACTED", "pwd")))
    assert [action.ref for action in read.actions] == ["REDACTED", "prt_pwd"]


def test_reasoning_is_said_synthetic_text_and_summaries_are_notes() -> None:
    read = session(
        message("user", {"type": "text", "text": "Fix it."}, {"type": "text", "text": "file", "synthetic": True}),
        message("assistant", {"type": "reasoning", "text": "Because."}, {"type": "text", "text": "Done."}),
        message("assistant", {"type": "text", "text": "So far."}, summary=True),
    )
    assert [(turn.role, turn.text, turn.ref) for turn in read.turns] == [
        (Role.USER, "Fix it.", "step:0"),
        (Role.NOTE, "file", "step:0"),
        (Role.ASSISTANT, "Because.", "step:1"),
        (Role.ASSISTANT, "Done.", "step:1"),
        (Role.NOTE, "So far.", "step:2"),
    ]


def test_what_was_reverted_stands_on_its_own_track() -> None:
    read = session(message("assistant", part("c1", "ls"), name="m1"), message("assistant", part("c2", "pwd"), name="m2"), revert={"messageID": "m2"})
    assert [(turn.ref, turn.track) for turn in read.turns if turn.role is Role.CALL] == [("c1", Track.LIVE), ("c2", Track.REWOUND)]


def test_the_snapshots_diff_of_the_only_request_is_the_final_patch() -> None:
    diffs = {"diffs": [{"file": "a.ts", "patch": "Index: a.ts\n--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-1\n+2\n"}]}
    assert session(message("user", summary=diffs)).final_patch == "Index: a.ts\n--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-1\n+2"
    assert session(message("user", summary=diffs), message("user", summary=diffs)).final_patch is None


def test_R14_a_message_of_no_known_shape_is_counted() -> None:
    read = session("text", message("assistant", part("c1")))
    assert [(skipped.reason, skipped.first) for skipped in read.skipped] == [("not a message", "step:0")]
