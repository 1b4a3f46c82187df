"""Copilot CLI: exits at the end of the text, shells that outlive their call, skills in the user's place."""

import json

import pytest

from ruledout.model.action import Ending, Run
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import copilot

START = {"type": "session.start", "data": {"sessionId": "s1", "copilotVersion": "1.0.64", "context": {"cwd": "/repo"}}}


def asks(call: str, name: str, **arguments: object) -> dict[str, object]:
    return {"type": "tool.execution_start", "data": {"toolCallId": call, "toolName": name, "arguments": arguments}}


def gives(call: str, text: str = "", **data: object) -> dict[str, object]:
    return {"type": "tool.execution_complete", "data": {"toolCallId": call, "success": True, "result": {"content": text}, **data}}


def session(*events: object) -> Transcript:
    return copilot.read(b"\n".join(json.dumps(event).encode() for event in (START, *events)))


@pytest.mark.parametrize(
    ("text", "output", "exit_code"),
    [
        ("ok\n<exited with exit code 0>", "ok", 0),
        ("no\n<shellId: 50 completed with exit code 128>", "no", 128),
        ("says <exited with exit code 7> inside", "says <exited with exit code 7> inside", None),
    ],
)
def test_an_exit_stands_at_the_end_of_the_output(text: str, output: str, exit_code: int | None) -> None:
    assert session(asks("c1", "bash", command="make"), gives("c1", text)).actions == (Run(ref="c1", at=0, command="make", output=output, exit=exit_code),)


def test_a_shell_that_is_read_on_later_ends_with_what_was_read() -> None:
    read = session(
        asks("c1", "bash", command="make"),
        gives("c1", "<command with shellId: 7 is still running after 30 seconds. Use read_bash to continue.>"),
        asks("c2", "read_bash", shellId="7"),
        gives("c2", "done\n<shellId: 7 completed with exit code 3>"),
    )
    assert read.actions[0] == Run(ref="c1", at=0, command="make", output="done", exit=3, result_ref="c2")


def test_a_shell_that_was_stopped_was_interrupted() -> None:
    read = session(
        asks("c1", "bash", command="find /"),
        gives("c1", "<command with shellId: 7 is still running after 30 seconds. Use read_bash to continue.>"),
        asks("c2", "stop_bash", shellId="7"),
        gives("c2", "<command with id: 7 stopped>"),
    )
    assert read.actions[0].ending is Ending.INTERRUPTED


def test_a_shell_of_which_nothing_more_is_heard_is_running() -> None:
    read = session(asks("c1", "bash", command="serve"), gives("c1", "<command started in background with shellId: 7>"))
    assert read.actions[0].ending is Ending.RUNNING


@pytest.mark.parametrize(
    ("name", "code", "ending"),
    [("view", "failure", Ending.MALFORMED), ("bash", "denied", Ending.REFUSED), ("edit", "rejected", Ending.REFUSED), ("bash", "failure", Ending.DONE)],
)
def test_a_call_without_success_ends_by_its_code(name: str, code: str, ending: Ending) -> None:
    read = session(asks("c1", name, command="x", path="a"), gives("c1", success=False, result=None, error={"message": "no", "code": code}))
    assert read.actions[-1].ending is ending


def test_what_stands_in_the_users_place_with_a_source_is_a_note() -> None:
    read = session(
        {"type": "user.message", "data": {"content": "Fix it."}},
        {"type": "user.message", "data": {"content": "<skill-context>", "source": "skill-x"}},
        {"type": "assistant.message", "data": {"content": "Yes.", "reasoningText": "Hm.", "reasoningOpaque": "xxx"}},
        {"type": "hook.start", "data": {"input": {"prompt": "Fix it."}}},
    )
    assert [(turn.role, turn.text) for turn in read.turns] == [
        (Role.USER, "Fix it."),
        (Role.NOTE, "<skill-context>"),
        (Role.ASSISTANT, "Hm."),
        (Role.ASSISTANT, "Yes."),
    ]
    assert (read.version, read.session, read.cwd) == ("1.0.64", "s1", "/repo")


def test_R14_events_of_unknown_types_are_counted() -> None:
    read = session({"type": "moon.phase", "data": {}}, {"type": "permission.requested", "data": {}})
    assert [(skipped.reason, skipped.count) for skipped in read.skipped] == [("event of an unknown type", 1)]
