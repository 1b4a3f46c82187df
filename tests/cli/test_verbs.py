"""The verbs by the real program, on the demo's session: what they print for machines, and with which exit code."""

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

DEMO = files("ruledout") / "demo"
SESSION = str(DEMO / "session.jsonl")
OLD = "    return [(total * weight / whole).quantize(CENT) for weight in weights]"
HALF_UP = "    return [(total * weight / whole).quantize(CENT, ROUND_HALF_UP) for weight in weights]"


def ruledout(cwd: Path, *words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    """The real program in a folder of its own, with a state directory of its own."""
    env = {**os.environ, "XDG_STATE_HOME": str(cwd / "state"), "HOME": str(cwd)}
    return subprocess.run([sys.executable, "-m", "ruledout", *words], cwd=cwd, input=stdin, capture_output=True, text=True, check=False, env=env)


def answer(done: "subprocess.CompletedProcess[str]", code: int = 0) -> Any:  # noqa: ANN401  # JSON
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", "-b", "main", str(tmp_path)], check=True)
    return tmp_path


@pytest.fixture
def kept(place: Path) -> Path:
    """A repository that keeps the demo's session, as observed."""
    assert ruledout(place, "distill", SESSION, "--proposal", str(DEMO / "proposal.json")).returncode == 0
    return place


def test_inspect_says_what_happened(place: Path) -> None:
    shown = answer(ruledout(place, "inspect", SESSION, "--json"))
    assert (shown["format"], shown["outcome"]) == ("claude-code", "resolved")
    assert [run["outcome"] for run in shown["runs"]] == ["fail", "fail", "fail", "fail", "pass"]
    assert [attempt["verdict"] for attempt in shown["attempts"]] == ["partial", "falsified", "falsified", "partial", "held"]
    assert shown["symptom"]["ref"] == shown["gate"]["red_ref"]
    assert set(shown) >= {"turns", "runs", "attempts", "symptom", "gate", "root_cause_candidates", "skipped"}


def test_the_same_session_is_kept_once(kept: Path) -> None:
    before = ruledout(kept, "list").stdout
    assert "kept before" in ruledout(kept, "distill", SESSION, "--proposal", str(DEMO / "proposal.json")).stdout
    assert ruledout(kept, "list").stdout == before
    assert before.count("RESOLVED") == 1


def test_a_dead_end_is_ruled_out_as_a_whole_and_near_in_part(kept: Path) -> None:
    shown = answer(ruledout(kept, "check", "--diff", str(DEMO / "dead_end.diff"), "--json"), 1)
    assert (shown["verdict"], shown["matches"][0]["branch"], shown["matches"][0]["level"]) == ("ruled_out", "b1", "edit")
    part = {"edit": {"path": "shares/__init__.py", "removed": OLD, "added": HALF_UP}}
    assert answer(ruledout(kept, "check", json.dumps(part), "--json"))["verdict"] == "near"


def test_the_winning_edit_is_clear(kept: Path) -> None:
    guard = {"edit": {"path": "shares/__init__.py", "removed": ["    whole = sum(weights)"], "added": ["    whole = sum(weights)", "    if whole <= 0:"]}}
    assert answer(ruledout(kept, "check", json.dumps(guard), "--json"))["verdict"] == "clear"


def test_a_batch_answers_in_order_with_the_same_ids(kept: Path) -> None:
    dead = (DEMO / "dead_end.diff").read_text()
    asked = [{"id": 0, "diff": dead}, {"id": 1, "idea": ""}, {"id": "two", "edit": {"path": "shares/__init__.py", "removed": OLD, "added": "    return 1"}}]
    done = ruledout(kept, "check", "--jsonl", stdin="".join(json.dumps(one) + "\n" for one in asked))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["id"], row["verdict"]) for row in rows] == [(0, "ruled_out"), (1, "clear"), ("two", "clear")]


@pytest.mark.parametrize("idea", ["", "e", "test", "round"])
def test_words_alone_rule_nothing_out(kept: Path, idea: str) -> None:
    assert answer(ruledout(kept, "check", "--idea", idea, "--json"))["verdict"] == "clear"


def test_recall_finds_the_record_by_the_failing_output(kept: Path) -> None:
    output = "\n".join(json.loads(line)["message"]["content"][0].get("content", "") for line in Path(SESSION).read_text().splitlines()[5:6])
    found = answer(ruledout(kept, "recall", "--json", stdin=output or "the shares differ from the bill by whole cents"))
    assert found["hits"]
    assert found["brief"]


