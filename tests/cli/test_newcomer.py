"""What a person tries in the first minutes: a wrong path, a wrong folder, no `--`, text that is no diff. Each is told as what it is."""

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from ruledout.doors.show.found import listed
from ruledout.doors.show.record import MOST_LINES, handoff_text
from ruledout.flows.list_sessions import Sessions
from ruledout.recall.handoff import handoff_brief
from ruledout.testing import samples

SESSION = str(files("ruledout") / "demo" / "session.jsonl")


def ruledout(cwd: Path, *words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    """The real program, with a state directory of its own."""
    env = {**os.environ, "XDG_STATE_HOME": str(cwd / "state"), "HOME": str(cwd)}
    return subprocess.run([sys.executable, "-m", "ruledout", *words], cwd=cwd, input=stdin, capture_output=True, text=True, check=False, env=env)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", "-b", "main", str(tmp_path)], check=True)
    return tmp_path


PATCH = "*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** End Patch\n"


@pytest.mark.parametrize(
    ("words", "stdin", "code", "said"),
    [
        (("check", "--diff", "no.diff"), "", 2, "no.diff is not there; name a file that exists"),
        (("guard", "--diff", "no.diff"), "", 2, "no.diff is not there; name a file that exists"),
        (("observe", "."), "", 2, ". is a folder; name a file"),
        (("check", "--diff", "-"), "no diff at all", 2, "the diff is no unified diff"),
        (("check", "--diff", "-"), PATCH, 2, "the diff is no unified diff"),
        (("boundary", "--param", "N", "--", "true", "{N}"), "", 2, "'N': there is no `=` between name and values"),
        (("boundary", "--param", "=1..2", "--", "true", "{N}"), "", 2, "there is no name before `=`"),
        (("prove", "python", "x.py"), "", 2, "unrecognized arguments: python x.py; the command goes after --"),
        (("distill", "--last"), "", 2, "no sessions were found; name the session's file"),
    ],
)
def test_what_was_asked_wrongly_is_told_as_what_it_is(place: Path, words: tuple[str, ...], stdin: str, code: int, said: str) -> None:
    done = ruledout(place, *words, stdin=stdin)
    assert (done.returncode, said in done.stderr, done.stdout) == (code, True, ""), done.stderr


@pytest.mark.parametrize("words", [("check", "--idea", "x"), ("list",), ("audit",), ("recall", "x"), ("distill", SESSION)])
def test_R14_of_a_folder_that_is_not_there_nothing_is_clear(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = ruledout(tmp_path, *words, "--repo", str(tmp_path / "mistyped"))
    assert (done.returncode, done.stdout) == (3, "")
    assert "mistyped is not there; name the repository's folder with --repo DIR" in done.stderr
    assert not (tmp_path / "state").exists()


def test_a_folder_that_is_gone_from_a_repository_still_names_it(place: Path) -> None:
    assert ruledout(place, "check", "--idea", "x", "--repo", str(place / "gone")).returncode == 0


@pytest.mark.parametrize("diff", ["", "\n", "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n"])
def test_the_diff_of_a_clean_tree_or_of_a_mere_rename_is_clear(place: Path, diff: str) -> None:
    assert (ruledout(place, "check", "--diff", "-", stdin=diff).returncode) == 0


def test_the_empty_diff_takes_no_guard_out(place: Path) -> None:
    done = ruledout(place, "guard", "--diff", "-")
    assert (done.returncode, done.stdout) == (0, "clear: -: 0 files changed, no proved guard is known here\n")


def test_a_record_without_dead_ends_has_none_to_replay(place: Path) -> None:
    session = place / "short.jsonl"
    session.write_bytes(b"".join(Path(SESSION).read_bytes().splitlines(keepends=True)[:8]))
    record = ruledout(place, "distill", str(session)).stdout[:12]
    done = ruledout(place, "replay", record)
    assert (done.returncode, f"{record} holds no dead end" in done.stderr) == (2, True), done.stderr


def test_what_is_left_off_the_diff_is_counted_and_can_be_had() -> None:
    handoff = msgspec.structs.replace(samples.handoff(), diff_so_far="\n".join(f"+line {number}" for number in range(MOST_LINES + 5)))
    assert handoff_text(handoff).endswith(f"+line {MOST_LINES - 1}\n  (5 more lines: --json has all)")
    assert "more lines: `ruledout handoff --json` has all)" in handoff_brief(handoff, 120)


def test_a_command_that_ran_red_is_not_said_to_work() -> None:
    handoff = samples.handoff()
    assert "works" not in handoff_text(handoff).partition("ruled out")[2] + handoff_brief(handoff, 800)
    assert f"runs here: {handoff.working_commands[0]}" in handoff_brief(handoff, 800)


def test_sessions_of_other_repositories_are_not_denied() -> None:
    assert listed(Sessions(sessions=(), elsewhere=2, skipped=())) == "no sessions of this repository were found\n2 of other repositories"


def test_the_symptom_is_told_in_its_own_words(place: Path) -> None:
    shown = ruledout(place, "inspect", SESSION).stdout
    assert "symptom: AssertionError: Decimal('-99.99') != Decimal('-100.00')  [toolu_demo0003]\n" in shown


def test_an_output_that_nothing_is_known_of_is_told_in_few_words(place: Path) -> None:
    assert ruledout(place, "observe", stdin="all good\n").stdout.splitlines()[0] == "unknown (no known tool)"


@pytest.mark.parametrize("at", ["file", "file/below"])
def test_the_demo_says_where_it_cannot_be_laid_out(tmp_path: Path, at: str) -> None:
    (tmp_path / "file").touch()
    done = ruledout(tmp_path, "demo", "--keep", str(tmp_path / at))
    assert (done.returncode, "cannot be made: " in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("words", [("list",), ("distill", SESSION, "--no-keep", "--repo", ".")])
def test_a_pointer_to_a_git_folder_may_hold_any_bytes(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / ".git").write_bytes(b"gitdir: /gone/\xff\n")
    assert ruledout(tmp_path, *words).returncode in (0, 1)
