"""The front of the hook as a real process: silent and 0 whatever comes in, gone within its time, nothing left behind; and what the door behind it loads."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.hook.ground import BAD, OLD, Session, cart, keep, repository

from ruledout.doors import front, hook_reading

SHELL = shutil.which("sh")
pytestmark = pytest.mark.skipif(SHELL is None, reason="there is no POSIX shell here")
RED = "FAILED tests/test_cart.py::test_total - AssertionError: assert 1190 == 1191\n1 failed in 0.10s\n"


class Front:
    """The script as an installer writes it, in a repository with a dead end."""

    def __init__(self, folder: Path) -> None:
        self.session: Session = repository(folder)
        keep(self.session, cart())
        self.script = folder / "ruledout-hook"
        self.script.write_text(front.front(sys.executable))
        self.script.chmod(0o755)
        self.env = {"PATH": os.environ["PATH"], **self.session.env}

    def ask(self, raw: bytes, cwd: Path | None = None) -> tuple[int, bytes, bytes]:
        done = subprocess.run([self.script, "claude"], input=raw, capture_output=True, cwd=cwd or self.session.root, env=self.env, check=False, timeout=20)
        return done.returncode, done.stdout, done.stderr

    def event(self, path: str = "src/cart.py", old: str = OLD, new: str = BAD) -> bytes:
        given = {"file_path": str(self.session.root / path), "old_string": old, "new_string": new}
        return json.dumps(self.session._event("PreToolUse", "Edit", given)).encode()


@pytest.fixture
def asked(tmp_path: Path) -> Front:
    return Front(tmp_path)


def test_what_is_known_is_said_and_what_is_not_is_silence(asked: Front) -> None:
    code, out, err = asked.ask(asked.event())
    assert (code, "ruled out" in json.loads(out)["hookSpecificOutput"]["additionalContext"], err) == (0, True, b"")
    assert [asked.ask(asked.event(path)) for path in ("src/cart.py", "src/tax.py")] == [(0, b"", b"")] * 2


def test_an_event_over_several_lines_is_read_as_well(asked: Front) -> None:
    assert b"ruled out" in asked.ask(json.dumps(json.loads(asked.event()), indent=2).encode())[1]


def test_a_work_tree_of_the_repository_is_known_by_its_common_folder(asked: Front, tmp_path: Path) -> None:
    from tests.hook.ground import git

    git(asked.session.root, "worktree", "add", "-q", str(tmp_path / "other"), "-b", "other")
    given = json.loads(asked.event())
    given["cwd"] = str(tmp_path / "other")
    given["tool_input"]["file_path"] = str(tmp_path / "other/src/cart.py")
    assert b"ruled out" in asked.ask(json.dumps(given).encode(), tmp_path / "other")[1]


def test_a_session_that_runs_in_a_folder_below_is_known_by_the_agent_s_word_for_its_project(asked: Front, tmp_path: Path) -> None:
    asked.env["CLAUDE_PROJECT_DIR"] = str(asked.session.root)
    assert [
        b"ruled out" in asked.ask(json.dumps({**json.loads(asked.event()), "session_id": str(place)}).encode(), place)[1]
        for place in (asked.session.root / "src", tmp_path)
    ] == [True, True]


def test_a_failing_run_is_read_and_its_repeat_is_told(asked: Front) -> None:
    session = asked.session
    session.transcript.write_text("")
    failed = session._event("PostToolUseFailure", "Bash", {"command": "pytest -q"}, error=f"Exit code 1\n{RED}")
    before = json.dumps(session._event("PreToolUse", "Bash", {"command": "pytest -q"})).encode()
    first = asked.ask(before)[1]
    asked.ask(json.dumps(failed).encode())
    assert (first, b"nothing changed since" in asked.ask(before)[1]) == (b"", True)


@pytest.mark.parametrize("raw", [b"", b"{", b"cart.py", b"\x00\xff cart.py", b'{"cart.py"'], ids=["nothing", "torn", "a word", "no text", "no object"])
def test_R15_what_is_malformed_is_silence(asked: Front, raw: bytes) -> None:
    assert asked.ask(raw) == (0, b"", b"")


@pytest.mark.parametrize("word", ["x", "cart.py "], ids=["nothing known in it", "a known word in it"])
def test_R15_fifty_megabytes_are_silence(asked: Front, word: str) -> None:
    assert asked.ask(b'{"tool_input": "' + (word * (50_000_000 // len(word))).encode() + b'"}') == (0, b"", b"")


def test_R15_a_closed_standard_input_is_silence(asked: Front) -> None:
    done = subprocess.run(["sh", "-c", f'"{asked.script}" claude <&-'], capture_output=True, cwd=asked.session.root, env=asked.env, check=False, timeout=20)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("inside", [False, True], ids=["the front", "the verb"])
def test_R15_a_standard_input_that_is_never_closed_is_left_and_no_process_stays(asked: Front, *, inside: bool) -> None:
    argv = [sys.executable, "-m", "ruledout", "hook", "claude"] if inside else [str(asked.script), "claude"]
    marked = {**asked.env, "HOOK_UNDER_TEST": str(asked.script)}
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=asked.session.root, env=marked) as child:
        assert child.stdin is not None
        child.stdin.write(b'{"cart.py')
        child.stdin.flush()
        assert (child.wait(timeout=20), child.stdout.read() if child.stdout else None) == (0, b"")
    assert left_behind(str(asked.script)) == []


def test_R15_the_verb_answers_at_the_first_whole_object(asked: Front) -> None:
    argv = [sys.executable, "-m", "ruledout", "hook", "claude"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=asked.session.root, env=asked.env) as child:
        assert child.stdin is not None
        child.stdin.write(asked.event())
        child.stdin.flush()
        assert (child.wait(timeout=20), b"ruled out" in (child.stdout.read() if child.stdout else b"")) == (0, True)


def left_behind(mark: str) -> list[str]:
    """Processes that bear this mark in their environment, where the system shows it."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"HOOK_UNDER_TEST={mark}".encode() in entry.read_bytes():
                found.append(entry.parent.name)
        except OSError:
            continue
    return found


