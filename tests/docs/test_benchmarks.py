"""The benchmarks print one JSON line for each figure, and say what they could not measure instead of failing on it. No figure is judged here."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def said(script: str, *options: str, python: str = sys.executable) -> list[dict[str, object]]:
    done = subprocess.run([python, BENCHMARKS / script, *options], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def beginner(tmp_path: Path) -> str:
    """A program that can say its version, and no more."""
    program = tmp_path / "beginner"
    program.write_text('#!/bin/sh\n[ "$1" = --version ] && exit 0\nexit 2\n', encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def test_a_figure_is_one_line_with_its_bar_and_whether_it_is_within() -> None:
    (line,) = said("start.py", "--best-of", "1")
    assert list(line) == ["bench", "figure", "bar", "within", "unit", "program_ms", "bare_ms"]
    assert (line["bench"], line["bar"]) == ("start", 2.5)


@pytest.mark.parametrize(("script", "verb"), [("inspect_1mb", "inspect"), ("memory_100mb", "inspect"), ("prove", "prove")])
def test_what_the_program_cannot_do_yet_is_skipped_and_said(script: str, verb: str, beginner: str) -> None:
    assert said(f"{script}.py", "--program", beginner) == [{"bench": script, "skipped": f"the program has no verb {verb}"}]


def test_every_benchmark_stands_in_the_page_of_measurements() -> None:
    page = (BENCHMARKS.parent / "docs/measurements.md").read_text(encoding="utf-8")
    assert [script.name for script in BENCHMARKS.glob("[a-z]*.py") if f"`benchmarks/{script.name}`" not in page] == []


def test_the_made_session_is_whole_json_lines_and_the_same_each_time(tmp_path: Path) -> None:
    make = "import sys; from pathlib import Path; from _session import write; print(write(Path(sys.argv[1]), 200_000))"
    digests, sizes = set(), set()
    for name in ("one", "two"):
        path = tmp_path / name
        sizes.add(int(subprocess.run([sys.executable, "-c", make, path], cwd=BENCHMARKS, capture_output=True, text=True, check=True).stdout))
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
        entries = [json.loads(line) for line in path.read_bytes().splitlines()]
        assert {"user", "assistant", "progress"} <= {entry["type"] for entry in entries}
        assert [entry["parentUuid"] for entry in entries[1:]] == [entry["uuid"] for entry in entries[:-1]]
    assert len(digests) == len(sizes) == 1
    assert 200_000 <= sizes.pop() < 300_000


def test_real_sessions_that_are_not_at_hand_are_said_to_be_missing(tmp_path: Path) -> None:
    assert said("read.py", "--data", str(tmp_path)) == [{"bench": "read", "skipped": f"there are no sessions at {tmp_path}"}]


def test_real_sessions_are_measured_whole_and_by_parts(tmp_path: Path) -> None:
    session = BENCHMARKS.parent / "src/ruledout/demo/session.jsonl"
    (tmp_path / "a.jsonl").write_bytes(session.read_bytes())
    (tmp_path / "b.txt").write_text("no session", encoding="utf-8")
    rows = ["local_path\tkind", "a.jsonl\treal", "b.txt\treal", "c.jsonl\treal", "a.jsonl\tderived"]
    (tmp_path / "MANIFEST.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    speed, memory = said("read.py", "--data", str(tmp_path), "--best-of", "1")
    assert (speed["bench"], speed["files"], speed["bytes"], speed["not_read"]) == ("read", 1, session.stat().st_size, 1)
    assert set(speed["ms"]) == {"loads", "whole", "read", "observe", "judge"}  # type: ignore[call-overload]  # JSON
    assert (memory["bench"], memory["bytes"]) == ("read_memory", session.stat().st_size)
