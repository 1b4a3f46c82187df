"""OpenHands: events of both generations, their order, what ends a command, old pairs, evaluation rows."""

import json

import pytest

from ruledout.model.action import Edit, EditKind, Ending, Hunk, Other, Run
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import openhands


def acts(number: int, action: str, **args: object) -> dict[str, object]:
    return {
        "id": number,
        "timestamp": "t",
        "source": "agent",
        "action": action,
        "args": args,
        "tool_call_metadata": {"tool_call_id": f"c{number}", "model_response": {"big": 1}},
    }


def sees(number: int, cause: int, observation: str, content: str, **extras: object) -> dict[str, object]:
    return {"id": number, "timestamp": "t", "source": "agent", "cause": cause, "observation": observation, "content": content, "extras": extras}


def read(value: object) -> Transcript:
    return openhands.read(json.dumps(value).encode())


@pytest.mark.parametrize(
    ("observation", "content", "extras", "exit_code", "ending"),
    [
        ("run", "ok", {"metadata": {"exit_code": 0, "working_dir": "/repo"}}, 0, Ending.DONE),
        ("run", "old", {"exit_code": 3}, 3, Ending.DONE),
        ("run", "slow", {"metadata": {"exit_code": -1, "suffix": "[The command has no new output after 120 seconds.]"}}, None, Ending.RUNNING),
        ("run", "slow", {"metadata": {"exit_code": -1, "suffix": "[The command timed out after 120 seconds.]"}}, None, Ending.TIMED_OUT),
        ("error", "Cannot execute multiple commands at once.", {}, None, Ending.MALFORMED),
        ("user_rejected", "no", {}, None, Ending.REFUSED),
    ],
)
def test_what_is_seen_of_a_command_ends_it(observation: str, content: str, extras: dict[str, object], exit_code: int | None, ending: Ending) -> None:
    transcript = read([acts(1, "run", command="pytest"), sees(2, 1, observation, content, **extras)])
    assert transcript.actions == (Run(ref="c1", at=0, command="pytest", output=content, exit=exit_code, ending=ending),)


def test_edits_of_the_first_generation_are_edits() -> None:
    arguments = {
        "path": "/repo/a.py",
        "command": "str_replace",
        "old_str": "x",
        "new_str": "y",
        "file_text": None,
        "content": "",
        "start": 1,
        "end": -1,
        "thought": "Mend.",
    }
    transcript = read([acts(1, "edit", **arguments), sees(2, 1, "edit", "The file has been edited.", old_content="x\n")])
    assert transcript.actions == (Edit(ref="c1", at=1, path="/repo/a.py", kind=EditKind.REPLACE, hunks=(Hunk(removed=("x",), added=("y",)),)),)


def test_an_edit_that_did_not_match_is_malformed() -> None:
    transcript = read([acts(1, "edit", path="a", command="str_replace", old_str="x", new_str="y"), sees(2, 1, "edit", "ERROR:\nNo replacement was performed")])
    assert [action.ending for action in transcript.actions] == [Ending.MALFORMED]


def test_events_joined_by_file_name_are_put_in_the_order_of_their_numbers() -> None:
    events = [
        acts(1, "run", command="first"),
        sees(10, 3, "run", "late", metadata={"exit_code": 1}),
        sees(2, 1, "run", "early", metadata={"exit_code": 0}),
        acts(3, "run", command="second"),
    ]
    transcript = openhands.read(b"\n".join(json.dumps(event).encode() for event in events))
    assert [(run.command, run.output, run.exit) for run in transcript.actions if isinstance(run, Run)] == [("first", "early", 0), ("second", "late", 1)]


def test_speakers_are_told_apart_and_books_are_left_out() -> None:
    said = [
        {"id": 0, "source": "agent", "action": "system", "args": {"content": "You are"}},
        {"id": 1, "source": "user", "action": "message", "args": {"content": "Fix it."}},
        {"id": 2, "source": "user", "action": "recall", "args": {"query": "x"}},
        {"id": 3, "source": "environment", "observation": "agent_state_changed", "content": "", "extras": {}},
        {"id": 4, "source": "agent", "action": "message", "args": {"content": "Done."}},
        {"id": 5, "source": "agent", "action": "condensation", "args": {"summary": "So far."}},
    ]
    assert [(turn.role, turn.text) for turn in read(said).turns] == [
        (Role.SYSTEM, "You are"),
        (Role.USER, "Fix it."),
        (Role.ASSISTANT, "Done."),
        (Role.NOTE, "So far."),
    ]


