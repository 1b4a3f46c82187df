"""Calls and results to turns and actions, whatever the order, the tool's name or the shape of its arguments."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.model.action import Action, Edit, EditKind, Ending, Hunk, Other, Read, Run, Via
from ruledout.model.transcript import Skipped, Transcript
from ruledout.model.turn import Role, Track
from ruledout.read import tools
from ruledout.read.assemble import OUTPUT_LIMIT, TURN_LIMIT, Assembler

SECRET = "ghp_" + "A1b2C3d4E5" * 3 + "f6G7h8"


def one(name: str, arguments: object, output: str = "", *, exit: int | None = None, root: str | None = "/w", cwd: str | None = None) -> tuple[Action, ...]:  # noqa: A002 - as `Run`
    assembler = Assembler("x")
    assembler.call("c", name, arguments, cwd=cwd)
    assembler.result("c", output, exit=exit)
    return assembler.finish(cwd=root).actions


def edit(path: str, kind: EditKind, *hunks: tuple[tuple[str, ...], tuple[str, ...]], ending: Ending = Ending.DONE, via: Via = Via.TOOL) -> Edit:
    return Edit(ref="c", at=0, path=path, kind=kind, hunks=tuple(Hunk(removed=out, added=into) for out, into in hunks), ending=ending, via=via)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("Edit", {"file_path": "/w/a.py", "old_string": "x\n", "new_string": "y\nz\n"}, edit("a.py", EditKind.REPLACE, (("x",), ("y", "z")))),
        (
            "MultiEdit",
            {"file_path": "/w/a.py", "edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": ""}]},
            edit("a.py", EditKind.REPLACE, (("a",), ("b",)), (("c",), ())),
        ),
        ("Write", {"file_path": "/other/a.py", "content": "x\n"}, edit("/other/a.py", EditKind.WRITE, ((), ("x",)))),
        ("NotebookEdit", {"notebook_path": "/w/n.ipynb", "new_source": "x"}, edit("n.ipynb", EditKind.WRITE, ((), ("x",)))),
        ("str_replace_editor", {"command": "str_replace", "path": "/w/a.py", "old_str": "x", "new_str": "y"}, edit("a.py", EditKind.REPLACE, (("x",), ("y",)))),
        ("str_replace_editor", {"command": "create", "path": "/w/a.py", "file_text": "x"}, edit("a.py", EditKind.WRITE, ((), ("x",)))),
        ("str_replace_editor", {"command": "insert", "path": "/w/a.py", "insert_line": 3, "new_str": "x"}, edit("a.py", EditKind.REPLACE, ((), ("x",)))),
        ("str_replace_based_edit_tool", {"command": "undo_edit", "path": "/w/a.py"}, edit("a.py", EditKind.RESTORE)),
        ("str_replace_editor", {"command": "view", "path": "/w/a.py"}, Read(ref="c", at=0, path="a.py")),
        ("replace", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, edit("a.py", EditKind.REPLACE, (("x",), ("y",)))),
        ("apply_patch", "*** Begin Patch\n*** Delete File: a.py\n*** End Patch", edit("a.py", EditKind.DELETE)),
        ("replace_in_file", {"path": "a.py", "diff": "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"}, edit("a.py", EditKind.REPLACE, (("x",), ("y",)))),
        ("Read", {"file_path": "/w/./sub/../a.py"}, Read(ref="c", at=0, path="a.py")),
        ("Grep", {"pattern": "foo"}, Read(ref="c", at=0, path="foo")),
        ("WebFetch", {"url": "x"}, Other(ref="c", at=0, name="WebFetch")),
        ("Bash", {"command": "ls"}, Run(ref="c", at=0, command="ls")),
        ("functions.shell", '{"command": ["bash", "-lc", "ls -l"]}', Run(ref="c", at=0, command="ls -l")),
        ("run_shell_command", {"command": "ls"}, Run(ref="c", at=0, command="ls")),
    ],
)
def test_what_a_call_does(name: str, arguments: object, expected: Action) -> None:
    assert one(name, arguments) == (expected,)


@pytest.mark.parametrize(
    "output",
    [
        "No replacement was performed, old_str `x` did not appear verbatim",
        "<tool_use_error>File has not been read yet.</tool_use_error>",
        "Failed to edit, 0 occurrences found for old_string",
    ],
)
def test_R4_an_edit_that_found_nothing_to_replace_is_malformed(output: str) -> None:
    assert one("Edit", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, output) == (
        edit("a.py", EditKind.REPLACE, (("x",), ("y",)), ending=Ending.MALFORMED),
    )


def test_an_edit_that_quotes_such_words_out_of_the_file_is_done() -> None:
    (found,) = one(
        "Edit",
        {"file_path": "a.py", "old_string": "x", "new_string": "y"},
        "The file a.py has been updated. Here is the result:\n1 No replacement was performed",
    )
    assert found.ending is Ending.DONE


def test_a_command_that_edits_and_runs_gives_the_edits_first() -> None:
    found = one("Bash", {"command": "cd sub && sed -i s/a/b/ x.py && pytest"}, "1 passed", exit=0, cwd="/w/app")
    assert found == (
        edit("app/sub/x.py", EditKind.PATTERN, (("a",), ("b",)), via=Via.SHELL),
        Run(ref="c", at=0, command="cd sub && sed -i s/a/b/ x.py && pytest", output="1 passed", exit=0, cwd="/w/app"),
    )


def test_R4_a_patch_in_a_command_that_did_not_apply_is_malformed() -> None:
    line = "git apply <<'E'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nE"
    found = one("Bash", {"command": line}, "error: patch failed: x:1\nerror: x: patch does not apply", exit=1)
    assert [action.ending for action in found] == [Ending.MALFORMED, Ending.DONE]


def stashed(*commands: tuple[str, str]) -> Transcript:
    assembler = Assembler("x")
    for number, (command, output) in enumerate(commands):
        assembler.call(f"c{number}", "bash", {"command": command})
        assembler.result(f"c{number}", output, exit=0)
    return assembler.finish()


def test_R4_a_stash_that_comes_back_undid_nothing() -> None:
    transcript = stashed(("git stash && pytest", "1 failed"), ("git stash pop", "Dropped"), ("git stash; pytest; git stash pop", "1 failed"))
    assert all(isinstance(action, Run) for action in transcript.actions)


def test_a_stash_that_stays_put_away_undoes_everything() -> None:
    first, _run = stashed(("git stash", "Saved working directory")).actions
    assert first == Edit(ref="c0", at=0, path="*", kind=EditKind.RESTORE, via=Via.SHELL)
    assert stashed(("git stash", "No local changes to save")).actions[0].ending is Ending.MALFORMED


def test_results_may_come_before_their_call() -> None:
    assembler = Assembler("x")
    assembler.result("c", "ok", exit=0)
    assembler.call("c", "bash", {"command": "ls"})
    assert assembler.finish().actions == (Run(ref="c", at=1, command="ls", output="ok", exit=0),)


def test_a_running_command_is_closed_later_and_keeps_its_place() -> None:
    assembler = Assembler("x")
    assembler.call("c", "bash", {"command": "make"})
    assembler.result("c", "started", ending=Ending.RUNNING)
    assembler.call("p", "poll", {})
    assembler.result("c", "done", exit=2, result_ref="p")
    assembler.result("c", "too late", exit=0)
    assembler.close("p", Ending.DONE)
    transcript = assembler.finish()
    assert transcript.actions == (Run(ref="c", at=0, command="make", output="done", exit=2, result_ref="p"), Other(ref="p", at=2, name="poll"))
    assert [(turn.role, turn.ref) for turn in transcript.turns] == [(Role.CALL, "c"), (Role.OUTPUT, "c"), (Role.CALL, "p"), (Role.OUTPUT, "p")]


def test_a_ref_that_is_counted_anew_belongs_to_the_latest_call() -> None:
    assembler = Assembler("x")
    for number in range(2):
        assembler.call("call_0", "bash", {"command": f"run {number}"})
        assembler.result("call_0", str(number), exit=number)
    assert [(action.command, action.exit) for action in assembler.finish().actions if isinstance(action, Run)] == [("run 0", 0), ("run 1", 1)]


def test_R14_what_has_no_partner_is_told() -> None:
    assembler = Assembler("x")
    assembler.call("c", "bash", {"command": "ls"})
    assembler.result("lost", "ok")
    assembler.skip("odd", "line:3")
    assembler.skip("odd", "line:9")
    transcript = assembler.finish()
    assert transcript.actions == (Run(ref="c", at=0, command="ls", ending=Ending.MISSING),)
    assert transcript.skipped == (Skipped(reason="odd", count=2, first="line:3"), Skipped(reason="result without a call", count=1, first="lost"))


def test_R14_a_flood_of_reasons_is_held_back_but_counted() -> None:
    assembler = Assembler("x")
    for number in range(1000):
        assembler.skip(f"reason {number}", f"line:{number}")
    skipped = assembler.finish().skipped
    assert len(skipped) <= 201
    assert sum(entry.count for entry in skipped) == 1000


def test_R13_every_text_is_cleaned_redacted_and_capped() -> None:
    assembler = Assembler("x")
    assembler.say(Role.USER, f"\x1b[31mkey {SECRET}\x1b[0m \ud800", "line:0")
    assembler.call("c", "bash", {"command": f"export TOKEN={SECRET}"}, cwd=f"/w/{SECRET}")
    assembler.result("c", f"{'a' * 200_000}{SECRET}{'b' * 200_000}")
    assembler.call("e", "Write", {"file_path": f"/w/{SECRET}", "content": f"t = '{SECRET}'"})
    transcript = assembler.finish(final_patch=f"+{SECRET}")
    assert SECRET not in repr(transcript)
    assert "\x1b" not in repr(transcript)
    assert len(transcript.turns[2].text) <= TURN_LIMIT + 100
    (run,) = [action for action in transcript.actions if isinstance(action, Run)]
    assert len(run.output) <= OUTPUT_LIMIT + 100


def test_a_turn_can_be_moved_to_another_track() -> None:
    assembler = Assembler("x")
    at = assembler.say(Role.USER, "no", "line:0")
    assembler.mark(at, Track.REWOUND)
    assert assembler.finish().turns[0].track is Track.REWOUND


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["command", "path", "file_path", "edits", "old_string", "content", "patch", "action", "input", "x"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)
NAMES = st.sampled_from(
    ["Bash", "shell", "Edit", "MultiEdit", "Write", "apply_patch", "str_replace_editor", "Read", "file_change", "local_shell_call", "Other", ""]
)


@given(NAMES, ANYTHING, st.text(max_size=50))
@settings(max_examples=300, deadline=None)
def test_arguments_of_any_shape_give_an_action(name: str, arguments: object, output: str) -> None:
    found = one(name, arguments, output)
    assert found
    assert {action.ref for action in found} == {"c"}


@pytest.mark.parametrize(
    ("path", "cwd", "root", "expected"),
    [
        ("/w/app/src/a.py", "/w/app", "/w/app", "src/a.py"),
        ("a.py", "/w/app/sub", "/w/app", "sub/a.py"),
        ("../a.py", "/w/app/sub", "/w/app", "a.py"),
        ("/w/apple/a.py", None, "/w/app", "/w/apple/a.py"),
        ("C:\\w\\app\\src\\a.py", None, "C:\\w\\app", "src/a.py"),
        ("./a.py", None, None, "a.py"),
        ("~/a.py", "/w", "/w", "~/a.py"),
    ],
)
def test_paths_are_relative_to_the_session_where_they_lie_below_it(path: str, cwd: str | None, root: str | None, expected: str) -> None:
    assert tools.relative(path, cwd, root) == expected


def test_R13_ids_are_shown_without_control_characters() -> None:
    assembler = Assembler("x")
    assembler.call("c\x1b[31m\ud800", "bash", {"command": "ls"})
    assembler.result("c\x1b[31m\ud800", "ok", exit=0)
    transcript = assembler.finish(session="s\x00\u202e" + "a" * 999)
    repr(transcript).encode()
    assert (transcript.actions[0].ref, transcript.actions[0].ending, len(transcript.session or "")) == ("c\ufffd", Ending.DONE, 200)
