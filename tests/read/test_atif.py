"""ATIF: exits where converters leave them, calls in messages, inner trajectories, the line form."""

import json

import pytest

from ruledout.model.action import Ending, Other, Run
from ruledout.model.transcript import Fidelity, Transcript
from ruledout.model.turn import Role
from ruledout.read import atif


def agent(content: object, call: dict[str, object] | None = None, name: str = "bash", source: str | None = "c1", extra: object = None) -> dict[str, object]:
    asked = {"tool_call_id": "c1", "function_name": name, "arguments": call or {"command": "pytest"}}
    return {
        "step_id": 2,
        "source": "agent",
        "message": "Run.",
        "tool_calls": [asked],
        "observation": {"results": [{"source_call_id": source, "content": content, "extra": extra}]},
    }


def session(*steps: object, **root: object) -> Transcript:
    return atif.read(
        json.dumps({"schema_version": "ATIF-v1.7", "session_id": "s", "agent": {"name": "claude-code", "version": "2"}, "steps": steps, **root}).encode()
    )


@pytest.mark.parametrize(
    ("content", "extra", "output", "exit_code"),
    [
        ("<returncode>1</returncode>\n<output>\nboom\n</output>", {}, "boom", 1),
        ("Exit code 1\n1 failed\n\n[error] tool reported failure", {"tool_result_is_error": True}, "Exit code 1\n1 failed", 1),
        ("3 passed\n\n[stdout]\n3 passed\n[metadata] {}", {"tool_result_is_error": False}, "3 passed", 0),
        ('no\n<shellId: 5 completed with exit code 2>\n{"detailedContent": "no"}', {"success": True}, "no\n<shellId: 5 completed with exit code 2>", 2),
        ("x", {"toolTelemetry": {"metrics": {"exit_code": 7}}}, "x", 7),
        ("x", {"is_error": False}, "x", 0),
        ("x", {}, "x", None),
    ],
)
def test_an_exit_is_found_where_the_converters_leave_it(content: str, extra: dict[str, object], output: str, exit_code: int | None) -> None:
    assert session(agent(content, extra=extra)).actions == (Run(ref="c1", at=1, command="pytest", output=output, exit=exit_code),)


def test_a_result_without_a_source_belongs_to_the_call_in_its_place() -> None:
    assert session(agent("<returncode>0</returncode>\n<output>\nok\n</output>", source=None)).actions[0].ref == "c1"


def test_an_edit_that_failed_is_malformed() -> None:
    edit = agent("No such text", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, "Edit", extra={"tool_result_is_error": True})
    assert [action.ending for action in session(edit).actions] == [Ending.MALFORMED]


def test_calls_in_an_answer_that_is_itself_an_object_or_has_tags_are_read() -> None:
    strokes = {
        "step_id": 1,
        "source": "agent",
        "message": json.dumps({"plan": "p", "commands": [{"keystrokes": "ls\n", "duration": 1}]}),
        "observation": {"results": [{"content": "a"}]},
    }
    tags = {"step_id": 2, "source": "agent", "message": "Do.<function=finish><parameter=message>bye</parameter></function>"}
    assert session(strokes, tags).actions == (
        Run(ref="step:0", at=1, command="ls", output="a"),
        Other(ref="step:1", at=4, name="finish", ending=Ending.MISSING),
    )


def test_a_trajectory_inside_knows_the_call_that_started_it() -> None:
    inner = {"trajectory_id": "t2", "agent": {"name": "helper"}, "steps": [{"step_id": 1, "source": "user", "message": "Look."}]}
    outer = agent("done", {"prompt": "Look."}, "Task")
    outer["observation"] = {"results": [{"source_call_id": "c1", "content": "done", "subagent_trajectory_ref": [{"trajectory_id": "t2"}]}]}
    (sub,) = session(outer, subagent_trajectories=[inner]).subagents
    assert (sub.parent_ref, sub.agent, [turn.text for turn in sub.turns]) == ("c1", "helper", ["Look."])


def test_in_the_line_form_a_verification_of_the_system_is_a_run() -> None:
    verified = {
        "step_id": 2,
        "source": "system",
        "message": "results",
        "observation": {"results": [{"content": {"command": "bun test", "passed": True, "output": "9 pass"}}]},
    }
    lines = ({"__header__": True, "schema_version": "ATIF-v1.4", "agent": {"name": "m"}}, {"step_id": 1, "source": "system", "message": "started"}, verified)
    read = atif.read(b"\n".join(json.dumps(line).encode() for line in lines))
    assert read.actions == (Run(ref="line:2", at=2, command="bun test", output="9 pass", exit=0),)


def test_a_terminals_screen_is_lossy() -> None:
    assert session({"step_id": 1, "source": "user", "message": "x"}, agent={"name": "terminus-2"}).fidelity is Fidelity.LOSSY


def test_the_first_word_of_the_system_is_its_prompt_and_later_ones_are_notes() -> None:
    said = [{"step_id": n, "source": source, "message": source} for n, source in enumerate(("system", "user", "system", "moon"))]
    assert [turn.role for turn in session(*said).turns] == [Role.SYSTEM, Role.USER, Role.NOTE, Role.NOTE]