def test_an_evaluation_row_has_its_patch_and_pairs_are_events() -> None:
    pairs = [[acts(1, "run", command="ls"), sees(2, 1, "run", "a", exit_code=0)]]
    row = {"instance_id": "i", "history": pairs, "test_result": {"git_patch": "diff --git a/a b/a\n"}}
    raw = json.dumps(row).encode()
    assert openhands.claims(raw)
    transcript = openhands.read(raw)
    assert (transcript.session, transcript.final_patch) == ("i", "diff --git a/a b/a\n")
    assert [action.ref for action in transcript.actions] == ["c1"]


def test_an_observation_without_a_cause_answers_the_newest_call() -> None:
    pair = [
        {"source": "agent", "action": "run", "args": {"command": "ls"}},
        {"source": "agent", "observation": "run", "content": "a", "extras": {"exit_code": 0}},
    ]
    assert read([pair]).actions == (Run(ref="step:0", at=0, command="ls", output="a", exit=0),)


def test_R14_further_rows_are_counted() -> None:
    row = {"instance_id": "i", "history": [acts(1, "run", command="ls"), sees(2, 1, "run", "a")]}
    transcript = openhands.read(b"\n".join(json.dumps(row).encode() for _ in range(3)))
    assert [(skipped.reason, skipped.count, skipped.first) for skipped in transcript.skipped] == [("further session in the file", 2, "line:1")]


def new(kind: str, **more: object) -> dict[str, object]:
    return {"id": kind, "timestamp": "t", "source": "agent", "kind": kind, **more}


@pytest.mark.parametrize(
    ("event", "exit_code", "ending"),
    [
        (new("ObservationEvent", tool_call_id="c1", observation={"content": [{"text": "out"}], "is_error": False, "exit_code": 4}), 4, Ending.DONE),
        (
            new(
                "ObservationEvent",
                tool_call_id="c1",
                observation={"content": [{"text": "out"}], "is_error": True, "exit_code": None, "metadata": {"exit_code": -1}},
            ),
            None,
            Ending.MALFORMED,
        ),
        (new("ObservationEvent", tool_call_id="c1", observation={"content": [{"text": "out"}], "exit_code": -1, "timeout": True}), None, Ending.TIMED_OUT),
        (new("AgentErrorEvent", tool_call_id="c1", error="out"), None, Ending.MALFORMED),
        (new("UserRejectObservation", tool_call_id="c1", rejection_reason="out"), None, Ending.REFUSED),
    ],
)
def test_events_of_the_second_generation_end_a_call(event: dict[str, object], exit_code: int | None, ending: Ending) -> None:
    asked = new(
        "ActionEvent",
        thought=[{"text": "Run."}],
        action={"kind": "TerminalAction", "command": "make", "timeout": None},
        tool_name="terminal",
        tool_call_id="c1",
    )
    assert read([asked, event]).actions == (Run(ref="c1", at=1, command="make", output="out", exit=exit_code, ending=ending),)


def test_R14_events_of_unknown_kinds_are_counted() -> None:
    assert [skipped.reason for skipped in read([new("MoonEvent"), new("PauseEvent")]).skipped] == ["event of an unknown kind"]


@pytest.mark.parametrize(("keys", "exit_code", "ending"), [("", 2, Ending.DONE), ("C-c", None, Ending.INTERRUPTED)])
def test_a_command_that_outlives_its_call_ends_with_the_call_that_waits_for_it(keys: str, exit_code: int | None, ending: Ending) -> None:
    slow = {"metadata": {"exit_code": -1, "suffix": "[The command has no new output after 30 seconds.]"}}
    events = [
        acts(1, "run", command="pytest"),
        sees(2, 1, "run", "...", **slow),
        acts(3, "run", command=keys),
        sees(4, 3, "run", "2 failed", metadata={"exit_code": 2}),
    ]
    assert read(events).actions == (
        Run(ref="c1", at=0, command="pytest", output="2 failed", exit=exit_code, ending=ending, result_ref="c3"),
        Other(ref="c3", at=2, name="terminal_input"),
    )


def test_a_new_command_does_not_end_the_one_that_was_left_waiting() -> None:
    slow = {"metadata": {"exit_code": -1, "suffix": "[The command has no new output after 30 seconds.]"}}
    events = [
        acts(1, "run", command="serve"),
        sees(2, 1, "run", "...", **slow),
        acts(3, "run", command="ls"),
        sees(4, 3, "run", "a", metadata={"exit_code": 0}),
    ]
    assert [action.ending for action in read(events).actions] == [Ending.RUNNING, Ending.DONE]


def test_an_edit_that_a_model_merges_in_is_never_taken_for_the_whole_file() -> None:
    (edit,) = read([acts(1, "edit", path="/a.py", content="def f(): ...", start=3, end=4, impl_source="llm_based_edit"), sees(2, 1, "edit", "done")]).actions
    assert isinstance(edit, Edit)
    assert (edit.kind, edit.hunks) == (EditKind.REPLACE, (Hunk(added=("def f(): ...",)),))
