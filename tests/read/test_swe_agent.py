"""SWE-agent: its own commands as edits, reads and runs; what its linter rejected; demonstrations left out."""

import json

from ruledout.model.action import Edit, EditKind, Ending, Hunk, Other, Read, Run, Via
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import swe_agent

WINDOW = "[File: /repo/app.py (4 lines total)]\n1:def f():\n2:    return 1\n3:\n4:print(f())\n"
STATE = '{"open_file": "/repo/app.py", "working_dir": "/repo"}'
REJECTED = (
    "Your proposed edit has introduced new syntax error(s). Please understand the fixes and retry your edit commmand.\n\nERRORS:\n- E999 IndentationError\n\n"
    "This is how your edit would have looked if applied\n-------\n[File: /repo/app.py (4 lines total)]\n1:def f():\n2:return 2\n"
)


def step(action: str, observation: str = "", state: str = STATE, **more: object) -> dict[str, object]:
    return {"action": action, "observation": observation, "thought": "t", "state": state, **more}


def session(*steps: object, history: object = (), info: object = None) -> Transcript:
    return swe_agent.read(json.dumps({"environment": "swe_main", "trajectory": steps, "history": history, "info": info or {}}).encode())


def edit(ref: str, at: int, removed: tuple[str, ...], added: tuple[str, ...], ending: Ending = Ending.DONE) -> Edit:
    return Edit(ref=ref, at=at, path="app.py", kind=EditKind.REPLACE, hunks=(Hunk(removed=removed, added=added),), ending=ending, via=Via.TOOL)


def test_an_edit_by_line_numbers_takes_its_removed_lines_from_the_window_before() -> None:
    read = session(step("open app.py\n", WINDOW), step("edit 2:2\n    return 2\nend_of_edit\n", WINDOW.replace("1\n3", "2\n3") + "File updated."))
    assert read.actions[1] == edit("step:1", 4, ("    return 1",), ("    return 2",))


def test_an_edit_that_the_linter_rejects_is_malformed_and_shows_nothing_of_the_file() -> None:
    read = session(step("open app.py\n", WINDOW), step("edit 2:2\nreturn 2\nend_of_edit\n", REJECTED), step("edit 2:2\n    return 2\nend_of_edit\n", WINDOW))
    assert read.actions[1] == edit("step:1", 4, ("    return 1",), ("return 2",), Ending.MALFORMED)
    assert read.actions[2] == edit("step:2", 7, ("    return 1",), ("    return 2",))


def test_lines_that_no_window_showed_stay_unknown() -> None:
    read = session(step("edit 90:91\nx\nend_of_edit\n", WINDOW.replace("4 lines", "99 lines")))
    assert read.actions == (edit("step:0", 1, (), ("x",)),)


def test_each_command_is_what_it_does() -> None:
    read = session(
        step("create new.py\n", "[File: /repo/new.py (1 lines total)]\n1:\n"),
        step('search_dir "f(" src\n', "Found 1 matches"),
        step("goto 3\n", WINDOW),
        step("python app.py\n", "1\n"),
        step("rm new.py\n"),
        step("submit\n", "diff --git a/app.py b/app.py\n"),
    )
    assert [(type(action), action.ref) for action in read.actions] == [
        (Edit, "step:0"),
        (Read, "step:1"),
        (Read, "step:2"),
        (Run, "step:3"),
        (Edit, "step:4"),
        (Run, "step:4"),
        (Other, "step:5"),
    ]
    assert [run.exit for run in read.actions if isinstance(run, Run)] == [None, None]


def test_the_later_editor_is_read_from_its_command_line() -> None:
    read = session(step("str_replace_editor str_replace /repo/app.py --old_str 'return 1' --new_str 'return 2'", "The file /repo/app.py has been edited."))
    assert read.actions == (edit("step:0", 1, ("return 1",), ("return 2",)),)


def test_a_replacement_that_did_not_match_is_malformed() -> None:
    observation = "No replacement was performed, old_str `x` did not appear verbatim in /repo/app.py."
    read = session(step("str_replace_editor str_replace /repo/app.py --old_str x --new_str y", observation))
    assert [action.ending for action in read.actions] == [Ending.MALFORMED]


def test_a_bash_command_with_a_syntax_error_was_not_run() -> None:
    read = session(step("if then\n", "Your bash command contained syntax errors and was NOT executed. Please fix the syntax errors and try running again."))
    assert [action.ending for action in read.actions] == [Ending.MALFORMED]


def test_demonstrations_are_left_out_and_the_task_is_the_users() -> None:
    history = [
        {"role": "system", "content": "SETTING"},
        {"role": "user", "content": "another task", "is_demo": True},
        {"role": "user", "content": "Here is a demonstration of how to correctly accomplish this task. secret"},
        {"role": "user", "content": "The issue."},
        {"role": "assistant", "content": "no more"},
        {"role": "user", "content": "an observation"},
    ]
    read = session(step("ls\n", "a"), history=history)
    assert [(turn.role, turn.text) for turn in read.turns][:3] == [(Role.SYSTEM, "SETTING"), (Role.NOTE, ""), (Role.USER, "The issue.")]
    assert "another task" not in str(read.turns)


def test_the_prompt_that_each_step_repeats_is_never_looked_at() -> None:
    read = session(step("ls\n", "a", query=[{"role": "user", "content": "\ud800" * 3}], extra_info={"x": 1}, execution_time=1.5))
    assert [action.ref for action in read.actions] == ["step:0"]
    assert not read.skipped


def test_the_submission_is_the_final_patch() -> None:
    assert session(step("ls\n"), info={"submission": "\ndiff --git a/x b/x\n"}).final_patch == "\ndiff --git a/x b/x\n"


def test_R14_a_step_of_no_known_shape_is_counted() -> None:
    read = session(step("ls\n", "a"), "no step", step("pwd\n", "/repo"))
    assert [action.ref for action in read.actions] == ["step:0", "step:2"]
    assert [(skipped.reason, skipped.first) for skipped in read.skipped] == [("not a step", "step:1")]


def test_R14_a_torn_file_gives_its_whole_steps_and_names_the_tear() -> None:
    raw = json.dumps({"environment": "x", "trajectory": [step("ls\n", "a"), step("pwd\n", "/repo")]}).encode()
    read = swe_agent.read(raw[: raw.rindex(b"working_dir")])
    assert [action.ref for action in read.actions] == ["step:0"]
    assert [skipped.reason for skipped in read.skipped] == ["torn document"]
