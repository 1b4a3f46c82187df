"""mini-swe-agent: what a command, its result and a rejected answer look like in v1 and v2."""

import json

import pytest

from ruledout.model.action import Ending, Other, Run
from ruledout.model.transcript import Fidelity, Transcript
from ruledout.model.turn import Role
from ruledout.read import mini_swe_agent

SYSTEM = {"role": "system", "content": "You are a helpful assistant."}
TASK = {"role": "user", "content": "Please solve this issue."}
SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff --cached"
DIFF = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-1\n+2\n"


def asks(text: str, *commands: str, tag: str = "bash") -> dict[str, str]:
    return {"role": "assistant", "content": text + "".join(f"\n\n```{tag}\n{command}\n```" for command in commands)}


def answers(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def session(*messages: object, **info: object) -> Transcript:
    return mini_swe_agent.read(json.dumps({"info": {"mini_version": "1.15.0", **info}, "messages": [SYSTEM, TASK, *messages]}).encode())


def runs(transcript: Transcript) -> list[tuple[str, str, str, int | None, Ending]]:
    return [(run.ref, run.command, run.output, run.exit, run.ending) for run in transcript.actions if isinstance(run, Run)]


def test_a_fenced_command_and_its_result_are_one_run_at_the_assistants_message() -> None:
    read = session(asks("THOUGHT: look.", "ls"), answers("<returncode>0</returncode>\n<output>\na.py\n</output>"))
    assert runs(read) == [("step:2", "ls", "a.py", 0, Ending.DONE)]
    assert [(turn.role, turn.text, turn.ref) for turn in read.turns][1:] == [
        (Role.USER, "Please solve this issue.", "step:1"),
        (Role.ASSISTANT, "THOUGHT: look.", "step:2"),
        (Role.CALL, "ls", "step:2"),
        (Role.OUTPUT, "a.py", "step:2"),
    ]


def test_the_fence_of_version_2_is_known() -> None:
    read = session(asks("x", "ls", tag="mswea_bash_command"), answers("<returncode>0</returncode>\n<output>\n</output>"))
    assert runs(read) == [("step:2", "ls", "", 0, Ending.DONE)]


def test_two_fences_are_a_malformed_call_and_the_harness_answer_is_a_note() -> None:
    read = session(asks("both", "sed -i s/a/b/ f", "cat f"), answers("Please always provide EXACTLY ONE action in triple backticks, found 2 actions."))
    assert {action.ending for action in read.actions} == {Ending.MALFORMED}
    assert [turn.role for turn in read.turns][-1] is Role.NOTE


def test_a_thought_with_code_but_one_command_is_run() -> None:
    text = "THOUGHT: change\n```python\nx = 1\n```\nnow"
    read = session(asks(text, "python f.py"), answers("<returncode>1</returncode>\n<output>\nboom\n</output>"))
    assert runs(read) == [("step:2", "python f.py", "boom", 1, Ending.DONE)]
    assert "x = 1" in read.turns[2].text


@pytest.mark.parametrize(
    ("answer", "output", "exit_code", "ending"),
    [
        ("<returncode>0</returncode>\n<warning>too long</warning><output_head>\na\n</output_head>\n<elided_chars>\n9 characters elided\n</elided_chars>\n<output_tail>\nz\n</output_tail>", "a\n[... 9 characters elided left out ...]\nz", 0, Ending.DONE),
        ("<returncode>0</returncode>\n<output>\nsays </output> itself\n</output>", "says </output> itself", 0, Ending.DONE),
        ("<returncode>-1</returncode>\n<output>\nkilled\n</output>", "killed", -1, Ending.DONE),
        ("The last command <command>sleep 99</command> timed out and has been killed.\nThe output of the command was:\n<output>\nslow\n</output>", "slow", None, Ending.TIMED_OUT),
        ("Command not executed. The user rejected your command with the following message:\nno", "Command not executed. The user rejected your command with the following message:\nno", None, Ending.REFUSED),
    ],
)  # fmt: skip
def test_an_answer_is_taken_apart(answer: str, output: str, exit_code: int | None, ending: Ending) -> None:
    assert runs(session(asks("x", "cmd"), answers(answer))) == [("step:2", "cmd", output, exit_code, ending)]


def test_submitting_is_no_run_and_its_answer_is_the_patch() -> None:
    read = session(asks("done", SUBMIT), answers(DIFF))
    assert [(type(action), action.ref) for action in read.actions] == [(Other, "step:2")]
    assert read.final_patch == DIFF


def test_a_submission_that_is_no_diff_is_no_patch() -> None:
    assert session(asks("done", SUBMIT), answers("FLAG{x}"), submission="FLAG{x}").final_patch is None


def test_version_2_names_calls_by_their_ids_and_keeps_the_whole_output() -> None:
    call = {
        "role": "assistant",
        "content": "Run.",
        "tool_calls": [],
        "extra": {"actions": [{"command": "pytest", "tool_call_id": "call_9"}], "response": {"big": 1}},
    }
    result = {
        "role": "tool",
        "tool_call_id": "call_9",
        "content": "<returncode>1</returncode>\n<output_head>..",
        "extra": {"raw_output": "whole", "returncode": 1, "exception_info": ""},
    }
    assert runs(session(call, result)) == [("call_9", "pytest", "whole", 1, Ending.DONE)]


def test_a_command_that_the_harness_killed_timed_out_and_has_no_exit() -> None:
    call = {"role": "assistant", "content": "", "extra": {"actions": [{"command": "pytest", "tool_call_id": "c"}]}}
    thrown = {
        "role": "tool",
        "tool_call_id": "c",
        "content": "<exception>..",
        "extra": {"raw_output": "", "returncode": -1, "exception_info": "Command timed out after 60 seconds", "exception_type": "TimeoutExpired"},
    }
    assert runs(session(call, thrown)) == [("c", "pytest", "Command timed out after 60 seconds", None, Ending.TIMED_OUT)]


def test_a_bare_list_of_messages_is_a_session_too() -> None:
    raw = json.dumps([SYSTEM, TASK, asks("x", "echo MICRO_SWE_AGENT_FINAL_OUTPUT"), answers("")]).encode()
    assert mini_swe_agent.claims(raw)
    assert [action.ref for action in mini_swe_agent.read(raw).actions] == ["step:2"]


def test_a_command_without_an_answer_is_missing_its_result() -> None:
    assert runs(session(asks("x", "pytest"))) == [("step:2", "pytest", "", None, Ending.MISSING)]


def test_facts_of_the_session_are_kept() -> None:
    read = session(config={"environment": {"cwd": "/testbed"}})
    assert (read.agent, read.version, read.cwd) == ("mini-swe-agent", "1.15.0", "/testbed")


def test_a_copy_of_the_screen_is_read_as_far_as_it_goes() -> None:
    text = (
        "root@box:/app# mini -t x\n\nSystem:\nYou are.\n\nUser:\nFix it.\n\nmini-swe-agent (step 1, $0.01):\nTHOUGHT: run it\n\n```bash\npytest\n```\n\n"
        "User:\n<returncode>1</returncode>\n<output>\n1 failed\n</output>\n\nmini-swe-agent (step 2, $0.02):\nTHOUGHT: again\n"
    )
    assert mini_swe_agent.claims(text.encode())
    read = mini_swe_agent.read(text.encode())
    assert runs(read) == [("line:8", "pytest", "1 failed", 1, Ending.DONE)]
    assert [(turn.role, turn.ref) for turn in read.turns] == [
        (Role.NOTE, "line:0"),
        (Role.SYSTEM, "line:2"),
        (Role.USER, "line:5"),
        (Role.ASSISTANT, "line:8"),
        (Role.CALL, "line:8"),
        (Role.OUTPUT, "line:8"),
        (Role.ASSISTANT, "line:21"),
    ]
    assert read.fidelity is Fidelity.LOSSY
