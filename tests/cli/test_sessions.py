"""Finding sessions and distilling many of them, by the real program in a home of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

DEMO = files("ruledout") / "demo"
SESSION = (DEMO / "session.jsonl").read_bytes()
FOLDER = json.loads(next(line for line in SESSION.splitlines() if b'"cwd"' in line))["cwd"]
SECRET = "ghp_" + "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8"
Put = Callable[..., Path]
MOVES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "COPILOT_HOME", "PI_CODING_AGENT_DIR", "QWEN_HOME")


def ruledout(cwd: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """The real program; the home is the folder beside the repository."""
    env = {name: value for name, value in os.environ.items() if name not in MOVES}
    env |= {"HOME": str(cwd.parent / "home"), "XDG_STATE_HOME": str(cwd.parent / "state")}
    return subprocess.run([sys.executable, "-m", "ruledout", *words], cwd=cwd, capture_output=True, text=True, check=False, env=env)


def answer(done: "subprocess.CompletedProcess[str]", code: int = 0) -> Any:  # noqa: ANN401  # JSON
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository beside an empty home."""
    folder = tmp_path / "repo"
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    (tmp_path / "home").mkdir()
    return folder


@pytest.fixture
def put(repo: Path) -> Put:
    """Lays the demo's session into the home, as if it had been held in a folder."""

    def _put(name: str = "a", folder: Path | str | None = None, at: float | None = None, *, session: bytes = SESSION) -> Path:
        path = repo.parent / "home/.claude/projects/-repo" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(session.replace(json.dumps(FOLDER).encode(), json.dumps(str(repo if folder is None else folder)).encode()))
        if at is not None:
            os.utime(path, (at, at))
        return path

    return _put


def said(text: str) -> bytes:
    """A session in which a user said one thing."""
    return (
        json.dumps(
            {"type": "user", "uuid": "u1", "isSidechain": False, "sessionId": "s1", "cwd": FOLDER, "message": {"role": "user", "content": text}},
            separators=(",", ":"),
        ).encode()
        + b"\n"
    )


def test_sessions_lists_what_lies_in_the_agents_places(repo: Path, put: Put) -> None:
    path = put(at=86400)
    (row,) = answer(ruledout(repo, "sessions", "--json"))["sessions"]
    assert row == {
        "agent": "claude-code",
        "format": "claude-code",
        "path": str(path),
        "session": "5eed0000-0000-4000-8000-000000000001",
        "bytes": path.stat().st_size,
        "turns": 35,
        "repository": str(repo),
        "prompt": row["prompt"],
        "modified": "1970-01-02T00:00:00Z",
        "looks": "resolved",
        "whole": True,
    }
    assert row["prompt"]
    assert "\n" not in row["prompt"]


def test_sessions_are_listed_newest_first_and_can_be_narrowed(repo: Path, put: Put) -> None:
    put("old", at=1000)
    put("new")
    put("other", folder=repo.parent, at=2000)
    listed = [Path(row["path"]).stem for row in answer(ruledout(repo, "sessions", "--json"))["sessions"]]
    assert listed == ["new", "other", "old"]
    mine = answer(ruledout(repo, "sessions", "--json", "--repo", "."))
    assert ([Path(row["path"]).stem for row in mine["sessions"]], mine["elsewhere"]) == (["new", "old"], 1)
    assert [Path(row["path"]).stem for row in answer(ruledout(repo, "sessions", "--json", "--since", "2d"))["sessions"]] == ["new"]
    assert answer(ruledout(repo, "sessions", "--json", "--agent", "codex"))["sessions"] == []


def test_R13_the_first_prompt_is_shown_redacted_on_one_line(repo: Path, put: Put) -> None:
    put(session=said(f"use {SECRET}\nand\x1b[31m go"))
    done = ruledout(repo, "sessions")
    assert SECRET not in done.stdout + ruledout(repo, "sessions", "--json").stdout
    assert "and go" in done.stdout
    assert "\x1b" not in done.stdout


def test_R14_how_a_session_ended_is_unknown_where_no_run_tells(repo: Path, put: Put) -> None:
    put(session=said("hello"))
    (row,) = answer(ruledout(repo, "sessions", "--json"))["sessions"]
    assert (row["looks"], row["turns"]) == ("unknown", 1)