def test_show_is_one_screen(kept: Path) -> None:
    shown = ruledout(kept, "show").stdout
    assert shown.count("\n") <= 40
    for part in ("RESOLVED", "cause", "proof", "ruled out", "guards", "check"):
        assert part in shown


def test_a_session_without_its_last_run_is_a_handoff_with_every_rule_and_mend(place: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(Path(SESSION).read_text().splitlines(keepends=True)[:-3]))
    done = ruledout(place, "distill", str(cut), "--json")
    record = answer(done, 1)
    assert record["status"] == "UNRESOLVED_HANDOFF"
    assert {reason["rule"] for reason in record["unmet_rules"]} >= {"R1", "R2"}
    assert all(reason["mend"] for reason in record["unmet_rules"])
    brief = ruledout(place, "handoff")
    assert brief.returncode == 0
    assert "last red" in brief.stdout


def test_nothing_stands_open_after_a_residual(kept: Path) -> None:
    assert ruledout(kept, "handoff").returncode == 1


def test_forget_takes_a_record_out_for_good(kept: Path) -> None:
    digest = answer(ruledout(kept, "list", "--json"))["records"][0]["digest"]
    assert answer(ruledout(kept, "forget", digest, "--json")) == {"forgotten": digest}
    assert answer(ruledout(kept, "list", "--json"))["records"] == []
    assert ruledout(kept, "distill", SESSION, "--proposal", str(DEMO / "proposal.json")).returncode == 1
    assert ruledout(kept, "audit").returncode == 0


def test_observe_reads_one_output_and_many(place: Path) -> None:
    one = answer(ruledout(place, "observe", "--command", "pytest -q", "--exit", "1", "--json", stdin="FAILED t.py::test_a - KeyError: 'x'\n1 failed in 0.1s\n"))
    assert (one["outcome"], one["failing"]) == ("fail", ["t.py::test_a"])
    lines = '{"id": "x", "command": "pytest", "exit": 0, "output": "1 passed in 0.1s"}\n\n{"id": "y", "output": ""}\n'
    rows = [json.loads(line) for line in ruledout(place, "observe", "--jsonl", stdin=lines).stdout.splitlines()]
    assert [(row["id"], row["outcome"]) for row in rows] == [("x", "pass"), ("y", "unknown")]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "usage"),
        (("frobnicate",), 2, "no verb"),
        (("inspect",), 2, "SESSION"),
        (("inspect", "nowhere.jsonl"), 2, "is not there"),
        (("inspect", "/dev/zero"), 2, "neither a file nor a folder"),
        (("inspect", "state"), 2, "not there"),
        (("show", "abcdef123456"), 2, "abcdef123456"),
        (("check", "{"), 2, "the question"),
        (("check", '{"edit": 3}'), 2, "edit"),
        (("prove",), 2, "no command"),
        (("prove", "--runs", "0", "--", "true"), 2, "--runs"),
    ],
)
def test_bad_input_names_the_place_and_the_mend(place: Path, words: tuple[str, ...], code: int, said: str) -> None:
    done = ruledout(place, *words)
    assert done.returncode == code
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_no_session_is_refused_with_the_formats_that_are_known(place: Path) -> None:
    (place / "poem.txt").write_text("roses are red\n")
    done = ruledout(place, "inspect", "poem.txt")
    assert done.returncode == 2
    assert "claude-code" in done.stderr


def test_a_proposal_with_an_unknown_field_is_refused_by_its_name(place: Path) -> None:
    (place / "p.json").write_text('{"root_cause": "x", "fix_verified": true}')
    done = ruledout(place, "distill", SESSION, "--proposal", "p.json")
    assert done.returncode == 2
    assert "fix_verified" in done.stderr


def test_a_closed_pipe_is_no_defect(place: Path) -> None:
    line = f"{sys.executable} -m ruledout inspect {SESSION} --json | head -c 1"
    done = subprocess.run(["bash", "-c", line], cwd=place, capture_output=True, text=True, check=False)
    assert "defect" not in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_is_left_in_the_work_tree(kept: Path) -> None:
    status = subprocess.run(["git", "status", "--porcelain"], cwd=kept, capture_output=True, text=True, check=True).stdout
    assert status == ""
