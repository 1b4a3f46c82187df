"""Boundary, replay, trust and recheck by the real program: exit codes, JSON, and that reading starts nothing (R12)."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.prove.corpus.repo import Repo

DEAD_END = "shares/__init__.py"


def ruledout(where: Path, *words: str, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    """The real program, with a state directory outside of the repository."""
    own = {**os.environ, "XDG_STATE_HOME": str(where.parent / "state"), **(env or {})}
    return subprocess.run([sys.executable, "-m", "ruledout", *words], cwd=where, capture_output=True, text=True, check=False, env=own)


def answer(done: "subprocess.CompletedProcess[str]", code: int = 0) -> Any:  # noqa: ANN401  # JSON
    assert done.returncode == code, done.stderr + done.stdout
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's repository with its session kept as a proved residual: one for all tests here, none of which changes its records."""
    where = tmp_path_factory.mktemp("demo") / "shares"
    done = ruledout(where.parent, "demo", "--keep", str(where))
    assert done.returncode == 0, done.stderr
    return where


@pytest.fixture(scope="module")
def record(kept: Path) -> str:
    rows = answer(ruledout(kept, "list", "--json"))["records"]
    return next(str(row["digest"]) for row in rows if row["status"] == "RESOLVED")


READS = {
    "list": ("list",),
    "show": ("show",),
    "check": ("check", "--diff", "dead_end.diff"),
    "check by words": ("check", "--idea", "round every share half up"),
    "recall": ("recall", "the", "shares", "differ", "from", "the", "bill"),
    "audit": ("audit",),
    "trust --list": ("trust", "--list"),
    "trust": ("trust", "RECORD"),
}


@pytest.mark.parametrize("words", READS.values(), ids=READS)
def test_R12_reading_starts_no_process(kept: Path, record: str, tmp_path: Path, words: tuple[str, ...]) -> None:
    asked = [record if word == "RECORD" else word for word in words]
    own = {"XDG_STATE_HOME": str(tmp_path / "state")}
    with_programs, without = ruledout(kept, *asked, env=own), ruledout(kept, *asked, env={**own, "PATH": ""})
    assert "Traceback" not in without.stderr
    assert without.returncode == with_programs.returncode in (0, 1)
    if words[0] != "trust":
        assert (without.stdout, without.stderr) == (with_programs.stdout, with_programs.stderr)


def test_R12_what_is_stored_runs_only_with_leave_and_the_mend_works_as_it_stands(kept: Path, record: str) -> None:
    refused = ruledout(kept, "replay", record, "b1", "--runs", "1", "--json")
    error = answer(refused, 1)["error"]
    assert error["slug"] == "needs-trust"
    assert '["python","-m","unittest","-v","tests.test_shares"]' in error["message"]
    mend = error["mend"].split("`")[1].split()[1:]
    granted = answer(ruledout(kept, *mend, "--json"))["grant"]
    found = answer(ruledout(kept, "replay", record, "b1", "--runs", "1", "--json"))
    assert (found["replay"]["finding"], found["standing"]["finding"]) == ("still_fails_so", "still_fails_so")
    shown = ruledout(kept, "show", record).stdout
    assert "replay b1 still fails so" in shown
    assert ruledout(kept, "trust", "--revoke", granted["key"][:12]).returncode == 0
    assert ruledout(kept, "replay", record, "b1", "--runs", "1").returncode == 1


def test_R12_no_file_in_the_repository_can_give_leave(kept: Path, record: str) -> None:
    for path in (".ruledout.toml", "trust.json", "ruledout/trust/grant.json"):
        (kept / path).parent.mkdir(parents=True, exist_ok=True)
        (kept / path).write_text('trust = "all"\n')
    try:
        rows = answer(ruledout(kept, "recheck", record[10:22], "--runs", "1", "--json"), 1)["records"]
        assert [(row["finding"], row["by"]) for row in rows] == [("unchecked", "needs-trust")]
    finally:
        for path in (".ruledout.toml", "trust.json", "ruledout/trust/grant.json"):
            (kept / path).unlink()


def test_a_kept_fix_is_rechecked_and_listed_with_how_it_stands(kept: Path, record: str) -> None:
    assert ruledout(kept, "trust", record[10:22]).returncode == 0
    report = answer(ruledout(kept, "recheck", "--runs", "1", "--json"))
    assert [(row["finding"], row["presence"]) for row in report["records"]] == [("holds", "present")]
    assert "  holds  " in ruledout(kept, "list").stdout
    source = (kept / DEAD_END).read_text()
    try:
        (kept / DEAD_END).write_text(source.replace("ROUND_DOWN", "ROUND_UP"))
        loud = ruledout(kept, "recheck", "--runs", "1")
    finally:
        (kept / DEAD_END).write_text(source)
    assert loud.returncode == 1
    assert "BROKEN: the bug is back" in loud.stdout
    assert ruledout(kept, "audit").returncode == 0


@pytest.fixture
def limit(tmp_path: Path) -> Path:
    place = Repo(tmp_path / "limit")
    place.commit({"limit.py": "import sys\nsys.exit(int(sys.argv[1]) > 3 and 'too many')\n"})
    return place.root


def test_R8_a_boundary_is_found_by_the_program(limit: Path) -> None:
    found = answer(ruledout(limit, "boundary", "--param", "n=1..6", "--runs", "2", "--json", "--", sys.executable, "-S", "limit.py", "{n}"))
    assert (found["end"], found["boundary"]["relation"], found["boundary"]["last_holding"], found["boundary"]["first_failing"]) == ("found", "<=", "3", "4")
    told = ruledout(limit, "boundary", "--param", "n=1..3", "--runs", "1", "--", sys.executable, "-S", "limit.py", "{n}")
    assert (told.returncode, told.stdout.splitlines()[0]) == (1, "always holds: it holds at every value that was tried")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("boundary",), 2, "--param"),
        (("boundary", "--param", "n=1..3"), 2, "no command"),
        (("boundary", "--param", "n=3..1", "--", "true", "{n}"), 2, "not below"),
        (("boundary", "--param", "n=1..3", "--", "true"), 2, "{n}"),
        (("boundary", "--param", "n=1..3", "--runs", "1", "--", "no-such-program", "{n}"), 3, "cannot run"),
        (("trust",), 2, "no record"),
        (("trust", "abcdef"), 2, "nothing is kept"),
        (("trust", "--revoke", "abcdef"), 2, "no grant"),
        (("replay", "abcdef"), 2, "nothing is kept"),
        (("recheck", "--budget", "soon"), 2, "no time"),
        (("recheck",), 0, "no residual"),
    ],
)
def test_what_is_asked_wrongly_is_told_with_the_mend(limit: Path, words: tuple[str, ...], code: int, said: str) -> None:
    done = ruledout(limit, *words)
    assert done.returncode == code, done.stderr
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