def test_R14_a_bad_file_is_counted_and_stops_no_other(repo: Path, put: Put) -> None:
    put("good")
    put("bad", session=b"no session\n")
    put("deep", session=b'{"type":"user","message":' + b"[" * 100_000 + b"\n")
    found = answer(ruledout(repo, "sessions", "--json"))
    assert [Path(row["path"]).stem for row in found["sessions"]] == ["good"]
    assert sum(one["count"] for one in found["skipped"]) == 2


def test_a_file_name_that_is_no_text_is_told_and_distilled(repo: Path, put: Put) -> None:
    try:
        put(os.fsdecode(b"caf\xe9"))
        put(os.fsdecode(b"bad\xe9"), session=b"no session\n")
    except (OSError, UnicodeError):
        pytest.skip("this file system takes text alone")
    found = answer(ruledout(repo, "sessions", "--json"))
    assert ([Path(row["path"]).stem for row in found["sessions"]], found["skipped"][0]["reason"]) == (["caf\ufffd"], "unknown format")
    assert ruledout(repo, "distill", "--last", "--json").returncode in (0, 1)
    assert answer(ruledout(repo, "distill", "--all", "--json"))["counts"]["kept_before"] == 1


def test_a_machine_without_sessions_says_so(repo: Path) -> None:
    done = ruledout(repo, "sessions")
    assert (done.returncode, done.stdout) == (0, "no sessions were found; `docs/formats.md` says where they are looked for\n")


@pytest.mark.parametrize(("option", "value", "slug"), [("--since", "soon", "bad-span"), ("--agent", "nobody", "unknown-agent")])
def test_what_is_asked_wrongly_is_said(repo: Path, option: str, value: str, slug: str) -> None:
    assert answer(ruledout(repo, "sessions", "--json", option, value), 2)["error"]["slug"] == slug


def test_distill_last_takes_the_newest_session_of_this_repository(repo: Path, put: Put) -> None:
    put("old", at=1000, session=said("hello"))
    put("mine", at=2000)
    put("foreign", folder=repo.parent)
    done = ruledout(repo, "distill", "--last", "--json")
    assert done.returncode in (0, 1), done.stderr
    assert json.loads(done.stdout)["provenance"]["session"] == "5eed0000-0000-4000-8000-000000000001"
    assert len(answer(ruledout(repo, "list", "--json"))["records"]) == 1


def test_distill_last_without_a_session_of_this_repository_says_so(repo: Path, put: Put) -> None:
    put("foreign", folder=repo.parent)
    assert answer(ruledout(repo, "distill", "--last", "--json"), 2)["error"]["slug"] == "no-sessions"


def test_distill_all_keeps_each_session_in_its_own_repository_and_counts_the_rest(repo: Path, put: Put) -> None:
    other = repo.parent / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    put("mine")
    put("theirs", folder=other)
    put("homeless", folder="/nowhere/at/all")
    put("bad", session=b"no session\n")
    done = answer(ruledout(repo, "distill", "--all", "--json"))
    counts = done["counts"]
    assert counts["residual"] + counts["handoff"] == 2
    assert {one["reason"]: one["count"] for one in done["skipped"]} == {"its repository is not on this machine": 1, "unknown format": 1}
    for place in (repo, other):
        assert len(answer(ruledout(place, "list", "--json"))["records"]) == 1


def test_distill_all_of_one_repository_leaves_the_others_alone(repo: Path, put: Put) -> None:
    other = repo.parent / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    put("mine")
    put("theirs", folder=other)
    counts = answer(ruledout(repo, "distill", "--all", "--repo", ".", "--json"))["counts"]
    assert (counts["residual"] + counts["handoff"], counts["elsewhere"], counts["skipped"]) == (1, 1, 0)
    assert not (other / ".git/ruledout").exists()


def test_distill_all_goes_on_where_it_was_broken_off(repo: Path, put: Put) -> None:
    put("one")
    first = answer(ruledout(repo, "distill", "--all", "--json"))["counts"]
    put("two", session=said("hello"))
    second = answer(ruledout(repo, "distill", "--all", "--json"))["counts"]
    assert (first["residual"] + first["handoff"], second["residual"] + second["handoff"], second["kept_before"]) == (1, 1, 1)


