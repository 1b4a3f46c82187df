"""aider's chat history: who speaks, where a printed text ends, which edits were applied, what was taken back."""

from ruledout.model.action import Edit, EditKind, Ending, Hunk, Run
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import aider

HEAD = "# aider chat started at 2024-08-21 11:16:05\n\n> Aider v0.51.2-dev  \n> Model: x  \n\n"


def session(text: str) -> Transcript:
    return aider.read((HEAD + text).encode())


def block(old: str, new: str, path: str = "app.py") -> str:
    return f"Change it:\n\n{path}\n```python\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n\n"


def edit(line: int, at: int, ending: Ending = Ending.DONE, kind: EditKind = EditKind.REPLACE, removed: tuple[str, ...] = ("one",)) -> Edit:
    return Edit(ref=f"line:{line}", at=at, path="app.py", kind=kind, hunks=(Hunk(removed=removed, added=("two",)),), ending=ending)


def test_the_speakers_are_told_apart() -> None:
    read = session("#### fix the bug  \n#### please  \n\nI will.\n\nSoon.\n\n> Tokens: 3k  \n> Commit abc  \n")
    assert [(turn.role, turn.text, turn.ref) for turn in read.turns] == [
        (Role.NOTE, "Aider v0.51.2-dev\nModel: x", "line:2"),
        (Role.USER, "fix the bug\nplease", "line:5"),
        (Role.ASSISTANT, "I will.\n\nSoon.", "line:8"),
        (Role.NOTE, "Tokens: 3k\nCommit abc", "line:12"),
    ]
    assert (read.version, read.session) == ("0.51.2-dev", "2024-08-21 11:16:05")


def test_a_printed_text_runs_over_blank_lines_and_marks_of_its_own_to_its_last_line() -> None:
    output = "=== test session ===\n\n    def f():\n    \n        x = 1\n>       assert f()\nE       assert None\n\n=== 1 failed in 0.1s ==="
    read = session(f"#### /run pytest  \n> {output}  \n> Add the output to the chat?\n[Y/n/instructions]  \n")
    assert read.actions == (Run(ref="line:5", at=1, command="pytest", output=output),)
    assert read.turns[-1].text == "Add the output to the chat?\n[Y/n/instructions]"


def test_an_edit_counts_once_the_program_says_that_it_was_applied() -> None:
    assert session("#### fix  \n\n" + block("one", "two") + "> Applied edit to app.py  \n").actions == (edit(11, 3),)


def test_an_edit_that_did_not_match_is_malformed() -> None:
    read = session("#### fix  \n\n" + block("one", "two") + "> # 1 SEARCH/REPLACE block failed to match!  \n")
    assert read.actions == (edit(11, 3, Ending.MALFORMED),)


def test_an_edit_of_which_nothing_is_said_has_no_result() -> None:
    assert session("#### fix  \n\n" + block("one", "two") + "> Tokens: 3k  \n\n#### no  \n").actions == (edit(11, 4, Ending.MISSING),)


def test_an_empty_search_is_a_new_file() -> None:
    read = session("#### fix  \n\n" + block("", "two") + "> Applied edit to app.py  \n")
    assert read.actions == (edit(11, 3, kind=EditKind.WRITE, removed=()),)


def test_undo_puts_back_the_files_of_the_last_answer() -> None:
    read = session("#### fix  \n\n" + block("one", "two") + "> Applied edit to app.py  \n\n#### /undo  \n> Removed: abc  \n")
    assert [(type(action).__name__, getattr(action, "kind", None)) for action in read.actions] == [("Edit", EditKind.REPLACE), ("Edit", EditKind.RESTORE)]


def test_a_proposed_command_that_was_let_run_is_a_run_without_a_result() -> None:
    read = session("#### fix  \n\nTry:\n\n> pytest -q  \n> Run shell command? [Y/n] y  \n")
    assert read.actions == (Run(ref="line:9", at=3, command="pytest -q", ending=Ending.MISSING),)


def test_a_command_that_the_program_announces_has_its_output() -> None:
    assert session("#### fix  \n\nTry:\n\n> Running pytest -q  \n> 1 failed  \n").actions == (Run(ref="line:9", at=3, command="pytest -q", output="1 failed"),)


def test_a_file_of_many_printed_lines_without_an_end_is_read_once() -> None:
    assert len(session("> x\n" * 200_000).turns) == 1