@pytest.mark.parametrize("words", [["hook"], ["hook", "nobody"], ["hook", "claude", "--what"], ["hook", "--agent", "claude"]])
def test_R15_the_verb_never_ends_with_a_code_that_stops_an_agent(asked: Front, words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruledout", *words], input=b"{}", capture_output=True, cwd=asked.session.root, env=asked.env, check=False, timeout=20
    )
    assert (done.returncode, done.stdout) == (0, b"")


def test_R15_without_the_program_the_front_does_nothing(asked: Front) -> None:
    asked.script.write_text(front.front("/nowhere/python"))
    assert asked.ask(asked.event()) == (0, b"", b"")


def test_R15_a_store_that_is_locked_or_damaged_does_not_matter(asked: Front) -> None:
    import sqlite3

    holder = sqlite3.connect(asked.session.root / ".git/ruledout/ruledout.db")
    holder.execute("BEGIN EXCLUSIVE")
    start = time.monotonic()
    assert b"ruled out" in asked.ask(asked.event())[1]
    assert time.monotonic() - start < 15
    holder.close()


def test_the_front_knows_the_words_of_the_door_behind_it() -> None:
    text = front.front(sys.executable)
    assert [sign for sign in hook_reading.SIGNS if sign not in text] == []


def test_the_front_names_no_path_that_its_quotes_cannot_hold() -> None:
    with pytest.raises(ValueError, match="a quote"):
        front.front("/it's/python")


LOADED = {
    "ruledout", "ruledout.act", "ruledout.act.before", "ruledout.act.edits", "ruledout.act.memory", "ruledout.act.place", "ruledout.act.speech",
    "ruledout.agents", "ruledout.agents.claude_code", "ruledout.agents.event", "ruledout.digest", "ruledout.errors", "ruledout.fingerprint", "ruledout.hot",
    "ruledout.plainjson",
}  # fmt: skip


def test_R15_the_hook_loads_only_what_it_needs_to_speak(asked: Front) -> None:
    door = Path(front.__file__).parents[1] / "hook.py"
    code = (
        f"import sys\nbefore = set(sys.modules)\nsys.argv = ['hook', 'claude']\nnames = {{'__name__': '__main__', '__file__': {str(door)!r}}}\n"
        "exec(compile(open(names['__file__']).read(), 'hook', 'exec'), names)\nsys.stderr.write(' '.join(sorted(set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=asked.event(), capture_output=True, cwd=asked.session.root, env=asked.env, check=True)
    new = set(done.stderr.decode().split())
    assert b"ruled out" in done.stdout
    assert {name for name in new if name.startswith("ruledout")} == LOADED
    assert {
        "re",
        "json",
        "msgspec",
        "sqlite3",
        "pathlib",
        "typing",
        "collections",
        "functools",
        "subprocess",
        "hashlib",
        "contextlib",
        "datetime",
    } & new == set()