def test_distill_all_takes_a_live_session_up_to_its_last_whole_record(repo: Path, put: Put) -> None:
    put(session=SESSION + b'{"type":"assist')
    assert answer(ruledout(repo, "distill", "--all", "--json"))["counts"]["skipped"] == 0
    put()
    assert answer(ruledout(repo, "distill", "--all", "--json"))["counts"]["kept_before"] == 1


def test_distill_all_gives_one_line_a_session_for_machines(repo: Path, put: Put) -> None:
    put("one", at=2000)
    put("bad", at=1000, session=b"no session\n")
    done = ruledout(repo, "distill", "--all", "--jsonl")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(Path(line["path"]).stem, line["agent"], line["reason"]) for line in lines] == [
        ("one", "claude-code", None),
        ("bad", "claude-code", "unknown format"),
    ]
    assert "1 skipped" in done.stderr
    assert "\r" not in done.stderr  # no progress where there is no terminal


def test_distill_all_says_at_the_end_what_came_of_it(repo: Path, put: Put) -> None:
    put()
    done = ruledout(repo, "distill", "--all")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout in ("1 residuals, 0 handoffs, 0 kept before, 0 skipped\n", "0 residuals, 1 handoffs, 0 kept before, 0 skipped\n")


@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal")
def test_progress_is_shown_on_a_terminal_alone_on_one_line(repo: Path, put: Put) -> None:
    import pty

    put("one")
    put("two", session=said("hello"))
    master, slave = pty.openpty()
    env = {**os.environ, "HOME": str(repo.parent / "home"), "XDG_STATE_HOME": str(repo.parent / "state")}
    done = subprocess.run(
        [sys.executable, "-m", "ruledout", "distill", "--all"], cwd=repo, stdout=subprocess.PIPE, stderr=slave, text=True, check=False, env=env
    )
    os.close(slave)
    shown = os.read(master, 10_000).decode()
    os.close(master)
    assert done.returncode == 0
    assert ("\r\x1b[K1/2 " in shown, "\r\x1b[K2/2 " in shown, shown.endswith("\r\x1b[K"), "\n" in shown) == (True, True, True, False)
    assert "\r" not in done.stdout


def test_a_store_that_cannot_keep_is_told_as_such_and_the_batch_goes_on(repo: Path, put: Put) -> None:
    other = repo.parent / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    put("one")
    put("two")
    put("theirs", folder=other)
    (repo / ".git/ruledout").mkdir()
    (repo / ".git/ruledout/ruledout.db").write_bytes(b"no database at all, but a text" * 100)
    done = answer(ruledout(repo, "distill", "--all", "--json"), 3)
    assert sorted(step["result"] == "skipped" for step in done["sessions"]) == [False, True, True]
    assert len(answer(ruledout(other, "list", "--json"))["records"]) == 1


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("--all", "--", "true"), id="a command for many"),
        pytest.param(("--all", "--prove"), id="a proof of many"),
        pytest.param(("--all", "--last"), id="two ways at once"),
        pytest.param((), id="none"),
        pytest.param(("some.jsonl", "--since", "2d"), id="a span for one"),
        pytest.param(("--last", "--jsonl"), id="lines for one"),
    ],
)
def test_R12_many_at_once_run_nothing_and_options_that_do_not_go_together_are_refused(repo: Path, put: Put, words: tuple[str, ...]) -> None:
    put()
    done = ruledout(repo, "distill", *words)
    assert (done.returncode, "bad" in done.stderr or "give" in done.stderr or "leave" in done.stderr) == (2, True), done.stderr
    assert not (repo / ".git/ruledout").exists()


def test_a_session_that_names_a_strangers_folder_is_not_asked_there(repo: Path, put: Put) -> None:
    for number, folder in enumerate(("relative/folder", "//host/share", "\\\\host\\share", "/" + "x" * 5000, "/a\x00b", "")):
        put(f"s{number}", folder=folder)
    counts = answer(ruledout(repo, "distill", "--all", "--json"))["counts"]
    assert (counts["residual"], counts["handoff"]) == (0, 0)
